// Rewrites comparisons of absolute values and quotients.
#include "Masks/ComparePositions.h"
#include "EraseDead.h"
#include "Masks/RowNumbers.h"
#include "TileGPT/Dialect/Tile/Analysis/IndexFacts.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilegpt::tilegpu {

using arith::CmpIPredicate;

/// The value of a tile whose elements are all the same integer.
static std::optional<int64_t> integerOf(Value tile) {
  if (std::optional<int64_t> number = splatIntegerOf(tile))
    return number;
  APInt number;
  auto splat = tile.getDefiningOp<tile::SplatOp>();
  if (splat && matchPattern(splat.getValue(), m_ConstantInt(&number)))
    return number.getSExtValue();
  return std::nullopt;
}

/// Ops that repeat elements or add unit axes, the last one first.
using Shapes = SmallVector<Operation *, 2>;

/// Strips the shape ops from a tile and appends them to `shapes`.
static Value stripShapes(Value tile, Shapes &shapes) {
  while (Operation *op = tile.getDefiningOp()) {
    if (!isa<tile::BroadcastOp, tile::ExpandDimsOp>(op))
      break;
    shapes.push_back(op);
    tile = op->getOperand(0);
  }
  return tile;
}

/// Applies shape ops to another tile.
static Value shaped(OpBuilder &builder, Value tile, const Shapes &shapes) {
  for (Operation *op : llvm::reverse(shapes)) {
    IRMapping to;
    to.map(op->getOperand(0), tile);
    tile = builder.clone(*op, to)->getResult(0);
  }
  return tile;
}

namespace {
/// A tile divided by a positive constant or a scalar, and the shape ops applied
/// to the quotient.
struct Quotient {
  Operation *division = nullptr;
  int64_t divisor = 0; ///< 0 if it is a scalar
  Value scalar;        ///< null if it is a constant
  Shapes shapes;

  Value getNumerator() const { return division->getOperand(0); }
  /// Whether it is rounded down for negative numerators, too.
  bool isFloor() const {
    return isa<arith::FloorDivSIOp, arith::ShRSIOp>(division);
  }
  bool isUnsigned() const {
    return isa<arith::DivUIOp, arith::ShRUIOp>(division);
  }
};

/// columns - rows + number, or the opposite.
struct Difference {
  Quotient columns, rows;
  int64_t number = 0;
  int64_t sign = 0; ///< of the columns
};

class Comparisons {
public:
  explicit Comparisons(scf::ForOp loop) : loop(loop), body(*loop.getBody()) {}

  unsigned rewrite() {
    unsigned count = 0;
    for (arith::CmpIOp compare : comparisons())
      count += splitDistance(compare);
    for (arith::CmpIOp compare : comparisons())
      count += multiply(compare);
    return count;
  }

private:
  SmallVector<arith::CmpIOp> comparisons() {
    return llvm::to_vector(
        llvm::make_filter_range(body.getOps<arith::CmpIOp>(), [](auto compare) {
          return isa<RankedTensorType>(compare.getLhs().getType());
        }));
  }

  static void replace(arith::CmpIOp compare, Value by) {
    compare.replaceAllUsesWith(by);
    eraseDead(compare.getOperation());
  }

  /// The conjunction or disjunction of two conditions.
  static Value join(OpBuilder &builder, Location loc, bool both, Value lhs,
                    Value rhs) {
    return both ? arith::AndIOp::create(builder, loc, lhs, rhs).getResult()
                : arith::OrIOp::create(builder, loc, lhs, rhs).getResult();
  }

  static bool isLess(CmpIPredicate predicate) {
    return predicate == CmpIPredicate::sle || predicate == CmpIPredicate::slt;
  }
  static bool isGreater(CmpIPredicate predicate) {
    return predicate == CmpIPredicate::sge || predicate == CmpIPredicate::sgt;
  }

