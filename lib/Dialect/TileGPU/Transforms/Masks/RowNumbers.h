// Tiles of one integer for each row, computed from its number.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MASKS_ROWNUMBERS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MASKS_ROWNUMBERS_H

#include "mlir/IR/Builders.h"

namespace tilegpt::tilegpu {

/// Whether the integers of a tile never decrease along the one axis that is not
/// 1, and are computed from the position on that axis and scalars.
bool isNonDecreasing(mlir::Value tile);

/// The element of such a tile at a position, computed from scalars where the
/// builder stands.
/// \param position  an index.
mlir::Value elementAt(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value tile, mlir::Value position);

} // namespace tilegpt::tilegpu

#endif
