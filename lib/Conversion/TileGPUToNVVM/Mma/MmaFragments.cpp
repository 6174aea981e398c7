// A lane's addresses and loads for its part of a fragment.
#include "Mma/MmaFragments.h"
#include "Thread/SharedTile.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilegpt::tilegpu {

FragmentReader::FragmentReader(OpBuilder &builder, Location loc,
                               const DotOperand &operand, bool isLhs,
                               Value warpBase, Value batch, int64_t covered)
    : builder(builder), loc(loc), operand(operand), isLhs(isLhs), batch(batch),
      unit(sharedUnitBytes / memoryBytes(operand.type.getElementType())),
      hasPadding(covered > operand.getFreeSize()) {
  Arithmetic math(builder, loc);
  Value lane = laneNumber(builder, loc);
  // (lane / weight) mod extent.
  auto digit = [&](int64_t weight, int64_t extent) {
    return math.rem(math.div(lane, weight), extent);
  };
  // Matrix i of a `ldmatrix` uses the addresses of lanes 8i to 8i + 7, row by
  // row, and goes to register i. For lhs these are the upper and lower eight
  // rows of the first half of K, then of the second; for rhs the halves of K of
  // eight columns, then of the next eight.
  Value low = digit(1, 8), middle = digit(8, 2), high = digit(16, 2);
  Value freeBlock = isLhs ? middle : high, sumBlock = isLhs ? high : middle;
  Value free;
  if (isPicked()) {
    free = digit(4, 8);
    sumBase = math.mul(digit(1, 4), elementsOfRegister());
  } else if (operand.isContiguousAlongSum()) {
    free = math.add(low, math.mul(freeBlock, 8));
    sumBase = math.mul(sumBlock, unit);
  } else {
    free = math.mul(freeBlock, unit);
    sumBase = math.add(low, math.mul(sumBlock, 8));
  }
  freeBase = math.add(warpBase, free);
}

SmallVector<Value> FragmentReader::read(Value pointer, int64_t free,
                                        int64_t step, int64_t matrices) {
  int64_t sum = step * 2 * unit;
  SmallVector<Value> base(operand.type.getRank());
  SmallVector<int64_t> offset(base.size(), 0);
  if (batch)
    base.front() = batch;
  base[operand.sumAxis] = sumBase;
  base[operand.freeAxis] = freeBase;
  offset[operand.sumAxis] = sum;
  offset[operand.freeAxis] = free;
  if (isPicked())
    return pick(pointer, base, offset, matrices);
  if (hasPadding)
    clampFree(base, offset,
              operand.isContiguousAlongSum()
                  ? operand.getFreeSize() - 1
                  : llvm::alignDown(operand.getFreeSize() - 1, unit));
  int64_t span = operand.isContiguousAlongSum() ? 2 * unit : 0;
  SharedTile shared(builder, loc, operand.type, pointer, base, span);
  return loadMatrices(shared.at(offset), matrices);
}

/// Padding reads the last row instead of out-of-bounds memory.
void FragmentReader::clampFree(SmallVectorImpl<Value> &base,
                               SmallVectorImpl<int64_t> &offset, int64_t last) {
  Arithmetic math(builder, loc);
  Value &from = base[operand.freeAxis];
  int64_t &distance = offset[operand.freeAxis];
  from = math.min(math.add(from, distance), last);
  distance = 0;
}

SmallVector<Value> FragmentReader::loadMatrices(Value address,
                                                int64_t matrices) {
  Type i32 = builder.getI32Type();
  auto type = LLVM::LLVMStructType::getLiteral(
      builder.getContext(), SmallVector<Type>(matrices, i32));
  Value loaded = NVVM::LdMatrixOp::create(
      builder, loc, type, address, uint32_t(matrices),
      operand.isContiguousAlongSum() ? NVVM::MMALayout::row
                                     : NVVM::MMALayout::col,
      NVVM::LdStMatrixShapeAttr::get(builder.getContext(), 8, 8),
      NVVM::LdStMatrixEltType::B16);
  SmallVector<Value> registers;
  for (int64_t number = 0; number < matrices; ++number)
    registers.push_back(
        LLVM::ExtractValueOp::create(builder, loc, loaded, number));
  return registers;
}

/// Loads, register by register, what `ldmatrix` would load if it could
/// transpose elements that are not 2 bytes.
SmallVector<Value> FragmentReader::pick(Value pointer, ArrayRef<Value> base,
                                        ArrayRef<int64_t> offset,
                                        int64_t matrices) {
  SmallVector<Value> registers;
  for (int64_t number = 0; number < matrices; ++number) {
    int64_t first = number % 2, second = number / 2;
    SmallVector<Value> from(base);
    SmallVector<int64_t> distance(offset);
    distance[operand.freeAxis] += 8 * (isLhs ? first : second);
    distance[operand.sumAxis] += unit * (isLhs ? second : first);
    if (hasPadding)
      clampFree(from, distance, operand.getFreeSize() - 1);
    SharedTile shared(builder, loc, operand.type, pointer, from);
    registers.push_back(pickRegister(shared, distance));
  }
  return registers;
}

/// The first element in the low bits.
Value FragmentReader::pickRegister(SharedTile &shared,
                                   MutableArrayRef<int64_t> offset) {
  constexpr int64_t bits = 32;
  Type i32 = builder.getI32Type();
  const int64_t count = elementsOfRegister(), width = bits / count;
  Value packed;
  for (int64_t number = 0; number < count; ++number) {
    Value element = shared.load(offset, /*count=*/1).front();
    ++offset[operand.sumAxis];
    if (width == bits)
      return LLVM::BitcastOp::create(builder, loc, i32, element);
    Value wide = LLVM::ZExtOp::create(builder, loc, i32, element);
    Value shift = LLVM::ConstantOp::create(
        builder, loc, builder.getI32IntegerAttr(number * width));
    Value moved = LLVM::ShlOp::create(builder, loc, wide, shift);
    packed = packed ? LLVM::OrOp::create(builder, loc, packed, moved) : moved;
  }
  return packed;
}

} // namespace tilegpt::tilegpu
