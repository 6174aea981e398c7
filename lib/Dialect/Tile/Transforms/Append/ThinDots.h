// Expands dots of one row or of depth one.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_APPEND_THINDOTS_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_APPEND_THINDOTS_H

#include "Append/OneRow.h"

namespace tilegpt::tile {

/// Expands a dot whose rhs is one row to multiplications, since matrix
/// instructions have no use for it. Operands are not rounded to their type if
/// their unrounded values are available.
/// \param dot      the original dot, before shrinking
/// \param mapping  maps its operands
/// \returns the sum; null if the dot is no product of two float matrices
mlir::Value expandThinDot(mlir::OpBuilder &builder, DotOp dot,
                          const OneRow &oneRow, const AxisClasses &axes,
                          mlir::IRMapping &mapping);

} // namespace tilegpt::tile

#endif
