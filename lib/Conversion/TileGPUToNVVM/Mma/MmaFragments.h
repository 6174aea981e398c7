// Loads operand fragments of `mma.sync` from shared memory.
#ifndef TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_MMA_MMAFRAGMENTS_H
#define TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_MMA_MMAFRAGMENTS_H

#include "Mma/DotPatterns.h"

namespace tilegpt::tilegpu {

class SharedTile;

/// Fragments of one operand, loaded by `ldmatrix` from the lane's address or,
/// for MN-major elements of 1 or 4 bytes, which it cannot transpose, one by
/// one.
class FragmentReader {
public:
  /// \param warpBase  start of the warp's part along the free axis.
  /// \param batch     coordinate of the tile before the last two axes; null for
  /// rank 2.
  /// \param covered   one more than the last coordinate along the free axis at
  /// which any warp has a fragment.
  FragmentReader(mlir::OpBuilder &builder, mlir::Location loc,
                 const DotOperand &operand, bool isLhs, mlir::Value warpBase,
                 mlir::Value batch, int64_t covered);

  /// The registers of the fragments at `free` along the free axis and K step
  /// `step`, of a buffer that starts at `pointer`.
  /// \param matrices  8×8 blocks of 2-byte elements (or equivalent): 4, or 2
  /// for one fragment of rhs.
  llvm::SmallVector<mlir::Value> read(mlir::Value pointer, int64_t free,
                                      int64_t step, int64_t matrices);

private:
  void clampFree(llvm::SmallVectorImpl<mlir::Value> &base,
                 llvm::SmallVectorImpl<int64_t> &offset, int64_t last);
  llvm::SmallVector<mlir::Value> loadMatrices(mlir::Value address,
                                              int64_t matrices);
  llvm::SmallVector<mlir::Value> pick(mlir::Value pointer,
                                      llvm::ArrayRef<mlir::Value> base,
                                      llvm::ArrayRef<int64_t> offset,
                                      int64_t matrices);

  mlir::Value pickRegister(SharedTile &shared,
                           llvm::MutableArrayRef<int64_t> offset);
  bool isPicked() const {
    constexpr int64_t unitOfTwoBytes = 8;
    return !operand.isContiguousAlongSum() && unit != unitOfTwoBytes;
  }
  int64_t elementsOfRegister() const { return unit / 4; }

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const DotOperand &operand;
  bool isLhs;
  mlir::Value batch;
  int64_t unit; ///< elements of 16 bytes
  bool hasPadding;
  mlir::Value freeBase, sumBase; ///< of this lane
};

} // namespace tilegpt::tilegpu

#endif
