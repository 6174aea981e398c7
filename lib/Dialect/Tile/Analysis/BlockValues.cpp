// Follows views through the ops that create them, and folds integer arithmetic.
#include "BlockValues.h"
#include "llvm/ADT/TypeSwitch.h"
#include <numeric>

using namespace mlir;

namespace tilegpt::tile {

void BlockValues::addArgument(BlockArgument view, ArrayRef<int64_t> sizes) {
  ViewWindow &window = windows[view];
  window.argument = view.getArgNumber();
  window.sizes = llvm::to_vector(sizes);
  window.offsets.assign(sizes.size(), 0);
  window.axes.resize(sizes.size());
  std::iota(window.axes.begin(), window.axes.end(), 0);
}

bool BlockValues::visitView(Operation &op) {
  auto sourceOf = [&](Value view) -> std::optional<ViewWindow> {
    const ViewWindow *found = windowOf(view);
    return found ? std::optional(*found) : std::nullopt;
  };
  return llvm::TypeSwitch<Operation *, bool>(&op)
      .Case([&](SubviewOp subview) {
        std::optional<ViewWindow> window = sourceOf(subview.getSource());
        if (!window)
          return true;
        auto part = [&](ArrayRef<int64_t> numbers, OperandRange values,
                        size_t axis) -> std::optional<int64_t> {
          if (!ShapedType::isDynamic(numbers[axis]))
            return numbers[axis];
          size_t place =
              llvm::count_if(numbers.take_front(axis), ShapedType::isDynamic);
          return valueOf(values[place]);
        };
        for (size_t axis = 0; axis < window->sizes.size(); ++axis) {
          auto offset =
              part(subview.getStaticOffsets(), subview.getOffsets(), axis);
          auto size = part(subview.getStaticSizes(), subview.getSizes(), axis);
          std::optional<int64_t> &begin = window->offsets[window->axes[axis]];
          begin =
              begin && offset ? std::optional(*begin + *offset) : std::nullopt;
          if (size)
            window->sizes[axis] = std::min(window->sizes[axis], *size);
          else
            unknownSizes = true;
        }
        windows[subview.getResult()] = std::move(*window);
        return true;
      })
      .Case([&](SelectOp select) {
        std::optional<ViewWindow> window = sourceOf(select.getSource());
        if (!window)
          return true;
        const size_t dropped = select.getIndices().size();
        for (auto [axis, index] : llvm::enumerate(select.getIndices())) {
          std::optional<int64_t> &begin = window->offsets[window->axes[axis]];
          std::optional<int64_t> number = valueOf(index);
          begin =
              begin && number ? std::optional(*begin + *number) : std::nullopt;
        }
        window->sizes.erase(window->sizes.begin(),
                            window->sizes.begin() + dropped);
        window->axes.erase(window->axes.begin(),
                           window->axes.begin() + dropped);
        windows[select.getResult()] = std::move(*window);
        return true;
      })
      .Case([&](TransposeOp transpose) {
        std::optional<ViewWindow> source = sourceOf(transpose.getSource());
        if (!source)
          return true;
        ViewWindow window = *source;
        for (auto [axis, from] : llvm::enumerate(transpose.getPermutation())) {
          window.sizes[axis] = source->sizes[from];
          window.axes[axis] = source->axes[from];
        }
        windows[transpose.getResult()] = std::move(window);
        return true;
      })
      .Case([&](DimOp dim) {
        if (auto window = sourceOf(dim.getView()))
          set(dim.getResult(), window->sizes[dim.getAxis()]);
        return true;
      })
      .Case([&](NumTilesOp tiles) {
        auto size = dyn_cast<IntegerAttr>(tiles.getSizes()[0]);
        auto window = sourceOf(tiles.getView());
        if (size && window)
          set(tiles.getResult(),
              llvm::divideCeil(window->sizes[tiles.getAxis()], size.getInt()));
        return true;
      })
      .Default(false);
}

void BlockValues::fold(Operation &op) {
  SmallVector<Attribute> operands;
  for (Value operand : op.getOperands()) {
    Attribute value = constants.lookup(operand);
    if (!value)
      return;
    operands.push_back(value);
  }
  for (Type type : op.getResultTypes())
    if (auto tile = dyn_cast<ShapedType>(type);
        tile && (!tile.hasStaticShape() || tile.getNumElements() > 1))
      return;
  SmallVector<OpFoldResult> results;
  if (op.getNumRegions() != 0 || failed(op.fold(operands, results)))
    return;
  for (auto [result, value] : llvm::zip(op.getResults(), results))
    if (auto attribute = dyn_cast<Attribute>(value))
      constants[result] = attribute;
    else if (Attribute known = constants.lookup(cast<Value>(value)))
      constants[result] = known;
}

} // namespace tilegpt::tile
