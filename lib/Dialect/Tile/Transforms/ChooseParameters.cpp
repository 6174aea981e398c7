// Shrinks tile sizes that exceed the data of a launch.
#include "TensorSizes.h"
#include "TileGPT/Dialect/Tile/Analysis/TileFootprint.h"
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
  /// Upper bound of the sizes of `axes` in the operands of `launch`; nothing
  /// when there is none.
  std::optional<int64_t> boundOf(LaunchOp launch,
                                 ArrayRef<ArgumentAxis> axes) const {
    int64_t bound = 0;
    for (ArgumentAxis axis : axes) {
      std::optional<int64_t> size =
          boundOfSize(launch, launch.getOperand(axis.argument), axis.axis);
      if (!size && rows == 0)
        return std::nullopt;
      bound = std::max(bound, size.value_or(rows));
    }
    return bound;
  }

  void choose(LaunchOp launch, KernelOp kernel) {
    NamedAttrList chosen(launch.getParamsAttr());
    const TileFootprint footprint(kernel);
    for (ParamAttr param : kernel.getParams().getAsRange<ParamAttr>()) {
      auto defaultSize = dyn_cast<IntegerAttr>(param.getDefaultValue());
      if (!defaultSize || chosen.get(param.getName()))
        continue;
      // What also tiles something else (a window, an index tile, a tile that
      // is not loaded) says nothing about the data.
      std::optional<SmallVector<ArgumentAxis>> axes =
          footprint.loadedAxesOf(param.getName());
      if (!axes || axes->empty())
        continue;
      std::optional<int64_t> bound = boundOf(launch, *axes);
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
