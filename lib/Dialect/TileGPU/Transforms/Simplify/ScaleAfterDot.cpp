// Moves a scale of a dot's operand behind the dot, so that the operand is used
// as it was loaded or converted: to scores that become exponents, which have a
// factor anyway, or to the sum of a loop whose iterations share the scales.
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotSchedule.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_SCALEAFTERDOT
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

/// Looks through conversions of a tile.
static Value throughConversion(Value tile) {
  Operation *op = tile.getDefiningOp();
  return isa_and_nonnull<tile::CastOp, arith::ExtFOp, arith::TruncFOp>(op)
             ? op->getOperand(0)
             : tile;
}

static std::optional<ScaledOperand> matchScaled(Value operand) {
  Type element = getElementTypeOrSelf(operand.getType());
  if (!element.isBF16() && !element.isF16())
    return std::nullopt;
  ScaledOperand scaled{throughConversion(operand), {}};
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
    scaled.tile = throughConversion(scaled.tile);
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
/// A tile, exact in the type of a dot's operand, that the operand multiplies by
/// one scale per row or column of the result.
struct ScaledRows {
  Value tile;
  TypedValue<RankedTensorType> scales; ///< one along the depth
};
} // namespace

/// Whether integers of 8 bits are converted: exact in f16 and bf16.
static bool isConvertedByte(Value tile) {
  Operation *op = tile.getDefiningOp();
  return isa_and_nonnull<arith::SIToFPOp, arith::UIToFPOp>(op) &&
         getElementTypeOrSelf(op->getOperand(0).getType()).isInteger(8);
}

/// \param depth  the axis of the operand along which the dot sums.
static std::optional<ScaledRows> matchScaledRows(Value operand,
                                                 unsigned depth) {
  auto type = cast<RankedTensorType>(operand.getType());
  if (!type.getElementType().isBF16() && !type.getElementType().isF16())
    return std::nullopt;
  auto product = throughConversion(operand).getDefiningOp<arith::MulFOp>();
  if (!product)
    return std::nullopt;
  for (unsigned side : {0, 1}) {
    auto broadcast =
        product->getOperand(side).getDefiningOp<tile::BroadcastOp>();
    Value tile = product->getOperand(1 - side);
    auto scales =
        broadcast ? cast<TypedValue<RankedTensorType>>(broadcast.getSource())
                  : TypedValue<RankedTensorType>();
    if (!scales || scales.getType().getRank() != 2 ||
        scales.getType().getDimSize(depth) != 1 ||
        scales.getType().getDimSize(1 - depth) != type.getDimSize(1 - depth))
      continue;
    if (!isConvertedByte(tile) && tile.getType() != operand.getType())
      tile = throughConversion(tile);
    if (tile.getType() == operand.getType() || isConvertedByte(tile))
      return ScaledRows{tile, scales};
  }
  return std::nullopt;
}

/// Collects the ops of a loop that compute a value from what is defined outside
/// of it.
/// \returns whether an op behind the loop can do the same.
static bool collectShared(Value value, scf::ForOp loop,
                          llvm::SetVector<Operation *> &ops) {
  if (loop.isDefinedOutsideOfLoop(value))
    return true;
  Operation *op = value.getDefiningOp();
  auto load = dyn_cast_or_null<tile::LoadOp>(op);
  if (!op || op->getBlock() != loop.getBody() || op->getNumRegions() != 0 ||
      !(load ? !load.getOrder() : isPure(op)) ||
      !llvm::all_of(op->getOperands(), [&](Value operand) {
        return collectShared(operand, loop, ops);
      }))
    return false;
  ops.insert(op);
  return true;
}

/// Whether a dot is all that happens to a value that a loop carries from zero,
/// and the loop writes no memory.
static bool isSumFromZero(tile::DotOp dot, scf::ForOp loop) {
  return isSumOfLoop(loop, dot) &&
         isZeroTile(loop.getInitArgs()[*yieldedAs(dot.getResult())]) &&
         llvm::all_of(loop.getBody()->without_terminator(), [](Operation &op) {
           auto load = dyn_cast<tile::LoadOp>(op);
           return load ? !load.getOrder() : isMemoryEffectFree(&op);
         });
}

/// Scales the sum of a loop instead of an operand of its dot.
static bool scaleBehindLoop(tile::DotOp dot, OpOperand &operand, bool isLhs) {
  auto loop = cast<scf::ForOp>(dot->getParentOp());
  unsigned depth = (isLhs ? !dot.getTransposeA() : dot.getTransposeB()) ? 1 : 0;
  std::optional<ScaledRows> scaled = matchScaledRows(operand.get(), depth);
  llvm::SetVector<Operation *> ops;
  if (!scaled || !collectShared(scaled->scales, loop, ops))
    return false;
  OpBuilder builder(dot);
  Location loc = dot.getLoc();
  if (isConvertedByte(scaled->tile)) {
    Operation *convert = scaled->tile.getDefiningOp();
    OperationState state(loc, convert->getName(), convert->getOperands(),
                         {operand.get().getType()});
    scaled->tile = builder.create(state)->getResult(0);
  }
  operand.set(scaled->tile);
  builder.setInsertionPointAfter(loop);
  IRMapping known;
  for (Operation *op : ops)
    builder.clone(*op, known);
  Value scales = known.lookupOrDefault<Value>(scaled->scales);
  RankedTensorType type = scaled->scales.getType();
  if (!type.getElementType().isF32())
    scales = tile::CastOp::create(builder, loc,
                                  type.clone(builder.getF32Type()), scales);
  RankedTensorType ofResult = dot.getAcc().getType();
  // Scales of the lhs lie along the rows of the result.
  if (isLhs != (depth == 1))
    scales = tile::PermuteOp::create(
        builder, loc,
        RankedTensorType::get({type.getDimSize(1), type.getDimSize(0)},
                              builder.getF32Type()),
        scales, ArrayRef<int64_t>({1, 0}));
  scales =
      tile::BroadcastOp::create(builder, loc, ofResult, scales,
                                builder.getI64ArrayAttr(ofResult.getShape()));
  Value sum = loop.getResult(*yieldedAs(dot.getResult()));
  auto product = arith::MulFOp::create(builder, loc, sum, scales);
  sum.replaceAllUsesExcept(product, product);
  return true;
}

namespace {
struct ScaleAfterDot : tilegpu::impl::ScaleAfterDotBase<ScaleAfterDot> {
  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    getOperation().walk([&](tile::DotOp dot) {
      auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
      if (!loop || !dot.getAcc().getType().getElementType().isF32() ||
          !isSumFromZero(dot, loop))
        return;
      if (scaleBehindLoop(dot, dot.getLhsMutable(), /*isLhs=*/true))
        ++numDots;
      if (scaleBehindLoop(dot, dot.getRhsMutable(), /*isLhs=*/false))
        ++numDots;
    });
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
