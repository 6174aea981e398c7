// Sharing the keys of an online softmax out to several blocks.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SOFTMAX_KEYSPLIT_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SOFTMAX_KEYSPLIT_H

#include "Mainloop/OnlineSoftmax.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilegpt::tilegpu {

/// The only loop of a kernel, an online softmax of few queries, whose
/// iterations several blocks share out.
class KeySplit {
public:
  /// \returns nothing where the kernel has no such loop.
  static std::optional<KeySplit> of(tile::KernelOp kernel);

  mlir::scf::ForOp getLoop() const { return loop; }

  /// Why blocks cannot share the loop out; empty where they can.
  llvm::StringRef refusal();

  /// Keys that a block walks at most; nothing where that is not known.
  std::optional<int64_t> countKeys();

  /// Bytes that an iteration loads for each key.
  int64_t countKeyBytes();

  /// Blocks of a cluster for whose rows shared memory has room beside the
  /// operands of the loop, two stages of them if it can.
  int64_t countMostParts(int64_t sharedBytes);

  /// Shares the loop out to clusters of `parts` blocks, `copies` of them for
  /// what one block did, which follow each other along the first axis of the
  /// grid.
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
  /// The block's number in its cluster, that of the cluster among its copies,
  /// and both together.
  mlir::Value part, copy, number;
  /// Of copies: whether the first of them does all.
  mlir::Value isShort;
  /// What stands for maximum, sum and output of the loop behind it.
  llvm::SmallVector<mlir::Value> results;
};

} // namespace tilegpt::tilegpu

#endif
