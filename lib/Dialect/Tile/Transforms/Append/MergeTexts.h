// Concatenates the bodies of two launches' kernels into one kernel.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_APPEND_MERGETEXTS_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_APPEND_MERGETEXTS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"

namespace tilegpt::tile {

/// The producer's ops followed by the consumer's, on the consumer's grid.
/// Operands of both launches, and tensors between them, are one argument.
struct MergedText {
  mlir::OwningOpRef<KernelOp> kernel;
  llvm::SmallVector<mlir::Value> operands; ///< by argument
  /// By out: the corresponding result of the original launches.
  llvm::SmallVector<mlir::Value> results;
  mlir::DictionaryAttr params; ///< may be null
  /// By result of the producer: the argument that replaces it.
  llvm::SmallVector<mlir::BlockArgument> made;
  llvm::SmallVector<bool> isUpdate; ///< by result: whether in place
  mlir::Operation *firstOfConsumer;
  LaunchOp consumer;
};

/// Merges two kernels if a block of the consumer can also do the work of a
/// block of the producer: block ids that select entries of a tensor between
/// them count the same entries, and along other axes the producer has one
/// block, whose tiles there shrink to one element.
/// \returns an error that explains why the blocks do not correspond.
llvm::Expected<MergedText> mergeTexts(LaunchOp producer, LaunchOp consumer,
                                      KernelOp producerText,
                                      KernelOp consumerText);

} // namespace tilegpt::tile

#endif
