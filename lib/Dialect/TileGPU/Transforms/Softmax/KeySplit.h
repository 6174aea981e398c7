// Splits the keys of an online softmax across blocks.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SOFTMAX_KEYSPLIT_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SOFTMAX_KEYSPLIT_H

#include "Mainloop/OnlineSoftmax.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilegpt::tilegpu {

/// The only loop of a kernel, an online softmax with few queries, whose
/// iterations several blocks share.
class KeySplit {
public:
  /// \returns nullopt if the kernel has no such loop.
  static std::optional<KeySplit> of(tile::KernelOp kernel);

  mlir::scf::ForOp getLoop() const { return loop; }

  /// Why blocks cannot share the loop; empty if they can.
  llvm::StringRef refusal();

  /// An upper bound on the keys per block; nullopt if unknown.
  std::optional<int64_t> countKeys();

  /// Bytes that an iteration loads per key.
  int64_t countKeyBytes();

  /// The largest cluster whose rows fit shared memory beside the operands of
  /// the loop, in two stages if possible.
  int64_t countMostParts(int64_t sharedBytes);

  /// Splits the loop across `copies` clusters of `parts` blocks for each
  /// original block, adjacent along the first axis of the grid.
  void run(int64_t parts, int64_t copies);

private:
  KeySplit(tile::KernelOp kernel, OnlineSoftmax softmax, mlir::scf::ForOp loop);

  llvm::StringRef effectsAround();
  void numberParts();
  mlir::Value writeIsShort();
  void shareIterations();
  void guardMaximum();
  mlir::Value share(mlir::Value tile);
  mlir::Value asMatrix(mlir::Value tile);
  mlir::Value asTile(mlir::Value matrix, mlir::Type type);
  mlir::Value readPart(mlir::Value buffer, int64_t number);
  void meetInCluster();
  void meetInMemory();

  tile::KernelOp kernel;
  OnlineSoftmax softmax;
  mlir::scf::ForOp loop;
  mlir::OpBuilder builder;
  mlir::Location loc;
  unsigned output;
  int64_t parts = 1, copies = 1;
  /// The block's index in its cluster, the cluster's index among its copies,
  /// and both combined.
  mlir::Value part, copy, number;
  /// With copies: whether the first of them does all the work.
  mlir::Value isShort;
  /// Replacements for the loop's maximum, sum and output.
  llvm::SmallVector<mlir::Value> results;
};

} // namespace tilegpt::tilegpu

#endif
