// Rows that are too long for the shared memory of a block: the blocks of a
// cluster keep a part each.
#include "Shared/ClusterRows.h"
#include "Shared/RowStaging.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Conversion/TileToArith/ReduceCombiner.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
class ClusterStaging : RowStaging {
public:
  ClusterStaging(tile::KernelOp kernel, const LongRows &rows)
      : RowStaging(kernel, rows), loc(kernel.getLoc()),
        warps(PlanAttr::of(kernel).getWarps()) {}

  void run() {
    walkRows();
    Block *body = loop.getBody();
    SmallVector<Operation *> text;
    for (Operation &op : body->without_terminator())
      text.push_back(&op);
    // What reads rows, in order; all of it reads them anew.
    SmallVector<Operation *> readers, old;
    for (auto constant : kernel.getEntryBlock()->getOps<arith::ConstantOp>())
      if (isLong(constant))
        old.push_back(constant);
    for (Operation *op : text) {
      auto isOne = [&](Value value) { return isLong(value); };
      bool reads = llvm::any_of(op->getOperands(), isOne);
      if (isa<tile::ReduceOp, tile::StoreOp>(op) && reads)
        readers.push_back(op);
      else if (isa<tile::StoreOp>(op))
        storeOnce(op);
      if (reads || llvm::any_of(op->getResults(), isOne))
        old.push_back(op);
    }
    copyParts();
    builder.setInsertionPoint(readers.front());
    WaitCopiesOp::create(builder, loc, 0);
    BarrierOp::create(builder, loc);
    int64_t meetings = 0;
    for (Operation *reader : readers) {
      builder.setInsertionPoint(reader);
      IRMapping made;
      if (auto reduce = dyn_cast<tile::ReduceOp>(reader)) {
        reducePart(reduce, made);
        ++meetings;
      } else {
        storePart(cast<tile::StoreOp>(reader), made);
      }
    }
    finishRow(meetings);
    eraseUnused(old);
  }

private:
  bool isVector(Value value) const {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && type.getShape() == ArrayRef<int64_t>{rows.columns};
  }
  bool isLong(Value value) const override {
    return isRow(value) || isVector(value);
  }
  /// A row or a vector as the part of it that this block has.
  RankedTensorType widened(Type type) const override {
    auto whole = cast<RankedTensorType>(type);
    if (whole.getRank() == 2)
      return RowStaging::widened(type);
    int64_t width = rows.getWidth();
    return RankedTensorType::get({width}, whole.getElementType(),
                                 layout.undoBroadcast({width}, {1, width}));
  }

  /// Moves the kernel into a loop over the rows of the cluster's blocks, as far
  /// as there are so many: all its blocks take the same turns.
  void walkRows() {
    Block *entry = kernel.getEntryBlock();
    SmallVector<Operation *> text;
    for (Operation &op : entry->without_terminator())
      if (!isa<arith::ConstantOp>(op))
        text.push_back(&op);
    builder.setInsertionPoint(entry->getTerminator());
    Arithmetic math(builder, loc);
    if (rows.parts > 1)
      ArriveClusterOp::create(builder, loc);
    Value block =
        tile::BlockIdOp::create(builder, loc, builder.getIndexType(), 0);
    part = math.rem(block, rows.parts);
    Value base = math.sub(block, part);
    Value height = tile::DimOp::create(
        builder, loc, tile::LoadOp(rows.loads.front()).getView(), 0);
    Value left = math.sub(height, math.min(height, base));
    Value from = arith::ConstantIndexOp::create(builder, loc, 0),
          one = arith::ConstantIndexOp::create(builder, loc, 1);
    // A block that others write to must have begun.
    if (rows.parts > 1)
      AwaitClusterOp::create(builder, loc);
    loop =
        scf::ForOp::create(builder, loc, from, math.min(left, rows.parts), one);
    builder.setInsertionPointToStart(loop.getBody());
    row = math.add(base, loop.getInductionVar());
    Operation *last = row.getDefiningOp();
    for (Operation *op : text) {
      op->moveAfter(last);
      last = op;
    }
    for (Operation *op : text)
      if (auto id = dyn_cast<tile::BlockIdOp>(op); id && id.getAxis() == 0)
        id.getResult().replaceAllUsesWith(row);
    if (rows.parts > 1)
      kernel->setAttr(clusterName, builder.getDenseI32ArrayAttr(
                                       {int32_t(rows.parts), 1, 1}));
  }

