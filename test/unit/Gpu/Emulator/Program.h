// A lowered GPU kernel as a function of the host that runs one thread: its
// instructions are the host's where the host has them, and calls of the
// emulator else.
#ifndef TILEGPT_TEST_UNIT_GPU_EMULATOR_PROGRAM_H
#define TILEGPT_TEST_UNIT_GPU_EMULATOR_PROGRAM_H

#include "Block.h"
#include "TileGPT/Runtime/Cpu/HostImage.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace tilegpt::emulator {

class Program {
public:
  /// \param device a device module in the LLVM and NVVM dialects; becomes code
  /// of the host.
  /// \returns an error that names what is not emulated.
  static llvm::Expected<Program> compile(mlir::ModuleOp device);

  /// Runs one thread.
  /// \param words what the runtime hands to the kernel, eight bytes each.
  void operator()(const uint64_t *words, Thread &thread) const {
    entry(words, nullptr, reinterpret_cast<int64_t>(&thread), 0);
  }

private:
  using Operations = std::deque<Operation>;
  Program(cpu::HostImage image, cpu::KernelFunction entry,
          std::unique_ptr<Operations> operations)
      : image(std::move(image)), entry(entry),
        operations(std::move(operations)) {}

  cpu::HostImage image;
  cpu::KernelFunction entry;
  std::unique_ptr<Operations> operations; ///< the code knows their addresses
};

} // namespace tilegpt::emulator

#endif
