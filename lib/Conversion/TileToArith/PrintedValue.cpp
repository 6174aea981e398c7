// Variadic arguments have few types: values are widened to one of them.
#include "TileGPT/Conversion/TileToArith/PrintedValue.h"
#include "TileGPT/Dialect/Tile/IR/PrintFormat.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilegpt::tile {

Value printedValue(OpBuilder &builder, PrintOp op, size_t number,
                   Value element) {
  Location loc = op.getLoc();
  Type from = element.getType(), type = printedType(from);
  if (from == type)
    return element;
  if (isa<FloatType>(from))
    return arith::ExtFOp::create(builder, loc, type, element);
  if (isa<IndexType>(from))
    return arith::IndexCastOp::create(builder, loc, type, element);
  std::string message;
  auto conversions = parsePrintFormat(op.getFormat(), message);
  if ((*conversions)[number].isSigned())
    return arith::ExtSIOp::create(builder, loc, type, element);
  return arith::ExtUIOp::create(builder, loc, type, element);
}

} // namespace tilegpt::tile
