// Float arithmetic rounded in a direction, on constants: what `tile.rounded`
// means, for its folder and the interpreter.
#ifndef TILEGPT_DIALECT_TILE_IR_ROUNDEDARITHMETIC_H
#define TILEGPT_DIALECT_TILE_IR_ROUNDEDARITHMETIC_H

#include "TileGPT/Dialect/Tile/IR/TileDialect.h"
#include "llvm/ADT/APFloat.h"

namespace tilegpt::tile {

/// How many operands a kind has: three of fma, one of sqrt, two of the others.
unsigned numRoundedOperands(RoundedKind kind);

/// The exact result, rounded once to the type of the operands.
/// \param operands  as many as the kind has, of one type.
/// \param ftz       reads and yields zero for what is smaller than normal.
llvm::APFloat evaluateRounded(RoundedKind kind, RoundingMode mode, bool ftz,
                              llvm::ArrayRef<llvm::APFloat> operands);

} // namespace tilegpt::tile

#endif
