// Shuffles move 32-bit words; narrower values are widened, wider ones split.
#include "Thread/WarpShuffle.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// One word, from the lane selected by `source`, an i32, and `kind`.
static Value shuffleWord(OpBuilder &builder, Location loc, Value word,
                         Value source, NVVM::ShflKind kind) {
  constexpr int64_t allLanes = 0xffffffff, lastLane = 31;
  auto constant = [&](int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, value, /*width=*/32);
  };
  return NVVM::ShflOp::create(builder, loc, word.getType(), constant(allLanes),
                              word, source, constant(lastLane), kind,
                              /*return_value_and_is_valid=*/UnitAttr());
}

static Value shuffle(OpBuilder &builder, Location loc, Value value,
                     Value source, NVVM::ShflKind kind) {
  constexpr unsigned wordBits = 32;
  Type type = value.getType(), word = builder.getI32Type();
  unsigned width = type.getIntOrFloatBitWidth();
  if (width == wordBits)
    return shuffleWord(builder, loc, value, source, kind);

  Type bitsType = builder.getIntegerType(width);
  bool isFloat = isa<FloatType>(type);
  Value bits =
      isFloat
          ? arith::BitcastOp::create(builder, loc, bitsType, value).getResult()
          : value;
  if (width < wordBits) {
    Value wide = arith::ExtUIOp::create(builder, loc, word, bits);
    bits = arith::TruncIOp::create(
        builder, loc, bitsType, shuffleWord(builder, loc, wide, source, kind));
  } else {
    Value shift = arith::ConstantIntOp::create(builder, loc, wordBits, width);
    Value low = arith::TruncIOp::create(builder, loc, word, bits);
    Value high = arith::TruncIOp::create(
        builder, loc, word, arith::ShRUIOp::create(builder, loc, bits, shift));
    auto extend = [&](Value half) {
      return arith::ExtUIOp::create(
          builder, loc, bitsType,
          shuffleWord(builder, loc, half, source, kind));
    };
    Value upper = arith::ShLIOp::create(builder, loc, extend(high), shift);
    bits = arith::OrIOp::create(builder, loc, extend(low), upper);
  }
  return isFloat ? arith::BitcastOp::create(builder, loc, type, bits) : bits;
}

Value shuffleXor(OpBuilder &builder, Location loc, Value value,
                 int64_t laneMask) {
  return shuffle(builder, loc, value,
                 arith::ConstantIntOp::create(builder, loc, laneMask, 32),
                 NVVM::ShflKind::bfly);
}

Value shuffleFrom(OpBuilder &builder, Location loc, Value value, Value lane) {
  Value source =
      arith::IndexCastOp::create(builder, loc, builder.getI32Type(), lane);
  return shuffle(builder, loc, value, source, NVVM::ShflKind::idx);
}

} // namespace tilegpt::tilegpu
