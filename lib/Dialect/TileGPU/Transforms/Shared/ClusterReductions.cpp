// Reductions and scans of rows of which each block of a cluster keeps a part.
#include "Shared/ClusterReductions.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Conversion/TileToArith/ReduceCombiner.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Relabel.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileReductions.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tilegpu {

TypedAttr ClusterReductions::Reduction::identity(Type element) const {
  return tile::identityOf(kind, nan, element);
}

/// Emits code for every piece in turn. Only the first and the last piece may
/// have elements outside the part, or several last ones if the last part is
/// much shorter than the others.
/// \param carried  the initial loop-carried values.
SmallVector<Value> ClusterReductions::forEachPiece(SmallVector<Value> carried,
                                                   PieceBuilder build) {
  auto at = [&](Value number) {
    piece = number;
    offset = Arithmetic(builder, loc).mul(number, width);
  };
  auto constant = [&](int64_t number) {
    return arith::ConstantIndexOp::create(builder, loc, number);
  };
  at(zero);
  carried = build(carried, /*isEnd=*/true);
  int64_t whole = firstOfEnd();
  if (whole > 1) {
    auto loop = scf::ForOp::create(builder, loc, constant(1), constant(whole),
                                   constant(1), carried);
    OpBuilder::InsertionGuard guard(builder);
    if (carried.empty())
      builder.setInsertionPoint(loop.getBody()->getTerminator());
    else
      builder.setInsertionPointToStart(loop.getBody());
    at(loop.getInductionVar());
    SmallVector<Value> next = build(loop.getRegionIterArgs(), /*isEnd=*/false);
    if (!carried.empty())
      scf::YieldOp::create(builder, loc, next);
    carried.assign(loop.getResults().begin(), loop.getResults().end());
  }
  for (int64_t number = whole; number < pieces; ++number) {
    at(constant(number));
    carried = build(carried, /*isEnd=*/true);
  }
  return carried;
}

void ClusterReductions::reduceParts(ArrayRef<tile::ReduceOp> ops) {
  SmallVector<Reduction> how;
  SmallVector<Value> sources;
  for (tile::ReduceOp op : ops) {
    how.emplace_back(op);
    sources.push_back(op.getSources().front());
  }
  SmallVector<Value> all = reducePieces(how, sources);
  auto reduceAll = [&](int64_t axis, bool keepdims) {
    for (size_t number = 0; number < ops.size(); ++number) {
      tile::ReduceOp op = ops[number];
      all[number] =
          reduce(how[number], all[number], axis, keepdims || op.getKeepdims());
    }
  };
  reduceAll(/*axis=*/1, /*keepdims=*/rows.parts > 1);
  if (rows.parts > 1) {
    // Two numbers are exchanged at once.
    SmallVector<Value> gathered;
    for (ArrayRef<Value> left = all; !left.empty();) {
      const size_t count = std::min<size_t>(left.size(), 2);
      llvm::append_range(gathered, exchange.gatherAll(left.take_front(count)));
      left = left.drop_front(count);
    }
    all = gathered;
    reduceAll(/*axis=*/0, /*keepdims=*/false);
  }
  for (auto [op, value] : llvm::zip_equal(ops, all))
    replaceResult(op->getResult(0), value);
}

/// A number of every block of a row, P x 1, that depends on how many columns
/// the block has.
Value ClusterReductions::perPart(RankedTensorType type,
                                 llvm::function_ref<double(int64_t)> number) {
  auto splat = [&](int64_t columns) {
    return splatOf(type, builder.getF32FloatAttr(float(number(columns))));
  };
  const int64_t columns = rows.getColumnsOfPart(),
                least = rows.getColumnsOfLast();
  if (least == columns)
    return splat(columns);
  return arith::SelectOp::create(builder, loc, exchange.isLast(type),
                                 splat(least), splat(columns));
}

