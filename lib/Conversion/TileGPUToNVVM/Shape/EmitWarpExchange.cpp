// Moves registers through their warp's shared memory.
#include "Shape/EmitWarpExchange.h"
#include "Thread/PipeAddress.h"
#include "Thread/SharedTile.h"
#include "Thread/ThreadTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// The type of a tile as seen by a warp.
static RankedTensorType seenFromWarp(RankedTensorType type) {
  LayoutAttr layout = LayoutAttr::of(type);
  auto copies = LayoutMode::replicate(layout.getNumWarps());
  return type.cloneWithEncoding(LayoutAttr::getCanonical(
      type.getContext(), layout.getRegisters(), layout.getLanes(), {copies}));
}

SmallVector<Value> emitWarpExchange(OpBuilder &builder, Location loc,
                                    const WarpExchange &exchange, Value scratch,
                                    ValueRange registers) {
  SharedType buffer = exchange.getBuffer();
  int64_t writeVector = exchange.getWriteVector(),
          readVector = exchange.getReadVector();
  Value warp = arith::IndexCastUIOp::create(builder, loc, builder.getI32Type(),
                                            warpNumber(builder, loc));
  Value bytes = arith::MulIOp::create(
      builder, loc, warp, i32Constant(builder, loc, buffer.getNumBytes()));
  Value own = bytesBehind(builder, loc, scratch, bytes);
  auto reach = [&](ThreadTile &tile) {
    SmallVector<Value> base;
    for (int64_t axis = 0; axis < tile.getRank(); ++axis)
      base.push_back(tile.getBase(axis));
    return SharedTile(builder, loc, buffer, own, base);
  };
  ThreadTile written(builder, loc, seenFromWarp(exchange.getSource())),
      read(builder, loc, seenFromWarp(exchange.getResult()));
  SharedTile writer = reach(written), reader = reach(read);
  auto placeOf = [](ThreadTile &tile, int64_t reg,
                    const WarpExchange::Piece &piece) {
    SmallVector<int64_t> place = tile.getOffset(reg);
    for (auto [coordinate, origin] : llvm::zip_equal(place, piece.origin))
      coordinate -= origin;
    return place;
  };
  auto synchronize = [&] {
    constexpr int64_t allLanes = 0xffffffff;
    NVVM::SyncWarpOp::create(builder, loc, i32Constant(builder, loc, allLanes));
  };

  SmallVector<Value> values(registers), results(read.getNumRegisters());
  for (const WarpExchange::Piece &piece : exchange.getPieces()) {
    for (int64_t reg : piece.written)
      if (reg % writeVector == 0)
        writer.store(placeOf(written, reg, piece),
                     ArrayRef(values).slice(reg, writeVector));
    synchronize();
    for (int64_t reg : piece.read)
      if (reg % readVector == 0)
        llvm::copy(reader.load(placeOf(read, reg, piece), readVector),
                   results.begin() + reg);
    synchronize();
  }
  for (Value &value : results)
    if (!value)
      value = LLVM::PoisonOp::create(builder, loc,
                                     exchange.getResult().getElementType());
  return results;
}

} // namespace tilegpt::tilegpu
