// Products of one row or of depth one.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_APPEND_THINDOTS_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_APPEND_THINDOTS_H

#include "Append/OneRow.h"

namespace tilegpt::tile {

/// A product whose right factor is one row, written as multiplications: there
/// is nothing in it for matrix instructions. Factors are not rounded to their
/// type where they are exact in front of it.
/// \param dot      of the text whose rows are cut
/// \param mapping  of its operands
/// \returns the sum; null where it is no product of two matrices of floats
mlir::Value expandThinDot(mlir::OpBuilder &builder, DotOp dot,
                          const OneRow &oneRow, const AxisClasses &axes,
                          mlir::IRMapping &mapping);

} // namespace tilegpt::tile

#endif
