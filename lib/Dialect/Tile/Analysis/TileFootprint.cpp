// Footprints of the loads and stores of a kernel, and the kind of its body.
#include "TileGPT/Dialect/Tile/Analysis/TileFootprint.h"
#include "TileGPT/Dialect/Tile/Analysis/Elementwise.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilegpt::tile {

StringRef nameOf(BodyClass bodyClass) {
  switch (bodyClass) {
  case BodyClass::Pointwise:
    return "pointwise";
  case BodyClass::Rowwise:
    return "rowwise";
  case BodyClass::Product:
    return "product";
  case BodyClass::Other:
    return "other";
  }
  llvm_unreachable("a class without a name");
}

static AxisFootprint footprintOf(Value index, Attribute size) {
  if (auto id = index.getDefiningOp<BlockIdOp>())
    return {TileIndex::BlockId, int64_t(id.getAxis()), size};
  if (isConstantIntValue(index, 0))
    return {TileIndex::Zero, -1, size};
  if (auto argument = dyn_cast<BlockArgument>(index))
    if (auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
        loop && loop.getInductionVar() == index)
      return {TileIndex::LoopVariable, -1, size};
  return {TileIndex::Opaque, -1, size};
}

void TileFootprint::addAccess(Operation *op) {
  AccessFootprint access;
  access.op = op;
  std::optional<ArrayRef<int64_t>> order;
  if (auto load = dyn_cast<LoadOp>(op)) {
    access.tile = load.getResult();
    access.view = load.getView();
    access.isStore = false;
    access.indices = llvm::to_vector(load.getIndices());
    access.isMasked = bool(load.getMask());
    order = load.getOrder();
  } else if (auto store = dyn_cast<StoreOp>(op)) {
    access.tile = store.getValue();
    access.view = store.getView();
    access.isStore = true;
    access.indices = llvm::to_vector(store.getIndices());
    access.isMasked = bool(store.getMask());
    order = store.getOrder();
  } else {
    return;
  }
  access.argument = dyn_cast<BlockArgument>(access.view);
  access.isPermuted = order.has_value();
  access.isUnconditional = op->getBlock() == kernel.getEntryBlock();
  access.axes.resize(access.indices.size());
  for (int64_t axis = 0; axis < int64_t(access.indices.size()); ++axis) {
    int64_t viewAxis = order ? (*order)[axis] : axis;
    access.axes[viewAxis] =
        footprintOf(access.indices[viewAxis], axes.sizeOf(access.tile, axis));
  }
  accesses.push_back(std::move(access));
}

SmallVector<const AccessFootprint *>
TileFootprint::accessesOf(unsigned argument, bool stores) const {
  SmallVector<const AccessFootprint *> found;
  for (const AccessFootprint &access : accesses)
    if (access.argument && access.argument.getArgNumber() == argument &&
        access.isStore == stores)
      found.push_back(&access);
  return found;
}

/// Whether an op keeps elements in place, or only concerns sizes and views.
static bool isPlain(Operation *op) {
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return keptAxes(reshape).has_value();
  return isElementwise(op) || op->hasTrait<OpTrait::ConstantLike>() ||
         isa<LoadOp, StoreOp, SplatOp, BroadcastOp, ExpandDimsOp, BlockIdOp,
             ParamOp, DimOp, NumTilesOp, SubviewOp, SelectOp, TransposeOp,
             AssumeOp, ReturnOp>(op);
}

