// Shrinks tile sizes that exceed the data of a launch.
#include "Normalize/TensorSizes.h"
#include "TileGPT/Dialect/Tile/Analysis/TileFootprint.h"
#include "TileGPT/Dialect/Tile/IR/ExprRange.h"
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
  /// Upper bound of the sizes of `axes` in the operands of `launch`; nothing if
  /// there is none.
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

  /// Upper bound of the extent that the grid divides by `param`, such as the
  /// tokens of a sequence in `ceildiv(floordiv(dim(%x, 0), dim(%p, 0)), BM)`;
  /// nothing if it occurs in the grid in another form, or not exactly once.
  std::optional<int64_t> boundInGrid(LaunchOp launch, KernelOp kernel,
                                     StringAttr param) const {
    std::optional<int64_t> bound;
    for (ExprAttr blocks : kernel.getGrid().getAsRange<ExprAttr>()) {
      const auto found = llvm::find(blocks.getSources(), Attribute(param));
      if (found == blocks.getSources().end())
        continue;
      const unsigned symbol = found - blocks.getSources().begin();
      auto quotient =
          dyn_cast<AffineBinaryOpExpr>(blocks.getMap().getResult(0));
      if (bound || !quotient || quotient.getKind() != AffineExprKind::CeilDiv ||
          quotient.getRHS() !=
              getAffineSymbolExpr(symbol, param.getContext()) ||
          quotient.getLHS().isFunctionOfSymbol(symbol))
        return std::nullopt;
      SmallVector<Interval> sizes;
      for (Attribute source : blocks.getSources()) {
        Interval &size = sizes.emplace_back();
        auto dim = dyn_cast<DenseI64ArrayAttr>(source);
        if (!dim || dim.size() != 2)
          continue;
        const std::optional<int64_t> most =
            boundOf(launch, ArgumentAxis{unsigned(dim[0]), dim[1]});
        auto type = cast<RankedTensorType>(launch.getOperand(dim[0]).getType());
        size.lo = type.isDynamicDim(dim[1]) ? 1 : type.getDimSize(dim[1]);
        size.hi = most.value_or(size.hi);
      }
      bound = rangeOf(quotient.getLHS(), sizes).hi;
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
      // A parameter that also tiles something else (a window, an index tile, a
      // tile that is not loaded) says nothing about the data; the grid may.
      std::optional<SmallVector<ArgumentAxis>> axes =
          footprint.loadedAxesOf(param.getName());
      std::optional<int64_t> bound =
          axes && !axes->empty() ? boundOf(launch, *axes)
                                 : boundInGrid(launch, kernel, param.getName());
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
