// Exchanges partial results between the blocks that share a row.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SHARED_PARTEXCHANGE_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SHARED_PARTEXCHANGE_H

#include "TileGPT/Dialect/TileGPU/Analysis/LongRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace tilegpt::tilegpu {

/// The exchanges of a kernel, each through its own mailbox, or words of global
/// memory if the blocks form no cluster. There are none if each row has a
/// single block.
class PartExchange {
public:
  PartExchange(tile::KernelOp kernel, mlir::OpBuilder &builder,
               const LongRows &rows);

  /// Sets up the exchanges at the builder's insertion point: turns the grid
  /// into one of clusters with mailboxes, or finds the block's place in its
  /// group.
  void begin();

  /// Removes the mailboxes of exchanges that were combined with others.
  void end();

  /// The index of this block's part of the row.
  mlir::Value getPart() const { return part; }

  /// Gathers one number [1, 1] of every block in all of them: [parts, 1].
  mlir::Value gather(mlir::Value own);
  /// Gathers the results of a region reduction.
  llvm::SmallVector<mlir::Value> gatherAll(mlir::ValueRange own);

  /// A mask of the gathered numbers that come from preceding parts.
  mlir::Value isBefore(mlir::Type gathered);
  /// A mask of the one that comes from the last part.
  mlir::Value isLast(mlir::Type gathered);

private:
  mlir::Value comparePart(mlir::Type gathered, mlir::arith::CmpIPredicate how,
                          mlir::Value with);
  void beginThroughMemory();
  mlir::Value gatherThroughMemory(mlir::Value own);
  /// The most exchanges that reductions and scans need.
  size_t countMailboxes() const;

  tile::KernelOp kernel;
  mlir::OpBuilder &builder;
  const LongRows &rows;
  mlir::Location loc;
  mlir::Value part;
  llvm::SmallVector<mlir::Value> mailboxes; ///< each is used once
  bool hasMet = false;                ///< whether all blocks are known to run
  mlir::Value group, mark, workspace; ///< of exchanges through memory
  int64_t exchanges = 0;              ///< of these so far
};

} // namespace tilegpt::tilegpu

#endif
