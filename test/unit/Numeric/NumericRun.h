// One run of a numeric case: the kernel parsed, its arguments made, its outs to
// look at.
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
  /// Parses the kernel and makes the arguments; what cannot be read fails the
  /// running test, and later runs then return an error.
  explicit NumericRun(const NumericCase &test);

  llvm::Error onReference();
  /// Compiled for the host; `options.parameters` are those of the case.
  llvm::Error onCpu(compiler::KernelRunOptions options);

  /// Compiled for an NVIDIA GPU and run there; likewise.
  llvm::Error onGpu(compiler::GpuRunner &runner,
                    compiler::GpuRunOptions options);
  /// Compiled as for onGpu(), but not run; likewise.
  llvm::Expected<compiler::GpuKernelRun>
  compileForGpu(compiler::GpuRunOptions options,
                const compiler::GpuCompilation &compilation);

  /// Null if there is none of this name.
  tile::KernelOp kernelOp() const { return kernel; }

  /// The tensor of an argument, to be changed before a run.
  reference::Tensor &argument(size_t number);

  /// What an out holds.
  const reference::Tensor &out(size_t number) const { return *outs[number]; }

private:
  void makeArguments(const NumericCase &test);
  void makeOuts(const NumericCase &test);
  void makeRawArguments(const NumericCase &test);

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  tile::KernelOp kernel;
  mlir::DictionaryAttr parameters;
  std::optional<reference::Grid> grid;
  std::vector<reference::Value> arguments;
  std::vector<reference::TensorRef> outs;
};

} // namespace tilegpt::numeric

#endif // TILEGPT_TEST_UNIT_NUMERIC_NUMERICRUN_H
