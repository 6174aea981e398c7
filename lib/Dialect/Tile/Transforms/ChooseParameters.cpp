// Shrinks tile sizes that exceed the data of a launch.
#include "TileGPT/Dialect/Tile/Transforms/EachLaunch.h"
#include "TileGPT/Dialect/Tile/Transforms/Passes.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tilegpt::tile {
#define GEN_PASS_DEF_CHOOSEPARAMETERSPASS
#include "TileGPT/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilegpt::tile

using namespace tilegpt::tile;

namespace {

/// An axis of a kernel argument.
struct Axis {
  unsigned argument;
  int64_t axis;
};

/// The axes of arguments that `param` tiles in loads. False when it also tiles
/// something else (a window, an index tile, a tile that is not loaded), whose
/// size says nothing about the data.
static bool collectTiledAxes(KernelOp kernel, StringRef param,
                             SmallVectorImpl<Axis> &axes) {
  WalkResult walk = kernel.getBody().walk([&](LoadOp load) {
    auto argument = dyn_cast<BlockArgument>(load.getView());
    for (auto [position, size] : llvm::enumerate(load.getSizes())) {
      auto name = dyn_cast<StringAttr>(size);
      if (!name || name != param)
        continue;
      if (!argument)
        return WalkResult::interrupt();
      int64_t axis = load.getOrder() ? (*load.getOrder())[position]
                                     : static_cast<int64_t>(position);
      axes.push_back({argument.getArgNumber(), axis});
    }
    return WalkResult::advance();
  });
  return !walk.wasInterrupted() && !axes.empty();
}

class ChooseParameters
    : public tilegpt::tile::impl::ChooseParametersPassBase<ChooseParameters> {
public:
  using ChooseParametersPassBase::ChooseParametersPassBase;

  void runOnOperation() override {
    forEachLaunch(getOperation(), [&](LaunchOp launch, KernelOp kernel) {
      choose(launch, kernel);
    });
  }

private:
  /// Upper bound of every size that is not static around `launch`: the largest
  /// N of the plan it belongs to.
  std::optional<int64_t> boundOfOpenSizes(LaunchOp launch) const {
    for (Operation *op = launch; op; op = op->getParentOp())
      if (auto range = op->getAttrOfType<DenseI64ArrayAttr>(rowsAttr);
          range && range.size() == 2)
        return range[1];
    return rows > 0 ? std::optional<int64_t>(rows) : std::nullopt;
  }

  /// Upper bound of the sizes of `axes` in the operands of `launch`; nothing
  /// when there is none.
  std::optional<int64_t> boundOf(LaunchOp launch, ArrayRef<Axis> axes) const {
    std::optional<int64_t> openSize = boundOfOpenSizes(launch);
    int64_t bound = 0;
    for (Axis axis : axes) {
      auto type =
          cast<RankedTensorType>(launch.getOperand(axis.argument).getType());
      if (type.isDynamicDim(axis.axis) && !openSize)
        return std::nullopt;
      bound = std::max(bound, type.isDynamicDim(axis.axis)
                                  ? *openSize
                                  : type.getDimSize(axis.axis));
    }
    return bound;
  }

  void choose(LaunchOp launch, KernelOp kernel) {
    NamedAttrList chosen(launch.getParamsAttr());
    for (ParamAttr param : kernel.getParams().getAsRange<ParamAttr>()) {
      auto defaultSize = dyn_cast<IntegerAttr>(param.getDefaultValue());
      SmallVector<Axis> axes;
      if (!defaultSize || chosen.get(param.getName()) ||
          !collectTiledAxes(kernel, param.getName(), axes))
        continue;
      std::optional<int64_t> bound = boundOf(launch, axes);
      if (!bound)
        continue;
      int64_t best = defaultSize.getInt();
      for (IntegerAttr candidate :
           param.getCandidates().getAsRange<IntegerAttr>())
        if (candidate.getInt() >= *bound && candidate.getInt() < best)
          best = candidate.getInt();
      if (best == defaultSize.getInt())
        continue;
      chosen.set(param.getName(),
                 Builder(&getContext()).getI64IntegerAttr(best));
      ++numChosen;
    }
    if (!chosen.empty())
      launch.setParamsAttr(chosen.getDictionary(&getContext()));
  }
};

} // namespace
