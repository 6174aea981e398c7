// Scans: a loop along the axis carries accumulators. Along other axes than the
// last, a step is a linalg.generic on all elements beside the axis; along rows,
// vectors are scanned in registers. Sums and products of narrow floats are
// accumulated in f32, and each result rounded once.
#include "TileGPT/Conversion/TileToArith/ReduceCombiner.h"
#include "TileToLinalg.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::cpu;

static Value convert(OpBuilder &builder, Location loc, Value value,
                     Type element) {
  Type from = getElementTypeOrSelf(value.getType());
  if (from == element)
    return value;
  Type to = element;
  if (auto shaped = dyn_cast<ShapedType>(value.getType()))
    to = shaped.clone(element);
  if (from.getIntOrFloatBitWidth() < element.getIntOrFloatBitWidth())
    return arith::ExtFOp::create(builder, loc, to, value);
  return arith::TruncFOp::create(builder, loc, to, value);
}

namespace {
/// What all forms of a scan share.
class Scan {
public:
  Scan(tile::ScanOp op, ValueRange sources)
      : op(op), loc(op.getLoc()), sources(sources),
        type(cast<RankedTensorType>(op.getSources().front().getType())),
        axis(op.getAxis()), length(type.getDimSize(axis)),
        beside(type.getShape()) {
    beside.erase(beside.begin() + axis);
    for (Type source : op.getSources().getTypes())
      accumulators.push_back(getElementTypeOrSelf(source));
    if (op.getKind())
      accumulators.front() =
          tile::accumulatorType(*op.getKind(), accumulators.front());
  }

protected:
  /// The position along the axis of a step.
  Value placeOf(OpBuilder &builder, Value step) {
    if (!op.getReverse())
      return step;
    return arith::SubIOp::create(builder, loc,
                                 indexConstant(builder, loc, length - 1), step);
  }

  SmallVector<Value> identities(OpBuilder &builder) {
    SmallVector<Value> values;
    for (TypedAttr identity : tile::identitiesOf(op, accumulators))
      values.push_back(arith::ConstantOp::create(builder, loc, identity));
    return values;
  }

  /// Named scans copy the first element; 0 + -0 would not be -0.
  bool copiesFirst() { return op.getKind().has_value(); }

  tile::ScanOp op;
  Location loc;
  ValueRange sources;
  RankedTensorType type;
  int64_t axis, length;
  SmallVector<int64_t> beside; ///< the sizes of the other axes
  SmallVector<Type> accumulators;
};

/// Scans all elements beside the axis together. The axes before it are one, and
/// those after it: a slice that drops the axis must not have another of size 1,
/// as upstream's folds may drop that one.
class ScanAcross : public Scan {
public:
  ScanAcross(tile::ScanOp op, ValueRange sources) : Scan(op, sources) {
    const ArrayRef<int64_t> shape = type.getShape();
    const int64_t before = llvm::product_of(shape.take_front(axis));
    ReassociationIndices group;
    for (int64_t i = 0; i < type.getRank(); ++i) {
      const bool isLast = i == type.getRank() - 1;
      group.push_back(i);
      if ((i == axis - 1 && before != 1) || i == axis || isLast)
        groups.push_back(std::exchange(group, {}));
    }
    beside = {llvm::product_of(shape.drop_front(axis + 1))};
    SmallVector<int64_t> merged = {length, beside.front()};
    if (before != 1) {
      beside.insert(beside.begin(), before);
      merged.insert(merged.begin(), before);
    }
    axis = before != 1;
    type = type.clone(merged);
  }

  /// Whether the elements after the axis fill vectors.
  bool isFit() const {
    constexpr int64_t fewest = 4;
    return beside.back() >= fewest;
  }

