// Lowers gathers and scatters to a loop over the entries of the index tile,
// each of which accesses its own box. Gathers along the last axis read rows of
// elements: runs of consecutive ones as vectors, others one by one.
#include "Memory/TileBox.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::cpu;

namespace {
/// The indices of a gather or scatter with a gap at the axis that the index
/// tile walks.
SmallVector<Value> withGap(ValueRange indices, int64_t axis) {
  SmallVector<Value> result(indices);
  result.insert(result.begin() + axis, Value());
  return result;
}

/// A loop over the numbers from 0 to `end`, exclusive.
scf::ForOp loopTo(OpBuilder &builder, Location loc, Value end) {
  return scf::ForOp::create(builder, loc, indexConstant(builder, loc, 0), end,
                            indexConstant(builder, loc, 1));
}

/// Entry `position` of the index tile, and whether it names an entry of the
/// view.
struct Entry {
  Value index, exists;
  Entry(OpBuilder &builder, Location loc, Value tile, Value position,
        Value view, int64_t axis) {
    Value element = tensor::ExtractOp::create(builder, loc, tile, position);
    index = arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                       element);
    // Read as unsigned, a negative index is too large as well.
    exists = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                   index, memrefDim(builder, loc, view, axis));
  }
};

/// A gather along the last axis.
struct ElementGather {
  Value view, index, scratch, pad;
  int64_t axis;

  /// Elements that are read as a vector if their indices are consecutive.
  static constexpr int64_t runLength = 8;

