// Matrix products.
#include "Patterns.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

using Values = ArrayRef<Value>;
using Build = ImplicitLocOpBuilder;

/// A batch of one product is that product.
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
  // Sums in f32, rounded once an op, are at least as good as those in f16.
  Value wide = arith::ExtFOp::create(b, type.clone(b.getF32Type()), in[2]);
  Value dot = makeDot(b, {in[0], in[1], wide}, false, false, precision);
  return arith::TruncFOp::create(b, type, dot);
}

void populateProductPatterns(const TileTypes &types,
                             RewritePatternSet &patterns) {
  addValuePattern<MmaFOp>(types, patterns, multiplyFloats);
  addValuePattern<MmaIOp>(types, patterns, [](MmaIOp op, Values in, Build &b) {
    return makeDot(b, in, op.getSignednessLhs() == Signedness::Unsigned,
                   op.getSignednessRhs() == Signedness::Unsigned,
                   tile::Precision::IEEE);
  });
}

} // namespace tilegpt::cuda_tile