  SmallVector<Value> run(OpBuilder &builder) {
    for (Value source : sources)
      merged.push_back(reshape<tensor::CollapseShapeOp>(
          builder, type.clone(getElementTypeOrSelf(source)), source));
    SmallVector<Value> carried;
    for (Type accumulator : accumulators)
      carried.push_back(empty(builder, beside, accumulator));
    for (Type result : op.getResultTypes())
      carried.push_back(
          empty(builder, type.getShape(), getElementTypeOrSelf(result)));
    Value zero = indexConstant(builder, loc, 0),
          one = indexConstant(builder, loc, 1);
    if (copiesFirst()) {
      carried = step(builder, zero, carried, /*isFirst=*/true);
    } else {
      for (auto [value, identity] :
           llvm::zip(MutableArrayRef(carried), identities(builder)))
        value =
            linalg::FillOp::create(builder, loc, identity, value).getResult(0);
    }
    auto loop = scf::ForOp::create(
        builder, loc, copiesFirst() ? one : zero,
        indexConstant(builder, loc, length), one, carried,
        [&](OpBuilder &nested, Location loc, Value number, ValueRange before) {
          scf::YieldOp::create(nested, loc,
                               step(nested, number, before, /*isFirst=*/false));
        });
    SmallVector<Value> results;
    for (auto [value, result] :
         llvm::zip_equal(loop.getResults().drop_front(accumulators.size()),
                         op.getResultTypes()))
      results.push_back(reshape<tensor::ExpandShapeOp>(builder, result, value));
    return results;
  }

private:
  template <typename Reshape>
  Value reshape(OpBuilder &builder, Type to, Value tile) {
    if (to == tile.getType())
      return tile;
    return Reshape::create(builder, loc, to, tile, groups);
  }

  Value empty(OpBuilder &builder, ArrayRef<int64_t> shape, Type element) {
    return tensor::EmptyOp::create(builder, loc, shape, element);
  }

  /// One step of all scans.
  /// \param carried  the accumulators, then the results
  SmallVector<Value> step(OpBuilder &builder, Value number, ValueRange carried,
                          bool isFirst) {
    const size_t count = accumulators.size();
    const int64_t rank = type.getRank();
    SmallVector<OpFoldResult> offsets(rank, builder.getIndexAttr(0)),
        sizes = getAsIndexOpFoldResult(op.getContext(), type.getShape()),
        strides(rank, builder.getIndexAttr(1));
    offsets[axis] = getAsOpFoldResult(placeOf(builder, number));
    sizes[axis] = builder.getIndexAttr(1);
    const auto slice = [&](Value tile) -> Value {
      auto part =
          RankedTensorType::get(beside, getElementTypeOrSelf(tile.getType()));
      return tensor::ExtractSliceOp::create(builder, loc, part, tile, offsets,
                                            sizes, strides);
    };
    SmallVector<Value> elements = llvm::map_to_vector(merged, slice);
    SmallVector<Value> outs(carried.take_front(count));
    llvm::append_range(outs, llvm::map_range(carried.drop_front(count), slice));
    SmallVector<AffineMap> maps(elements.size() + outs.size(),
                                builder.getMultiDimIdentityMap(rank - 1));
    SmallVector<utils::IteratorType> iterators(rank - 1,
                                               utils::IteratorType::parallel);
    auto generic = linalg::GenericOp::create(
        builder, loc, TypeRange(ValueRange(outs)), elements, outs, maps,
        iterators, [&](OpBuilder &nested, Location loc, ValueRange arguments) {
          SmallVector<Value> values;
          for (auto [value, wanted] : llvm::zip(arguments, accumulators))
            values.push_back(convert(nested, loc, value, wanted));
          SmallVector<Value> before = identities(nested), after = values;
          if (!isFirst) {
            before = llvm::to_vector(arguments.slice(count, count));
            after = tile::combine(nested, op, before, values);
          }
          SmallVector<Value> results = after;
          for (auto [value, out] :
               llvm::zip_equal(op.getExclusive() ? before : after,
                               arguments.drop_front(2 * count)))
            results.push_back(convert(nested, loc, value, out.getType()));
          linalg::YieldOp::create(nested, loc, results);
        });
    SmallVector<Value> next(generic.getResults().take_front(count));
    for (auto [part, whole] : llvm::zip_equal(
             generic.getResults().drop_front(count), carried.drop_front(count)))
      next.push_back(tensor::InsertSliceOp::create(builder, loc, part, whole,
                                                   offsets, sizes, strides));
    return next;
  }

  SmallVector<ReassociationIndices> groups; ///< axes that are one
  SmallVector<Value> merged;                ///< the sources
};

/// Scans one row after the other.
class ScanRows : public Scan {
public:
  using Scan::Scan;

