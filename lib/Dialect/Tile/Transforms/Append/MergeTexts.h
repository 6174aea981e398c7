// The texts of two launches, one behind the other, as one kernel.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_APPEND_MERGETEXTS_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_APPEND_MERGETEXTS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"

namespace tilegpt::tile {

/// The producer's ops in front of the consumer's, on the consumer's grid. An
/// operand of both launches, and a tensor between them, is one argument.
struct MergedText {
  mlir::OwningOpRef<KernelOp> kernel;
  llvm::SmallVector<mlir::Value> operands; ///< by argument
  /// By out: the result of the two launches it stands for.
  llvm::SmallVector<mlir::Value> results;
  mlir::DictionaryAttr params; ///< may be null
  /// The arguments that stand for what the producer makes, by result.
  llvm::SmallVector<mlir::BlockArgument> made;
  llvm::SmallVector<bool> isUpdate; ///< likewise: whether in place
  mlir::Operation *firstOfConsumer;
  LaunchOp consumer;
};

/// Merges the texts where a block of the consumer does the work of one of the
/// producer: block ids that select entries of a tensor between the two number
/// the same entries, and along other axes the producer has one block, whose
/// tiles there become one element long.
/// \returns an error that says why the blocks do not correspond.
llvm::Expected<MergedText> mergeTexts(LaunchOp producer, LaunchOp consumer,
                                      KernelOp producerText,
                                      KernelOp consumerText);

} // namespace tilegpt::tile

#endif
