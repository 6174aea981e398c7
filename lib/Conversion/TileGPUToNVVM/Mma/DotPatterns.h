// What the two ways to compute a tile_gpu.dot share: an operand in shared
// memory seen as rows (or columns) of the result by steps of the sum.
#ifndef TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_MMA_DOTPATTERNS_H
#define TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_MMA_DOTPATTERNS_H

#include "Thread/ThreadPatterns.h"
#include <optional>

namespace tilegpt::tilegpu {

/// One operand of a dot. Its free axis is the one that it shares with the
/// result (M of lhs, N of rhs), its sum axis the other one.
struct DotOperand {
  SharedType type;
  mlir::Value buffer;
  int64_t freeAxis, sumAxis;
  bool isUnsigned;

  static DotOperand lhsOf(DotOp op, mlir::Value buffer);
  static DotOperand rhsOf(DotOp op, mlir::Value buffer);

  int64_t getFreeSize() const { return type.getShape()[freeAxis]; }
  int64_t getSumLength() const { return type.getShape()[sumAxis]; }
  bool isContiguousAlongSum() const { return sumAxis > freeAxis; }
};

/// The blocks of the result that a thread or a warp holds along an axis: the
/// offsets of its registers there, ascending, each once.
llvm::SmallVector<int64_t> offsetsAlong(LayoutAttr layout, int64_t rank,
                                        int64_t axis);

/// A dot by fused multiply-adds of each thread; any types, any layout of the
/// accumulator.
/// \param acc  the registers of the accumulator.
/// \returns the registers of the result.
llvm::SmallVector<mlir::Value> multiplyAdd(mlir::OpBuilder &builder, DotOp op,
                                           const DotOperand &lhs,
                                           const DotOperand &rhs,
                                           mlir::ValueRange acc);

/// A dot by `mma.sync`; the accumulator has fragments of it (isMmaFragment),
/// the operands have the types and sizes that chooseDot asks for.
/// \param lhs           lhs in shared memory, or
/// \param lhsRegisters  its registers (isMmaLhs).
/// \returns the registers of the result.
llvm::SmallVector<mlir::Value> multiplyMatrices(
    mlir::OpBuilder &builder, DotOp op, const std::optional<DotOperand> &lhs,
    mlir::ValueRange lhsRegisters, const DotOperand &rhs, mlir::ValueRange acc);

} // namespace tilegpt::tilegpu

#endif
