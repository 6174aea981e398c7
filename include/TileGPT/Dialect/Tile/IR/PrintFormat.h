// The format of `tile.print`, split into text and printf conversions.
#ifndef TILEGPT_DIALECT_TILE_IR_PRINTFORMAT_H
#define TILEGPT_DIALECT_TILE_IR_PRINTFORMAT_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tile {

/// `%-8.3f`: flags, width and precision, then the conversion specifier.
struct PrintConversion {
  std::string options; ///< "-8.3"
  char kind = 0;       ///< one of d i u x X o e E f F g G a A

  bool isFloat() const;
  /// Whether a narrow integer is sign-extended.
  bool isSigned() const;
};

/// The conversions of a format in order, or an error message.
llvm::FailureOr<llvm::SmallVector<PrintConversion>>
parsePrintFormat(llvm::StringRef format, std::string &message);

/// The type passed to printf for a value: f64, i64, or i32 for up to 32 bits.
mlir::Type printedType(mlir::Type element);

/// The format of one printf call, split after each conversion. If the op prints
/// a tile, the coordinates of an element come first, as `[%d`, `, %d`; 64-bit
/// values get length modifiers. The last piece is text only.
llvm::SmallVector<std::string> printfPieces(PrintOp op);

/// The shape whose elements the op prints; empty when it prints scalars.
llvm::ArrayRef<int64_t> printedShape(PrintOp op);

} // namespace tilegpt::tile

#endif
