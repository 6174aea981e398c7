// Moves the division by a running sum of weights out of a loop: a loop that
// divides its accumulator in every iteration divides once, after it.
#include "EraseDead.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotSchedule.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_DEFERDIVISION
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
/// A product of powers of columns.
struct Monomial {
  llvm::SmallMapVector<Value, int64_t, 4> powers;

  void multiply(Value column, int64_t power) {
    if ((powers[column] += power) == 0)
      powers.erase(column);
  }
  void multiply(const Monomial &other) {
    for (auto [column, power] : other.powers)
      multiply(column, power);
  }
  int64_t powerOf(Value column) const { return powers.lookup(column); }
  bool hasDivisors() const {
    return llvm::any_of(powers, [](auto &entry) { return entry.second < 0; });
  }
};

/// A column times the carried value, or times a dot with a zero accumulator.
struct Term {
  Monomial factor;
  tile::DotOp dot; ///< null for the carried value
  Value lhs;       ///< of the dot, without its factor
};

/// `o' = a·o + Σ bᵢ·dotᵢ`, a and bᵢ columns.
class Recurrence {
public:
  explicit Recurrence(Value carried) : carried(carried) {}

  SmallVector<Term> terms;

  /// Decomposes a value; false if it is no such sum.
  bool add(Value value, Monomial factor) {
    if (value == carried) {
      terms.push_back({std::move(factor), {}, {}});
      return true;
    }
    Operation *op = value.getDefiningOp();
    if (!op || !value.hasOneUse())
      return false;
    if (isa<arith::AddFOp>(op))
      return add(op->getOperand(0), factor) && add(op->getOperand(1), factor);
    if (auto dot = dyn_cast<tile::DotOp>(op)) {
      Term term{factor, dot, dot.getLhs()};
      peelLhs(term);
      terms.push_back(std::move(term));
      return isZeroTile(dot.getAcc()) || add(dot.getAcc(), std::move(factor));
    }
    std::optional<Value> scaled = peel(op, factor);
    return scaled && add(*scaled, std::move(factor));
  }

private:
  /// A column that is broadcast along the rows; null for other tiles.
  static Value columnOf(Value tile) {
    auto broadcast = tile.getDefiningOp<tile::BroadcastOp>();
    if (!broadcast)
      return {};
    Value column = broadcast.getSource();
    auto type = cast<RankedTensorType>(column.getType());
    return type.getRank() == 2 && type.getDimSize(1) == 1 ? column : Value();
  }

  static bool isOne(Value column) {
    SplatElementsAttr number;
    return matchPattern(column, m_Constant(&number)) &&
           number.getElementType().isF32() &&
           number.getSplatValue<APFloat>().isExactlyValue(1.0);
  }

  static void addColumn(Value column, int64_t power, Monomial &factor) {
    if (auto expand = column.getDefiningOp<tile::ExpandDimsOp>())
      return addColumn(expand.getSource(), power, factor);
    Operation *op = column.getDefiningOp();
    if (isa_and_nonnull<arith::MulFOp, arith::DivFOp>(op)) {
      addColumn(op->getOperand(0), power, factor);
      addColumn(op->getOperand(1), isa<arith::DivFOp>(op) ? -power : power,
                factor);
    } else if (!isOne(column)) {
      factor.multiply(column, power);
    }
  }

  /// The tile that a product or quotient with a column scales.
  static std::optional<Value> peel(Operation *op, Monomial &factor) {
    if (isa<arith::MulFOp>(op))
      for (unsigned side : {0, 1})
        if (Value column = columnOf(op->getOperand(1 - side))) {
          addColumn(column, 1, factor);
          return op->getOperand(side);
        }
    if (isa<arith::DivFOp>(op))
      if (Value column = columnOf(op->getOperand(1))) {
        addColumn(column, -1, factor);
        return op->getOperand(0);
      }
    return std::nullopt;
  }

  static void peelLhs(Term &term) {
    Value tile = term.lhs;
    if (auto rounded = tile.getDefiningOp<tile::CastOp>())
      tile = rounded.getSource();
    while (Operation *op = tile.getDefiningOp()) {
      std::optional<Value> scaled = peel(op, term.factor);
      if (!scaled)
        break;
      tile = term.lhs = *scaled;
    }
  }

  Value carried;
};

struct DeferDivision : tilegpu::impl::DeferDivisionBase<DeferDivision> {
  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      for (unsigned number = 0; number < loop.getNumResults(); ++number)
        numDivisions += defer(loop, number);
  }

