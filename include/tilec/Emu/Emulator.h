//===- Emulator.h - compiled kernels run and checked on the host --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the LLVM IR that is handed to llc: compiled for the host, every instruction form of PtxForms.def
// replaced by its twin, every access of memory checked. Threads of a block are fibers, blocks run on all
// cores. docs/emulator.md says what is modelled and how to read what is found.
//
// A fault in the kernel is a Finding and no error of the emulator. A block that cannot go on (an access
// outside of everything, a deadlock) ends there; the others run.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_EMU_EMULATOR_H
#define TILEC_EMU_EMULATOR_H

#include "tilec/CodeGen/CodeGenLog.h"
#include "tilec/Runner/Device.h"
#include "tilec/Target/ArchInfo.h"
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
class raw_ostream;
} // namespace llvm

namespace tilec::emu {

enum class FindingKind {
  Race,          ///< two accesses, one of them a write, that nothing orders
  InFlight,      ///< data of an asynchronous copy used before the wait for it
  Uninitialised, ///< a read of what nobody wrote
  OutOfBounds,   ///< an access outside of every tensor and of the block's shared memory
  Misaligned,    ///< an address that is no multiple of the access's size
  ReadOnly,      ///< a write to an `in` tensor
  Divergence,    ///< threads of a warp at different instructions that they must execute together
  Barrier,       ///< wrong use of a barrier: its number, its count, threads that ended
  Deadlock,      ///< every thread waits
  NeverWaited,   ///< a copy still in flight when its thread ended
  Trap,          ///< the kernel stopped itself: a trap, a device assertion
  Endless,       ///< a thread went on beyond the limit of loop iterations
};
/// "race", "deadlock", …: for --json and tests.
llvm::StringRef getFindingName(FindingKind kind);

/// A text at a line of the program: "thread 3 of block (0, 0, 0) writes 16 bytes here".
struct FindingNote {
  SourcePos place;
  std::string text;
};

struct Finding {
  FindingKind kind = FindingKind::Race;
  SourcePos place;                ///< of the access that found it
  std::string text;               ///< one sentence, lower case, no full stop
  std::vector<FindingNote> notes; ///< the other side, values, what each thread waits for
  uint64_t count = 1;             ///< how often it was met, at the same two places
};

/// In which order the threads of a block go on.
enum class Order { Forward, Reverse, Seeded };
/// When asynchronous copies happen: as soon as they are issued, or at the last moment that their wait allows.
enum class Completion { Eager, Lazy };

struct Schedule {
  Order order = Order::Forward;
  Completion completion = Completion::Eager;
  unsigned smCount = 1; ///< multiprocessors that a launch program is told
  uint64_t seed = 1;    ///< of Order::Seeded
  /// Iterations of loops after which a thread counts as endless: some seconds. Once one does in a launch, a
  /// hundredth is enough for the others.
  uint64_t loopLimit = uint64_t(1) << 27;
  /// "forward order, early copies, 1 SM".
  std::string describe() const;
};
/// The schedules that a check runs, in this order, the first `count` of them: each differs from the ones
/// before in order or in completion, and 1 and 3 multiprocessors take turns. Beyond the list, seeded orders.
std::vector<Schedule> makeSchedules(unsigned count, uint64_t seed);

/// A tile in a block's dynamic shared memory, for reports. Tiles that do not live at once share bytes.
struct SharedTile {
  std::string name; ///< with its quotes, or "a shared tile"
  uint64_t offset = 0, bytes = 0;
};

/// The code of one target, ready to run.
class Program;

/// Compiles a module as llc would get it (markConvergent and optimizeLLVM have run). Null and `error` if the
/// host's JIT cannot be set up.
std::shared_ptr<const Program> compile(std::unique_ptr<llvm::Module> module,
                                       std::unique_ptr<llvm::LLVMContext> context, const ArchInfo &arch,
                                       std::string &error);

/// A device that is the emulator: launches run, and are over, when `launch` returns. Its memory is the
/// host's, so device pointers are host pointers.
class Machine : public runner::Device {
public:
  /// `jobs` blocks at a time; 0: as many as there are cores.
  Machine(std::shared_ptr<const Program> program, unsigned jobs);
  ~Machine() override;

  void setSchedule(const Schedule &schedule);
  /// What was found since the last call, in the order of blocks; the same place once.
  std::vector<Finding> takeFindings();
  /// Says what lies in the shared memory of a kernel.
  void nameShared(const std::string &kernel, std::vector<SharedTile> tiles);
  /// Where what kernels print goes; null: nowhere. Standard output unless said otherwise.
  void setPrinting(llvm::raw_ostream *to);
  /// Called now and then with the blocks of the launch that are done, and all of them.
  void setProgress(std::function<void(uint64_t done, uint64_t total)> callback);

  int capability() const override;
  unsigned smCount() const override;
  bool launch(const runner::KernelLaunch &launch) override;
  bool synchronize() override { return true; }
  bool freeBytes(uint64_t &bytes) override;
  bool allocate(runner::DevicePointer &pointer, uint64_t bytes) override;
  void free(runner::DevicePointer pointer) override;
  bool fill(runner::DevicePointer pointer, uint8_t value, uint64_t bytes) override;
  bool copyToDevice(runner::DevicePointer to, const void *from, uint64_t bytes) override;
  bool copyToHost(void *to, runner::DevicePointer from, uint64_t bytes) override;
  void describe(const runner::TensorPlace &tensor) override;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace tilec::emu

#endif // TILEC_EMU_EMULATOR_H
