// Tiles of matmuls with few rows whose blocks read several matrices in turn:
// each run of memory is long enough to amortize the switch.
#include "TensorSizes.h"
#include "TileGPT/Dialect/Tile/Analysis/TileFootprint.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/Tile/Transforms/EachLaunch.h"
#include "TileGPT/Dialect/Tile/Transforms/Passes.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tilegpt::tile {
#define GEN_PASS_DEF_LENGTHENREADSPASS
#include "TileGPT/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilegpt::tile

using namespace tilegpt::tile;

namespace {

/// The argument that a view is, or is a window of.
BlockArgument argumentOf(Value view) {
  while (auto window = view.getDefiningOp<SubviewOp>())
    view = window.getSource();
  return dyn_cast<BlockArgument>(view);
}

/// The reads of a block from each of several matrices: `param` whole rows.
struct Runs {
  ParamAttr param;
  int64_t gridAxis = 0, rowBytes = 0, count = 0;
};

class LengthenReads
    : public tilegpt::tile::impl::LengthenReadsPassBase<LengthenReads> {
public:
  using LengthenReadsPassBase::LengthenReadsPassBase;

  void runOnOperation() override {
    forEachLaunch(getOperation(), [&](LaunchOp launch, KernelOp kernel) {
      lengthen(launch, kernel);
    });
  }

private:
  /// The parameter that sets how many whole rows of a matrix a load reads, and
  /// the size of one.
  static std::optional<Runs> runOf(LaunchOp launch,
                                   const TileFootprint &footprint,
                                   const AccessFootprint &load) {
    if (!load.isUnconditional || load.isPermuted || load.axes.size() != 2 ||
        load.axes[0].index != TileIndex::BlockId ||
        load.axes[1].index != TileIndex::Zero ||
        !footprint.wholeAxisOf(load.axes[1].size))
      return std::nullopt;
    auto name = dyn_cast_or_null<StringAttr>(load.axes[0].size);
    const BlockArgument argument = argumentOf(load.view);
    if (!name || !argument)
      return std::nullopt;
    if (DictionaryAttr given = launch.getParamsAttr(); given && given.get(name))
      return std::nullopt;
    KernelOp kernel = footprint.getKernel();
    ParamAttr param = kernel.lookupParam(name);
    auto matrix = dyn_cast<RankedTensorType>(
        launch.getOperand(argument.getArgNumber()).getType());
    if (!isa<IntegerAttr>(param.getDefaultValue()) || !matrix ||
        matrix.isDynamicDim(1))
      return std::nullopt;
    const int64_t bytes = tilegpt::memoryBytes(matrix.getElementType());
    return Runs{param, load.axes[0].gridAxis, matrix.getDimSize(1) * bytes, 1};
  }

  void lengthen(LaunchOp launch, KernelOp kernel) {
    const TileFootprint footprint(kernel);
    if (footprint.getBodyClass() != BodyClass::Product)
      return;
    std::optional<Runs> runs;
    for (const AccessFootprint &access : footprint.getAccesses()) {
      if (access.isStore)
        continue;
      const std::optional<Runs> run = runOf(launch, footprint, access);
      if (!run)
        continue;
      if (runs &&
          (runs->param != run->param || runs->gridAxis != run->gridAxis ||
           runs->rowBytes != run->rowBytes))
        return;
      const int64_t count = runs ? runs->count : 0;
      runs = run;
      runs->count = count + 1;
    }
    if (!runs || runs->count < 2)
      return;
    const auto tiled =
        footprint.tiledAxisOf(runs->gridAxis, runs->param.getName());
    if (!tiled)
      return;
    const std::optional<int64_t> size =
        boundOfSize(launch, launch.getOperand(tiled->argument), tiled->axis);
    if (!size)
      return;

    SmallVector<int64_t> candidates;
    for (IntegerAttr candidate :
         runs->param.getCandidates().getAsRange<IntegerAttr>())
      if (llvm::divideCeil(*size, candidate.getInt()) >= leastBlocks)
        candidates.push_back(candidate.getInt());
    if (candidates.empty())
      return;
    llvm::sort(candidates);
    const auto *longEnough = llvm::find_if(candidates, [&](int64_t rows) {
      return rows * runs->rowBytes >= runBytes;
    });
    NamedAttrList chosen(launch.getParamsAttr());
    Builder builder(&getContext());
    chosen.set(runs->param.getName(),
               builder.getI64IntegerAttr(longEnough == candidates.end()
                                             ? candidates.back()
                                             : *longEnough));
    launch.setParamsAttr(chosen.getDictionary(&getContext()));
    ++numLengthened;
  }

  /// Switching to another memory region costs as much as reading some 10 KB
  /// (Zen 4: 0.3 µs).
  static constexpr int64_t runBytes = 64 << 10;
  /// So that eight threads can share them evenly.
  static constexpr int64_t leastBlocks = 16;
};

} // namespace
