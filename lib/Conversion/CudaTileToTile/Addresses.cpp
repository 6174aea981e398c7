// Converts tiles of pointers to integers and back.
#include "Addresses.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

using Build = ImplicitLocOpBuilder;

static Type pointeeOf(ValueRange pointers) {
  return cast<tile::PtrType>(pointers[0].getType()).getPointee();
}

Value addressesOf(Build &b, ValueRange pointers) {
  const Type type = pointers[1].getType();
  Value start = tile::PtrToIntOp::create(b, pointers[0]);
  if (isa<RankedTensorType>(type))
    start = splat(b, start, shapeOf(type));
  if (isZeroInteger(pointers[1]))
    return start;
  Value bytes = arith::MulIOp::create(
      b, pointers[1], integerOf(b, type, memoryBytes(pointeeOf(pointers))));
  return arith::AddIOp::create(b, start, bytes);
}

/// Addresses as offsets from address 0.
static PointerParts fromZero(Build &b, Value addresses, Type pointee) {
  Value zero = arith::ConstantOp::create(b, b.getI64IntegerAttr(0));
  Value base = tile::IntToPtrOp::create(
      b, tile::PtrType::get(b.getContext(), pointee), zero);
  const int64_t shift = llvm::Log2_64(uint64_t(memoryBytes(pointee)));
  if (shift > 0)
    addresses = arith::ShRSIOp::create(
        b, addresses, integerOf(b, addresses.getType(), shift));
  return {base, addresses};
}

PointerParts pointersAt(Build &b, Value addresses, Type pointee) {
  if (isa<RankedTensorType>(addresses.getType()))
    return fromZero(b, addresses, pointee);
  return {tile::IntToPtrOp::create(
              b, tile::PtrType::get(b.getContext(), pointee), addresses),
          arith::ConstantOp::create(b, b.getI64IntegerAttr(0))};
}

} // namespace tilegpt::cuda_tile
