// Launches of gpt.attention, including preceding QK norms and rotation.
#ifndef TILEGPT_LIB_CONVERSION_GPTTOTILE_ATTENTIONLAUNCHES_H
#define TILEGPT_LIB_CONVERSION_GPTTOTILE_ATTENTIONLAUNCHES_H

#include "LaunchBuilder.h"
#include "TileGPT/Dialect/Gpt/IR/Rotary.h"
#include "llvm/ADT/StringSet.h"

namespace tilegpt::gpt {

/// Lowers gpt.head_norm, gpt.rotary and gpt.attention of one function. Norms
/// and rotations only used by attention are fused into it, as it writes queries
/// and keys anyway.
class AttentionLaunches {
public:
  AttentionLaunches(ModelOp model, int64_t capacity, LaunchBuilder &builder)
      : model(model), capacity(capacity), builder(builder) {}

  mlir::FailureOr<mlir::ValueRange> lower(HeadNormOp op);
  mlir::FailureOr<mlir::ValueRange> lower(HeadLayerNormOp op);
  mlir::FailureOr<mlir::ValueRange> lower(QkNormOp op);
  mlir::FailureOr<mlir::ValueRange> lower(LatentHeadsOp op);
  mlir::FailureOr<mlir::ValueRange> lower(ColumnsOp op);
  mlir::FailureOr<mlir::ValueRange> lower(ShortConvOp op);
  mlir::FailureOr<mlir::ValueRange> lower(RotaryOp op);
  mlir::FailureOr<mlir::ValueRange> lower(AttentionOp op);

private:
  /// What attention applies to heads before it stores them.
  struct HeadWork {
    std::optional<RotaryNumbers> rotary;
    mlir::StringAttr queryNorm, keyNorm; ///< weights; null: no norm
    double offset = 0;
  };
  /// The cosines [N, D] and sines [N, R] of a step.
  struct Angles {
    RotaryNumbers numbers;
    mlir::Value positions, cosines, sines;
  };

  mlir::LogicalResult takeCache(mlir::Operation *op, llvm::StringRef cache);
  Task task(llvm::StringRef op, llvm::StringRef part) const;
  mlir::Value integer(int64_t value);
  AttentionOp readerOf(RotaryOp op) const;
  mlir::FailureOr<Angles> anglesOf(const RotaryNumbers &numbers,
                                   mlir::Value qkv, mlir::Value positions);
  mlir::LogicalResult appendNorms(const HeadWork &work,
                                  llvm::SmallVectorImpl<mlir::Value> &ins);
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  headWorkOf(AttentionOp op, const HeadWork &work);
  mlir::FailureOr<double> factorOf(AttentionOp op);
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> scoresOf(AttentionOp op);
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  biasedScoresOf(AttentionOp op, llvm::ArrayRef<double> slopes);

  ModelOp model;
  int64_t capacity;
  LaunchBuilder &builder;
  llvm::StringSet<> caches;
  /// Norms and rotations that a following op will apply.
  llvm::DenseMap<mlir::Operation *, HeadWork> leftTo;
  llvm::SmallVector<Angles> angles;
};

} // namespace tilegpt::gpt

#endif