  /// What all blocks have made alike is stored by the first.
  void storeOnce(Operation *store) {
    builder.setInsertionPoint(store);
    Value isFirst = Arithmetic(builder, loc).isEqual(part, 0);
    auto branch = scf::IfOp::create(builder, loc, isFirst);
    store->moveBefore(branch.thenBlock()->getTerminator());
  }

  /// This block's part of a row of a view.
  Value partOf(Value view) {
    auto source = cast<tile::ViewType>(view.getType());
    auto type = tile::ViewType::get(kernel.getContext(), {rows.columns},
                                    source.getElementType(), {});
    Value whole =
        source.getRank() == 1
            ? view
            : tile::SelectOp::create(builder, loc, type, view, ValueRange{row})
                  .getResult();
    auto run = tile::ViewType::get(kernel.getContext(), {ShapedType::kDynamic},
                                   source.getElementType(), {});
    return RunOp::create(builder, loc, run, whole, part,
                         rows.getColumnsOfPart());
  }
  Value makeBuffer(Type element) {
    return AllocOp::create(builder, loc,
                           SharedType::get(kernel.getContext(),
                                           {rows.getWidth()}, element,
                                           /*swizzle=*/0, /*padding=*/0),
                           IntegerAttr());
  }
  /// All of a buffer as one row.
  Value rowOf(Value buffer) {
    auto type = cast<SharedType>(buffer.getType());
    auto row = SharedType::get(kernel.getContext(), {1, rows.getWidth()},
                               type.getElementType(), 0, 0);
    return RowsOp::create(builder, loc, row, buffer, zero);
  }

  void copyParts() {
    builder.setInsertionPointAfter(row.getDefiningOp());
    Arithmetic math(builder, loc);
    zero = arith::ConstantIndexOp::create(builder, loc, 0);
    first = rows.mostBefore
                ? math.rem(math.mul(math.rem(row, rows.unit), rows.pitch),
                           rows.unit)
                : zero;
    for (tile::LoadOp load : rows.loads) {
      Value run = partOf(load.getView());
      Value buffer = makeBuffer(load.getType().getElementType());
      CopyRunOp::create(builder, loc, run, buffer, first,
                        rows.getColumnsOfPart(), /*whole=*/false);
      buffers[load] = buffer;
    }
    CommitCopiesOp::create(builder, loc);
  }

  Value loadAgain(tile::LoadOp load) override {
    if (isVector(load))
      return loadPart(load);
    return ReadOp::create(builder, loc, widened(load.getType()),
                          rowOf(buffers.lookup(load)));
  }

  /// This block's part of a vector, from the column on that its row begins in.
  Value loadPart(tile::LoadOp load) {
    RankedTensorType type = widened(load.getType());
    Value run = partOf(load.getView());
    auto sizes = builder.getI64ArrayAttr(type.getShape());
    if (rows.mostBefore == 0)
      return tile::LoadOp::create(builder, loc, type, run, ValueRange{zero},
                                  /*mask=*/Value(), sizes, load.getPad(),
                                  /*order=*/DenseI64ArrayAttr());
    return tile::GatherOp::create(builder, loc, type, run, ValueRange(),
                                  places(), /*mask=*/Value(), /*axis=*/0, sizes,
                                  load.getPad());
  }

  /// A number for each column of the buffer.
  Value spread(Value index) {
    Type i32 = builder.getI32Type();
    int64_t width = rows.getWidth();
    auto type = RankedTensorType::get(
        {width}, i32, layout.undoBroadcast({width}, {1, width}));
    Value number = arith::IndexCastOp::create(builder, loc, i32, index);
    return tile::SplatOp::create(builder, loc, type, number,
                                 builder.getI64ArrayAttr({width}));
  }
  /// The number in the part of each column of the buffer. As unsigned, one
  /// before the first is behind the last.
  Value places() {
    Value firsts = spread(first);
    Value column =
        tile::IotaOp::create(builder, loc, firsts.getType(),
                             builder.getI64ArrayAttr({rows.getWidth()}));
    return arith::SubIOp::create(builder, loc, column, firsts);
  }
  /// The part with another value where it has no elements. The last part may
  /// have fewer than the others.
  Value fillOutside(Value wide, Value pad) {
    auto fill = [&](int64_t columns) -> Value {
      return FillOutsideOp::create(builder, loc, wide, pad, first,
                                   uint64_t(columns));
    };
    int64_t columns = rows.getColumnsOfPart(),
            least = rows.columns - (rows.parts - 1) * columns;
    Value others = fill(columns);
    if (least == columns)
      return others;
    Value isLast = Arithmetic(builder, loc).isEqual(part, rows.parts - 1);
    return arith::SelectOp::create(builder, loc, isLast, fill(least), others);
  }

