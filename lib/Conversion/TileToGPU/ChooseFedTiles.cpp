// One to three warp groups of 64 rows: as many as leave every multiprocessor a
// tile or two.
#include "ChooseFedTiles.h"
#include "LaunchSizes.h"

using namespace mlir;
using namespace tilegpt;

namespace tilegpt::tilegpu {

std::optional<WindowProduct> findWindowProduct(tile::KernelOp kernel) {
  std::optional<WindowProduct> found;
  kernel.walk([&](tile::DotOp dot) {
    auto lhs = dot.getLhs().getDefiningOp<tile::LoadOp>(),
         rhs = dot.getRhs().getDefiningOp<tile::LoadOp>();
    if (!lhs || !rhs || dot.getTransposeA() || !dot.getTransposeB() ||
        lhs.getSizes().size() != 2 || rhs.getSizes().size() != 2 ||
        lhs.getOrder() || rhs.getOrder() ||
        !isa_and_nonnull<tile::SubviewOp, tile::SelectOp>(
            rhs.getView().getDefiningOp()))
      return WalkResult::advance();
    auto rows = dyn_cast<StringAttr>(lhs.getSizes()[0]),
         columns = dyn_cast<StringAttr>(rhs.getSizes()[0]),
         depth = dyn_cast<StringAttr>(lhs.getSizes()[1]);
    if (!rows || !columns || !depth || rhs.getSizes()[1] != depth)
      return WalkResult::advance();
    found = WindowProduct{rows, columns, depth};
    return WalkResult::interrupt();
  });
  return found;
}

static bool admits(tile::KernelOp kernel, StringAttr name, int64_t size) {
  return kernel.lookupParam(name).admits(
      Builder(kernel.getContext()).getI64IntegerAttr(size));
}

std::optional<FedTiles> chooseFedTiles(
    tile::LaunchOp launch, tile::KernelOp kernel, const WindowProduct &product,
    const target::GpuTarget &target, int64_t multiprocessors,
    llvm::function_ref<std::optional<int64_t>(unsigned, unsigned)> sizeOf) {
  constexpr int64_t columns = 128, depthUnit = 64, mostDepth = 128;
  LaunchSizes sizes(kernel, sizeOf);
  std::optional<int64_t> depth = sizes.evaluate(product.depth);
  bool isHalf = llvm::all_of(launch->getOperandTypes(), [](Type type) {
    Type element = getElementTypeOrSelf(type);
    return !isa<FloatType>(element) || element.isBF16() || element.isF16();
  });
  if (!target.hasTma || !target.hasWgmma || !isHalf || !depth ||
      *depth % depthUnit != 0 || *depth > mostDepth ||
      !admits(kernel, product.columns, columns))
    return std::nullopt;

  // Three groups have registers for 64 columns of a result. Each block should
  // have three tiles then, for light ones to follow heavy ones.
  struct Choice {
    int64_t rows, mostDepth, tiles;
  };
  const Choice choices[] = {{192, 64, 3 * multiprocessors},
                            {128, 128, multiprocessors},
                            {64, 128, 0}};
  for (Choice choice : choices) {
    std::optional<int64_t> blocks =
        sizes.countBlocks({{product.rows.getValue(), choice.rows},
                           {product.columns.getValue(), columns}});
    if (*depth <= choice.mostDepth &&
        admits(kernel, product.rows, choice.rows) && blocks &&
        *blocks >= choice.tiles)
      return FedTiles{choice.rows, columns};
  }
  return std::nullopt;
}

} // namespace tilegpt::tilegpu