  /// The first index of each run of `runLength` entries, or -1 if they are not
  /// consecutive or not all in the view. Rows share the index tile; null if
  /// there are too few of them, or if the tile does not consist of runs.
  Value findRuns(OpBuilder &builder, Location loc) const {
    constexpr int64_t leastRows = 4;
    auto type = cast<MemRefType>(scratch.getType());
    const int64_t size = type.getDimSize(axis);
    if (size % runLength != 0 || type.getNumElements() < leastRows * size)
      return {};
    Value runs = memref::AllocOp::create(
        builder, loc,
        MemRefType::get({size / runLength}, builder.getI64Type()));
    OpBuilder::InsertionGuard guard(builder);
    scf::ForOp each =
        loopTo(builder, loc, indexConstant(builder, loc, size / runLength));
    builder.setInsertionPointToStart(each.getBody());
    Value number = each.getInductionVar();
    Value begin = firstOf(builder, loc, number), first, isRun;
    for (int64_t i = 0; i < runLength; ++i) {
      Value offset = indexConstant(builder, loc, i);
      Value position = arith::AddIOp::create(builder, loc, begin, offset);
      Entry entry(builder, loc, index, position, view, axis);
      if (i == 0) {
        first = entry.index;
        isRun = entry.exists;
        continue;
      }
      Value next = arith::AddIOp::create(builder, loc, first, offset);
      Value follows = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::eq, entry.index, next);
      isRun = arith::AndIOp::create(builder, loc, isRun, follows);
      if (i == runLength - 1)
        isRun = arith::AndIOp::create(builder, loc, isRun, entry.exists);
    }
    Value run = arith::SelectOp::create(builder, loc, isRun, first,
                                        indexConstant(builder, loc, -1));
    run = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), run);
    memref::StoreOp::create(builder, loc, run, runs, number);
    return runs;
  }

  /// The position of the first entry of a run.
  static Value firstOf(OpBuilder &builder, Location loc, Value run) {
    return arith::MulIOp::create(builder, loc, run,
                                 indexConstant(builder, loc, runLength));
  }

  /// Reads one element of a row.
  void emitElement(OpBuilder &builder, Location loc, SmallVector<Value> from,
                   SmallVector<Value> to, Value position) const {
    Entry entry(builder, loc, index, position, view, axis);
    from.push_back(arith::SelectOp::create(builder, loc, entry.exists,
                                           entry.index,
                                           indexConstant(builder, loc, 0)));
    to.push_back(position);
    Value element = memref::LoadOp::create(builder, loc, view, from);
    element = arith::SelectOp::create(builder, loc, entry.exists, element, pad);
    memref::StoreOp::create(builder, loc, element, scratch, to);
  }

  /// Reads the elements of a run of a row.
  void emitRun(OpBuilder &builder, Location loc, ArrayRef<Value> from,
               ArrayRef<Value> to, Value runs, Value number) const {
    Value run = memref::LoadOp::create(builder, loc, runs, number);
    Value none =
        arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(-1));
    Value isRun = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                        run, none);
    Value begin = firstOf(builder, loc, number);
    auto choose = scf::IfOp::create(builder, loc, isRun,
                                    /*withElseRegion=*/true);
    OpBuilder then = choose.getThenBodyBuilder();
    const auto part = [&](Value memref, ArrayRef<Value> row, Value first) {
      SmallVector<OpFoldResult> offsets(row), sizes = ones(then, axis + 1);
      offsets.push_back(first);
      sizes[axis] = then.getIndexAttr(runLength);
      return window(then, loc, memref, offsets, sizes);
    };
    Value first =
        arith::IndexCastOp::create(then, loc, then.getIndexType(), run);
    linalg::CopyOp::create(then, loc, part(view, from, first),
                           part(scratch, to, begin));
    OpBuilder other = choose.getElseBodyBuilder();
    scf::ForOp each = loopTo(other, loc, indexConstant(other, loc, runLength));
    OpBuilder body = OpBuilder::atBlockTerminator(each.getBody());
    emitElement(
        body, loc, SmallVector<Value>(from), SmallVector<Value>(to),
        arith::AddIOp::create(body, loc, begin, each.getInductionVar()));
  }

  /// Reads the elements of these rows.
  void emit(OpBuilder &builder, Location loc, ArrayRef<OpFoldResult> starts,
            ArrayRef<OpFoldResult> sizes) const {
    OpBuilder::InsertionGuard guard(builder);
    Value runs = findRuns(builder, loc);
    SmallVector<Value> from, to;
    const auto loop = [&](Value size) {
      scf::ForOp each = loopTo(builder, loc, size);
      builder.setInsertionPointToStart(each.getBody());
      return each.getInductionVar();
    };
    for (auto [start, size] :
         llvm::zip_equal(starts.take_front(axis), sizes.take_front(axis))) {
      to.push_back(loop(getValueOrCreateConstantIndexOp(builder, loc, size)));
      from.push_back(arith::AddIOp::create(
          builder, loc, to.back(),
          getValueOrCreateConstantIndexOp(builder, loc, start)));
    }
    if (runs)
      emitRun(builder, loc, from, to, runs,
              loop(memrefDim(builder, loc, runs, 0)));
    else
      emitElement(builder, loc, from, to,
                  loop(memrefDim(builder, loc, scratch, axis)));
  }

  void run(OpBuilder &builder, Location loc, const TileBox &box) const {
    // Entries that do not exist read the first element, if there is any.
    Value some = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                       memrefDim(builder, loc, view, axis),
                                       indexConstant(builder, loc, 0));
    Value whole = arith::AndIOp::create(builder, loc, some, box.inside);
    box.eitherWay(
        builder, loc, whole,
        [&](OpBuilder &then) { emit(then, loc, box.offsets, box.whole); },
        [&](OpBuilder &other) {
          linalg::FillOp::create(other, loc, pad, scratch);
          auto partly = scf::IfOp::create(other, loc, some);
          OpBuilder part = partly.getThenBodyBuilder();
          emit(part, loc, box.starts, box.clipped);
        });
  }
};

