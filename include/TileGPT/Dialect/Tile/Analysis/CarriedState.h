// What a loop carries, where its iterations may be done in parts and the parts
// put together: reductions, and the sums of an online softmax.
#ifndef TILEGPT_DIALECT_TILE_ANALYSIS_CARRIEDSTATE_H
#define TILEGPT_DIALECT_TILE_ANALYSIS_CARRIEDSTATE_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <optional>

namespace tilegpt::tile {

/// A tile that a loop carries. Either a reduction,
///
///   x' = combine(x, u),
///
/// u being made of nothing that is carried, or a weighted sum,
///
///   x' = x·b^(d·m - d·m') + Σ b^(… - d·m')·…,
///
/// m being the maximum that the loop carries as another tile, and b being e or
/// 2. What two parts of the iterations have made is combined by `combine`, or
/// added once either is multiplied by its `factor`, with its own maximum for m
/// and the larger one for m'.
struct CarriedTile {
  /// Of a reduction, the op; null where a dot or a multiply-add adds.
  mlir::Operation *combine = nullptr;
  /// What a reduction reduces by; Add of a weighted sum.
  ReduceKind kind = ReduceKind::Add;
  /// Of a weighted sum: b^(d·m - d·m'), in the shape of the tile, and the
  /// number of m among the tiles that are carried. Null for reductions.
  mlir::Value factor;
  unsigned maximum = 0;

  bool isWeighted() const { return bool(factor); }
};

/// The tiles that a loop carries, in order; nothing where it carries anything
/// else, or does more than load and compute.
/// \param reason  set to why not, for a remark.
std::optional<llvm::SmallVector<CarriedTile>>
findCarriedState(mlir::scf::ForOp loop, llvm::StringRef &reason);

} // namespace tilegpt::tile

#endif // TILEGPT_DIALECT_TILE_ANALYSIS_CARRIEDSTATE_H
