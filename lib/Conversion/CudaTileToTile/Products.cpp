// Converts matrix products.
#include "Patterns.h"
#include "SmallTypes.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

using Values = ArrayRef<Value>;
using Build = ImplicitLocOpBuilder;

/// Drops a batch axis of one product.
static SmallVector<Value> dropUnitBatch(Build &b, Values operands) {
  return llvm::map_to_vector(operands, [&](Value operand) {
    ArrayRef<int64_t> shape = shapeOf(operand.getType());
    return shape.size() == 3 && shape[0] == 1
               ? reshapeTo(b, operand, shape.drop_front())
               : operand;
  });
}

static Value makeDot(Build &b, Values in, bool unsignedLhs, bool unsignedRhs,
                     tile::Precision precision) {
  SmallVector<Value> operands = dropUnitBatch(b, in);
  Value dot = tile::DotOp::create(b, operands[2].getType(), operands[0],
                                  operands[1], operands[2],
                                  /*transpose_a=*/false, /*transpose_b=*/false,
                                  unsignedLhs, unsignedRhs, precision);
  return reshapeTo(b, dot, shapeOf(in[2].getType()));
}

static Value multiplyFloats(MmaFOp op, Values in, Build &b) {
  tile::Precision precision = tile::Precision::IEEE;
  Type element = cast<TileType>(op.getLhs().getType()).getElementType();
  if (isa<FloatTF32Type>(element))
    precision = tile::Precision::TF32;
  else if (op.getFastAcc() && element.getIntOrFloatBitWidth() == 8)
    precision = tile::Precision::Fast;
  auto type = cast<RankedTensorType>(in[2].getType());
  if (!type.getElementType().isF16())
    return makeDot(b, in, false, false, precision);
  // Accumulating in f32 and rounding once per op is at least as precise as f16.
  Value wide = arith::ExtFOp::create(b, type.clone(b.getF32Type()), in[2]);
  Value dot = makeDot(b, {in[0], in[1], wide}, false, false, precision);
  return arith::TruncFOp::create(b, type, dot);
}

/// Broadcasts block scales along `axis` to one scale for each element of
/// `shape`.
static Value spreadScales(Build &b, Value scales, int64_t axis,
                          ArrayRef<int64_t> shape) {
  SmallVector<int64_t> split(shapeOf(scales.getType()));
  split.insert(split.begin() + axis + 1, 1);
  Value column = reshapeTo(b, scales, split);
  split[axis + 1] = shape[axis] / split[axis];
  Value spread = tile::BroadcastOp::create(
      b, RankedTensorType::get(split, getElementTypeOrSelf(scales)), column,
      sizesAttr(b, split));
  return reshapeTo(b, spread, shape);
}

/// Converts a small or 8-bit float to f32.
static Value toF32(Build &b, Value value, Type element) {
  if (isSmallFloat(element))
    return decode(b, value, element);
  return tile::CastOp::create(
      b, cast<RankedTensorType>(value.getType()).clone(b.getF32Type()), value);
}

/// Applies an operand's scales along `axis`. Products of f4E2M1FN and any scale
/// have at most six bits, which bf16 represents exactly; those of 8-bit floats
/// with the smallest scales need f32.
static Value scaleFactor(Build &b, Value factor, TileType type, Value scales,
                         TileType scaleType, int64_t axis) {
  Value scaled = arith::MulFOp::create(
      b, toF32(b, factor, type.getElementType()),
      spreadScales(b, toF32(b, scales, scaleType.getElementType()), axis,
                   type.getShape()));
  if (!isa<Float4E2M1FNType>(type.getElementType()))
    return scaled;
  return arith::TruncFOp::create(
      b, cast<RankedTensorType>(scaled.getType()).clone(b.getBF16Type()),
      scaled);
}

static Value multiplyScaled(MmaFScaledOp op, Values in, Build &b) {
  const int64_t batched = op.getLhs().getType().getRank() - 2;
  Value lhs = scaleFactor(b, in[0], op.getLhs().getType(), in[3],
                          op.getLhsScale().getType(), /*axis=*/batched + 1);
  Value rhs = scaleFactor(b, in[1], op.getRhs().getType(), in[4],
                          op.getRhsScale().getType(), /*axis=*/batched);
  return makeDot(b, {lhs, rhs, in[2]}, false, false, tile::Precision::IEEE);
}

void populateProductPatterns(const TileTypes &types,
                             RewritePatternSet &patterns) {
  addValuePattern<MmaFOp>(types, patterns, multiplyFloats);
  addValuePattern<MmaFScaledOp>(types, patterns, multiplyScaled);
  addValuePattern<MmaIOp>(types, patterns, [](MmaIOp op, Values in, Build &b) {
    return makeDot(b, in, op.getSignednessLhs() == Signedness::Unsigned,
                   op.getSignednessRhs() == Signedness::Unsigned,
                   tile::Precision::IEEE);
  });
}

} // namespace tilegpt::cuda_tile
