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
        warps(PlanAttr::of(kernel).getWarps()) {
    // Few enough that a thread has registers for them, of vectors as well,
    // enough to hide what an access takes.
    constexpr int64_t warpLanes = 32;
    constexpr int64_t ofThread = 16;
    pieces = std::max<int64_t>(
        1, llvm::divideCeil(rows.getWidth(), warps * warpLanes * ofThread));
    width = llvm::alignTo(llvm::divideCeil(rows.getWidth(), pieces), rows.unit);
    auto layoutOf = [&](int64_t vector) {
      return LayoutAttr::getBlocked(kernel.getContext(), {1, width}, vector,
                                    warps);
    };
    units = layout = layoutOf(rows.unit);
    neighbours = layoutOf(1);
  }

  void run() {
    meetFirst();
    SmallVector<Operation *> text;
    for (Operation &op : kernel.getEntryBlock()->without_terminator())
      text.push_back(&op);
    // What reads rows, in order; all of it reads them anew.
    SmallVector<Operation *> readers, old;
    for (Operation *op : text) {
      auto isOne = [&](Value value) { return isLong(value); };
      bool reads = llvm::any_of(op->getOperands(), isOne);
      if (isa<tile::ReduceOp, tile::StoreOp>(op) && reads)
        readers.push_back(op);
      else if (isa<tile::StoreOp>(op))
        storeOnce(op);
      if (reads || llvm::any_of(op->getResults(), isOne))
        old.push_back(op);
      noteVectors(op);
    }
    copyParts();
    builder.setInsertionPoint(readers.front());
    WaitCopiesOp::create(builder, loc, 0);
    BarrierOp::create(builder, loc);
    for (Operation *reader : readers) {
      builder.setInsertionPoint(reader);
      auto reduce = dyn_cast<tile::ReduceOp>(reader);
      auto store = dyn_cast<tile::StoreOp>(reader);
      Value read = reduce ? reduce.getSources().front() : store.getValue();
      layout = rows.mostBefore && ofVectors.contains(read) ? neighbours : units;
      if (reduce)
        reducePart(reduce);
      else
        storePart(store);
    }
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
  /// A row or a vector as a piece of the part of it that this block has.
  RankedTensorType widened(Type type) const override {
    auto whole = cast<RankedTensorType>(type);
    if (whole.getRank() == 2)
      return RowStaging::widened(type);
    return RankedTensorType::get({width}, whole.getElementType(),
                                 layout.undoBroadcast({width}, {1, width}));
  }

  /// The grid is one of clusters now; this block has a part of the row of its
  /// own.
  void meetFirst() {
    builder.setInsertionPointToStart(kernel.getEntryBlock());
    zero = arith::ConstantIndexOp::create(builder, loc, 0);
    if (rows.parts == 1) {
      part = zero;
      return;
    }
    // An exchange for each reduction.
    for (size_t count = rows.reductions.size(); count > 0; --count) {
      mailboxes.push_back(AllocOp::create(
          builder, loc,
          GatherPartsOp::getMailboxType(kernel.getContext(), rows.parts),
          IntegerAttr()));
      InitMailboxOp::create(builder, loc, mailboxes.back());
    }
    ArriveClusterOp::create(builder, loc, /*relaxed=*/true);
    part = ClusterRankOp::create(builder, loc);
    kernel->setAttr(clusterName,
                    builder.getDenseI32ArrayAttr({int32_t(rows.parts), 1, 1}));
    kernel->setAttr(gridOfClustersName, builder.getUnitAttr());
  }

  /// Notes what is made of a loaded vector.
  void noteVectors(Operation *op) {
    auto isNoted = [&](Value operand) { return ofVectors.contains(operand); };
    for (Value result : op->getResults())
      if (isLong(result) && ((isa<tile::LoadOp>(op) && isVector(result)) ||
                             llvm::any_of(op->getOperands(), isNoted)))
        ofVectors.insert(result);
  }

  /// What all blocks have made alike is stored by the first.
  void storeOnce(Operation *store) {
    if (rows.parts == 1)
      return;
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
                                           {pieces * width}, element,
                                           /*swizzle=*/0, /*padding=*/0),
                           IntegerAttr());
  }
  /// The piece of a buffer at `offset` as one row.
  Value rowOf(Value buffer) {
    auto type = cast<SharedType>(buffer.getType());
    auto row = SharedType::get(kernel.getContext(), {1, width},
                               type.getElementType(), 0, 0);
    return RowsOp::create(builder, loc, row, buffer, offset);
  }

  void copyParts() {
    row = rows.row;
    builder.setInsertionPointAfterValue(row);
    Arithmetic math(builder, loc);
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
    RankedTensorType type = widened(load.getType());
    if (!isVector(load))
      return ReadOp::create(builder, loc, type, rowOf(buffers.lookup(load)));
    return rows.mostBefore == 0 ? loadUnits(load) : loadNeighbours(load);
  }

  /// This piece of a vector, by whole units.
  Value loadUnits(tile::LoadOp load) {
    RankedTensorType type = widened(load.getType());
    return tile::LoadOp::create(
        builder, loc, type, partOf(load.getView()), ValueRange{piece},
        /*mask=*/Value(), builder.getI64ArrayAttr(type.getShape()),
        load.getPad(), /*order=*/DenseI64ArrayAttr());
  }

  /// The same, from the column on that the block's row begins in.
  Value loadNeighbours(tile::LoadOp load) {
    RankedTensorType type = widened(load.getType());
    return tile::GatherOp::create(
        builder, loc, type, load.getView(), ValueRange(), numbersAgain(),
        /*mask=*/Value(), /*axis=*/0, builder.getI64ArrayAttr(type.getShape()),
        load.getPad());
  }

  /// The column of a row that each place of a piece is for. As unsigned, one
  /// before the first is behind the last.
  Value numbersAgain() override {
    return numbersFrom(
        Arithmetic(builder, loc).mul(part, rows.getColumnsOfPart()));
  }
  /// The same, when the part begins with column `start`.
  Value numbersFrom(Value start) {
    Type i32 = builder.getI32Type();
    auto sizes = builder.getI64ArrayAttr({width});
    auto type = RankedTensorType::get(
        {width}, i32, layout.undoBroadcast({width}, {1, width}));
    Value from = arith::SubIOp::create(
        builder, loc, Arithmetic(builder, loc).add(start, offset), first);
    Value starts = tile::SplatOp::create(
        builder, loc, type, arith::IndexCastOp::create(builder, loc, i32, from),
        sizes);
    Value place = tile::IotaOp::create(builder, loc, type, sizes);
    return arith::AddIOp::create(builder, loc, place, starts);
  }

  /// A piece with another value where the part has no elements. The last part
  /// may have fewer than the others.
  Value fillOutside(Value wide, TypedAttr pad) {
    Type i32 = builder.getI32Type();
    int64_t columns = rows.getColumnsOfPart(), least = fewestColumns();
    auto constant = [&](int64_t number) -> Value {
      return arith::ConstantIntOp::create(builder, loc, i32, number);
    };
    Value count = constant(columns);
    if (least != columns)
      count = arith::SelectOp::create(
          builder, loc, Arithmetic(builder, loc).isEqual(part, rows.parts - 1),
          constant(least), count);
    Value places = numbersFrom(zero);
    Value counts = tile::SplatOp::create(builder, loc, places.getType(), count,
                                         builder.getI64ArrayAttr({width}));
    Value isInside = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::ult, places, counts);
    auto type = cast<RankedTensorType>(wide.getType());
    Value mask = tile::BroadcastOp::create(
        builder, loc, type.clone(builder.getI1Type()), isInside,
        builder.getI64ArrayAttr(type.getShape()));
    Value pads = arith::ConstantOp::create(builder, loc,
                                           SplatElementsAttr::get(type, pad));
    return arith::SelectOp::create(builder, loc, mask, wide, pads);
  }

  /// Makes something of every piece in turn. Only the first and the last may
  /// have places outside of the part, or the last ones, where the last part is
  /// much shorter than the others.
  /// \param carried  what each piece is told, and what comes of it; or null.
  Value forEachPiece(Value carried,
                     llvm::function_ref<Value(Value, bool)> make) {
    auto at = [&](Value number) {
      piece = number;
      offset = Arithmetic(builder, loc).mul(number, width);
    };
    auto constant = [&](int64_t number) {
      return arith::ConstantIndexOp::create(builder, loc, number);
    };
    at(zero);
    carried = make(carried, /*isEnd=*/true);
    int64_t whole =
        std::max<int64_t>(1, std::min(pieces - 1, fewestColumns() / width));
    if (whole > 1) {
      auto loop = scf::ForOp::create(
          builder, loc, constant(1), constant(whole), constant(1),
          carried ? ValueRange(carried) : ValueRange());
      OpBuilder::InsertionGuard guard(builder);
      if (carried)
        builder.setInsertionPointToStart(loop.getBody());
      else
        builder.setInsertionPoint(loop.getBody()->getTerminator());
      at(loop.getInductionVar());
      Value next = make(carried ? loop.getRegionIterArg(0) : Value(),
                        /*isEnd=*/false);
      if (carried) {
        scf::YieldOp::create(builder, loc, next);
        carried = loop.getResult(0);
      }
    }
    for (int64_t number = whole; number < pieces; ++number) {
      at(constant(number));
      carried = make(carried, /*isEnd=*/true);
    }
    return carried;
  }

  /// Columns of the last part.
  int64_t fewestColumns() const {
    return rows.columns - (rows.parts - 1) * rows.getColumnsOfPart();
  }

  void reducePart(tile::ReduceOp op) {
    Value source = op.getSources().front();
    tile::ReduceKind kind = *op.getKind();
    tile::NaNPolicy nan = op.getNanPolicy();
    Type element =
        tile::accumulatorType(kind, getElementTypeOrSelf(source.getType()));
    RankedTensorType type =
        cast<RankedTensorType>(widened(source.getType())).clone(element);
    TypedAttr identity = tile::identityOf(kind, nan, element);
    Value sums = arith::ConstantOp::create(
        builder, loc, SplatElementsAttr::get(type, identity));
    sums = forEachPiece(sums, [&](Value sum, bool isEnd) {
      IRMapping made;
      Value wide = remake(source, made);
      if (wide.getType() != type)
        wide = tile::CastOp::create(builder, loc, type, wide);
      if (isEnd)
        wide = fillOutside(wide, identity);
      return tile::combine(builder, loc, kind, nan, sum, wide);
    });
    Value all;
    if (rows.parts == 1) {
      all = reduce(op, sums, /*axis=*/1, op.getKeepdims());
    } else {
      Value own = reduce(op, sums, /*axis=*/1, /*keepdims=*/true);
      all = reduce(op, exchange(own), /*axis=*/0, op.getKeepdims());
    }
    Value result = op.getResults().front();
    auto promised = cast<RankedTensorType>(result.getType());
    if (element != promised.getElementType())
      all = tile::CastOp::create(builder, loc,
                                 cast<RankedTensorType>(all.getType())
                                     .clone(promised.getElementType()),
                                 all);
    if (all.getType() != promised)
      all = ConvertLayoutOp::create(builder, loc, promised, all);
    result.replaceAllUsesWith(all);
  }

  /// A reduction of the kind of `op` of another tile, along another axis.
  Value reduce(tile::ReduceOp op, Value tile, int64_t axis, bool keepdims) {
    auto source = cast<RankedTensorType>(tile.getType());
    LayoutAttr left = keepdims ? LayoutAttr::of(source).collapseAxis(axis)
                               : LayoutAttr::of(source).dropAxis(axis);
    SmallVector<int64_t> shape(source.getShape());
    if (keepdims)
      shape[axis] = 1;
    else
      shape.erase(shape.begin() + axis);
    auto type = RankedTensorType::get(shape, source.getElementType(), left);
    return tile::ReduceOp::create(builder, loc, TypeRange{type},
                                  ValueRange{tile}, axis, op.getKindAttr(),
                                  /*identities=*/ArrayAttr(), keepdims,
                                  op.getNanPolicy())
        .getResult(0);
  }

  /// What every block has of a reduction, in all of them: a register each.
  Value exchange(Value own) {
    Type element = getElementTypeOrSelf(own.getType());
    // A block that others write to must have begun.
    if (!hasMet)
      AwaitClusterOp::create(builder, loc);
    hasMet = true;
    constexpr int64_t lanes = 32;
    LayoutAttr each = LayoutAttr::getCanonical(
        kernel.getContext(), {LayoutMode{rows.parts, 0, 1}},
        {LayoutMode::replicate(lanes)}, {LayoutMode::replicate(warps)});
    return GatherPartsOp::create(
        builder, loc, RankedTensorType::get({rows.parts, 1}, element, each),
        own, part, mailboxes.pop_back_val());
  }

  void storePart(tile::StoreOp op) {
    Type element = getElementTypeOrSelf(op.getValue().getType());
    if (layout == units || !rows.leavesThroughShared(op))
      return storeRegisters(op);
    tile::LoadOp inPlace = rows.loadInPlaceOfStore();
    Value buffer = inPlace ? buffers.lookup(inPlace) : makeBuffer(element);
    Value run = partOf(op.getView());
    // Behind what was read from the same place.
    BarrierOp::create(builder, loc);
    forEachPiece(Value(), [&](Value, bool) {
      IRMapping made;
      Value wide = remake(op.getValue(), made);
      // Threads without elements of their own have read those of others.
      if (inPlace)
        BarrierOp::create(builder, loc);
      WriteOp::create(builder, loc, wide, rowOf(buffer));
      return Value();
    });
    BarrierOp::create(builder, loc);
    StoreRunOp::create(builder, loc, run, buffer, first,
                       rows.getColumnsOfPart(), /*whole=*/false);
  }

  /// From registers, each thread its own units or elements.
  void storeRegisters(tile::StoreOp op) {
    Value run = partOf(op.getView());
    forEachPiece(Value(), [&](Value, bool isEnd) {
      IRMapping made;
      Value wide = remake(op.getValue(), made);
      StoreUnitsOp::create(builder, loc, wide, offset, run, first,
                           /*inside=*/!isEnd);
      return Value();
    });
  }

  Location loc;
  int64_t warps;
  int64_t pieces; ///< of a part, by which it is worked through
  /// Layouts of a piece: of units of 16 bytes, or of single elements. Where
  /// rows begin anywhere, their units are none of the vectors that they meet.
  LayoutAttr units, neighbours;
  llvm::DenseSet<Value> ofVectors; ///< values made of loaded vectors
  Value part, row, zero;
  Value piece, offset; ///< the number of this piece, and where it begins
  Value first;         ///< the place a part begins at in its buffer
  /// For what the blocks tell each other, each once.
  SmallVector<Value> mailboxes;
  bool hasMet = false; ///< whether all blocks are known to have begun
};
} // namespace

void stageRowsInCluster(tile::KernelOp kernel, const LongRows &rows) {
  ClusterStaging(kernel, rows).run();
}

} // namespace tilegpt::tilegpu
