// Scales the sum of a loop whose iterations share the scales, instead of an
// operand of its dot, so that the operand is used as it was loaded or
// converted.
#include "Simplify/DotPatterns.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotSchedule.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_SCALEAFTERLOOP
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

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
  auto product = lookThroughConversion(operand).getDefiningOp<arith::MulFOp>();
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
      tile = lookThroughConversion(tile);
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
struct ScaleAfterLoop : tilegpu::impl::ScaleAfterLoopBase<ScaleAfterLoop> {
  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    getOperation().walk([&](tile::DotOp dot) {
      auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
      if (!loop || !dot.getAcc().getType().getElementType().isF32() ||
          !isSumFromZero(dot, loop))
        return;
      if (scaleBehindLoop(dot, dot.getLhsMutable(), /*isLhs=*/true))
        ++numOperands;
      if (scaleBehindLoop(dot, dot.getRhsMutable(), /*isLhs=*/false))
        ++numOperands;
    });
  }
};
} // namespace
