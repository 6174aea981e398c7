// The recurrence of an online softmax in a main loop: asked for by the passes
// that leave out what it does not need.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_ONLINESOFTMAX_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_ONLINESOFTMAX_H

#include "TileGPT/Dialect/Tile/Analysis/LinearForm.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Mainloop.h"

namespace tilegpt::tilegpu {

///   m' = max(m, k·max S), e = b^(c·S - d·m'), a = b^(d·m - d·m'),
///   l' = l·a + Σ e, acc = o·a to which the deferred dot adds e·V,
/// b being e or 2 and c = d·k scalars, however the exponents are written. Where
/// k is not 1, d is greater than zero. Where l is kept in parts of a row, Σ e
/// is too.
struct OnlineSoftmax {
  MainloopOp loop; ///< null of a loop that is none yet
  tile::DotOp dot;
  unsigned maximum, sum;
  mlir::Value lhs;          ///< of the dot: e, rounded
  mlir::Value exponentials; ///< e
  mlir::Value scores;       ///< S
  bool isIncreasing;        ///< whether c is known to be greater than zero
  LinearTerm scale;         ///< c·S
  LinearTerm shift;         ///< d·m'
  bool isBinary;            ///< whether b is 2
  mlir::Value newMaximum, newSum, newAcc, output;
  /// m' as exponents have it: where it is minus infinity another number may
  /// stand in for it.
  mlir::Value subtracted;
  mlir::Value total; ///< Σ e
  /// An op behind the loop whose result changes when another maximum is
  /// subtracted; null where there is none.
  mlir::Operation *shiftedUse;

  /// Whether k is not 1: the maximum is one of scaled scores.
  bool scalesMaximum() const { return !shift.hasFactorOf(scale); }
};

std::optional<OnlineSoftmax> matchSoftmax(MainloopOp loop);
std::optional<OnlineSoftmax> matchSoftmax(mlir::scf::ForOp loop);

} // namespace tilegpt::tilegpu

#endif
