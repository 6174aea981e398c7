// Matches offsets with the strides of the view that they are relative to.
#include "Normalize/OffsetTiles.h"
#include "Normalize/TileConditions.h"
#include "TileGPT/Dialect/Tile/Analysis/IndexFacts.h"
#include <numeric>

using namespace mlir;

namespace tilegpt::tile {

namespace {
/// Where the elements of a tile are along an axis of a view: at a sum of
/// scalars times constants, from which on the tile has `size` elements.
struct AxisPlace {
  struct Term {
    Value scalar; ///< null for 1
    int64_t factor;
  };
  SmallVector<Term> terms;
  int64_t tileAxis = -1; ///< -1 if it is the same for all elements
  int64_t size = 1;
};

/// Matches one access with a view.
class Matching {
public:
  Matching(TypedValue<ViewType> view, Value offsets, Value mask,
           IndexSums &sums, tilegpu::IndexFacts &facts)
      : view(view), tile(cast<RankedTensorType>(offsets.getType())),
        offsets(offsets), mask(mask), sums(sums), facts(facts),
        places(view.getType().getRank()) {}

  bool run() {
    std::optional<TilePositions> positions = positionsOf(offsets, sums);
    return positions && findStrides() && placeAxes(*positions) &&
           llvm::all_of(positions->terms,
                        [&](const TilePositions::Term &term) {
                          return placeTerm(term);
                        }) &&
           llvm::all_of(llvm::seq<int64_t>(places.size()), [&](int64_t axis) {
             return isTile(places[axis]) && isInBounds(axis);
           });
  }

  /// The index of the tile along each axis of the view.
  SmallVector<Value> indices(OpBuilder &builder) {
    return llvm::map_to_vector(
        places, [&](const AxisPlace &place) { return index(builder, place); });
  }

  /// The axes of the view in the order of those of the tile, behind those of
  /// which it has one element.
  SmallVector<int64_t> order() const {
    SmallVector<int64_t> order;
    for (auto [axis, place] : llvm::enumerate(places))
      if (place.tileAxis < 0)
        order.push_back(int64_t(axis));
    for (int64_t tileAxis = 0; tileAxis < tile.getRank(); ++tileAxis)
      for (auto [axis, place] : llvm::enumerate(places))
        if (place.tileAxis == tileAxis)
          order.push_back(int64_t(axis));
    return order;
  }

  /// The shape of the tile, with its axes in that order.
  SmallVector<int64_t> shape() const {
    return llvm::map_to_vector(order(),
                               [&](int64_t axis) { return places[axis].size; });
  }

private:
  /// The strides of the view; fails if it is not dense.
  bool findStrides() {
    if (!view.getType().isDense())
      return false;
    strides.resize(places.size());
    IndexSum stride = IndexSum::constant(1);
    for (size_t axis = places.size(); axis-- > 0;) {
      strides[axis] = stride;
      stride = stride * sums.ofViewSize(view, int64_t(axis));
    }
    return true;
  }

  /// Finds an axis of the view for each axis of the tile.
  bool placeAxes(const TilePositions &positions) {
    if (llvm::is_contained(tile.getShape(), 1))
      return false;
    for (auto [axis, size] : llvm::enumerate(tile.getShape())) {
      size_t found = places.size();
      for (size_t other = 0; other < places.size(); ++other)
        if (strides[other] == positions.strides[axis] &&
            places[other].tileAxis < 0)
          found = other;
      if (found == places.size())
        return false;
      places[found].tileAxis = int64_t(axis);
      places[found].size = size;
    }
    return true;
  }

  /// Adds a term to the place along the outermost axis whose stride divides it.
  bool placeTerm(const TilePositions::Term &term) {
    if (term.factor == IndexSum())
      return true;
    for (size_t axis = 0; axis < places.size(); ++axis)
      if (std::optional<IndexSum> count = term.factor.dividedBy(strides[axis]))
        if (std::optional<int64_t> factor = count->getConstant()) {
          places[axis].terms.push_back({term.scalar, *factor});
          return true;
        }
    return false;
  }

