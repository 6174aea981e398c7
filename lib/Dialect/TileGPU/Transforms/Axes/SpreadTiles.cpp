// Computes what differs along one of several merged axes for every element.
#include "Axes/SpreadTiles.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include "TileGPT/Dialect/Tile/Analysis/Elementwise.h"
#include "TileGPT/Dialect/Tile/Analysis/TileOf.h"
#include "TileGPT/Dialect/TileGPU/Analysis/FreeAxis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace mlir;

namespace tilegpt::tilegpu {

std::optional<TileSpread> TileSpread::of(tile::BroadcastOp broadcast,
                                         const AxisRange &range) {
  ArrayRef<int64_t> to = broadcast.getType().getShape(),
                    from = broadcast.getSource().getType().getShape();
  if (int64_t(to.size()) != range.end() || range.end() - range.first < 2 ||
      to.drop_front(range.first) != ArrayRef(range.sizes))
    return std::nullopt;
  TileSpread spread(broadcast, range);
  int64_t behind = 1, found = 0;
  const int64_t added = to.size() - from.size();
  for (int64_t axis = int64_t(to.size()) - 1; axis >= added; --axis) {
    int64_t size = from[axis - added];
    if (size != 1) {
      if (++found > 1 || axis < range.first || size != to[axis])
        return std::nullopt;
      spread.entries = size;
      spread.repeats = behind;
    }
    behind *= to[axis];
  }
  spread.shape = range.merge(to);
  return found == 1 && spread.accept(broadcast.getSource())
             ? std::optional(spread)
             : std::nullopt;
}

bool TileSpread::acceptLoad(tile::LoadOp load) const {
  auto view = cast<tile::ViewType>(load.getView().getType());
  IndexFacts facts;
  BlockArgument root = facts.ofView(load.getView()).root;
  auto kernel = load->getParentOfType<tile::KernelOp>();
  ArrayRef<int64_t> tile = load.getType().getShape();
  return root && root.getArgNumber() < kernel.getNumIns() && !load.getMask() &&
         !load.getOrder() && load.getPad() == tile::PadKind::Zero &&
         load.getType().getRank() == view.getRank() && tile.back() == entries &&
         load.getType().getNumElements() == entries &&
         view.getShape().back() % entries == 0;
}

/// Whether a value has an element for each entry, or one for all, and can be
/// computed for every element instead.
bool TileSpread::accept(Value value) const {
  RankedTensorType type = tileOf(value);
  Operation *op = value.getDefiningOp();
  if (!type)
    return true;
  if (type.getNumElements() == 1)
    return true;
  if (!op || type.getNumElements() != entries || op->getNumResults() != 1)
    return false;
  if (auto load = dyn_cast<tile::LoadOp>(op))
    return acceptLoad(load);
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isa<SplatElementsAttr>(constant.getValue());
  if (isa<tile::ReshapeOp, tile::ExpandDimsOp, tile::BroadcastOp,
          tile::SplatOp>(op) ||
      (tile::isElementwise(op) && op->getNumRegions() == 0))
    return llvm::all_of(op->getOperands(),
                        [&](Value operand) { return accept(operand); });
  return false;
}

/// The entry of each element.
/// \param index  the tile of entries.
Value TileSpread::makeNumbers(OpBuilder &builder, Value index) {
  Location loc = broadcast.getLoc();
  const int64_t length = shape.back();
  auto type = RankedTensorType::get({length}, builder.getI32Type());
  auto constant = [&](int64_t number) {
    return arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(type, builder.getI32IntegerAttr(number)));
  };
  Value numbers = tile::IotaOp::create(builder, loc, type,
                                       builder.getI64ArrayAttr({length}));
  // In two steps, of which the first gives all elements of a thread's access
  // the same number.
  constexpr int64_t mostOfAccess = 8;
  const int64_t adjacent = std::gcd(repeats, mostOfAccess);
  for (int64_t divisor : {adjacent, repeats / adjacent})
    if (divisor != 1)
      numbers =
          arith::DivUIOp::create(builder, loc, numbers, constant(divisor));
  if (entries * repeats != length)
    numbers = arith::RemUIOp::create(builder, loc, numbers, constant(entries));
  if (!isConstantIntValue(index, 0)) {
    Value start = arith::IndexCastOp::create(
        builder, loc, builder.getI32Type(),
        Arithmetic(builder, loc).mul(index, entries));
    numbers = arith::AddIOp::create(
        builder, loc, numbers,
        tile::SplatOp::create(builder, loc, type, start,
                              builder.getI64ArrayAttr({length})));
  }
  return numbers;
}

Value TileSpread::gather(OpBuilder &builder, tile::LoadOp load) {
  Location loc = load.getLoc();
  Value view = load.getView();
  auto type = cast<tile::ViewType>(view.getType());
  if (type.getRank() > 1)
    view = tile::SelectOp::create(
        builder, loc,
        tile::ViewType::get(builder.getContext(), type.getShape().take_back(),
                            type.getElementType(), {}),
        view, load.getIndices().drop_back());
  const int64_t length = shape.back();
  auto vector =
      RankedTensorType::get({length}, load.getType().getElementType());
  Value entry =
      tile::GatherOp::create(builder, loc, vector, view, ValueRange(),
                             makeNumbers(builder, load.getIndices().back()),
                             /*mask=*/Value(), /*axis=*/0,
                             builder.getI64ArrayAttr({length}), load.getPad());
  return tile::BroadcastOp::create(builder, loc, vector.clone(shape), entry,
                                   builder.getI64ArrayAttr(shape));
}

Value TileSpread::spread(OpBuilder &builder, Value value) {
  RankedTensorType type = tileOf(value);
  if (!type)
    return value;
  Location loc = broadcast.getLoc();
  auto sizes = builder.getI64ArrayAttr(shape);
  if (type.getNumElements() == 1) {
    SmallVector<int64_t> ones(shape.size(), 1);
    Value one = builder.createOrFold<tile::ReshapeOp>(
        loc, type.clone(ones), value, builder.getI64ArrayAttr(ones));
    return tile::BroadcastOp::create(builder, loc, type.clone(shape), one,
                                     sizes);
  }
  Operation *op = value.getDefiningOp();
  if (auto load = dyn_cast<tile::LoadOp>(op))
    return gather(builder, load);
  if (isa<tile::ReshapeOp, tile::ExpandDimsOp, tile::BroadcastOp>(op))
    return spread(builder, op->getOperand(0));
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return arith::ConstantOp::create(
        builder, loc,
        cast<SplatElementsAttr>(constant.getValue())
            .resizeSplat(type.clone(shape)));
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, spread(builder, operand));
  Operation *again = builder.clone(*op, mapping);
  retypeTile(again->getResult(0), type.clone(shape));
  return again->getResult(0);
}

Value TileSpread::emit(OpBuilder &builder) {
  builder.setInsertionPoint(broadcast);
  return spread(builder, broadcast.getSource());
}

} // namespace tilegpt::tilegpu