/// The number of this block, for every thread.
Value ClusterReductions::ofThisPart(
    RankedTensorType type, llvm::function_ref<double(int64_t)> number) {
  auto scalar = [&](int64_t columns) -> Value {
    return arith::ConstantOp::create(
        builder, loc, builder.getF32FloatAttr(float(number(columns))));
  };
  const int64_t columns = rows.getColumnsOfPart(),
                least = rows.getColumnsOfLast();
  Value own = scalar(columns);
  if (least != columns)
    own = arith::SelectOp::create(
        builder, loc,
        Arithmetic(builder, loc).isEqual(exchange.getPart(), rows.parts - 1),
        scalar(least), own);
  return tile::SplatOp::create(builder, loc, type, own,
                               builder.getI64ArrayAttr(type.getShape()));
}

/// The sums of squared deviations from the means of the parts, plus what these
/// deviate from the mean of the row.
Value ClusterReductions::correct(Value squares, Value sums, Value sum) {
  auto type = cast<RankedTensorType>(sums.getType());
  auto reciprocal = [](int64_t columns) { return 1 / double(columns); };
  Value whole = arith::MulFOp::create(
      builder, loc, sum,
      splatOf(cast<RankedTensorType>(sum.getType()),
              builder.getF32FloatAttr(float(reciprocal(rows.columns)))));
  Value wholes = tile::BroadcastOp::create(
      builder, loc, type, whole, builder.getI64ArrayAttr(type.getShape()));
  Value means =
      arith::MulFOp::create(builder, loc, sums, perPart(type, reciprocal));
  Value apart = arith::SubFOp::create(builder, loc, means, wholes);
  Value each = arith::MulFOp::create(
      builder, loc, arith::MulFOp::create(builder, loc, apart, apart),
      perPart(type, [](int64_t columns) { return double(columns); }));
  return arith::AddFOp::create(builder, loc, squares, each);
}

void ClusterReductions::reduceDeviations(ArrayRef<SquaredDeviations> all) {
  auto sumUp = [&](tile::ReduceOp SquaredDeviations::*which) {
    SmallVector<Reduction> how;
    SmallVector<Value> sources;
    for (const SquaredDeviations &each : all) {
      tile::ReduceOp op = each.*which;
      how.emplace_back(op);
      sources.push_back(op.getSources().front());
    }
    SmallVector<Value> tiles = reducePieces(how, sources);
    for (auto [own, tile] : llvm::zip_equal(how, tiles))
      tile = reduce(own, tile, /*axis=*/1, /*keepdims=*/true);
    return tiles;
  };
  SmallVector<Value> sums = sumUp(&SquaredDeviations::sum);
  for (auto [each, sum] : llvm::zip_equal(all, sums)) {
    auto type = cast<RankedTensorType>(sum.getType());
    ofPart.map(each.mean,
               arith::MulFOp::create(builder, loc, sum,
                                     ofThisPart(type,
                                                [](int64_t columns) {
                                                  return 1 / double(columns);
                                                }))
                   .getResult());
  }
  SmallVector<Value> squares = sumUp(&SquaredDeviations::squares);
  ofPart.clear();
  SmallVector<SmallVector<Value>> gathered;
  for (auto [sum, square] : llvm::zip_equal(sums, squares))
    gathered.push_back(exchange.gatherAll(ValueRange{sum, square}));
  for (auto [each, pair] : llvm::zip_equal(all, gathered)) {
    const Reduction how(each.sum);
    Value sum = reduce(how, pair[0], /*axis=*/0, /*keepdims=*/true);
    Value square = reduce(how, correct(pair[1], pair[0], sum), /*axis=*/0,
                          /*keepdims=*/true);
    for (auto [op, value] : {std::pair(each.sum, sum), {each.squares, square}})
      replaceResult(op.getResult(0), value);
  }
}

void ClusterReductions::replaceResult(Value result, Value all) {
  auto promised = cast<RankedTensorType>(result.getType());
  Type element = getElementTypeOrSelf(all.getType());
  if (element != promised.getElementType())
    all = tile::CastOp::create(
        builder, loc,
        cast<RankedTensorType>(all.getType()).clone(promised.getElementType()),
        all);
  if (all.getType() != promised)
    all = ConvertLayoutOp::create(builder, loc, promised, all);
  result.replaceAllUsesWith(all);
}