  void reducePart(tile::ReduceOp op, IRMapping &made) {
    Value source = op.getSources().front(), wide = remake(source, made);
    Value pad = arith::ConstantOp::create(
        builder, loc,
        tile::identityOf(*op.getKind(), op.getNanPolicy(),
                         getElementTypeOrSelf(wide.getType())));
    wide = fillOutside(wide, pad);
    Value all;
    if (rows.parts == 1) {
      all = reduce(op, wide, /*axis=*/1, op.getKeepdims());
    } else {
      Value own = reduce(op, wide, /*axis=*/1, /*keepdims=*/true);
      all = reduce(op, exchange(own), /*axis=*/0, op.getKeepdims());
    }
    Value result = op.getResults().front();
    auto promised = cast<RankedTensorType>(result.getType());
    if (all.getType() != promised)
      all = ConvertLayoutOp::create(builder, loc, promised, all);
    result.replaceAllUsesWith(all);
  }

  /// The reduction of another tile, along another axis.
  Value reduce(tile::ReduceOp op, Value tile, int64_t axis, bool keepdims) {
    auto source = cast<RankedTensorType>(tile.getType());
    LayoutAttr left = keepdims ? LayoutAttr::of(source).collapseAxis(axis)
                               : LayoutAttr::of(source).dropAxis(axis);
    SmallVector<int64_t> shape(source.getShape());
    if (keepdims)
      shape[axis] = 1;
    else
      shape.erase(shape.begin() + axis);
    IRMapping mapping;
    mapping.map(op.getSources().front(), tile);
    auto again = cast<tile::ReduceOp>(builder.clone(*op, mapping));
    again.setAxis(axis);
    again.setKeepdims(keepdims);
    Value result = again.getResults().front();
    result.setType(RankedTensorType::get(
        shape, getElementTypeOrSelf(result.getType()), left));
    return result;
  }

  /// What every block has of a reduction, in all of them: a register each.
  Value exchange(Value own) {
    Type element = getElementTypeOrSelf(own.getType());
    MLIRContext *context = kernel.getContext();
    auto type = SharedType::get(context, {rows.parts, 1}, element, 0, 0);
    Value buffer = AllocOp::create(builder, loc, type, IntegerAttr());
    WritePartOp::create(builder, loc, own, buffer, part);
    ArriveClusterOp::create(builder, loc);
    AwaitClusterOp::create(builder, loc);
    constexpr int64_t lanes = 32;
    LayoutAttr each = LayoutAttr::getCanonical(
        context, {LayoutMode{rows.parts, 0, 1}}, {LayoutMode::replicate(lanes)},
        {LayoutMode::replicate(warps)});
    return ReadOp::create(builder, loc,
                          RankedTensorType::get({rows.parts, 1}, element, each),
                          buffer);
  }

  void storePart(tile::StoreOp op, IRMapping &made) {
    Value wide = remake(op.getValue(), made);
    Value buffer = makeBuffer(getElementTypeOrSelf(wide.getType()));
    Value run = partOf(op.getView());
    // Behind what was read from the same place.
    BarrierOp::create(builder, loc);
    WriteOp::create(builder, loc, wide, rowOf(buffer));
    BarrierOp::create(builder, loc);
    StoreRunOp::create(builder, loc, run, buffer, first,
                       rows.getColumnsOfPart(), /*whole=*/false);
  }

  /// Before the next row comes to where this one is. Of a buffer that blocks
  /// exchange through it takes another meeting to know that all have read it.
  void finishRow(int64_t meetings) {
    builder.setInsertionPoint(loop.getBody()->getTerminator());
    if (meetings == 1 && rows.parts > 1) {
      ArriveClusterOp::create(builder, loc);
      AwaitClusterOp::create(builder, loc);
    }
    BarrierOp::create(builder, loc);
  }

  Location loc;
  int64_t warps;
  scf::ForOp loop; ///< over the rows
  Value part, row, zero;
  Value first; ///< the place a part begins at in its buffer
};
} // namespace

void stageRowsInCluster(tile::KernelOp kernel, const LongRows &rows) {
  ClusterStaging(kernel, rows).run();
}

} // namespace tilegpt::tilegpu
