// Shared by both lowerings of tile_gpu.dot: an operand in shared memory viewed
// as rows (or columns) of the result by K steps.
#ifndef TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_MMA_DOTPATTERNS_H
#define TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_MMA_DOTPATTERNS_H

#include "Thread/ThreadPatterns.h"
#include <optional>

namespace tilegpt::tilegpu {

/// One operand of a dot. Its free axis is the one it shares with the result (M
/// of lhs, N of rhs), its sum axis is K.
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

/// The blocks of the result that a thread or warp holds along an axis: the
/// distinct offsets of its registers there, ascending.
llvm::SmallVector<int64_t> offsetsAlong(LayoutAttr layout, int64_t rank,
                                        int64_t axis);

/// A dot by FMA in each thread; any types, any layout of the accumulator.
/// \param acc  the registers of the accumulator.
/// \returns the registers of the result.
llvm::SmallVector<mlir::Value> multiplyAdd(mlir::OpBuilder &builder, DotOp op,
                                           const DotOperand &lhs,
                                           const DotOperand &rhs,
                                           mlir::ValueRange acc);

/// A dot by `mma.sync`; the accumulator consists of its fragments
/// (isMmaFragment), the operands have the types and sizes that chooseDot
/// requires.
/// \param lhs           lhs in shared memory, or
/// \param lhsRegisters  its registers (isMmaLhs).
/// \returns the registers of the result.
llvm::SmallVector<mlir::Value> multiplyMatrices(
    mlir::OpBuilder &builder, DotOp op, const std::optional<DotOperand> &lhs,
    mlir::ValueRange lhsRegisters, const DotOperand &rhs, mlir::ValueRange acc);

} // namespace tilegpt::tilegpu

#endif
