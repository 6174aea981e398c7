// Splits rows that exceed a block's shared memory across the blocks of a
// cluster.
#include "Shared/ClusterRows.h"
#include "Shared/ClusterPart.h"
#include "Shared/TileReductions.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Conversion/TileToArith/ReduceCombiner.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Relabel.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
class ClusterStaging : ClusterPart {
public:
  ClusterStaging(tile::KernelOp kernel, const LongRows &rows)
      : ClusterPart(kernel, rows) {}

  void run() {
    builder.setInsertionPointToStart(kernel.getEntryBlock());
    zero = arith::ConstantIndexOp::create(builder, loc, 0);
    exchange.begin();
    SmallVector<Operation *> text;
    for (Operation &op : kernel.getEntryBlock()->without_terminator())
      text.push_back(&op);
    // Ops that read rows, in order; each recomputes what it needs of them.
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
    moveOtherLoadsAhead(readers.front());
    findPlace();
    if (rows.inRegisters) {
      loadParts();
    } else {
      copyParts();
      builder.setInsertionPoint(readers.front());
      WaitCopiesOp::create(builder, loc, 0);
      BarrierOp::create(builder, loc);
    }
    for (Operation *reader : readers) {
      builder.setInsertionPoint(reader);
      auto reduce = dyn_cast<tile::ReduceOp>(reader);
      auto store = dyn_cast<tile::StoreOp>(reader);
      bool meetsVectors = llvm::any_of(reader->getOperands(), [&](Value value) {
        return ofVectors.contains(value);
      });
      layout = rows.mostBefore && meetsVectors && !rows.inRegisters ? neighbours
                                                                    : units;
      if (reduce && !reduce.getKind())
        reduceByRegion(reduce);
      else if (reduce)
        reducePart(reduce);
      else
        storePart(store);
    }
    eraseUnused(old);
  }

private:
  /// Tracks values computed from loaded vectors.
  void noteVectors(Operation *op) {
    auto isNoted = [&](Value operand) { return ofVectors.contains(operand); };
    for (Value result : op->getResults())
      if (isLong(result) && ((isa<tile::LoadOp>(op) && isVector(result)) ||
                             llvm::any_of(op->getOperands(), isNoted)))
        ofVectors.insert(result);
  }

  /// Lets the first block store what all blocks compute alike.
  void storeOnce(Operation *store) {
    if (rows.parts == 1)
      return;
    builder.setInsertionPoint(store);
    Value isFirst = Arithmetic(builder, loc).isEqual(exchange.getPart(), 0);
    auto branch = scf::IfOp::create(builder, loc, isFirst);
    store->moveBefore(branch.thenBlock()->getTerminator());
  }

  using Make = llvm::function_ref<SmallVector<Value>(ValueRange, bool)>;

  /// Emits code for every piece in turn. Only the first and the last piece may
  /// have elements outside the part, or several last ones if the last part is
  /// much shorter than the others.
  /// \param carried  the initial loop-carried values.
  SmallVector<Value> forEachPiece(SmallVector<Value> carried, Make make) {
    auto at = [&](Value number) {
      piece = number;
      offset = Arithmetic(builder, loc).mul(number, width);
    };
    auto constant = [&](int64_t number) {
      return arith::ConstantIndexOp::create(builder, loc, number);
    };
    at(zero);
    carried = make(carried, /*isEnd=*/true);
    int64_t whole = std::max<int64_t>(
        1, std::min(pieces - 1, rows.getColumnsOfLast() / width));
    if (whole > 1) {
      auto loop = scf::ForOp::create(builder, loc, constant(1), constant(whole),
                                     constant(1), carried);
      OpBuilder::InsertionGuard guard(builder);
      if (carried.empty())
        builder.setInsertionPoint(loop.getBody()->getTerminator());
      else
        builder.setInsertionPointToStart(loop.getBody());
      at(loop.getInductionVar());
      SmallVector<Value> next = make(loop.getRegionIterArgs(), /*isEnd=*/false);
      if (!carried.empty())
        scf::YieldOp::create(builder, loc, next);
      carried.assign(loop.getResults().begin(), loop.getResults().end());
    }
    for (int64_t number = whole; number < pieces; ++number) {
      at(constant(number));
      carried = make(carried, /*isEnd=*/true);
    }
    return carried;
  }

