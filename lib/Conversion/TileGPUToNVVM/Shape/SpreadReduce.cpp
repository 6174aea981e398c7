// Parts of a result in shared memory: written by warps, read by threads.
#include "Shape/SpreadReduce.h"
#include "Thread/SharedTile.h"
#include "Thread/ThreadPatterns.h"
#include "Thread/ThreadTile.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Scratch.h"
#include "TileGPT/Dialect/TileGPU/Analysis/SpreadReduction.h"
#include "TileGPT/Dialect/TileGPU/IR/SharedAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
class Spreading {
public:
  Spreading(OpBuilder &builder, tile::ReduceOp op, ReduceSteps &steps)
      : builder(builder), loc(op.getLoc()), op(op), steps(steps),
        layout(LayoutAttr::of(op.getSources().front().getType())),
        result(cast<RankedTensorType>(op.getResult(0).getType())),
        buffer(getSpreadBuffer(op, accumulatorTypes(op).front())),
        pointer(scratchPointer(builder, op)) {}

  void write(ArrayRef<Accumulator> accumulators) {
    int64_t axis = op.getAxis();
    LayoutAttr left =
        op.getKeepdims() ? layout.collapseAxis(axis) : layout.dropAxis(axis);
    ThreadTile tile(builder, loc, result.cloneWithEncoding(left));
    Value warp =
        numberOf(builder, loc, warpNumber(builder, loc), layout.getWarps(),
                 [&](const LayoutMode &mode) { return mode.axis == axis; });
    SharedTile shared = at(warp, tile);
    OpBuilder::InsertionGuard guard(builder);
    if (Value isFirst = isFirstLane(left)) {
      auto then = scf::IfOp::create(builder, loc, isFirst);
      builder.setInsertionPointToStart(&then.getThenRegion().front());
    }
    for (const ThreadTile::Group &group : groupsOf(tile))
      shared.store(placeOf(0, tile, group.front()),
                   llvm::map_to_vector(group, [&](int64_t reg) {
                     return accumulators[reg].front();
                   }));
  }

  SmallVector<Accumulator> read() {
    ThreadTile tile(builder, loc, result);
    SharedTile shared = at(indexConstant(builder, loc, 0), tile);
    SmallVector<Accumulator> joined(tile.getNumRegisters());
    for (const ThreadTile::Group &group : groupsOf(tile)) {
      SmallVector<SmallVector<Accumulator>> parts(group.size());
      for (int64_t warp = 0; warp < buffer.getShape().front(); ++warp)
        for (auto [part, value] : llvm::zip_equal(
                 parts, shared.load(placeOf(warp, tile, group.front()),
                                    int64_t(group.size()))))
          part.push_back({value});
      for (auto [reg, part] : llvm::zip_equal(group, parts))
        joined[reg] = steps.joinUnordered(part);
    }
    return joined;
  }

private:
  /// Whether no other lane of the warp with a lower number has the same
  /// elements; null where none has them.
  Value isFirstLane(LayoutAttr left) {
    auto isCopy = [](const LayoutMode &mode) { return mode.isReplicated(); };
    if (llvm::none_of(left.getLanes(), isCopy))
      return {};
    Value copy = numberOf(builder, loc, laneNumber(builder, loc),
                          left.getLanes(), isCopy);
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, copy,
                                 indexConstant(builder, loc, 0));
  }

  SharedTile at(Value warp, ThreadTile &tile) {
    SmallVector<Value> base = {warp};
    for (int64_t axis = 0; axis < tile.getRank(); ++axis)
      base.push_back(tile.getBase(axis));
    return {builder, loc, buffer, pointer, base};
  }

  SmallVector<int64_t> placeOf(int64_t warp, const ThreadTile &tile,
                               int64_t reg) const {
    SmallVector<int64_t> place = {warp};
    llvm::append_range(place, tile.getOffset(reg));
    return place;
  }

  SmallVector<ThreadTile::Group> groupsOf(const ThreadTile &tile) const {
    return tile.groupNeighbours(result.getRank() - 1, getSharedVector(buffer));
  }

  OpBuilder &builder;
  Location loc;
  tile::ReduceOp op;
  ReduceSteps &steps;
  LayoutAttr layout;
  RankedTensorType result;
  SharedType buffer;
  Value pointer;
};
} // namespace

SmallVector<Accumulator> spreadOverThreads(OpBuilder &builder,
                                           tile::ReduceOp op,
                                           ReduceSteps &steps,
                                           ArrayRef<Accumulator> accumulators) {
  Spreading spreading(builder, op, steps);
  emitScratchBarrier(builder, op);
  spreading.write(accumulators);
  emitBarrier(builder, op.getLoc());
  return spreading.read();
}

} // namespace tilegpt::tilegpu