void ClusterReductions::reduceByRegion(tile::ReduceOp op) {
  SmallVector<Value> partial = reducePieces(op);
  SmallVector<Value> all = reduceTiles(builder, op, partial, /*axis=*/1,
                                       op.getKeepdims() || rows.parts > 1);
  if (rows.parts > 1)
    all = reduceTiles(builder, op, exchange.gatherAll(all), /*axis=*/0,
                      op.getKeepdims());
  for (auto [result, value] : llvm::zip_equal(op.getResults(), all))
    replaceResult(result, value);
}

/// The row reshaped to [1, units, elements of a unit] if threads hold whole
/// units; otherwise the row itself.
Value ClusterReductions::asUnits(Value row) {
  int64_t shape[] = {1, width / adjacent, adjacent};
  auto type = RankedTensorType::get(
      shape, getElementTypeOrSelf(row.getType()),
      LayoutAttr::getBlocked(kernel.getContext(), shape, adjacent, warps));
  auto reshape = tile::ReshapeOp::create(builder, loc, type, row,
                                         builder.getI64ArrayAttr(shape));
  if (layout == units && adjacent > 1 && findRelabeling(reshape))
    return reshape;
  reshape.erase();
  return row;
}

/// Combines the pieces of rows elementwise or, if a thread can reduce its
/// units first, unit by unit. Returns one [1, N] tile per source.
SmallVector<Value> ClusterReductions::reducePieces(tile::ReduceOp op) {
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
    IRMapping known;
    SmallVector<Value> piece;
    for (auto [source, identity] :
         llvm::zip_equal(op.getSources(), identities)) {
      Value tile = remake(source, known);
      piece.push_back(
          isEnd && isFilled(op, source) ? fillOutside(tile, identity) : tile);
    }
    return piece;
  };
  if (pieces == 1 && scans.empty()) {
    piece = zero;
    offset = zero;
    return makePiece(/*isEnd=*/true);
  }
  SmallVector<Value> carried = startsOf(scans);
  carried = forEachPiece(carried, [&](ValueRange previous, bool isEnd) {
    continueScans(scans, previous.take_back(scans.size()), isEnd);
    SmallVector<Value> current = makePiece(isEnd),
                       inUnits = llvm::map_to_vector(
                           current, [&](Value tile) { return asUnits(tile); });
    if (inUnits != current)
      current =
          reduceTiles(builder, op, inUnits, /*axis=*/2, /*keepdims=*/false);
    // Results begin with the first piece: identities would cost a power each.
    if (previous.size() != scans.size())
      current = combineTiles(builder, op, previous.take_front(count), current);
    llvm::append_range(current, scanResults(scans));
    return current;
  });
  carried.truncate(count);
  return carried;
}

Value ClusterReductions::splatOf(RankedTensorType type, TypedAttr element) {
  return arith::ConstantOp::create(builder, loc,
                                   SplatElementsAttr::get(type, element));
}

/// Combines the pieces of each row elementwise.
SmallVector<Value> ClusterReductions::reducePieces(ArrayRef<Reduction> how,
                                                   ValueRange sources) {
  SmallVector<tile::ScanOp> scans = findScans(sources);
  auto makePieces = [&](bool isEnd) {
    IRMapping known = ofPart;
    SmallVector<Value> tiles;
    for (auto [own, source] : llvm::zip_equal(how, sources)) {
      Type element = tile::accumulatorType(
          own.kind, getElementTypeOrSelf(source.getType()));
      RankedTensorType type =
          cast<RankedTensorType>(widened(source.getType())).clone(element);
      Value tile = remake(source, known);
      if (tile.getType() != type)
        tile = tile::CastOp::create(builder, loc, type, tile);
      tiles.push_back(isEnd ? fillOutside(tile, own.identity(element)) : tile);
    }
    return tiles;
  };
  if (rows.inRegisters)
    return makePieces(/*isEnd=*/true);
  SmallVector<Value> carried = startsOf(scans);
  carried = forEachPiece(carried, [&](ValueRange previous, bool isEnd) {
    continueScans(scans, previous.take_back(scans.size()), isEnd);
    SmallVector<Value> tiles = makePieces(isEnd);
    if (previous.size() != scans.size())
      for (auto [own, before, tile] :
           llvm::zip_equal(how, previous.take_front(how.size()), tiles))
        tile = tile::combine(builder, loc, own.kind, own.nan, before, tile);
    llvm::append_range(tiles, scanResults(scans));
    return tiles;
  });
  carried.truncate(how.size());
  return carried;
}