  tilegpu::IntegerFacts factsOf(const AxisPlace::Term &term) {
    return term.scalar ? facts.of(term.scalar)
                       : tilegpu::IntegerFacts::constant(1);
  }

  /// Whether a place is a multiple of the size of the tile, by terms that can
  /// be divided one by one.
  bool isTile(const AxisPlace &place) {
    return llvm::all_of(place.terms, [&](const AxisPlace::Term &term) {
      const int64_t rest = place.size / std::gcd(term.factor, place.size);
      tilegpu::IntegerFacts scalar = factsOf(term);
      return rest <= 1 || (scalar.divisor % rest == 0 && scalar.range.lo >= 0);
    });
  }

  /// Whether the coordinates along an axis are in bounds of the view, for
  /// elements that the mask does not hide.
  bool isInBounds(int64_t axis) {
    const AxisPlace &place = places[axis];
    Interval first{0, 0};
    IndexSum start;
    for (const AxisPlace::Term &term : place.terms) {
      Interval range = times(factsOf(term).range, term.factor);
      first = {add(first.lo, range.lo), add(first.hi, range.hi)};
      start =
          start + (term.scalar ? sums.of(term.scalar) : IndexSum::constant(1)) *
                      IndexSum::constant(term.factor);
    }
    const IndexSum size = sums.ofViewSize(view, axis);
    const bool isEntry = place.size == 1 && place.terms.size() == 1 &&
                         place.terms.front().factor == 1 &&
                         place.terms.front().scalar &&
                         facts.isEntry(place.terms.front().scalar, view, axis);
    std::optional<int64_t> known = size.getConstant();
    bool isAbove = first.lo >= 0,
         isBelow = isEntry || (known && add(first.hi, place.size) <= *known);
    if (mask && place.tileAxis >= 0)
      for (const TileCondition &condition : conditionsOf(mask)) {
        std::optional<AxisLimit> limit = limitOf(condition, sums);
        if (!limit || limit->axis != place.tileAxis)
          continue;
        if (!limit->isUpper)
          isAbove |= !limit->isUnsigned && isAtLeast(limit->limit + start, 0);
        else
          isBelow |= isAtLeast(size - start - limit->limit, 0) &&
                     (!limit->isUnsigned || limit->greater == size);
      }
    return isAbove && isBelow;
  }

  static Interval times(Interval range, int64_t factor) {
    auto scale = [&](int64_t bound, bool isUpper) {
      int64_t product;
      if (!llvm::MulOverflow(bound, factor, product))
        return product;
      return isUpper ? tilegpu::plusInfinity : tilegpu::minusInfinity;
    };
    if (factor < 0)
      std::swap(range.lo, range.hi);
    return {scale(range.lo, false), scale(range.hi, true)};
  }

  static int64_t add(int64_t lhs, int64_t rhs) {
    int64_t sum;
    if (!llvm::AddOverflow(lhs, rhs, sum))
      return sum;
    return rhs > 0 ? tilegpu::plusInfinity : tilegpu::minusInfinity;
  }

  Value index(OpBuilder &builder, const AxisPlace &place) {
    Location loc = offsets.getLoc();
    auto constant = [&](int64_t number) -> Value {
      return arith::ConstantIndexOp::create(builder, loc, number);
    };
    Value sum;
    for (const AxisPlace::Term &term : place.terms) {
      const int64_t common = std::gcd(term.factor, place.size),
                    by = place.size / common;
      Value part = constant(1);
      if (term.scalar)
        part = builder.createOrFold<arith::IndexCastOp>(
            loc, builder.getIndexType(), term.scalar);
      if (by != 1)
        part = builder.createOrFold<arith::DivUIOp>(loc, part, constant(by));
      part = builder.createOrFold<arith::MulIOp>(
          loc, part, constant(term.factor / common));
      sum = sum ? builder.createOrFold<arith::AddIOp>(loc, sum, part) : part;
    }
    return sum ? sum : constant(0);
  }

