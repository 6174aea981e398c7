// Memory representation of elements without a memory type of their own.
#include "TileGPT/Conversion/TileToArith/MemoryElement.h"
#include "TileGPT/Dialect/Tile/IR/TileDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilegpt::tilegpu {

Type typeInMemory(Type elementType) {
  bool isByte = elementType.isInteger(1) || tile::isF8(elementType);
  return isByte ? IntegerType::get(elementType.getContext(), 8) : elementType;
}

Value toMemory(OpBuilder &builder, Location loc, Value element) {
  Type type = element.getType(), memory = typeInMemory(type);
  if (type == memory)
    return element;
  if (tile::isF8(type))
    return arith::BitcastOp::create(builder, loc, memory, element);
  return arith::ExtUIOp::create(builder, loc, memory, element);
}

Value fromMemory(OpBuilder &builder, Location loc, Value held,
                 Type elementType) {
  if (held.getType() == elementType)
    return held;
  if (tile::isF8(elementType))
    return arith::BitcastOp::create(builder, loc, elementType, held);
  return arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::ne, held,
      arith::ConstantIntOp::create(builder, loc, held.getType(), 0));
}

TypedAttr inMemory(TypedAttr element) {
  Type memory = typeInMemory(element.getType());
  if (memory == element.getType())
    return element;
  if (auto number = dyn_cast<FloatAttr>(element))
    return IntegerAttr::get(memory, number.getValue().bitcastToAPInt());
  return IntegerAttr::get(memory, cast<IntegerAttr>(element).getValue().zext(
                                      memory.getIntOrFloatBitWidth()));
}

DenseElementsAttr inMemory(DenseElementsAttr elements) {
  Type element = elements.getElementType(), memory = typeInMemory(element);
  if (memory == element)
    return elements;
  if (tile::isF8(element))
    return elements.bitcast(memory);
  return elements.mapValues(memory, [&](const APInt &bit) {
    return bit.zext(memory.getIntOrFloatBitWidth());
  });
}

} // namespace tilegpt::tilegpu