  void reducePart(tile::ReduceOp op) {
    Reduction how(op);
    Value source = op.getSources().front();
    Value all, sums = reducePieces(how, source);
    if (rows.parts == 1) {
      all = reduce(how, sums, /*axis=*/1, op.getKeepdims());
    } else {
      Value own = reduce(how, sums, /*axis=*/1, /*keepdims=*/true);
      all = reduce(how, exchange.gather(own), /*axis=*/0, op.getKeepdims());
    }
    replaceResult(op.getResults().front(), all);
  }

  void replaceResult(Value result, Value all) {
    auto promised = cast<RankedTensorType>(result.getType());
    Type element = getElementTypeOrSelf(all.getType());
    if (element != promised.getElementType())
      all = tile::CastOp::create(builder, loc,
                                 cast<RankedTensorType>(all.getType())
                                     .clone(promised.getElementType()),
                                 all);
    if (all.getType() != promised)
      all = ConvertLayoutOp::create(builder, loc, promised, all);
    result.replaceAllUsesWith(all);
  }

  void reduceByRegion(tile::ReduceOp op) {
    SmallVector<Value> own = reducePieces(op);
    SmallVector<Value> all = reduceTiles(builder, op, own, /*axis=*/1,
                                         op.getKeepdims() || rows.parts > 1);
    if (rows.parts > 1)
      all = reduceTiles(builder, op, exchange.gatherAll(all), /*axis=*/0,
                        op.getKeepdims());
    for (auto [result, value] : llvm::zip_equal(op.getResults(), all))
      replaceResult(result, value);
  }

  /// A row with its units as an axis of their own, if threads hold whole units;
  /// otherwise the row itself.
  Value asUnits(Value row) {
    int64_t shape[] = {1, width / rows.unit, rows.unit};
    auto type = RankedTensorType::get(
        shape, getElementTypeOrSelf(row.getType()),
        LayoutAttr::getBlocked(kernel.getContext(), shape, rows.unit, warps));
    auto reshape = tile::ReshapeOp::create(builder, loc, type, row,
                                           builder.getI64ArrayAttr(shape));
    if (layout == units && rows.unit > 1 && findRelabeling(reshape))
      return reshape;
    reshape.erase();
    return row;
  }

  /// Combines the pieces of rows elementwise or, if a thread can reduce its
  /// units first, unit by unit, into one [1, N] tile per source.
  SmallVector<Value> reducePieces(tile::ReduceOp op) {
    SmallVector<Type> elements;
    SmallVector<tile::ScanOp> scans;
    for (Value source : op.getSources()) {
      elements.push_back(getElementTypeOrSelf(source.getType()));
      for (tile::ScanOp scan : findScans(source))
        if (!llvm::is_contained(scans, scan))
          scans.push_back(scan);
    }
    SmallVector<TypedAttr> identities = tile::identitiesOf(op, elements);
    size_t count = elements.size();
    auto makePiece = [&](bool isEnd) {
      IRMapping made;
      SmallVector<Value> piece;
      for (auto [source, identity] :
           llvm::zip_equal(op.getSources(), identities)) {
        Value wide = remake(source, made);
        piece.push_back(
            isEnd && isFilled(op, source) ? fillOutside(wide, identity) : wide);
      }
      return piece;
    };
    if (pieces == 1 && scans.empty()) {
      piece = zero;
      offset = zero;
      return makePiece(/*isEnd=*/true);
    }
    SmallVector<Value> carried;
    bool areUnits = false;
    for (auto [element, identity] : llvm::zip_equal(elements, identities)) {
      Value row = splatOf(RankedTensorType::get({1, width}, element, layout),
                          identity),
            asked = asUnits(row);
      areUnits = asked != row;
      if (areUnits) {
        row = splatOf(reducedType(asked, /*axis=*/2, /*keepdims=*/false),
                      identity);
        eraseUnused({asked.getDefiningOp()->getOperand(0).getDefiningOp(),
                     asked.getDefiningOp()});
      }
      carried.push_back(row);
    }
    llvm::append_range(carried, startsOf(scans));
    carried = forEachPiece(carried, [&](ValueRange told, bool isEnd) {
      goOn(scans, told.drop_front(count), isEnd);
      SmallVector<Value> made = makePiece(isEnd);
      if (areUnits) {
        for (Value &tile : made)
          tile = asUnits(tile);
        made = reduceTiles(builder, op, made, /*axis=*/2, /*keepdims=*/false);
      }
      SmallVector<Value> next =
          combineTiles(builder, op, told.take_front(count), made);
      llvm::append_range(next, reached(scans));
      return next;
    });
    carried.truncate(count);
    return carried;
  }