struct LowerGather : OpConversionPattern<tile::GatherOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::GatherOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto tileType = cast<RankedTensorType>(op.getResult().getType());
    int64_t axis = op.getAxis(), rank = tileType.getRank();
    Value view = adaptor.getView();
    Value pad =
        padConstant(rewriter, loc, op.getPad(), tileType.getElementType());
    TileBox box(rewriter, loc, view, withGap(adaptor.getIndices(), axis),
                tileType.getShape());
    Value scratch = memref::AllocOp::create(
        rewriter, loc,
        MemRefType::get(tileType.getShape(), tileType.getElementType()));
    if (axis == rank - 1)
      ElementGather{view, adaptor.getIndex(), scratch, pad, axis}.run(rewriter,
                                                                      loc, box);
    else
      gatherBoxes(rewriter, loc, view, adaptor.getIndex(), axis, box, pad,
                  scratch);

    Value tile = bufferization::ToTensorOp::create(
        rewriter, loc, tileType, scratch, /*restrict=*/true, /*writable=*/true);
    rewriter.replaceOp(op,
                       applyMask(rewriter, loc, adaptor.getMask(), tile, pad));
    return success();
  }

private:
  static void gatherBoxes(OpBuilder &builder, Location loc, Value view,
                          Value index, int64_t axis, const TileBox &box,
                          Value pad, Value scratch) {
    scf::ForOp loop =
        loopTo(builder, loc, memrefDim(builder, loc, scratch, axis));
    OpBuilder body = OpBuilder::atBlockTerminator(loop.getBody());
    Value position = loop.getInductionVar();
    Entry entry(body, loc, index, position, view, axis);
    TileBox row = box;
    row.offsets[axis] = row.starts[axis] = entry.index;
    SmallVector<OpFoldResult> at = zeros(body, box.whole.size());
    at[axis] = position;
    Value whole = arith::AndIOp::create(body, loc, entry.exists, box.inside);
    box.eitherWay(
        body, loc, whole,
        [&](OpBuilder &then) {
          linalg::CopyOp::create(
              then, loc, window(then, loc, view, row.offsets, row.whole),
              window(then, loc, scratch, at, row.whole));
        },
        [&](OpBuilder &other) {
          linalg::FillOp::create(other, loc, pad,
                                 window(other, loc, scratch, at, row.whole));
          auto partly = scf::IfOp::create(other, loc, entry.exists);
          OpBuilder part = partly.getThenBodyBuilder();
          linalg::CopyOp::create(
              part, loc, window(part, loc, view, row.starts, row.clipped),
              window(part, loc, scratch, at, row.clipped));
        });
  }
};

/// A scatter of single elements, a vector at a time. Masks often follow the
/// data, so that branches on them are mispredicted.
struct ElementScatter {
  Value view, index, value;

  /// Whether hosts have scatters of these elements: of 32 or 64 bits.
  bool isFit() const {
    auto type = cast<RankedTensorType>(value.getType());
    return type.getRank() == 1 &&
           llvm::is_contained({32u, 64u}, elementBits()) &&
           cast<MemRefType>(view.getType()).isLastDimUnitStride();
  }

