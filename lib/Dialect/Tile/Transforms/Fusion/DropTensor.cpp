// Removes tensors that a fused kernel no longer stores.
#include "Fusion/DropTensor.h"
#include "KernelExpressions.h"

using namespace mlir;
using llvm::createStringError;
using llvm::Error;

namespace tilegpt::tile {

Error dropTensor(KernelOp kernel, BlockArgument tensor, Type element,
                 function_ref<std::optional<ArgumentAxis>(int64_t)> findSize) {
  pinElement(kernel, tensor.getArgNumber(), element);
  int64_t rank = cast<ViewType>(tensor.getType()).getRank();
  SmallVector<std::optional<ArgumentAxis>> same;
  for (int64_t axis = 0; axis < rank; ++axis)
    same.push_back(findSize(axis));
  std::optional<int64_t> missing;
  auto find = [&](int64_t axis) -> std::optional<ArgumentAxis> {
    if (!same[axis])
      missing = axis;
    return same[axis];
  };
  for (OpOperand &use : llvm::make_early_inc_range(tensor.getUses())) {
    auto change = [&](auto op) {
      if (auto other = find(op.getAxis())) {
        op.getViewMutable().assign(kernel.getArguments()[other->argument]);
        op.setAxis(other->axis);
      }
    };
    if (auto dim = dyn_cast<DimOp>(use.getOwner()))
      change(dim);
    else
      change(cast<NumTilesOp>(use.getOwner()));
  }
  // A requirement on a size that only the tensor has is void.
  keepRequirements(kernel, [&](ConditionAttr requirement) {
    return !readsSource(requirement, [&](Attribute source) {
      auto place = dyn_cast<DenseI64ArrayAttr>(source);
      return place && place[0] == tensor.getArgNumber() && !same[place[1]];
    });
  });
  mapExpressions(kernel, [&](Attribute source) -> Attribute {
    auto place = dyn_cast<DenseI64ArrayAttr>(source);
    if (!place)
      return source;
    SmallVector<int64_t> numbers(place.asArrayRef());
    if (numbers[0] == tensor.getArgNumber()) {
      auto other = find(numbers[1]);
      if (!other)
        return source;
      numbers = {other->argument, other->axis};
    }
    numbers[0] -= numbers[0] > tensor.getArgNumber();
    return DenseI64ArrayAttr::get(source.getContext(), numbers);
  });
  keepRequirements(kernel, [](ConditionAttr) { return true; });
  if (missing)
    return createStringError(
        "no other argument is known to have the size of axis " +
        Twine(*missing) + " of it");
  kernel.getEntryBlock()->eraseArgument(tensor.getArgNumber());
  return Error::success();
}

} // namespace tilegpt::tile
