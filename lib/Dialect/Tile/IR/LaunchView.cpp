// The attribute form of views that a launch makes.
#include "TileGPT/Dialect/Tile/IR/LaunchView.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"

using namespace mlir;

namespace tilegpt::tile {

static constexpr llvm::StringLiteral pointerName = "pointer",
                                     alignmentName = "alignment",
                                     sizesName = "size_divisors",
                                     stridesName = "stride_divisors",
                                     wordsName = "words";

std::optional<LaunchView> LaunchView::parse(Attribute attribute) {
  auto entries = dyn_cast_or_null<DictionaryAttr>(attribute);
  if (!entries)
    return std::nullopt;
  auto pointer = entries.getAs<IntegerAttr>(pointerName),
       alignment = entries.getAs<IntegerAttr>(alignmentName);
  auto sizes = entries.getAs<DenseI64ArrayAttr>(sizesName),
       strides = entries.getAs<DenseI64ArrayAttr>(stridesName);
  auto words = entries.getAs<AffineMapAttr>(wordsName);
  if (!pointer || !alignment || !sizes || !strides || !words)
    return std::nullopt;
  return LaunchView{pointer.getInt(), alignment.getInt(),
                    SmallVector<int64_t>(sizes.asArrayRef()),
                    SmallVector<int64_t>(strides.asArrayRef()),
                    words.getValue()};
}

DictionaryAttr LaunchView::toAttribute(MLIRContext *context) const {
  Builder builder(context);
  auto entry = [&](StringRef name, Attribute value) {
    return builder.getNamedAttr(name, value);
  };
  return builder.getDictionaryAttr(
      {entry(pointerName, builder.getI64IntegerAttr(pointer)),
       entry(alignmentName, builder.getI64IntegerAttr(alignment)),
       entry(sizesName, builder.getDenseI64ArrayAttr(sizeDivisors)),
       entry(stridesName, builder.getDenseI64ArrayAttr(strideDivisors)),
       entry(wordsName, AffineMapAttr::get(words))});
}

std::optional<LaunchView> LaunchView::of(Value view) {
  auto argument = dyn_cast<BlockArgument>(view);
  auto kernel = argument
                    ? dyn_cast<KernelOp>(argument.getOwner()->getParentOp())
                    : KernelOp();
  if (!kernel)
    return std::nullopt;
  ArrayAttr views = kernel.getLaunchViews();
  const size_t declared = kernel.getArguments().size() - views.size();
  if (argument.getArgNumber() < declared)
    return std::nullopt;
  return parse(views[argument.getArgNumber() - declared]);
}

SmallVector<int64_t> divisorsOfStrides(Value view) {
  SmallVector<int64_t> strides =
      cast<ViewType>(view.getType()).getKnownStrides();
  const std::optional<LaunchView> launch = LaunchView::of(view);
  for (auto [axis, stride] : llvm::enumerate(strides))
    if (ShapedType::isDynamic(stride))
      stride = launch ? launch->strideDivisors[axis] : 1;
  return strides;
}

} // namespace tilegpt::tile
