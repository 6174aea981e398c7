// What the blocks of a cluster that have a part of a row each tell each other.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SHARED_PARTEXCHANGE_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SHARED_PARTEXCHANGE_H

#include "TileGPT/Dialect/TileGPU/Analysis/LongRows.h"
#include "mlir/IR/Builders.h"

namespace tilegpt::tilegpu {

/// The exchanges of a kernel, each through a mailbox of its own. A kernel of
/// one block a row has none.
class PartExchange {
public:
  PartExchange(tile::KernelOp kernel, mlir::OpBuilder &builder,
               const LongRows &rows);

  /// Makes the grid one of clusters and prepares the mailboxes, where the
  /// builder stands.
  void begin();

  /// Which part of the row this block has.
  mlir::Value getPart() const { return part; }

  /// A number [1, 1] of every block, in all of them: [parts, 1].
  mlir::Value gather(mlir::Value own);
  /// The results of a reduction by a region, likewise.
  llvm::SmallVector<mlir::Value> gatherAll(mlir::ValueRange own);

  /// Which of the numbers that all parts have are of parts before this one.
  mlir::Value isBefore(mlir::Type gathered);

private:
  /// How many exchanges reductions and scans take.
  size_t countMailboxes() const;

  tile::KernelOp kernel;
  mlir::OpBuilder &builder;
  const LongRows &rows;
  mlir::Location loc;
  mlir::Value part;
  llvm::SmallVector<mlir::Value> mailboxes; ///< each is used once
  bool hasMet = false; ///< whether all blocks are known to have begun
};

} // namespace tilegpt::tilegpu

#endif