  /// |x| <= y becomes x <= y and -x <= y.
  static bool splitDistance(arith::CmpIOp compare) {
    CmpIPredicate predicate = compare.getPredicate();
    auto distance = compare.getLhs().getDefiningOp<math::AbsIOp>();
    Value other = compare.getRhs();
    if (!distance) {
      distance = other.getDefiningOp<math::AbsIOp>();
      other = compare.getLhs();
      predicate = swapped(predicate);
    }
    if (!distance || !(isLess(predicate) || isGreater(predicate)))
      return false;
    OpBuilder builder(compare);
    Location loc = compare.getLoc();
    Value x = distance.getOperand();
    auto difference = x.getDefiningOp<arith::SubIOp>();
    Value opposite =
        difference ? arith::SubIOp::create(builder, loc, difference.getRhs(),
                                           difference.getLhs())
                   : arith::SubIOp::create(
                         builder, loc,
                         arith::ConstantOp::create(
                             builder, loc, builder.getZeroAttr(x.getType())),
                         x);
    auto side = [&](Value value) {
      return arith::CmpIOp::create(builder, loc, predicate, value, other);
    };
    Value first = side(x), second = side(opposite);
    replace(compare, join(builder, loc, isLess(predicate), first, second));
    return true;
  }

  /// The predicate for swapped operands.
  static CmpIPredicate swapped(CmpIPredicate predicate) {
    return predicate == CmpIPredicate::slt   ? CmpIPredicate::sgt
           : predicate == CmpIPredicate::sle ? CmpIPredicate::sge
           : predicate == CmpIPredicate::sgt ? CmpIPredicate::slt
           : predicate == CmpIPredicate::sge ? CmpIPredicate::sle
                                             : predicate;
  }

  /// Hoists the computation of a value if it is loop-invariant.
  bool hoist(Value value) {
    if (loop.isDefinedOutsideOfLoop(value))
      return true;
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != &body || op->getNumRegions() != 0 ||
        !isMemoryEffectFree(op) ||
        !llvm::all_of(op->getOperands(),
                      [&](Value operand) { return hoist(operand); }))
      return false;
    op->moveBefore(loop);
    return true;
  }

  std::optional<Quotient> quotientOf(Value tile, const Shapes &shapes) {
    Operation *op = tile.getDefiningOp();
    if (!isa_and_nonnull<arith::DivSIOp, arith::FloorDivSIOp, arith::DivUIOp,
                         arith::ShRSIOp, arith::ShRUIOp>(op))
      return std::nullopt;
    constexpr int64_t mostShift = 30;
    bool isShift = isa<arith::ShRSIOp, arith::ShRUIOp>(op);
    std::optional<int64_t> number = integerOf(op->getOperand(1));
    if (number && isShift)
      number = *number >= 0 && *number <= mostShift ? int64_t(1) << *number : 0;
    if (number)
      return *number > 0 ? std::optional(Quotient{op, *number, {}, shapes})
                         : std::nullopt;
    auto splat = op->getOperand(1).getDefiningOp<tile::SplatOp>();
    if (!splat || isShift || !hoist(splat.getValue()))
      return std::nullopt;
    return Quotient{op, 0, splat.getValue(), shapes};
  }

