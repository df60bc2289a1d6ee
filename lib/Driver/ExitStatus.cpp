//===- ExitStatus.cpp - from what was reported to an exit status ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The blocks of Diagnostics.def are the classes.
//
//===----------------------------------------------------------------------===//
#include "ExitStatus.h"

namespace tilec {

ExitCode exitCodeOf(DiagId id) {
  switch (id) {
  case DiagId::CannotWriteFile:
  case DiagId::DeviceNotThere:
  case DiagId::EnvironmentError:
    return ExitEnvironment;
  case DiagId::LimitError:
    return ExitLimit;
  case DiagId::InternalError:
    return ExitInternal;
  default:
    break;
  }
  unsigned number = 0;
  getDiagInfo(id).id.drop_front(4).getAsInteger(10, number);
  return (number >= 1010 && number <= 1031) || id == DiagId::BinaryToTerminal || id == DiagId::OutputName ||
                 id == DiagId::UnknownCommand || id == DiagId::ModuleTarget || id == DiagId::DepfileName ||
                 id == DiagId::ShapeValues || id == DiagId::ShapeUnknownName || id == DiagId::NoSuchCheck
             ? ExitUsage
             : ExitInput;
}

} // namespace tilec
