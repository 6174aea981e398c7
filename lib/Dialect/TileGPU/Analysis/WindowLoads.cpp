// What the copy engine must know of a load of a window, and the conditions
// under which it can do it.
#include "TileGPT/Dialect/TileGPU/Analysis/WindowLoads.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/TileGPU/Analysis/PipeLoops.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// Panels of a buffer, and with them boxes, are as wide as the widest swizzle.
static constexpr int64_t panelBytes = 128;

static int64_t bytesOf(Type element) {
  return element.getIntOrFloatBitWidth() / 8;
}

int64_t WindowLoad::getBytes() {
  RankedTensorType tile = load.getType();
  return tile.getNumElements() * bytesOf(tile.getElementType());
}

TensorMapType WindowLoad::getMapType() {
  RankedTensorType tile = load.getType();
  SmallVector<int64_t> box(start.size() - 2, 1);
  box.push_back(tile.getDimSize(0));
  box.push_back(panelBytes / bytesOf(tile.getElementType()));
  return TensorMapType::get(load.getContext(), box, tile.getElementType(),
                            panelBytes);
}

SharedType WindowLoad::getRingType(int64_t stages) {
  RankedTensorType tile = load.getType();
  return SharedType::get(load.getContext(),
                         {stages, tile.getDimSize(0), tile.getDimSize(1)},
                         tile.getElementType(), panelBytes, /*padding=*/0);
}

bool WindowLoad::isReproducible() {
  bool startIs = llvm::all_of(start, [](ArrayRef<OpFoldResult> parts) {
    return llvm::all_of(parts, [](OpFoldResult part) {
      auto value = dyn_cast<Value>(part);
      return !value || canReproduce(value);
    });
  });
  return startIs && llvm::all_of(load.getIndices(), canReproduce);
}

SmallVector<Value> WindowLoad::getFirstElement(OpBuilder &builder,
                                               IRMapping &known) {
  Location loc = load.getLoc();
  Arithmetic math(builder, loc);
  SmallVector<Value> place;
  size_t hidden = start.size() - load.getIndices().size();
  for (auto [axis, parts] : llvm::enumerate(start)) {
    Value sum;
    auto add = [&](Value part) { sum = sum ? math.add(sum, part) : part; };
    if (axis >= hidden)
      add(math.mul(
          reproduceScalar(builder, load.getIndices()[axis - hidden], known),
          load.getType().getDimSize(axis - hidden)));
    for (OpFoldResult part : parts)
      if (auto value = dyn_cast<Value>(part))
        add(reproduceScalar(builder, value, known));
      else
        add(arith::ConstantIndexOp::create(builder, loc,
                                           *getConstantIntValue(part)));
    place.push_back(sum);
  }
  return place;
}

std::optional<WindowLoad> matchWindowLoad(tile::LoadOp load,
                                          std::string *reason) {
  auto no = [&](StringRef why) {
    if (reason)
      *reason = why.str();
    return std::nullopt;
  };
  constexpr int64_t maxBoxRows = 256;
  RankedTensorType tile = load.getType();
  if (load.getMask() || load.getOrder() || load.getPad() != tile::PadKind::Zero)
    return no("a load has a mask, an order or a pad value");
  if (tile.getRank() != 2 || !tile.hasStaticShape() ||
      tile.getDimSize(0) > maxBoxRows ||
      tile.getDimSize(1) * bytesOf(tile.getElementType()) % panelBytes != 0)
    return no("an operand has more than 256 rows, or rows that are no multiple "
              "of 128 bytes");
  if (!isConstantIntValue(OpFoldResult(load.getIndices()[1]), 0))
    return no("an operand does not begin with its rows");

  std::optional<Window> window =
      matchWindow(load.getView(), tile.getDimSize(1), reason);
  return window ? std::optional(WindowLoad{*window, load}) : std::nullopt;
}

std::optional<Window> matchWindow(Value view, int64_t width,
                                  std::string *reason) {
  auto no = [&](StringRef why) {
    if (reason)
      *reason = why.str();
    return std::nullopt;
  };
  Window match{{}, {{}, {}}, {}};
  bool isWindow = false;
  while (Operation *op = view.getDefiningOp()) {
    if (auto select = dyn_cast<tile::SelectOp>(op)) {
      SmallVector<SmallVector<OpFoldResult>> fixed;
      for (Value index : select.getIndices())
        fixed.push_back({index});
      match.start.insert(match.start.begin(), fixed.begin(), fixed.end());
      view = select.getSource();
      continue;
    }
    auto window = dyn_cast<tile::SubviewOp>(op);
    if (!window)
      return no(
          "an operand comes from a view that is no window of an argument");
    Builder builder(op->getContext());
    SmallVector<OpFoldResult> offsets =
                                  getMixedValues(window.getStaticOffsets(),
                                                 window.getOffsets(), builder),
                              sizes =
                                  getMixedValues(window.getStaticSizes(),
                                                 window.getSizes(), builder);
    for (auto [parts, offset] : llvm::zip_equal(match.start, offsets))
      if (!isConstantIntValue(offset, 0))
        parts.push_back(offset);
    if (!isWindow) {
      size_t rank = sizes.size();
      if (getConstantIntValue(sizes[rank - 1]) != width)
        return no("an operand is not as wide as its window");
      match.rows = sizes[rank - 2];
      isWindow = true;
    }
    view = window.getSource();
  }
  match.root = dyn_cast<BlockArgument>(view);
  if (!match.root || !isa<tile::KernelOp>(match.root.getOwner()->getParentOp()))
    return no("an operand comes from a view that is no window of an argument");
  auto type = cast<tile::ViewType>(match.root.getType());
  if (!suitsTma(type))
    return no("a view has rows that are not multiples of 16 bytes");
  // A window that is as long as the argument ends with it.
  size_t row = match.start.size() - 2;
  if (isWindow && match.start[row].empty() &&
      getConstantIntValue(match.rows) == type.getShape()[row])
    match.rows = {};
  return match;
}

} // namespace tilegpt::tilegpu