/// Reduces a tile along an axis.
Value ClusterReductions::reduce(const Reduction &how, Value tile, int64_t axis,
                                bool keepdims) {
  RankedTensorType type = reducedType(tile, axis, keepdims);
  auto kind = tile::ReduceKindAttr::get(kernel.getContext(), how.kind);
  return tile::ReduceOp::create(builder, loc, TypeRange{type}, ValueRange{tile},
                                axis, kind,
                                /*identities=*/ArrayAttr(), keepdims, how.nan)
      .getResult(0);
}

/// The scans that rows depend on, in dependence order.
SmallVector<tile::ScanOp>
ClusterReductions::findScans(ValueRange values) const {
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  for (Value value : values)
    (void)getBackwardSlice(value, &slice, options);
  SmallVector<tile::ScanOp> scans;
  for (tile::ScanOp scan : rows.scans)
    if (slice.contains(scan))
      scans.push_back(scan);
  return scans;
}

/// The values of scans before this part of the row, from the preceding parts.
SmallVector<Value> ClusterReductions::startsOf(ArrayRef<tile::ScanOp> scans) {
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

Value ClusterReductions::findStart(tile::ScanOp scan) {
  Reduction how(scan);
  Value source = scan.getSources().front();
  auto row = cast<RankedTensorType>(widened(source.getType()));
  auto type = RankedTensorType::get({1, 1}, row.getElementType(),
                                    layout.collapseAxis(1));
  TypedAttr identity = how.identity(row.getElementType());
  if (rows.parts == 1)
    return splatOf(type, identity);
  Value partial = reduce(how, reducePieces(how, source).front(), /*axis=*/1,
                         /*keepdims=*/true);
  Value all = exchange.gather(partial);
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
void ClusterReductions::continueScans(ArrayRef<tile::ScanOp> scans,
                                      ValueRange before, bool isEnd) {
  isAtEnd = isEnd;
  for (auto [scan, value] : llvm::zip_equal(scans, before))
    running[scan] = value;
}
/// The values of scans after a piece.
SmallVector<Value>
ClusterReductions::scanResults(ArrayRef<tile::ScanOp> scans) const {
  return llvm::map_to_vector(
      scans, [&](tile::ScanOp scan) { return running.lookup(scan); });
}

/// Scans a piece, continuing from the preceding pieces and parts.
Value ClusterReductions::scanAgain(tile::ScanOp scan, IRMapping &known) {
  Reduction how(scan);
  Value source = remake(scan.getSources().front(), known);
  auto type = cast<RankedTensorType>(source.getType());
  if (isAtEnd)
    source = fillOutside(source, how.identity(type.getElementType()));
  IRMapping mapping;
  mapping.map(scan.getSources().front(), source);
  Value partial = builder.clone(*scan, mapping)->getResult(0);
  partial.setType(type);
  Value before = running.lookup(scan);
  Value befores = tile::BroadcastOp::create(
      builder, loc, type, before, builder.getI64ArrayAttr(type.getShape()));
  Value total = reduce(how, source, /*axis=*/1, /*keepdims=*/true);
  running[scan] = tile::combine(builder, loc, how.kind, how.nan, before, total);
  return tile::combine(builder, loc, how.kind, how.nan, befores, partial);
}

void ClusterReductions::makePieces(
    ValueRange values, llvm::function_ref<void(ValueRange, bool)> take) {
  SmallVector<tile::ScanOp> scans = findScans(values);
  forEachPiece(startsOf(scans), [&](ValueRange before, bool isEnd) {
    continueScans(scans, before, isEnd);
    IRMapping known;
    take(llvm::map_to_vector(values,
                             [&](Value value) { return remake(value, known); }),
         isEnd);
    return scanResults(scans);
  });
}

} // namespace tilegpt::tilegpu
