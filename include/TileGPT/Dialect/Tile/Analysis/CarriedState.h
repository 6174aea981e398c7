// Loop-carried values of loops that can be split into parts and recombined:
// reductions, and the sums of an online softmax.
#ifndef TILEGPT_DIALECT_TILE_ANALYSIS_CARRIEDSTATE_H
#define TILEGPT_DIALECT_TILE_ANALYSIS_CARRIEDSTATE_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <optional>

namespace tilegpt::tile {

/// A loop-carried tile. Either a reduction,
///
///   x' = combine(x, u),
///
/// where u does not depend on loop-carried values, or a weighted sum,
///
///   x' = x·b^(d·m - d·m') + Σ b^(… - d·m')·…,
///
/// where m is the maximum that the loop carries as another tile, and b is e or
/// 2. Results of two parts of the iterations are combined by `combine`, or
/// added after each is multiplied by its `factor`, with its own maximum for m
/// and the larger one for m'.
struct CarriedTile {
  /// The combining op of a reduction; null if a dot or an FMA accumulates.
  mlir::Operation *combine = nullptr;
  /// The kind of a reduction; Add for a weighted sum.
  ReduceKind kind = ReduceKind::Add;
  /// For a weighted sum: b^(d·m - d·m'), in the shape of the tile, and the
  /// index of m among the loop-carried tiles. Null for reductions.
  mlir::Value factor;
  unsigned maximum = 0;

  bool isWeighted() const { return bool(factor); }
};

/// The loop-carried tiles, in order; nothing if the loop carries anything else,
/// or does more than load and compute.
/// \param reason  set to the reason for a remark.
std::optional<llvm::SmallVector<CarriedTile>>
findCarriedState(mlir::scf::ForOp loop, llvm::StringRef &reason);

} // namespace tilegpt::tile

#endif // TILEGPT_DIALECT_TILE_ANALYSIS_CARRIEDSTATE_H
