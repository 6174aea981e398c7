// Matches the recurrence of an online softmax in a main loop, for the passes
// that simplify it.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_ONLINESOFTMAX_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_ONLINESOFTMAX_H

#include "TileGPT/Dialect/Tile/Analysis/LinearForm.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Mainloop.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace tilegpt::tilegpu {

///   m' = max(m, k·max S), e = b^(c·S - d·m'), a = b^(d·m - d·m'),
///   l' = l·a + Σ e, acc = o·a to which the deferred dot adds (e·w)·V,
/// where b is e or 2 and c = d·k are scalars, in whatever form the exponents
/// are written. The weights w, if any, are factors or masks that depend on
/// neither scores nor maxima: scales of the values, dropout. If k is not 1, d
/// is positive. If l is kept as partial sums of a row, so is Σ e.
struct OnlineSoftmax {
  MainloopOp loop; ///< null while the loop is not a main loop yet
  tile::DotOp dot;
  unsigned maximum, sum;
  mlir::Value lhs;          ///< of the dot: e·w, rounded
  mlir::Value exponentials; ///< e
  mlir::Value scores;       ///< S
  bool isIncreasing;        ///< whether c is known to be greater than zero
  LinearTerm scale;         ///< c·S
  LinearTerm shift;         ///< d·m'
  bool isBinary;            ///< whether b is 2
  mlir::Value newMaximum, newSum, newAcc, output;
  /// m' as the exponents use it: possibly with minus infinity replaced by
  /// another number.
  mlir::Value subtracted;
  mlir::Value total; ///< Σ e
  /// An op in the loop or after it, beyond those above, whose result depends on
  /// the subtracted maximum; null if there is none.
  mlir::Operation *shiftedUse;

  /// Whether k is not 1: the maximum is one of scaled scores.
  bool scalesMaximum() const { return !shift.hasFactorOf(scale); }
};

/// The softmaxes of a loop, one for each deferred dot; none unless all of these
/// dots weight by an online softmax.
llvm::SmallVector<OnlineSoftmax, 2> matchSoftmaxes(MainloopOp loop);
llvm::SmallVector<OnlineSoftmax, 2> matchSoftmaxes(mlir::scf::ForOp loop);

/// Whether a loop carries nothing but its softmaxes and has no side effects:
/// iterations that leave these unchanged may be skipped.
bool hasOnlySoftmaxes(mlir::LoopLikeOpInterface loop, mlir::Block &body,
                      llvm::ArrayRef<OnlineSoftmax> softmaxes);

/// The softmax whose exponentials a deferred dot multiplies.
std::optional<OnlineSoftmax> matchSoftmax(MainloopOp loop, tile::DotOp dot);

/// The softmax of a loop that has just one.
std::optional<OnlineSoftmax> matchSoftmax(mlir::scf::ForOp loop);

} // namespace tilegpt::tilegpu

#endif
