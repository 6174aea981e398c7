// Address arithmetic in shared memory. Constants are kept separate, so that
// they become immediate offsets.
#include "Thread/SharedTile.h"
#include "Thread/RegisterVector.h"
#include "Thread/ThreadPatterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilegpt::tilegpu {

SharedTile::SharedTile(OpBuilder &builder, Location loc, SharedType type,
                       Value pointer, ValueRange base, int64_t columnSpan)
    : builder(builder), loc(loc), type(type), pointer(pointer), base(base),
      columnSpan(columnSpan) {}

Value SharedTile::constant(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value SharedTile::move(Value from, Value elements) {
  Value offset =
      arith::IndexCastOp::create(builder, loc, builder.getI32Type(), elements);
  return LLVM::GEPOp::create(builder, loc, from.getType(),
                             typeInMemory(type.getElementType()), from,
                             ArrayRef<LLVM::GEPArg>(offset));
}

Value SharedTile::move(Value from, int64_t elements) {
  if (elements == 0)
    return from;
  return LLVM::GEPOp::create(builder, loc, from.getType(),
                             typeInMemory(type.getElementType()), from,
                             ArrayRef<LLVM::GEPArg>(int32_t(elements)));
}

Value SharedTile::at(ArrayRef<int64_t> offset) {
  if (type.getSwizzle())
    return atSwizzled(offset);
  Value distance = constant(0);
  int64_t fixed = 0;
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    int64_t stride = type.getStride(axis);
    Value step =
        arith::MulIOp::create(builder, loc, base[axis], constant(stride));
    distance = arith::AddIOp::create(builder, loc, distance, step);
    fixed += offset[axis] * stride;
  }
  return move(move(pointer, distance), fixed);
}

SmallVector<Value> SharedTile::load(ArrayRef<int64_t> offset, int64_t count,
                                    Value guard) {
  Type memory = typeInMemory(type.getElementType());
  unsigned alignment = count * memoryBytes(memory);
  Value address = at(offset);
  if (guard)
    address = arith::SelectOp::create(builder, loc, guard, address, pointer);
  Value loaded = LLVM::LoadOp::create(builder, loc, vectorOf(memory, count),
                                      address, alignment);
  SmallVector<Value> values = unpackVector(builder, loc, loaded);
  for (Value &value : values)
    value = fromMemory(builder, loc, value, type.getElementType());
  return values;
}

void SharedTile::store(ArrayRef<int64_t> offset, ArrayRef<Value> values) {
  unsigned alignment = values.size() * memoryBytes(type.getElementType());
  Value stored =
      packVector(builder, loc, llvm::map_to_vector(values, [&](Value held) {
                   return toMemory(builder, loc, held);
                 }));
  LLVM::StoreOp::create(builder, loc, stored, at(offset), alignment);
}

Value SharedTile::atSwizzled(ArrayRef<int64_t> offset) {
  int64_t rank = type.getRank();
  int64_t unit = sharedUnitBytes / memoryBytes(type.getElementType());
  int64_t panelColumns = type.getSwizzle() / memoryBytes(type.getElementType());
  int64_t rows = type.getShape()[rank - 2];
  // The swizzle repeats after eight rows, for any width: rows that share 128
  // bytes share it.
  constexpr int64_t period = 8, bankBytes = 128;
  int64_t rowsOfKey = bankBytes / type.getSwizzle();
  int64_t keys = type.getSwizzle() / sharedUnitBytes;

  int64_t fixed = 0;
  Value distance = constant(0);
  auto add = [&](Value value, int64_t factor) {
    Value step = arith::MulIOp::create(builder, loc, value, constant(factor));
    distance = arith::AddIOp::create(builder, loc, distance, step);
  };

  // Tiles along the leading axes are consecutive.
  int64_t tile = rows * type.getShape()[rank - 1];
  for (int64_t axis = rank - 2; axis-- > 0;) {
    add(base[axis], tile);
    fixed += offset[axis] * tile;
    tile *= type.getShape()[axis];
  }

  Value row = base[rank - 2];
  int64_t rowInPeriod = offset[rank - 2] % period;
  if (rowInPeriod != 0)
    row = arith::AddIOp::create(builder, loc, row, constant(rowInPeriod));
  add(row, panelColumns);
  fixed += (offset[rank - 2] - rowInPeriod) * panelColumns;
  Value key = arith::RemUIOp::create(
      builder, loc,
      arith::DivUIOp::create(builder, loc, row, constant(rowsOfKey)),
      constant(keys));
  Value permutation = arith::MulIOp::create(builder, loc, key, constant(unit));

  Value column = base[rank - 1];
  int64_t columnOffset = offset[rank - 1];
  int64_t columnInPanel = columnOffset % panelColumns;
  if (columnSpan != 0 && columnSpan <= panelColumns &&
      columnInPanel % columnSpan == 0) {
    // The addition has no carries, so it equals an exclusive or, and the
    // thread-dependent part is computed once for all offsets.
    Value permuted = arith::XOrIOp::create(builder, loc, column, permutation);
    add(arith::XOrIOp::create(builder, loc, permuted, constant(columnInPanel)),
        1);
    fixed += columnOffset / panelColumns * rows * panelColumns;
  } else {
    column =
        arith::AddIOp::create(builder, loc, column, constant(columnOffset));
    Value panel =
        arith::DivUIOp::create(builder, loc, column, constant(panelColumns));
    Value inPanel =
        arith::RemUIOp::create(builder, loc, column, constant(panelColumns));
    add(panel, rows * panelColumns);
    add(arith::XOrIOp::create(builder, loc, inPanel, permutation), 1);
  }
  return move(move(pointer, distance), fixed);
}

} // namespace tilegpt::tilegpu