  SmallVector<Value> run(OpBuilder &builder) {
    SmallVector<Value> buffers;
    for (Type result : op.getResultTypes())
      buffers.push_back(memref::AllocOp::create(
          builder, loc,
          MemRefType::get(type.getShape(), getElementTypeOrSelf(result))));
    Value memory;
    if (hasVectors()) {
      Value source = sources.front();
      // The result of a branch may have any layout in memory.
      if (source.getDefiningOp<scf::IfOp>())
        source = bufferization::AllocTensorOp::create(
            builder, loc, cast<RankedTensorType>(source.getType()),
            /*dynamicSizes=*/ValueRange(), /*copy=*/source);
      memory = bufferization::ToBufferOp::create(
          builder, loc,
          MemRefType::get(type.getShape(), type.getElementType(),
                          rowsOf(builder)),
          source, /*read_only=*/true);
    }
    // The axis is innermost, so that its accumulators are scalars.
    forEachElement(builder, loc, beside, [&](OpBuilder &nested, ValueRange at) {
      scanRow(nested, at, memory, buffers);
    });
    SmallVector<Value> results;
    for (auto [result, buffer] : llvm::zip_equal(op.getResultTypes(), buffers))
      results.push_back(bufferization::ToTensorOp::create(
          builder, loc, result, buffer, /*restrict=*/true, /*writable=*/true));
    return results;
  }

private:
  /// Lanes of the vectors that are scanned in registers, which hold 256 bits.
  int64_t lanes() const {
    return 256 / int64_t(accumulators.front().getIntOrFloatBitWidth());
  }

  /// Regions combine scalars, and i1 has no vectors in memory.
  bool hasVectors() {
    return op.getKind() && axis == type.getRank() - 1 &&
           !type.getElementType().isInteger(1) && length >= 2 * lanes();
  }

  StridedLayoutAttr rowsOf(Builder &builder) const {
    SmallVector<int64_t> strides(type.getRank(), ShapedType::kDynamic);
    strides.back() = 1;
    return StridedLayoutAttr::get(builder.getContext(), ShapedType::kDynamic,
                                  strides);
  }

  SmallVector<Value> positionOf(ValueRange beside, Value place) {
    SmallVector<Value> at(beside);
    at.insert(at.begin() + axis, place);
    return at;
  }

  void scanRow(OpBuilder &builder, ValueRange beside, Value memory,
               ArrayRef<Value> buffers) {
    Value zero = indexConstant(builder, loc, 0),
          one = indexConstant(builder, loc, 1), begin = zero;
    SmallVector<Value> first = identities(builder);
    if (memory) {
      const int64_t whole = length / lanes() * lanes();
      first = scanVectors(builder, beside, whole, memory, buffers.front());
      begin = indexConstant(builder, loc, whole);
    } else if (copiesFirst()) {
      SmallVector<Value> at = positionOf(beside, placeOf(builder, zero));
      SmallVector<Value> before = first;
      first = load(builder, at);
      store(builder, op.getExclusive() ? before : first, buffers, at);
      begin = one;
    }
    scf::ForOp::create(
        builder, loc, begin, indexConstant(builder, loc, length), one, first,
        [&](OpBuilder &nested, Location loc, Value step, ValueRange before) {
          SmallVector<Value> at = positionOf(beside, placeOf(nested, step));
          SmallVector<Value> after =
              tile::combine(nested, op, before, load(nested, at));
          store(nested, op.getExclusive() ? before : ValueRange(after), buffers,
                at);
          scf::YieldOp::create(nested, loc, after);
        });
  }

  Value shuffle(OpBuilder &builder, Value a, Value b,
                function_ref<int64_t(int64_t)> source) {
    SmallVector<int64_t> order;
    for (int64_t lane = 0; lane < lanes(); ++lane)
      order.push_back(source(lane));
    return vector::ShuffleOp::create(builder, loc, a, b, order);
  }

  /// The vector with the last lane first, for scans in reverse.
  Value inOrder(OpBuilder &builder, Value vector) {
    if (!op.getReverse())
      return vector;
    return shuffle(builder, vector, vector,
                   [&](int64_t lane) { return lanes() - 1 - lane; });
  }

