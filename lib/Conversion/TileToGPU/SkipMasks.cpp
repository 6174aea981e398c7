// Masks that compare positions are all true in most trips of a loop: those
// trips pass them by.
#include "TileGPT/Conversion/TileToGPU/Passes.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_SKIPMASKS
#include "TileGPT/Conversion/TileToGPU/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
/// The largest element of a tile of integers: a scalar, or none for 0, and a
/// number on top.
struct Largest {
  Value base;
  int64_t most = 0;
};
} // namespace

/// The largest of a tile of positions. Scalars are added where the builder
/// stands.
static std::optional<Largest> largestOf(OpBuilder &builder, Value tile) {
  Operation *op = tile.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (auto splat = dyn_cast<tile::SplatOp>(op))
    return Largest{splat.getValue()};
  if (isa<tile::IotaOp>(op))
    return Largest{{},
                   cast<RankedTensorType>(tile.getType()).getNumElements() - 1};
  if (isa<tile::BroadcastOp, tile::ExpandDimsOp>(op))
    return largestOf(builder, op->getOperand(0));
  auto sum = dyn_cast<arith::AddIOp>(op);
  if (!sum)
    return std::nullopt;
  std::optional<Largest> lhs = largestOf(builder, sum.getLhs()),
                         rhs = largestOf(builder, sum.getRhs());
  if (!lhs || !rhs)
    return std::nullopt;
  Value base = lhs->base ? lhs->base : rhs->base;
  if (lhs->base && rhs->base)
    base = arith::AddIOp::create(builder, op->getLoc(), lhs->base, rhs->base);
  return Largest{base, lhs->most + rhs->most};
}

/// A bound as a scalar. Positions are indices: none of them wraps.
static Value scalarOf(OpBuilder &builder, Location loc, Largest range,
                      int64_t number, Type type) {
  Value constant = arith::ConstantOp::create(
      builder, loc, builder.getIntegerAttr(type, number));
  return range.base ? arith::AddIOp::create(builder, loc, range.base, constant)
                    : constant;
}

/// Of a tile that is the same along its last axis: a column of it.
static Value columnOf(Value tile) {
  auto broadcast = tile.getDefiningOp<tile::BroadcastOp>();
  if (!broadcast)
    return {};
  auto source = cast<RankedTensorType>(broadcast.getSource().getType());
  bool isColumn = source.getRank() == 2 && source.getDimSize(1) == 1;
  return isColumn ? broadcast.getSource() : Value();
}

/// Whether a comparison is false for an element that this warp has: a scalar
/// that may be true only there; null where nothing is known. Rows are compared
/// one by one with the largest position of the other side.
static Value failsInWarp(OpBuilder &builder, arith::CmpIOp compare) {
  using arith::CmpIPredicate;
  Value lhs = compare.getLhs(), rhs = compare.getRhs();
  CmpIPredicate predicate = compare.getPredicate();
  if (predicate == CmpIPredicate::sge || predicate == CmpIPredicate::sgt) {
    std::swap(lhs, rhs);
    predicate = predicate == CmpIPredicate::sge ? CmpIPredicate::sle
                                                : CmpIPredicate::slt;
  }
  Value column = columnOf(rhs);
  if ((predicate != CmpIPredicate::sle && predicate != CmpIPredicate::slt) ||
      !column)
    return {};
  std::optional<Largest> small = largestOf(builder, lhs);
  if (!small)
    return {};
  Location loc = compare.getLoc();
  auto type = cast<RankedTensorType>(column.getType());
  Value largest =
      scalarOf(builder, loc, *small, small->most, type.getElementType());
  Value tile = tile::SplatOp::create(builder, loc, type, largest,
                                     builder.getI64ArrayAttr(type.getShape()));
  auto inverse =
      predicate == CmpIPredicate::sle ? CmpIPredicate::sgt : CmpIPredicate::sge;
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
