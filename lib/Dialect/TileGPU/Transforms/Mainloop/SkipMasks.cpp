// Masks that compare positions are all true in most trips of a loop: those
// trips pass them by.
#include "Mainloop/Positions.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_SKIPMASKS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

/// A bound as a scalar. Positions are indices: none of them wraps.
static Value scalarOf(OpBuilder &builder, Location loc, Largest range,
                      int64_t number, Type type) {
  Value constant = arith::ConstantOp::create(
      builder, loc, builder.getIntegerAttr(type, number));
  return range.base ? arith::AddIOp::create(builder, loc, range.base, constant)
                    : constant;
}

/// Of a tile that is the same everywhere: its element.
static Value scalarOf(OpBuilder &builder, Value tile) {
  if (auto splat = tile.getDefiningOp<tile::SplatOp>())
    return splat.getValue();
  SplatElementsAttr constant;
  return matchPattern(tile, m_Constant(&constant))
             ? arith::ConstantOp::create(
                   builder, tile.getLoc(),
                   cast<TypedAttr>(constant.getSplatValue<Attribute>()))
                   .getResult()
             : Value();
}

/// Whether a comparison is false for an element that this warp has: a scalar
/// that may be true only there; null where nothing is known. Rows are compared
/// one by one with the largest position of the other side, or all at once.
static Value failsInWarp(OpBuilder &builder, arith::CmpIOp compare) {
  using arith::CmpIPredicate;
  Value lhs = compare.getLhs(), rhs = compare.getRhs();
  CmpIPredicate predicate = compare.getPredicate();
  if (predicate == CmpIPredicate::sge || predicate == CmpIPredicate::sgt) {
    std::swap(lhs, rhs);
    predicate = predicate == CmpIPredicate::sge ? CmpIPredicate::sle
                                                : CmpIPredicate::slt;
  }
  if (predicate != CmpIPredicate::sle && predicate != CmpIPredicate::slt)
    return {};
  Value column = columnOf(rhs);
  Value limit = column ? Value() : scalarOf(builder, rhs);
  std::optional<Largest> small;
  if (column || limit)
    small = largestOf(builder, lhs);
  if (!small)
    return {};
  Location loc = compare.getLoc();
  Value largest = scalarOf(builder, loc, *small, small->most,
                           getElementTypeOrSelf(rhs.getType()));
  auto inverse =
      predicate == CmpIPredicate::sle ? CmpIPredicate::sgt : CmpIPredicate::sge;
  if (limit)
    return arith::CmpIOp::create(builder, loc, inverse, largest, limit);
  auto type = cast<RankedTensorType>(column.getType());
  Value tile = tile::SplatOp::create(builder, loc, type, largest,
                                     builder.getI64ArrayAttr(type.getShape()));
  Value fails = arith::CmpIOp::create(builder, loc, inverse, tile, column);
  return AnyOp::create(builder, loc, builder.getI1Type(), fails);
}

namespace {
struct SkipMasks : tilegpu::impl::SkipMasksBase<SkipMasks> {
  void runOnOperation() override {
    PlanAttr plan = PlanAttr::of(getOperation());
    if (!plan || !plan.getProducer())
      return;
    SmallVector<arith::SelectOp> masks;
    getOperation().walk([&](arith::SelectOp select) {
      if (isa<scf::ForOp>(select->getParentOp()) &&
          isa<RankedTensorType>(select.getCondition().getType()))
        masks.push_back(select);
    });
    for (arith::SelectOp mask : masks)
      skip(mask);
  }

private:
  void skip(arith::SelectOp mask) {
    auto compare = mask.getCondition().getDefiningOp<arith::CmpIOp>();
    if (!compare || compare->getBlock() != mask->getBlock())
      return;
    if (neverFails(compare)) {
      mask.replaceAllUsesWith(mask.getTrueValue());
      mask.erase();
      ++numMasks;
      return;
    }
    OpBuilder builder(mask);
    Value fails = failsInWarp(builder, compare);
    if (!fails)
      return;
    Location loc = mask.getLoc();
    auto branch = scf::IfOp::create(builder, loc, mask.getType(), fails,
                                    /*withElseRegion=*/true);
    mask.replaceAllUsesWith(branch.getResult(0));
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, mask.getTrueValue());
    builder.setInsertionPointToStart(branch.thenBlock());
    auto yield = scf::YieldOp::create(builder, loc, mask.getResult());
    mask->moveBefore(yield);
    sinkBefore(mask, compare);
    ++numMasks;
  }

  /// Whether the positions of all trips of a loop are known, and lie before a
  /// number: keys of whole tiles, say.
  static bool neverFails(arith::CmpIOp compare) {
    auto loop = cast<scf::ForOp>(compare->getParentOp());
    std::optional<int64_t> step = stepOf(compare.getLhs(), loop),
                           trips = getConstantIntValue(loop.getUpperBound());
    SplatElementsAttr end;
    if (!step || !trips ||
        compare.getPredicate() != arith::CmpIPredicate::slt ||
        !matchPattern(compare.getRhs(), m_Constant(&end)))
      return false;
    auto keys = cast<RankedTensorType>(compare.getLhs().getType());
    int64_t last = (*trips - 1) * *step + keys.getShape().back() - 1;
    return last < end.getSplatValue<APInt>().getSExtValue();
  }

  /// Moves what only a mask needs to it, ops of its loop one by one.
  static void sinkBefore(Operation *user, Operation *op) {
    Block *body = user->getBlock()->getParentOp()->getBlock();
    if (!op || op->getBlock() != body || op->getNumRegions() != 0 ||
        !llvm::all_of(op->getUsers(), [&](Operation *other) {
          return other->getBlock() == user->getBlock();
        }))
      return;
    op->moveBefore(user);
    for (Value operand : op->getOperands())
      sinkBefore(op, operand.getDefiningOp());
  }
};
} // namespace