  /// The scan of the lanes of a vector: each step combines lanes with sums of
  /// twice as many earlier ones.
  Value scanLanes(OpBuilder &builder, Value vector) {
    for (int64_t distance = 1; distance < lanes(); distance *= 2) {
      Value earlier = shuffle(builder, vector, vector, [&](int64_t lane) {
        return std::max<int64_t>(lane - distance, 0);
      });
      Value sums = tile::combine(builder, op, earlier, vector).front();
      // Lanes without earlier ones stay.
      vector = shuffle(builder, vector, sums, [&](int64_t lane) {
        return lane < distance ? lane : lanes() + lane;
      });
    }
    return vector;
  }

  /// Scans the first `whole` elements of a row.
  /// \returns the accumulator after them.
  SmallVector<Value> scanVectors(OpBuilder &builder, ValueRange beside,
                                 int64_t whole, Value memory, Value buffer) {
    Type element = type.getElementType(), accumulator = accumulators.front();
    auto vector = VectorType::get(lanes(), element);
    const auto scan = [&](OpBuilder &nested, Value step, Value before) {
      // A vector in reverse starts at its last step.
      Value start =
          op.getReverse()
              ? arith::AddIOp::create(nested, loc, step,
                                      indexConstant(nested, loc, lanes() - 1))
              : step;
      SmallVector<Value> at = positionOf(beside, placeOf(nested, start));
      Value values = inOrder(
          nested, vector::LoadOp::create(nested, loc, vector, memory, at));
      Value sums = scanLanes(nested, convert(nested, loc, values, accumulator));
      Value last = vector::ExtractOp::create(nested, loc, sums, lanes() - 1);
      Value carried;
      if (before) {
        carried =
            vector::BroadcastOp::create(nested, loc, sums.getType(), before);
        sums = tile::combine(nested, op, carried, sums).front();
        last = tile::combine(nested, op, before, last).front();
      }
      Value result = sums;
      if (op.getExclusive()) {
        if (!carried)
          carried = vector::BroadcastOp::create(nested, loc, sums.getType(),
                                                identities(nested).front());
        result = shuffle(nested, carried, sums, [&](int64_t lane) {
          return lane == 0 ? 0 : lanes() + lane - 1;
        });
      }
      Value stored = inOrder(nested, convert(nested, loc, result, element));
      vector::StoreOp::create(nested, loc, stored, buffer, at);
      return last;
    };
    Value first = scan(builder, indexConstant(builder, loc, 0), Value());
    auto loop = scf::ForOp::create(
        builder, loc, indexConstant(builder, loc, lanes()),
        indexConstant(builder, loc, whole),
        indexConstant(builder, loc, lanes()), first,
        [&](OpBuilder &nested, Location loc, Value step, ValueRange before) {
          scf::YieldOp::create(nested, loc, scan(nested, step, before.front()));
        });
    return {loop.getResult(0)};
  }

  SmallVector<Value> load(OpBuilder &builder, ValueRange at) {
    SmallVector<Value> elements;
    for (auto [source, wanted] : llvm::zip_equal(sources, accumulators))
      elements.push_back(
          convert(builder, loc,
                  tensor::ExtractOp::create(builder, loc, source, at), wanted));
    return elements;
  }

  void store(OpBuilder &builder, ValueRange values, ArrayRef<Value> buffers,
             ValueRange at) {
    for (auto [value, buffer] : llvm::zip_equal(values, buffers))
      memref::StoreOp::create(
          builder, loc,
          convert(builder, loc, value, getElementTypeOrSelf(buffer.getType())),
          buffer, at);
  }
};

struct LowerScan : OpConversionPattern<tile::ScanOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::ScanOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ScanAcross across(op, adaptor.getSources());
    rewriter.replaceOp(
        op, across.isFit() ? across.run(rewriter)
                           : ScanRows(op, adaptor.getSources()).run(rewriter));
    return success();
  }
};
} // namespace

void cpu::populateScanPatterns(const TypeConverter &converter,
                               RewritePatternSet &patterns) {
  patterns.add<LowerScan>(converter, patterns.getContext());
}