private:
  static bool defer(scf::ForOp loop, unsigned number) {
    Value carried = loop.getRegionIterArgs()[number],
          next = loop.getYieldedValues()[number];
    auto type = dyn_cast<RankedTensorType>(carried.getType());
    if (!type || type.getRank() != 2 || !type.getElementType().isF32() ||
        !carried.hasOneUse() || !isZeroTile(loop.getInitArgs()[number]))
      return false;
    Recurrence recurrence(carried);
    if (!recurrence.add(next, {}))
      return false;
    for (auto [sum, newSum] :
         llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues()))
      if (sum != carried && isDividedBy(recurrence, sum, newSum)) {
        write(loop, number, recurrence, sum, newSum);
        return true;
      }
    return false;
  }

  /// Whether o' is (l·a·o + Σ bᵢ·dotᵢ) / l', so that l·o is a sum without
  /// divisions.
  static bool isDividedBy(const Recurrence &recurrence, Value sum,
                          Value newSum) {
    bool hasCarried = false, hasDot = false;
    for (const Term &term : recurrence.terms) {
      Monomial factor = term.factor;
      if (factor.powerOf(newSum) != -1)
        return false;
      factor.multiply(newSum, 1);
      if (term.dot) {
        hasDot = true;
      } else {
        if (hasCarried || factor.powerOf(sum) != 1)
          return false;
        factor.multiply(sum, -1);
        hasCarried = true;
      }
      if (factor.hasDivisors())
        return false;
    }
    return hasCarried && hasDot;
  }

  static void write(scf::ForOp loop, unsigned number, Recurrence &recurrence,
                    Value sum, Value newSum) {
    Location loc = loop.getLoc();
    Operation *yield = loop.getBody()->getTerminator();
    OpBuilder builder(yield);
    // The loop now carries l·o.
    Value acc = loop.getRegionIterArgs()[number];
    for (Term &term : recurrence.terms) {
      term.factor.multiply(newSum, 1);
      if (!term.dot) {
        term.factor.multiply(sum, -1);
        acc = multiply(builder, loc, acc, term.factor);
      }
    }
    for (Term &term : recurrence.terms) {
      if (!term.dot)
        continue;
      Value lhs = multiply(builder, loc, term.lhs, term.factor);
      if (lhs.getType() != term.dot.getLhs().getType())
        lhs = tile::CastOp::create(builder, loc, term.dot.getLhs().getType(),
                                   lhs);
      IRMapping operands;
      operands.map(term.dot.getLhs(), lhs);
      operands.map(term.dot.getAcc(), acc);
      acc = builder.clone(*term.dot, operands)->getResult(0);
    }
    Operation *old = yield->getOperand(number).getDefiningOp();
    yield->setOperand(number, acc);
    eraseDead(old);
    divideBehind(loop, number,
                 loop.getResult(cast<BlockArgument>(sum).getArgNumber() - 1));
  }

  static void divideBehind(scf::ForOp loop, unsigned number, Value sum) {
    Location loc = loop.getLoc();
    OpBuilder builder(loop);
    builder.setInsertionPointAfter(loop);
    Value result = loop.getResult(number);
    auto type = cast<RankedTensorType>(result.getType());
    auto quotient = arith::DivFOp::create(builder, loc, result,
                                          repeat(builder, loc, sum, type));
    Value output = quotient;
    // Without iterations the result is the initial value.
    std::optional<APInt> trips = loop.getStaticTripCount();
    if (!trips || trips->isZero()) {
      Value runs =
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                loop.getLowerBound(), loop.getUpperBound());
      output = arith::SelectOp::create(builder, loc, runs, output,
                                       loop.getInitArgs()[number]);
    }
    result.replaceAllUsesExcept(output, quotient);
  }

  static Value repeat(OpBuilder &builder, Location loc, Value column,
                      RankedTensorType type) {
    if (cast<RankedTensorType>(column.getType()).getRank() == 1)
      column = tile::ExpandDimsOp::create(
          builder, loc, type.clone({type.getDimSize(0), 1}), column,
          /*axis=*/1);
    return tile::BroadcastOp::create(builder, loc, type, column,
                                     builder.getI64ArrayAttr(type.getShape()));
  }

  /// Multiplies a tile by a product of columns.
  static Value multiply(OpBuilder &builder, Location loc, Value tile,
                        const Monomial &factor) {
    auto type = cast<RankedTensorType>(tile.getType());
    for (auto [column, power] : factor.powers)
      for (int64_t times = 0; times < power; ++times)
        tile = arith::MulFOp::create(builder, loc, tile,
                                     repeat(builder, loc, column, type));
    return tile;
  }
};
} // namespace
