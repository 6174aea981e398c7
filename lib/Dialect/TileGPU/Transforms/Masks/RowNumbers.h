// Integers of tiles: those that all elements share, and one per row, computed
// from the row number.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MASKS_ROWNUMBERS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MASKS_ROWNUMBERS_H

#include "mlir/IR/Builders.h"
#include <optional>

namespace tilegpt::tilegpu {

/// The integer that a constant tile splats; nothing for others.
std::optional<int64_t> splatIntegerOf(mlir::Value tile);

/// Whether the integers of a tile do not decrease along its only axis that is
/// not a unit axis, and are computed from the position on that axis and
/// scalars.
bool isNonDecreasing(mlir::Value tile);

/// The element of such a tile at a position, computed from scalars at the
/// builder's insertion point.
/// \param position  an index.
mlir::Value elementAt(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value tile, mlir::Value position);

} // namespace tilegpt::tilegpu

#endif
