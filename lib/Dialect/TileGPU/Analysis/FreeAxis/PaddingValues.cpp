// Derives the padding of tiles from the padding of their operands.
#include "FreeAxis/PaddingValues.h"
#include "TileGPT/Conversion/TileToArith/ReduceCombiner.h"
#include "TileGPT/Dialect/Tile/Analysis/Elementwise.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilegpt::tilegpu {

bool changesShape(Operation *op) {
  return isa_and_nonnull<tile::ReshapeOp, tile::ExpandDimsOp,
                         tile::BroadcastOp>(op);
}

/// The constant that all elements of a tile are.
static std::optional<int64_t> numberOf(Value tile) {
  while (isa_and_nonnull<tile::SplatOp>(tile.getDefiningOp()) ||
         changesShape(tile.getDefiningOp()))
    tile = tile.getDefiningOp()->getOperand(0);
  Attribute value;
  if (!matchPattern(tile, m_Constant(&value)))
    return std::nullopt;
  if (auto splat = dyn_cast<SplatElementsAttr>(value))
    value = splat.getSplatValue<Attribute>();
  auto integer = dyn_cast<IntegerAttr>(value);
  return integer ? std::optional(integer.getValue().getSExtValue())
                 : std::nullopt;
}

void PaddingValues::addMasks(Value places) {
  for (OpOperand &use : places.getUses()) {
    Operation *user = use.getOwner();
    if (changesShape(user))
      addMasks(user->getResult(0));
    auto compare = dyn_cast<arith::CmpIOp>(user);
    if (!compare || use.getOperandNumber() != 0)
      continue;
    std::optional<int64_t> bound = numberOf(compare.getRhs());
    int64_t extent = *axis.extent;
    switch (compare.getPredicate()) {
    case arith::CmpIPredicate::slt:
    case arith::CmpIPredicate::ult:
      if (bound == extent)
        masks.push_back({compare, true});
      break;
    case arith::CmpIPredicate::sle:
    case arith::CmpIPredicate::ule:
      if (bound == extent - 1)
        masks.push_back({compare, true});
      break;
    case arith::CmpIPredicate::sge:
    case arith::CmpIPredicate::uge:
      if (bound == extent)
        masks.push_back({compare, false});
      break;
    case arith::CmpIPredicate::sgt:
    case arith::CmpIPredicate::ugt:
      if (bound == extent - 1)
        masks.push_back({compare, false});
      break;
    default:
      break;
    }
  }
}

static Attribute neutralFor(tile::ReduceOp reduce) {
  auto type = cast<RankedTensorType>(reduce.getSources().front().getType());
  return SplatElementsAttr::get(type, tile::identityOf(*reduce.getKind(),
                                                       reduce.getNanPolicy(),
                                                       type.getElementType()));
}

bool PaddingValues::areNeutral() {
  return llvm::all_of(axis.reductions, [&](tile::ReduceOp reduce) {
    Attribute padding = of(reduce.getSources().front());
    return padding && padding == neutralFor(reduce);
  });
}

static bool isInfinite(Attribute tile) {
  auto splat = dyn_cast_if_present<SplatElementsAttr>(tile);
  return splat && isa<FloatType>(splat.getElementType()) &&
         splat.getSplatValue<APFloat>().isInfinity();
}

/// The padding of a tile if it is constant; null if unknown.
Attribute PaddingValues::of(Value tile) {
  auto [it, isNew] = known.try_emplace(tile);
  if (!isNew)
    return it->second;
  Attribute value = derive(tile);
  known[tile] = value;
  return value;
}

Attribute PaddingValues::derive(Value tile) {
  Operation *op = tile.getDefiningOp();
  auto type = dyn_cast<RankedTensorType>(tile.getType());
  if (!op || !type)
    return {};
  auto splat = [&](Attribute element) -> Attribute {
    return SplatElementsAttr::get(type, element);
  };
  Builder builder(op->getContext());
  // Everything that earlier pieces contribute is elements.
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    unsigned number = cast<OpResult>(tile).getResultNumber();
    Operation *combine = loop.getYieldedValues()[number].getDefiningOp();
    if (auto sum = dyn_cast<math::FmaOp>(combine)) {
      Attribute zero = builder.getZeroAttr(type);
      return of(sum.getA()) == zero && of(sum.getB()) == zero ? zero
                                                              : Attribute();
    }
    return of(combine->getOperand(combine->getOperand(0) ==
                                  loop.getRegionIterArg(number)));
  }
  if (auto load = dyn_cast<tile::LoadOp>(op))
    return axis.axes.contains(tile) && load.getPad() == tile::PadKind::Zero
               ? splat(builder.getZeroAttr(type.getElementType()))
               : Attribute();
  for (auto [mask, inside] : masks)
    if (mask == op)
      return splat(builder.getIntegerAttr(type.getElementType(), !inside));
  if (auto choice = dyn_cast<arith::SelectOp>(op))
    if (auto which =
            dyn_cast_if_present<SplatElementsAttr>(of(choice.getCondition())))
      return of(which.getSplatValue<APInt>().isZero() ? choice.getFalseValue()
                                                      : choice.getTrueValue());
  if (changesShape(op) || isa<tile::SplatOp>(op)) {
    auto source = dyn_cast_if_present<SplatElementsAttr>(of(op->getOperand(0)));
    return source ? splat(source.getSplatValue<Attribute>()) : Attribute();
  }
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands())
    operands.push_back(of(operand));
  // Infinity minus a number; if that is infinite, so are elements.
  if (isa<arith::SubFOp>(op) && !operands[1] && isInfinite(operands[0]))
    return operands[0];
  if (!isa<arith::ConstantOp>(op) &&
      (!llvm::all_of(operands, [](Attribute value) { return bool(value); }) ||
       operands.empty()))
    return {};
  SmallVector<OpFoldResult> results;
  if (!isa<arith::ConstantOp>(op) && !tile::isElementwise(op))
    return {};
  if (failed(op->fold(operands, results)) || results.size() != 1)
    return {};
  if (auto attribute = dyn_cast<Attribute>(results[0]))
    return isa<SplatElementsAttr>(attribute) ? attribute : Attribute();
  return of(cast<Value>(results[0]));
}

} // namespace tilegpt::tilegpu
