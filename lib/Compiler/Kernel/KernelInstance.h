// A kernel bound to the arguments of one run: the input of the compilers of all
// devices for standalone kernels.
#ifndef TILEGPT_LIB_COMPILER_KERNELINSTANCE_H
#define TILEGPT_LIB_COMPILER_KERNELINSTANCE_H

#include "TileGPT/Reference/KernelBinding.h"
#include "mlir/IR/OwningOpRef.h"

namespace tilegpt::compiler {

struct KernelInstance {
  /// Contains only the kernel, with types, sizes and parameters bound.
  mlir::OwningOpRef<mlir::ModuleOp> module;
  reference::Grid grid = {1, 1, 1};

  tile::KernelOp kernel() { return *module->getOps<tile::KernelOp>().begin(); }
};

/// The MLIR type of an element type. Integers are signless.
mlir::Type typeOf(reference::ElementType type, mlir::MLIRContext *context);

/// The operand types of a launch on these arguments.
/// \param openSizes keeps the first axis of every view dynamic, unless it
/// determines a parameter.
llvm::SmallVector<mlir::Type>
launchTypes(tile::KernelOp kernel, llvm::ArrayRef<reference::Value> arguments,
            bool openSizes);

/// Specializes a copy of `kernel` as a launch with these arguments would.
/// \param parameters overrides of declared defaults; may be null.
/// \param openSizes  as for launchTypes().
/// \param grid       of a raw kernel.
/// \returns an error that states what does not fit; the reason is a diagnostic.
llvm::Expected<KernelInstance>
instantiate(tile::KernelOp kernel, llvm::ArrayRef<reference::Value> arguments,
            mlir::DictionaryAttr parameters, bool openSizes,
            std::optional<reference::Grid> grid);

} // namespace tilegpt::compiler

#endif // TILEGPT_LIB_COMPILER_KERNELINSTANCE_H