  /// How elements are combined.
  struct Reduction {
    template <typename OpT>
    explicit Reduction(OpT op) : kind(*op.getKind()), nan(op.getNanPolicy()) {}
    TypedAttr identity(Type element) const {
      return tile::identityOf(kind, nan, element);
    }
    tile::ReduceKind kind;
    tile::NaNPolicy nan;
  };

  Value splatOf(RankedTensorType type, TypedAttr element) {
    return arith::ConstantOp::create(builder, loc,
                                     SplatElementsAttr::get(type, element));
  }

  /// Combines the pieces of a row elementwise.
  Value reducePieces(const Reduction &how, Value source) {
    Type element =
        tile::accumulatorType(how.kind, getElementTypeOrSelf(source.getType()));
    RankedTensorType type =
        cast<RankedTensorType>(widened(source.getType())).clone(element);
    TypedAttr identity = how.identity(element);
    SmallVector<tile::ScanOp> scans = findScans(source);
    auto makePiece = [&](bool isEnd) {
      IRMapping made;
      Value wide = remake(source, made);
      if (wide.getType() != type)
        wide = tile::CastOp::create(builder, loc, type, wide);
      return isEnd ? fillOutside(wide, identity) : wide;
    };
    if (rows.inRegisters)
      return makePiece(/*isEnd=*/true);
    SmallVector<Value> carried = {splatOf(type, identity)};
    llvm::append_range(carried, startsOf(scans));
    carried = forEachPiece(carried, [&](ValueRange told, bool isEnd) {
      goOn(scans, told.drop_front(), isEnd);
      Value wide = makePiece(isEnd);
      SmallVector<Value> next = {
          tile::combine(builder, loc, how.kind, how.nan, told.front(), wide)};
      llvm::append_range(next, reached(scans));
      return next;
    });
    return carried.front();
  }

  /// Reduces another tile.
  Value reduce(const Reduction &how, Value tile, int64_t axis, bool keepdims) {
    RankedTensorType type = reducedType(tile, axis, keepdims);
    auto kind = tile::ReduceKindAttr::get(kernel.getContext(), how.kind);
    return tile::ReduceOp::create(builder, loc, TypeRange{type},
                                  ValueRange{tile}, axis, kind,
                                  /*identities=*/ArrayAttr(), keepdims, how.nan)
        .getResult(0);
  }

  /// The scans that a row depends on, in dependence order.
  SmallVector<tile::ScanOp> findScans(Value value) const {
    SetVector<Operation *> slice;
    BackwardSliceOptions options;
    options.inclusive = true;
    (void)getBackwardSlice(value, &slice, options);
    SmallVector<tile::ScanOp> scans;
    for (tile::ScanOp scan : rows.scans)
      if (slice.contains(scan))
        scans.push_back(scan);
    return scans;
  }

  /// The values of scans before this part of the row, from the preceding parts.
  SmallVector<Value> startsOf(ArrayRef<tile::ScanOp> scans) {
    SmallVector<Value> all;
    for (tile::ScanOp scan : scans) {
      Value &start = starts[scan];
      if (!start) {
        // findStart may insert other starts.
        Value found = findStart(scan);
        starts[scan] = found;
        all.push_back(found);
      } else {
        all.push_back(start);
      }
    }
    return all;
  }

  Value findStart(tile::ScanOp scan) {
    Reduction how(scan);
    Value source = scan.getSources().front();
    auto row = cast<RankedTensorType>(widened(source.getType()));
    auto type = RankedTensorType::get({1, 1}, row.getElementType(),
                                      layout.collapseAxis(1));
    TypedAttr identity = how.identity(row.getElementType());
    if (rows.parts == 1)
      return splatOf(type, identity);
    Value own = reduce(how, reducePieces(how, source), /*axis=*/1,
                       /*keepdims=*/true);
    Value all = exchange.gather(own);
    Value before =
        reduce(how,
               arith::SelectOp::create(
                   builder, loc, exchange.isBefore(all.getType()), all,
                   splatOf(cast<RankedTensorType>(all.getType()), identity)),
               /*axis=*/0, /*keepdims=*/true);
    if (before.getType() != type)
      before = ConvertLayoutOp::create(builder, loc, type, before);
    return before;
  }

