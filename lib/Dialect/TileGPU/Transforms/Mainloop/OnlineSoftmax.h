// The recurrence of an online softmax in a fed loop: asked for by the passes
// that leave out what it does not need.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_ONLINESOFTMAX_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_ONLINESOFTMAX_H

#include "TileGPT/Dialect/TileGPU/Analysis/FedLoops.h"

namespace tilegpt::tilegpu {

///   m' = max(m, max X), e = 2^(x·y - c·m'), a = 2^(c·(m - m')),
///   l' = l·a + Σ e, acc = o·a to which the last dot adds e·V.
/// Where l is kept in parts of a row, Σ e is too.
struct OnlineSoftmax {
  mlir::scf::ForOp loop;
  tile::DotOp dot;
  unsigned maximum, sum;
  mlir::Value lhs;           ///< of the dot: e, rounded
  mlir::Value exponentials;  ///< e
  mlir::Value scores, scale; ///< x and y
  mlir::Value newMaximum, newSum, newAcc, output;
  mlir::Value total; ///< Σ e
};

std::optional<OnlineSoftmax> matchSoftmax(FedLoop fed);

} // namespace tilegpt::tilegpu

#endif
