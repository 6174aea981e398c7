// Float arithmetic with a rounding mode, on constants: the semantics of
// `tile.rounded`, for its folder and the interpreter.
#ifndef TILEGPT_DIALECT_TILE_IR_ROUNDEDARITHMETIC_H
#define TILEGPT_DIALECT_TILE_IR_ROUNDEDARITHMETIC_H

#include "TileGPT/Dialect/Tile/IR/TileDialect.h"
#include "llvm/ADT/APFloat.h"

namespace tilegpt::tile {

/// Number of operands of a kind: three for fma, one for sqrt, two for the
/// others.
unsigned numRoundedOperands(RoundedKind kind);

/// The exact result, rounded once to the type of the operands.
/// \param operands  as many as the kind has, of one type.
/// \param ftz       flush subnormal inputs and results to zero.
llvm::APFloat evaluateRounded(RoundedKind kind, RoundingMode mode, bool ftz,
                              llvm::ArrayRef<llvm::APFloat> operands);

} // namespace tilegpt::tile

#endif
