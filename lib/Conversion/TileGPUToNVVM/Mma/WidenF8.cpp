// Converts two elements at a time: by `cvt`, or by arithmetic on the halves of
// a word.
#include "Mma/WidenF8.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace tilegpt::tilegpu {

static Value convertPair(OpBuilder &builder, Location loc, Value four,
                         int32_t first, Type type) {
  Value bytes = LLVM::BitcastOp::create(
      builder, loc, VectorType::get(4, builder.getI8Type()), four);
  const int32_t which[] = {first, first + 1};
  return NVVM::ConvertF8x2ToF16x2Op::create(
      builder, loc, VectorType::get(2, builder.getF16Type()),
      LLVM::ShuffleVectorOp::create(builder, loc, bytes, bytes, which),
      /*relu=*/false, type);
}

/// The two bytes from `first` on as the upper bytes of the halves of a word.
static Value spreadBytes(OpBuilder &builder, Location loc, Value four,
                         int64_t first) {
  // A digit for every byte of the result, lowest first: 4 is a zero byte.
  const int64_t selector = 0x0404 | first << 4 | (first + 1) << 12;
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, value, /*width=*/32);
  };
  return LLVM::CallIntrinsicOp::create(
             builder, loc, builder.getI32Type(),
             builder.getStringAttr("llvm.nvvm.prmt"),
             ValueRange{four, constant(0), constant(selector)})
      .getResult(0);
}

static Value computePair(OpBuilder &builder, Location loc, Value four,
                         int32_t first, Type type) {
  Type i32 = builder.getI32Type(),
       pair = VectorType::get(2, builder.getF16Type());
  Arithmetic math(builder, loc);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(i32, int32_t(value)));
  };
  Value halves = spreadBytes(builder, loc, four, first);
  // The upper half of an f16.
  if (isa<Float8E5M2Type>(type))
    return LLVM::BitcastOp::create(builder, loc, pair, halves);
  // An f16 whose exponent is 8 too small. Adding one unit in the last place
  // makes only NaN exceed all numbers; with that bit it is an f16 NaN.
  Value magnitude = math.shiftRight(
      arith::AndIOp::create(builder, loc, halves, constant(0x7F007F00)), 1);
  Value isNaN = arith::AndIOp::create(
      builder, loc,
      arith::AddIOp::create(builder, loc, magnitude, constant(0x00800080)),
      constant(0x40004000));
  Value sign =
      arith::AndIOp::create(builder, loc, halves, constant(0x80008000));
  Value bits = arith::OrIOp::create(
      builder, loc, arith::OrIOp::create(builder, loc, magnitude, sign), isNaN);
  Value scale = arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(cast<VectorType>(pair),
                             Attribute(builder.getF16FloatAttr(256))));
  return arith::MulFOp::create(
      builder, loc, LLVM::BitcastOp::create(builder, loc, pair, bits).getRes(),
      scale);
}

std::array<Value, 2> widenF8(OpBuilder &builder, Location loc, Value four,
                             Type type, bool hasInstruction) {
  auto *widenPair = hasInstruction ? convertPair : computePair;
  return {widenPair(builder, loc, four, 0, type),
          widenPair(builder, loc, four, 2, type)};
}

} // namespace tilegpt::tilegpu
