// The vectorization plan of a linalg op on buffers: the vector axis, and what
// each operand reads along it.
#ifndef TILEGPT_LIB_CONVERSION_TILETOCPU_VECTOR_VECTORPLAN_H
#define TILEGPT_LIB_CONVERSION_TILETOCPU_VECTOR_VECTORPLAN_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tilegpt::cpu {

/// An operand with its axes of size 1 dropped.
struct TileOperand {
  mlir::Value value; ///< a memref, or a scalar
  llvm::SmallVector<int64_t>
      dims;              ///< iteration dimension of each axis, -1: element 0
  bool hasLanes = false; ///< the last axis runs along the vector axis
  bool isOut = false;
  bool isRead = true; ///< of an output: its old value matters
};

/// How partial results of a reduction are combined.
struct Combiner {
  mlir::Operation *op;     ///< takes two values of a type, yields one
  mlir::TypedAttr neutral; ///< combining with it changes nothing

  mlir::Value combine(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value lhs, mlir::Value rhs) const;
};

/// The sizes of an op's iteration space: of each loop, that of an operand's
/// axis that it indexes, a static one if there is one.
llvm::SmallVector<mlir::OpFoldResult> getLoopSizes(mlir::OpBuilder &builder,
                                                   mlir::linalg::LinalgOp op);

/// Whether every op of a body has a vector form.
bool hasVectorBody(mlir::Block *body);

/// Bits of the widest element type. Indices do not count: they are few and
/// often narrowed immediately.
unsigned widestElementOf(mlir::linalg::LinalgOp op);

struct VectorPlan {
  mlir::linalg::LinalgOp op;
  llvm::SmallVector<mlir::OpFoldResult> sizes; ///< of the iteration space
  llvm::SmallVector<TileOperand> operands;     ///< inputs, then outputs
  llvm::SmallVector<Combiner> combiners; ///< one an output if lanes are reduced
  int64_t numOuts = 0;
  int64_t vectorDim = -1;
  int64_t lanes = 1;
  bool reducesLanes = false;

  int64_t numIns() const { return operands.size() - numOuts; }
  llvm::ArrayRef<TileOperand> outs() const {
    return llvm::ArrayRef(operands).drop_front(numIns());
  }

  /// \returns nothing if no axis is contiguous in all operands that have it, or
  /// if the body or memory has no vector form.
  static std::optional<VectorPlan> plan(mlir::OpBuilder &builder,
                                        mlir::linalg::LinalgOp op,
                                        unsigned vectorBits);
};

} // namespace tilegpt::cpu

#endif