  /// Sets the values of scans before a piece.
  void goOn(ArrayRef<tile::ScanOp> scans, ValueRange before, bool isEnd) {
    isAtEnd = isEnd;
    for (auto [scan, value] : llvm::zip_equal(scans, before))
      running[scan] = value;
  }
  /// The values of scans after a piece.
  SmallVector<Value> reached(ArrayRef<tile::ScanOp> scans) const {
    return llvm::map_to_vector(
        scans, [&](tile::ScanOp scan) { return running.lookup(scan); });
  }

  /// Scans a piece, continuing from the preceding pieces and parts.
  Value scanAgain(tile::ScanOp scan, IRMapping &made) override {
    Reduction how(scan);
    Value source = remake(scan.getSources().front(), made);
    auto type = cast<RankedTensorType>(source.getType());
    if (isAtEnd)
      source = fillOutside(source, how.identity(type.getElementType()));
    IRMapping mapping;
    mapping.map(scan.getSources().front(), source);
    Value own = builder.clone(*scan, mapping)->getResult(0);
    own.setType(type);
    Value before = running.lookup(scan);
    Value befores = tile::BroadcastOp::create(
        builder, loc, type, before, builder.getI64ArrayAttr(type.getShape()));
    Value total = reduce(how, source, /*axis=*/1, /*keepdims=*/true);
    running[scan] =
        tile::combine(builder, loc, how.kind, how.nan, before, total);
    return tile::combine(builder, loc, how.kind, how.nan, befores, own);
  }

  void storePart(tile::StoreOp op) {
    Type element = getElementTypeOrSelf(op.getValue().getType());
    if (layout == units || !rows.leavesThroughShared(op))
      return storeRegisters(op);
    tile::LoadOp inPlace = rows.loadInPlaceOfStore();
    Value buffer = inPlace ? buffers.lookup(inPlace) : makeBuffer(element);
    Value run = partOf(op.getView());
    // Earlier reads of the same memory must be done.
    BarrierOp::create(builder, loc);
    makePieces(op.getValue(), [&](Value wide, bool) {
      // Threads without elements of their own have read those of others.
      if (inPlace)
        BarrierOp::create(builder, loc);
      WriteOp::create(builder, loc, wide, rowOf(buffer));
    });
    BarrierOp::create(builder, loc);
    StoreRunOp::create(builder, loc, run, buffer, first,
                       rows.getColumnsOfPart(), /*whole=*/false);
  }

  /// Stores from registers, each thread its own units or elements.
  void storeRegisters(tile::StoreOp op) {
    Value run = partOf(op.getView());
    DenseI64ArrayAttr known =
        rows.inRegisters ? knownColumns() : DenseI64ArrayAttr();
    makePieces(op.getValue(), [&](Value wide, bool isEnd) {
      bool isInside = rows.inRegisters ? hasAllColumns() : !isEnd;
      StoreUnitsOp::create(builder, loc, wide, offset, run, first, isInside,
                           known);
    });
  }

  /// Computes every piece of a row and passes it to `take`.
  void makePieces(Value value, llvm::function_ref<void(Value, bool)> take) {
    SmallVector<tile::ScanOp> scans = findScans(value);
    forEachPiece(startsOf(scans), [&](ValueRange before, bool isEnd) {
      goOn(scans, before, isEnd);
      IRMapping made;
      take(remake(value, made), isEnd);
      return reached(scans);
    });
  }

  llvm::DenseSet<Value> ofVectors; ///< values computed from loaded vectors
  /// The values of scans before the part, and before the current piece or, once
  /// it is computed, after it; whether that piece may have elements outside the
  /// part.
  llvm::DenseMap<Operation *, Value> starts, running;
  bool isAtEnd = false;
};
} // namespace

void stageRowsInCluster(tile::KernelOp kernel, const LongRows &rows) {
  ClusterStaging(kernel, rows).run();
}

} // namespace tilegpt::tilegpu