  TypedValue<ViewType> view;
  RankedTensorType tile;
  Value offsets, mask;
  IndexSums &sums;
  tilegpu::IndexFacts &facts;
  SmallVector<AxisPlace> places; ///< by axis of the view
  SmallVector<IndexSum> strides;
};
} // namespace

/// The view whose first element a pointer is; null if there is none.
static TypedValue<ViewType> viewOf(TypedValue<PtrType> pointer) {
  auto base = pointer.getDefiningOp<BaseOp>();
  if (!base || base.getView().getType().getElementType() !=
                   pointer.getType().getPointee())
    return {};
  return base.getView();
}

/// The order of an access; null if it is that of the axes.
static DenseI64ArrayAttr orderAttr(OpBuilder &builder,
                                   ArrayRef<int64_t> order) {
  return llvm::equal(order, llvm::seq<int64_t>(order.size()))
             ? DenseI64ArrayAttr()
             : builder.getDenseI64ArrayAttr(order);
}

/// Replaces an access if it accesses a tile of a view.
template <typename OpT, typename Replace>
static void indexTile(OpT op, IndexSums &sums, Replace replace) {
  TypedValue<ViewType> view = viewOf(op.getBase());
  auto type = cast<RankedTensorType>(op.getOffsets().getType());
  constexpr int64_t leastRank = 2;
  if (!view || op.getOrder() != MemoryOrder::Weak || type.getRank() < leastRank)
    return;
  tilegpu::IndexFacts facts;
  Matching matching(view, op.getOffsets(), op.getMask(), sums, facts);
  if (!matching.run())
    return;
  OpBuilder builder(op);
  SmallVector<int64_t> shape = matching.shape();
  auto reshape = [&](Value tile, ArrayRef<int64_t> to) -> Value {
    auto from = cast<RankedTensorType>(tile.getType());
    if (from.getShape() == to)
      return tile;
    return ReshapeOp::create(builder, op.getLoc(), from.clone(to), tile,
                             builder.getI64ArrayAttr(to));
  };
  Value mask = op.getMask();
  for (int64_t axis = type.getRank(); mask && axis < int64_t(shape.size());
       ++axis) {
    SmallVector<int64_t> wider(
        cast<RankedTensorType>(mask.getType()).getShape());
    wider.insert(wider.begin(), 1);
    mask = ExpandDimsOp::create(
        builder, op.getLoc(), RankedTensorType::get(wider, builder.getI1Type()),
        mask, /*axis=*/0);
  }
  replace(builder, view, matching.indices(builder), mask,
          orderAttr(builder, matching.order()), shape, reshape);
  op.erase();
}

void indexOffsetTiles(KernelOp kernel) {
  IndexSums sums(kernel, kernel.getArguments(), IndexSums::Sizes::Launch);
  SmallVector<Operation *> accesses;
  kernel.getBody().walk([&](Operation *op) {
    if (isa<LoadAtOp, StoreAtOp>(op))
      accesses.push_back(op);
  });
  for (Operation *access : accesses) {
    if (auto load = dyn_cast<LoadAtOp>(access))
      indexTile(
          load, sums,
          [&](OpBuilder &builder, Value view, ValueRange indices, Value mask,
              DenseI64ArrayAttr order, ArrayRef<int64_t> shape, auto reshape) {
            Value tile = LoadOp::create(
                builder, load.getLoc(), load.getType().clone(shape), view,
                indices, mask, builder.getI64ArrayAttr(shape), load.getPad(),
                order);
            load.replaceAllUsesWith(reshape(tile, load.getType().getShape()));
          });
    else if (auto store = dyn_cast<StoreAtOp>(access))
      indexTile(store, sums,
                [&](OpBuilder &builder, Value view, ValueRange indices,
                    Value mask, DenseI64ArrayAttr order,
                    ArrayRef<int64_t> shape, auto reshape) {
                  StoreOp::create(builder, store.getLoc(),
                                  reshape(store.getValue(), shape), view,
                                  indices, mask, order);
                });
  }
}

} // namespace tilegpt::tile
