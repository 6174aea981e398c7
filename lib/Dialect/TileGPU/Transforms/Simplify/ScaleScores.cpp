// Scales scores that become exponents, which have a factor anyway, instead of
// an operand of their dot, so that the operand is used as it was loaded.
#include "Simplify/DotPatterns.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotSchedule.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_SCALESCORES
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
/// A factor or divisor: a constant, or a scalar of the function.
struct Factor {
  OpFoldResult scalar;
  bool isDivisor;
};

/// The tile that an operand scales, rounded to the operand's type.
struct ScaledOperand {
  Value tile;
  SmallVector<Factor> factors;
};
} // namespace

/// The element that a tile splats; null for others.
static OpFoldResult elementOf(Value tile) {
  SplatElementsAttr constant;
  if (matchPattern(tile, m_Constant(&constant)))
    return constant.getSplatValue<Attribute>();
  if (auto splat = tile.getDefiningOp<tile::SplatOp>())
    return splat.getValue();
  if (auto broadcast = tile.getDefiningOp<tile::BroadcastOp>())
    return elementOf(broadcast.getSource());
  return {};
}

static std::optional<ScaledOperand> matchScaled(Value operand) {
  Type element = getElementTypeOrSelf(operand.getType());
  if (!element.isBF16() && !element.isF16())
    return std::nullopt;
  ScaledOperand scaled{lookThroughConversion(operand), {}};
  while (Operation *op = scaled.tile.getDefiningOp()) {
    auto peel = [&](unsigned side, bool isDivisor) {
      OpFoldResult scalar = elementOf(op->getOperand(1 - side));
      if (scalar) {
        scaled.factors.push_back({scalar, isDivisor});
        scaled.tile = op->getOperand(side);
      }
      return bool(scalar);
    };
    bool isPeeled = isa<arith::MulFOp>(op)
                        ? peel(0, false) || peel(1, false)
                        : isa<arith::DivFOp>(op) && peel(0, true);
    if (!isPeeled)
      break;
  }
  if (scaled.factors.empty())
    return std::nullopt;
  // The tile had that type before it was scaled: no other rounding is dropped.
  if (getElementTypeOrSelf(scaled.tile.getType()) != element)
    scaled.tile = lookThroughConversion(scaled.tile);
  return scaled.tile.getType() == operand.getType() ? std::optional(scaled)
                                                    : std::nullopt;
}

/// Whether scores become exponents in such a way that a factor of theirs
/// becomes one of the exponents, or of their soft cap.
static bool becomesExponent(Value scores) {
  SmallVector<Value> values = {scores};
  SmallPtrSet<Operation *, 8> seen;
  while (!values.empty())
    for (Operation *user : values.pop_back_val().getUsers()) {
      if (isa<math::ExpOp, math::Exp2Op>(user))
        return true;
      if (isa<arith::MulFOp, arith::DivFOp, arith::AddFOp, arith::SubFOp,
              arith::SelectOp, math::FmaOp, math::TanhOp>(user) &&
          seen.insert(user).second)
        values.push_back(user->getResult(0));
    }
  return false;
}

namespace {
struct ScaleScores : tilegpu::impl::ScaleScoresBase<ScaleScores> {
  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    getOperation().walk([&](tile::DotOp dot) {
      if (!isa<scf::ForOp>(dot->getParentOp()) || !isZeroTile(dot.getAcc()) ||
          !dot.getAcc().getType().getElementType().isF32() ||
          !becomesExponent(dot.getResult()))
        return;
      SmallVector<Factor> factors;
      for (OpOperand *operand : {&dot.getLhsMutable(), &dot.getRhsMutable()})
        if (std::optional<ScaledOperand> scaled = matchScaled(operand->get())) {
          operand->set(scaled->tile);
          factors.append(scaled->factors);
        }
      if (factors.empty())
        return;
      multiply(dot, factors);
      ++numDots;
    });
  }

private:
  static void multiply(tile::DotOp dot, ArrayRef<Factor> factors) {
    auto loop = cast<scf::ForOp>(dot->getParentOp());
    OpBuilder builder(dot);
    if (llvm::all_of(factors, [&](const Factor &factor) {
          auto scalar = dyn_cast<Value>(factor.scalar);
          return !scalar || loop.isDefinedOutsideOfLoop(scalar);
        }))
      builder.setInsertionPoint(loop);
    Location loc = dot.getLoc();
    Value scale;
    for (const Factor &factor : factors) {
      Value scalar = inF32(builder, loc, factor.scalar);
      if (factor.isDivisor && !scale)
        scale = inF32(builder, loc, builder.getF32FloatAttr(1));
      if (factor.isDivisor)
        scale = arith::DivFOp::create(builder, loc, scale, scalar);
      else
        scale =
            scale
                ? arith::MulFOp::create(builder, loc, scale, scalar).getResult()
                : scalar;
    }
    RankedTensorType type = dot.getAcc().getType();
    Value scales = tile::SplatOp::create(
        builder, loc, type, scale, builder.getI64ArrayAttr(type.getShape()));
    builder.setInsertionPointAfter(dot);
    auto product = arith::MulFOp::create(builder, loc, dot.getResult(), scales);
    dot.getResult().replaceAllUsesExcept(product, product);
  }

  static Value inF32(OpBuilder &builder, Location loc, OpFoldResult scalar) {
    Type f32 = builder.getF32Type();
    if (auto number = dyn_cast<Attribute>(scalar))
      return arith::ConstantOp::create(
          builder, loc,
          builder.getF32FloatAttr(cast<FloatAttr>(number).getValueAsDouble()));
    Value value = cast<Value>(scalar);
    return value.getType() == f32
               ? value
               : arith::ExtFOp::create(builder, loc, f32, value).getResult();
  }
};
} // namespace
