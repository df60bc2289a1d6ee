//===- Stub.h - launch programs as C, C++ and JSON ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the user's program links: one header, one source with the device code in it, and the manifest that
// says the same to tools. buildStubModel takes the launch programs out of MLIR and decides which targets
// share one; the three printers only print. Text out depends on nothing but the arguments.
//
// All three carry one content ID, a hash of everything in them and of the image, so that files of two
// compiles are not mixed: the source refuses another compile's header. Objects are safe too: the functions that
// take arguments are called by symbols that end in a hash of the interface, so that an object which was compiled
// with a header of other parameters does not link. (The plain names are there as well, for dlsym.)
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_STUB_STUB_H
#define TILEC_STUB_STUB_H

#include "mlir/IR/BuiltinOps.h"
#include "tilec/CodeGen/CodeGen.h"
#include "tilec/Runner/LaunchProgram.h"
#include "tilec/Target/ArchInfo.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace tilec::stub {

/// One target of the compile: its module with `tile.entry` and `tile.kernel` ops, and what ptxas said.
struct TargetModule {
  const ArchInfo *arch = nullptr;
  mlir::ModuleOp module;
  std::vector<KernelResources> resources; ///< empty if ptxas did not run
};

/// A tool or an input that had a part in the result, for the manifest.
struct Provenance {
  std::string name;    ///< "ptxas", "vector_add.tile"
  std::string version; ///< empty for files
  std::string sha256;  ///< empty if unknown
};

struct Options {
  std::string headerName;   ///< as the source includes it: "vector_add.h"
  std::string imageName;    ///< of the fatbin: for the manifest, and for `.incbin`
  std::string nameSpace;    ///< "acme" or "acme::ops": prefix of the C names, namespace of the C++ ones
  bool incbin = false;      ///< the source takes the image by `.incbin` instead of holding it
  std::string tilecVersion; ///< "0.1.0"
  std::vector<Provenance> tools, inputs;
};

struct Target {
  const ArchInfo *arch = nullptr;
  std::vector<KernelResources> resources;

  /// Code that runs on exactly this chip: sm_90a.
  bool isSpecific() const { return arch->name.ends_with("a"); }
};

/// A launch program and the targets (indices, ascending) that have it.
struct TargetProgram {
  std::vector<unsigned> targets;
  launch::Program program;
};

struct Entry {
  std::string name;
  std::vector<launch::Param> params;
  std::vector<TargetProgram> programs; ///< no two equal; together they cover every target
};

struct Model {
  std::vector<Target> targets;
  std::vector<Entry> entries;
  std::string image;     ///< bytes of the fatbin
  std::string contentId; ///< 32 hexadecimal digits
};

/// Reads the entry points of all targets. Fails with a located diagnostic on an operation that has no meaning
/// on the host, and on targets that do not agree about the entry points and their parameters.
mlir::FailureOr<Model> buildModel(llvm::ArrayRef<TargetModule> targets, std::string image,
                                  const Options &options);

/// Reads one `tile.entry`.
mlir::FailureOr<launch::Program> importLaunchProgram(mlir::Operation *entry);

std::string printHeader(const Model &model, const Options &options);
std::string printSource(const Model &model, const Options &options);
std::string printManifest(const Model &model, const Options &options);

/// The names that the parameters have in the header: their own, or with underscores appended until the name is
/// neither reserved nor another's.
std::vector<std::string> fieldNames(llvm::ArrayRef<launch::Param> params);

/// A hash of what a caller of the entry point relies on, the layout and the meaning of its arguments: names, types,
/// order. 12 hexadecimal digits.
std::string interfaceHash(const Entry &entry);

} // namespace tilec::stub

#endif // TILEC_STUB_STUB_H