  void run(OpBuilder &builder, Location loc, Value mask) const {
    auto indexType = cast<RankedTensorType>(index.getType());
    auto integer = cast<IntegerType>(indexType.getElementType());
    const auto outside = builder.getIntegerAttr(integer, -1);
    Value chosen = index;
    if (mask) {
      Value all = arith::ConstantOp::create(
          builder, loc, DenseElementsAttr::get(indexType, Attribute(outside)));
      chosen = arith::SelectOp::create(builder, loc, mask, index, all);
    }
    Value indices = read(builder, loc, chosen),
          values = read(builder, loc, value),
          end = memrefDim(builder, loc, view, 0);
    const int64_t size = indexType.getDimSize(0),
                  lanes = std::min<int64_t>(512 / elementBits(),
                                            llvm::PowerOf2Ceil(size)),
                  whole = size / lanes * lanes;
    const auto vectorOf = [&](Type element) {
      return VectorType::get(lanes, element);
    };
    /// The first `valid` lanes from `position` on.
    const auto scatter = [&](OpBuilder &nested, Value position, int64_t valid) {
      Value lanesOfTile = vector::ConstantMaskOp::create(
          nested, loc, vectorOf(nested.getI1Type()), ArrayRef<int64_t>(valid));
      const auto load = [&](Value tile, TypedAttr rest) -> Value {
        auto type = vectorOf(rest.getType());
        if (valid == lanes)
          return vector::LoadOp::create(nested, loc, type, tile, position);
        Value other = arith::ConstantOp::create(
            nested, loc, DenseElementsAttr::get(type, Attribute(rest)));
        return vector::MaskedLoadOp::create(nested, loc, type, tile, position,
                                            lanesOfTile, other);
      };
      Value at = load(indices, outside);
      Value stored =
          load(values, nested.getZeroAttr(
                           cast<ShapedType>(value.getType()).getElementType()));
      // Read as unsigned, a negative index is too large as well.
      Value wide = arith::IndexCastOp::create(
          nested, loc, vectorOf(nested.getIndexType()), at);
      Value ends = vector::BroadcastOp::create(
          nested, loc, vectorOf(nested.getIndexType()), end);
      Value exists = arith::CmpIOp::create(
          nested, loc, arith::CmpIPredicate::ult, wide, ends);
      vector::ScatterOp::create(nested, loc, /*resultType=*/Type(), view,
                                ValueRange{indexConstant(nested, loc, 0)}, at,
                                exists, stored);
    };
    if (whole > 0)
      scf::ForOp::create(
          builder, loc, indexConstant(builder, loc, 0),
          indexConstant(builder, loc, whole),
          indexConstant(builder, loc, lanes), ValueRange(),
          [&](OpBuilder &nested, Location loc, Value position, ValueRange) {
            scatter(nested, position, lanes);
            scf::YieldOp::create(nested, loc);
          });
    if (whole < size)
      scatter(builder, indexConstant(builder, loc, whole), size - whole);
  }

private:
  unsigned elementBits() const {
    return getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
  }

  static Value read(OpBuilder &builder, Location loc, Value tile) {
    auto type = cast<RankedTensorType>(tile.getType());
    auto rows =
        StridedLayoutAttr::get(builder.getContext(), ShapedType::kDynamic, {1});
    return bufferization::ToBufferOp::create(
        builder, loc,
        MemRefType::get(type.getShape(), type.getElementType(), rows), tile,
        /*read_only=*/true);
  }
};

struct LowerScatter : OpConversionPattern<tile::ScatterOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::ScatterOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto tileType = cast<RankedTensorType>(op.getValue().getType());
    int64_t axis = op.getAxis();
    Value view = adaptor.getView();
    const ElementScatter elements{view, adaptor.getIndex(), adaptor.getValue()};
    if (elements.isFit()) {
      elements.run(rewriter, loc, adaptor.getMask());
      rewriter.eraseOp(op);
      return success();
    }
    TileBox box(rewriter, loc, view, withGap(adaptor.getIndices(), axis),
                tileType.getShape());
    scf::ForOp loop = loopTo(
        rewriter, loc, indexConstant(rewriter, loc, tileType.getDimSize(axis)));
    OpBuilder body = OpBuilder::atBlockTerminator(loop.getBody());
    Value position = loop.getInductionVar();
    Entry entry(body, loc, adaptor.getIndex(), position, view, axis);
    box.starts[axis] = entry.index;
    SmallVector<OpFoldResult> from = zeros(body, tileType.getRank());
    from[axis] = position;
    auto choose = scf::IfOp::create(body, loc, entry.exists);
    OpBuilder then = choose.getThenBodyBuilder();
    if (Value mask = adaptor.getMask())
      storeMasked(then, loc, adaptor.getValue(), mask, from, view, box.starts,
                  box.clipped);
    else
      storeBox(then, loc, adaptor.getValue(), from, view, box.starts,
               box.clipped);
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void cpu::populateGatherPatterns(const TypeConverter &converter,
                                 RewritePatternSet &patterns) {
  patterns.add<LowerGather, LowerScatter>(converter, patterns.getContext());
}