  /// Adds `tile` times `sign` to a difference.
  bool add(Difference &difference, Value tile, int64_t sign, Shapes shapes) {
    tile = stripShapes(tile, shapes);
    if (std::optional<int64_t> number = integerOf(tile)) {
      difference.number += sign * *number;
      return true;
    }
    Operation *op = tile.getDefiningOp();
    if (isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op))
      return add(difference, op->getOperand(0), sign, shapes) &&
             add(difference, op->getOperand(1),
                 isa<arith::SubIOp>(op) ? -sign : sign, shapes);
    std::optional<Quotient> quotient = quotientOf(tile, shapes);
    if (!quotient)
      return false;
    bool isRow = hoist(quotient->getNumerator());
    Quotient &place = isRow ? difference.rows : difference.columns;
    int64_t wanted = isRow ? -sign : sign;
    if (place.division || (difference.sign && difference.sign != wanted))
      return false;
    place = std::move(*quotient);
    difference.sign = wanted;
    return true;
  }

  /// Whether a scalar or all elements of a tile are at least 0, assuming that
  /// positions do not wrap.
  bool isNonNegative(Value value) {
    if (std::optional<int64_t> number = integerOf(value))
      return *number >= 0;
    Operation *op = value.getDefiningOp();
    if (isa_and_nonnull<tile::IotaOp>(op))
      return true;
    if (isa_and_nonnull<tile::SplatOp, tile::BroadcastOp, tile::ExpandDimsOp,
                        arith::IndexCastOp, arith::ExtSIOp>(op))
      return isNonNegative(op->getOperand(0));
    if (isa<RankedTensorType>(value.getType()))
      return isa_and_nonnull<arith::AddIOp, arith::MulIOp>(op) &&
             llvm::all_of(op->getOperands(), [&](Value operand) {
               return isNonNegative(operand);
             });
    return IndexFacts().of(value).range.lo >= 0;
  }

  /// Whether the quotients have the same divisor, that of the columns is
  /// rounded down, and that of the rows times the divisor does not wrap. For
  /// inequalities, rows must be positions. Only equality is independent of the
  /// sign of a scalar.
  bool canMultiply(const Difference &difference, bool isEquality) {
    const Quotient &columns = difference.columns, &rows = difference.rows;
    bool isKnown = rows.scalar
                       ? isEquality && difference.number == 0 &&
                             columns.isFloor() == rows.isFloor() &&
                             !rows.isUnsigned()
                       : (std::abs(difference.number) + 2) * rows.divisor <=
                             largestInteger(rows.getNumerator());
    Shapes shapes;
    bool arePositions =
        isNonDecreasing(stripShapes(rows.getNumerator(), shapes));
    return isKnown && (isEquality || arePositions) &&
           columns.divisor == rows.divisor && columns.scalar == rows.scalar &&
           (columns.isFloor() || isNonNegative(columns.getNumerator())) &&
           (!rows.isUnsigned() || isNonNegative(rows.getNumerator()));
  }

  /// Indices have 32 bits on the device.
  static int64_t largestInteger(Value tile) {
    Type element = getElementTypeOrSelf(tile.getType());
    return llvm::maxIntN(element.isIndex() ? 32
                                           : element.getIntOrFloatBitWidth());
  }

  bool multiply(arith::CmpIOp compare) {
    CmpIPredicate predicate = compare.getPredicate();
    bool isEquality =
        predicate == CmpIPredicate::eq || predicate == CmpIPredicate::ne;
    Difference difference;
    if (!(isEquality || isLess(predicate) || isGreater(predicate)) ||
        !add(difference, compare.getLhs(), 1, {}) ||
        !add(difference, compare.getRhs(), -1, {}) ||
        !difference.columns.division || !difference.rows.division ||
        !canMultiply(difference, isEquality))
      return false;
    if (difference.sign < 0)
      predicate = swapped(predicate);
    int64_t number = -difference.sign * difference.number;
    OpBuilder builder(compare);
    Location loc = compare.getLoc();
    Value columns = shaped(builder, difference.columns.getNumerator(),
                           difference.columns.shapes);
    auto compareWith = [&](CmpIPredicate relation, Value rows) -> Value {
      return arith::CmpIOp::create(builder, loc, relation, columns, rows);
    };
    auto atMost = [&](int64_t quotient) {
      return compareWith(CmpIPredicate::sle,
                         largest(difference.rows, quotient));
    };
    auto above = [&](int64_t quotient) {
      return compareWith(CmpIPredicate::sgt,
                         largest(difference.rows, quotient));
    };
    Value condition;
    if (difference.rows.scalar) {
      auto [first, last] = equals(difference.rows);
      bool isEqual = predicate == CmpIPredicate::eq;
      condition = join(
          builder, loc, isEqual,
          compareWith(isEqual ? CmpIPredicate::sge : CmpIPredicate::slt, first),
          compareWith(isEqual ? CmpIPredicate::sle : CmpIPredicate::sgt, last));
    } else if (isEquality) {
      bool isEqual = predicate == CmpIPredicate::eq;
      condition =
          join(builder, loc, isEqual, isEqual ? atMost(number) : above(number),
               isEqual ? above(number - 1) : atMost(number - 1));
    } else {
      bool isStrict =
          predicate == CmpIPredicate::slt || predicate == CmpIPredicate::sge;
      condition = isLess(predicate) ? atMost(number - isStrict)
                                    : above(number - isStrict);
    }
    replace(compare, condition);
    return true;
  }

  /// The quotient of rows without shape ops. Unsigned numerators are known to
  /// be non-negative.
  static Value divide(OpBuilder &builder, const Quotient &rows, Value tile,
                      Value divisor) {
    Location loc = rows.division->getLoc();
    return rows.isFloor()
               ? arith::FloorDivSIOp::create(builder, loc, tile, divisor)
                     .getResult()
               : arith::DivSIOp::create(builder, loc, tile, divisor)
                     .getResult();
  }

  /// The largest position whose quotient is at most that of the row plus a
  /// number: r / d · d + number·d + d - 1, or the largest integer.
  Value largest(const Quotient &rows, int64_t number) {
    OpBuilder builder(loop);
    Location loc = rows.division->getLoc();
    Shapes shapes = rows.shapes;
    Value tile = stripShapes(rows.getNumerator(), shapes);
    auto type = cast<RankedTensorType>(tile.getType());
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(
          builder, loc,
          DenseElementsAttr::get(
              type, builder.getIntegerAttr(type.getElementType(), value)));
    };
    Value quotient = divide(builder, rows, tile, constant(rows.divisor));
    Value multiple =
        arith::MulIOp::create(builder, loc, quotient, constant(rows.divisor));
    int64_t more = number * rows.divisor + rows.divisor - 1;
    if (more > 0)
      multiple = arith::MinSIOp::create(builder, loc, multiple,
                                        constant(largestInteger(tile) - more));
    return shaped(builder,
                  arith::AddIOp::create(builder, loc, multiple, constant(more)),
                  shapes);
  }

  /// The first and the last position whose quotient by a scalar d equals that
  /// of the row: r / d · d, plus d + 1 if d is negative and quotients are
  /// rounded down, and |d| - 1 more.
  std::pair<Value, Value> equals(const Quotient &rows) {
    OpBuilder builder(loop);
    Location loc = rows.division->getLoc();
    Shapes shapes = rows.shapes;
    Value tile = stripShapes(rows.getNumerator(), shapes), by = rows.scalar;
    auto type = cast<RankedTensorType>(tile.getType());
    auto number = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(
          builder, loc, builder.getIntegerAttr(by.getType(), value));
    };
    auto splat = [&](Value scalar) {
      return tile::SplatOp::create(builder, loc, type, scalar,
                                   builder.getI64ArrayAttr(type.getShape()));
    };
    Value divisor = splat(by);
    Value first = arith::MulIOp::create(
        builder, loc, divide(builder, rows, tile, divisor), divisor);
    if (rows.isFloor()) {
      Value next = arith::AddIOp::create(builder, loc, by, number(1));
      first = arith::AddIOp::create(
          builder, loc, first,
          splat(arith::MinSIOp::create(builder, loc, next, number(0))));
    }
    Value more = arith::MaxSIOp::create(
        builder, loc, arith::SubIOp::create(builder, loc, by, number(1)),
        arith::SubIOp::create(builder, loc, number(-1), by));
    Value most =
        arith::SubIOp::create(builder, loc, number(largestInteger(tile)), more);
    Value last = arith::AddIOp::create(
        builder, loc, arith::MinSIOp::create(builder, loc, first, splat(most)),
        splat(more));
    return {shaped(builder, first, shapes), shaped(builder, last, shapes)};
  }

  scf::ForOp loop;
  Block &body;
};
} // namespace

unsigned comparePositions(scf::ForOp loop) {
  return Comparisons(loop).rewrite();
}

} // namespace tilegpt::tilegpu
