// One run of a numeric case: parses the kernel, creates the arguments and gives
// access to the outs.
#ifndef TILEGPT_TEST_UNIT_NUMERIC_NUMERICRUN_H
#define TILEGPT_TEST_UNIT_NUMERIC_NUMERICRUN_H

#include "NumericCase.h"
#include "TileGPT/Compiler/GpuKernelRun.h"
#include "TileGPT/Compiler/KernelRun.h"
#include "TileGPT/Reference/Interpreter.h"
#include "TileGPT/Reference/TensorText.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace tilegpt::numeric {

class NumericRun {
public:
  /// Parses the kernel and creates the arguments; parse errors fail the running
  /// test, and later runs then return an error.
  explicit NumericRun(const NumericCase &test);

  /// Another run of the same case, with new arguments and outs: shares the
  /// parsed kernel, which runs leave as it is.
  NumericRun(const NumericCase &test, const NumericRun &other);

  llvm::Error onReference();
  /// Compiles for the host and runs; `options.parameters` are those of the
  /// case.
  llvm::Error onCpu(compiler::KernelRunOptions options);

  /// Likewise for an NVIDIA GPU.
  llvm::Error onGpu(compiler::GpuRunner &runner,
                    compiler::GpuRunOptions options);
  /// Compiles as for onGpu(), but does not run.
  llvm::Expected<compiler::GpuKernelRun>
  compileForGpu(compiler::GpuRunOptions options,
                const compiler::GpuCompilation &compilation);

  /// Null if the module has no such kernel.
  tile::KernelOp kernelOp() const { return kernel; }

  /// The tensor of an argument; may be changed before a run.
  reference::Tensor &argument(size_t number);

  /// The contents of an out.
  const reference::Tensor &out(size_t number) const { return *outs[number]; }

private:
  void makeArguments(const NumericCase &test);
  void makeOuts(const NumericCase &test);
  void makeRawArguments(const NumericCase &test);
  /// The memory of `out0`, or a new tensor.
  reference::TensorRef rawMemory(llvm::StringRef text) const;

  /// A parsed kernel; null if there is none.
  struct Program {
    explicit Program(const NumericCase &test);

    mlir::MLIRContext context;
    mlir::OwningOpRef<mlir::ModuleOp> module;
    tile::KernelOp kernel;
  };

  void bind(const NumericCase &test);

  std::shared_ptr<Program> program;
  tile::KernelOp kernel;
  mlir::DictionaryAttr parameters;
  std::optional<reference::Grid> grid;
  std::vector<reference::Value> arguments;
  std::vector<reference::TensorRef> outs;
};

} // namespace tilegpt::numeric

#endif // TILEGPT_TEST_UNIT_NUMERIC_NUMERICRUN_H
