// Clones region reductions for other tiles, and applies their regions to tiles.
#include "TileReductions.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilegpt::tilegpu {

static constexpr int64_t halfBits = 32;

RankedTensorType reducedType(Value tile, int64_t axis, bool keepdims) {
  auto source = cast<RankedTensorType>(tile.getType());
  LayoutAttr left = keepdims ? LayoutAttr::of(source).collapseAxis(axis)
                             : LayoutAttr::of(source).dropAxis(axis);
  SmallVector<int64_t> shape(source.getShape());
  if (keepdims)
    shape[axis] = 1;
  else
    shape.erase(shape.begin() + axis);
  return RankedTensorType::get(shape, source.getElementType(), left);
}

SmallVector<Value> reduceTiles(OpBuilder &builder, tile::ReduceOp op,
                               ValueRange tiles, int64_t axis, bool keepdims) {
  IRMapping mapping;
  mapping.map(op.getSources(), tiles);
  auto again = cast<tile::ReduceOp>(builder.clone(*op, mapping));
  again.setAxis(axis);
  again.setKeepdims(keepdims);
  for (auto [tile, result] : llvm::zip_equal(tiles, again.getResults()))
    result.setType(reducedType(tile, axis, keepdims));
  return llvm::to_vector_of<Value>(again.getResults());
}

SmallVector<Value> combineTiles(OpBuilder &builder, tile::ReduceOp op,
                                ValueRange before, ValueRange after) {
  Location loc = op.getLoc();
  auto shape = cast<RankedTensorType>(before.front().getType());
  Block &region = op.getCombiner().front();
  IRMapping made;
  made.map(region.getArguments().take_front(before.size()), before);
  made.map(region.getArguments().drop_front(before.size()), after);
  auto makeTile = [&](Value scalar) {
    if (made.contains(scalar))
      return;
    RankedTensorType type = shape.clone(scalar.getType());
    Attribute constant;
    if (matchPattern(scalar, m_Constant(&constant)))
      made.map(scalar,
               arith::ConstantOp::create(
                   builder, loc, SplatElementsAttr::get(type, constant)));
    else
      made.map(scalar,
               tile::SplatOp::create(builder, loc, type, scalar,
                                     builder.getI64ArrayAttr(type.getShape())));
  };
  Operation *end = region.getTerminator();
  for (Operation &nested : region.without_terminator()) {
    if (nested.hasTrait<OpTrait::ConstantLike>())
      continue;
    llvm::for_each(nested.getOperands(), makeTile);
    for (Value result : builder.clone(nested, made)->getResults())
      result.setType(shape.clone(result.getType()));
  }
  llvm::for_each(end->getOperands(), makeTile);
  return llvm::map_to_vector(end->getOperands(),
                             [&](Value value) { return made.lookup(value); });
}

bool isPair(ValueRange tiles) {
  return tiles.size() == 2 && llvm::all_of(tiles, [](Value tile) {
           return getElementTypeOrSelf(tile.getType())
                      .getIntOrFloatBitWidth() <= halfBits;
         });
}

static Value halfOf(OpBuilder &builder, Location loc, RankedTensorType type) {
  return arith::ConstantOp::create(
      builder, loc,
      SplatElementsAttr::get(type, builder.getI64IntegerAttr(halfBits)));
}

Value packPair(OpBuilder &builder, ValueRange pair) {
  Location loc = pair.front().getLoc();
  Type i64 = builder.getI64Type();
  auto type = cast<RankedTensorType>(pair.front().getType()).clone(i64);
  auto bitsOf = [&](Value number) -> Value {
    auto half = cast<RankedTensorType>(number.getType());
    if (auto element = dyn_cast<FloatType>(half.getElementType()))
      number = arith::BitcastOp::create(
          builder, loc, half.clone(builder.getIntegerType(element.getWidth())),
          number);
    return arith::ExtUIOp::create(builder, loc, type, number);
  };
  Value high = arith::ShLIOp::create(builder, loc, bitsOf(pair[1]),
                                     halfOf(builder, loc, type));
  return arith::OrIOp::create(builder, loc, bitsOf(pair[0]), high);
}

SmallVector<Value> unpackPair(OpBuilder &builder, Value packed,
                              TypeRange types) {
  Location loc = packed.getLoc();
  auto type = cast<RankedTensorType>(packed.getType());
  Value high =
      arith::ShRUIOp::create(builder, loc, packed, halfOf(builder, loc, type));
  const Value halves[] = {packed, high};
  SmallVector<Value> pair;
  for (auto [half, wanted] : llvm::zip_equal(halves, types)) {
    Type element = getElementTypeOrSelf(wanted);
    Value number = arith::TruncIOp::create(
        builder, loc,
        type.clone(builder.getIntegerType(element.getIntOrFloatBitWidth())),
        half);
    if (isa<FloatType>(element))
      number =
          arith::BitcastOp::create(builder, loc, type.clone(element), number);
    pair.push_back(number);
  }
  return pair;
}

} // namespace tilegpt::tilegpu
