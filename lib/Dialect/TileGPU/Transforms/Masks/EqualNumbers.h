// Masks that keep a score if the id of its key equals the id of its row, such
// as document or segment masks.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MASKS_EQUALNUMBERS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MASKS_EQUALNUMBERS_H

#include "Masks/MaskConditions.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilegpt::tilegpu {

/// Loads of ids that are equal wherever a score is kept.
struct EqualNumbers {
  tile::LoadOp rows; ///< outside the loop
  tile::LoadOp keys; ///< tile j in iteration j
};

/// Matches a conjunct of a condition that compares ids of rows and keys;
/// nullopt if there is none.
/// \param scores  type of the tile that the condition masks.
std::optional<EqualNumbers> findEqualNumbers(const PositionCondition &condition,
                                             mlir::scf::ForOp loop,
                                             mlir::RankedTensorType scores);

} // namespace tilegpt::tilegpu

#endif
