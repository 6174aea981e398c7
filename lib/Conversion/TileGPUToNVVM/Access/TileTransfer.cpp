// Registers to shared memory and back.
#include "Access/TileTransfer.h"
#include "TileGPT/Dialect/TileGPU/IR/SharedAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <numeric>

using namespace mlir;

namespace tilegpt::tilegpu {

static SmallVector<Value> basesOf(OpBuilder &builder, Location loc,
                                  const ThreadTile &tile, ValueRange origin) {
  SmallVector<Value> bases;
  for (int64_t axis = 0; axis < tile.getRank(); ++axis) {
    Value base = tile.getBase(axis);
    bases.push_back(
        origin.empty() ? base
                       : arith::AddIOp::create(builder, loc, base, origin[axis])
                             .getResult());
  }
  return bases;
}

TileTransfer::TileTransfer(OpBuilder &builder, Location loc,
                           RankedTensorType type, SharedType buffer,
                           Value pointer, ValueRange origin, int64_t alignment)
    : builder(builder), loc(loc), element(type.getElementType()),
      tile(builder, loc, type), shared(builder, loc, buffer, pointer,
                                       basesOf(builder, loc, tile, origin)),
      largest(1), vector(1) {
  if (type.getRank() == 0)
    return;
  const int64_t common = std::gcd(type.getShape().back(), alignment);
  largest = getLargestVector(buffer, common);
  vector = getAccessVector(tile.getLayout(), buffer, common);
}

void TileTransfer::write(ValueRange registers) {
  OpBuilder::InsertionGuard guard(builder);
  auto enter = [&](Value condition) {
    auto then = scf::IfOp::create(builder, loc, condition);
    builder.setInsertionPointToStart(&then.getThenRegion().front());
  };
  if (Value isFirst = tile.isFirstCopy())
    enter(isFirst);
  for (const ThreadTile::Group &group :
       tile.groupNeighbours(tile.getRank() - 1, largest)) {
    OpBuilder::InsertionGuard guard(builder);
    if (Value inside = tile.isInside(group.front()))
      enter(inside);
    shared.store(tile.getOffset(group.front()),
                 llvm::map_to_vector(
                     group, [&](int64_t reg) { return registers[reg]; }));
  }
}

SmallVector<Value> TileTransfer::read() {
  SmallVector<Value> values;
  for (int64_t reg = 0; reg < tile.getNumRegisters(); reg += vector)
    values.append(readVector(reg));
  if (element.isInteger(8) && vector == 1)
    pairBytes(values);
  return values;
}

/// Makes bytes that are loaded one by one halves of pairs, which are converted
/// to floats together (`populateWidenPairs`).
void TileTransfer::pairBytes(SmallVector<Value> &values) {
  auto type = VectorType::get(2, element);
  for (size_t reg = 0; reg + 1 < values.size(); reg += 2) {
    Value pair = LLVM::UndefOp::create(builder, loc, type);
    for (int64_t half : {0, 1})
      pair = LLVM::InsertElementOp::create(
          builder, loc, pair, values[reg + half],
          arith::ConstantIntOp::create(builder, loc, half, /*width=*/32));
    for (int64_t half : {0, 1})
      values[reg + half] = LLVM::ExtractElementOp::create(
          builder, loc, pair,
          arith::ConstantIntOp::create(builder, loc, half, /*width=*/32));
  }
}

SmallVector<Value> TileTransfer::readVector(int64_t reg) {
  if (tile.isPadding(reg))
    return SmallVector<Value>(vector,
                              LLVM::PoisonOp::create(builder, loc, element));
  // Padding may map to an address outside of the block's memory.
  return shared.load(tile.getOffset(reg), vector, tile.isInside(reg));
}

} // namespace tilegpt::tilegpu