static BodyClass classify(KernelOp kernel) {
  SmallVector<DotOp> dots;
  bool reduces = false, loops = false, isOther = false;
  kernel.getBody().walk([&](Operation *op) {
    if (op->getParentOfType<ReduceOp>())
      return;
    if (auto dot = dyn_cast<DotOp>(op)) {
      dots.push_back(dot);
    } else if (isa<ReduceOp>(op)) {
      reduces = true;
      // Such a loop carries more than accumulators.
      isOther |= bool(op->getParentOfType<scf::ForOp>());
    } else if (isa<scf::ForOp>(op)) {
      loops = true;
    } else {
      isOther |= !isPlain(op) && !isa<scf::YieldOp>(op);
    }
  });
  if (isOther || (loops && dots.empty()))
    return BodyClass::Other;
  for (DotOp dot : dots) {
    // Sources of the factors; loops that carry an accumulator are not followed.
    SetVector<Operation *> slice;
    BackwardSliceOptions options;
    options.omitBlockArguments = true;
    for (Value factor : {dot.getLhs(), dot.getRhs()})
      if (failed(getBackwardSlice(factor, &slice, options)))
        return BodyClass::Other;
    if (llvm::any_of(slice, llvm::IsaPred<DotOp, scf::ForOp>))
      return BodyClass::Other;
  }
  if (!dots.empty())
    return BodyClass::Product;
  return reduces ? BodyClass::Rowwise : BodyClass::Pointwise;
}

TileFootprint::TileFootprint(KernelOp kernel) : kernel(kernel), axes(kernel) {
  kernel.getBody().walk([&](Operation *op) { addAccess(op); });
  bodyClass = classify(kernel);
}

std::optional<ArgumentAxis> TileFootprint::wholeAxisOf(Attribute size) const {
  auto name = dyn_cast_or_null<StringAttr>(size);
  KernelOp op = kernel;
  ParamAttr param = name ? op.lookupParam(name) : ParamAttr();
  auto expr = param ? dyn_cast<ExprAttr>(param.getDefaultValue()) : ExprAttr();
  if (!expr || expr.getSources().size() != 1 ||
      !isa<AffineSymbolExpr>(expr.getMap().getResult(0)))
    return std::nullopt;
  auto source = dyn_cast<DenseI64ArrayAttr>(expr.getSources()[0]);
  if (!source || source.size() != 2)
    return std::nullopt;
  return ArgumentAxis{unsigned(source[0]), source[1]};
}

std::optional<ArgumentAxis> TileFootprint::tiledAxisOf(int64_t gridAxis,
                                                       Attribute size) const {
  KernelOp op = kernel;
  if (!size || gridAxis >= int64_t(op.getGrid().size()))
    return std::nullopt;
  auto expr = cast<ExprAttr>(op.getGrid()[gridAxis]);
  AffineExpr blocks = expr.getMap().getResult(0), counted = blocks;
  auto sourceOf = [&](AffineExpr symbol) {
    return expr.getSources()[cast<AffineSymbolExpr>(symbol).getPosition()];
  };
  if (auto number = dyn_cast<IntegerAttr>(size);
      !number || number.getInt() != 1) {
    auto quotient = dyn_cast<AffineBinaryOpExpr>(blocks);
    if (!quotient || quotient.getKind() != AffineExprKind::CeilDiv)
      return std::nullopt;
    counted = quotient.getLHS();
    AffineExpr divisor = quotient.getRHS();
    if (number) {
      auto constant = dyn_cast<AffineConstantExpr>(divisor);
      if (!constant || constant.getValue() != number.getInt())
        return std::nullopt;
    } else if (!isa<AffineSymbolExpr>(divisor) || sourceOf(divisor) != size) {
      return std::nullopt;
    }
  }
  if (!isa<AffineSymbolExpr>(counted))
    return std::nullopt;
  auto source = dyn_cast<DenseI64ArrayAttr>(sourceOf(counted));
  if (!source || source.size() != 2)
    return std::nullopt;
  return ArgumentAxis{unsigned(source[0]), source[1]};
}

std::optional<SmallVector<ArgumentAxis>>
TileFootprint::loadedAxesOf(StringRef param) const {
  SmallVector<ArgumentAxis> found;
  for (const AccessFootprint &access : accesses) {
    auto load = dyn_cast<LoadOp>(access.op);
    if (!load)
      continue;
    for (auto [position, size] : llvm::enumerate(load.getSizes())) {
      auto name = dyn_cast<StringAttr>(size);
      if (!name || name != param)
        continue;
      if (!access.argument)
        return std::nullopt;
      found.push_back(
          {access.argument.getArgNumber(),
           load.getOrder() ? (*load.getOrder())[position] : int64_t(position)});
    }
  }
  return found;
}

} // namespace tilegpt::tile
