// Chooses the kernel that implements an op.
#ifndef TILEGPT_LIB_CONVERSION_GPTTOTILE_KERNELCHOICE_H
#define TILEGPT_LIB_CONVERSION_GPTTOTILE_KERNELCHOICE_H

#include "Rows.h"
#include "TileGPT/Dialect/Gpt/IR/GptOps.h"

namespace tilegpt::gpt {

/// The requirements on a kernel: the op's name and the attributes that
/// determine its semantics.
struct Task {
  llvm::StringRef opName;
  mlir::DictionaryAttr attributes;
};

/// Prints `gpt.linear {activation = "gelu_erf"}`.
mlir::Diagnostic &operator<<(mlir::Diagnostic &diagnostic, const Task &task);

/// The kernels that the functions of a model may launch.
class KernelTable {
public:
  /// Collects the kernels in `model` and in the module around it. A name in the
  /// model hides the same name in the module.
  explicit KernelTable(ModelOp model);

  /// True if some kernel implements the task, possibly under conditions.
  bool implements(const Task &task) const;

  /// The kernel to launch for `task` on `operands` (ins, then outs). On failure
  /// emits an error on `op` that names the kernels in question.
  mlir::FailureOr<tile::KernelOp> choose(mlir::Operation *op, const Task &task,
                                         mlir::ValueRange operands,
                                         const Rows &rows) const;

private:
  llvm::SmallVector<tile::KernelOp> kernels;
};

} // namespace tilegpt::gpt

#endif
