// Tiles whose runs of memory are long enough to amortize the switch between
// them: of matmuls with few rows whose blocks read several matrices in turn,
// and of elementwise kernels.
#include "Normalize/TensorSizes.h"
#include "TileGPT/Dialect/Tile/Analysis/TileFootprint.h"
#include "TileGPT/Dialect/Tile/IR/ExprRange.h"
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
      const TileFootprint footprint(kernel);
      if (footprint.getBodyClass() == BodyClass::Product)
        lengthen(launch, footprint);
      else if (footprint.getBodyClass() == BodyClass::Pointwise)
        widen(launch, footprint);
    });
  }

private:
  void choose(LaunchOp launch, ParamAttr param, int64_t size) {
    NamedAttrList chosen(launch.getParamsAttr());
    chosen.set(param.getName(), Builder(&getContext()).getI64IntegerAttr(size));
    launch.setParamsAttr(chosen.getDictionary(&getContext()));
    ++numLengthened;
  }

  /// The parameter that sets how many columns of their rows all stores write,
  /// if blocks along `gridAxis` of the grid count them.
  static ParamAttr columnsOf(const TileFootprint &footprint,
                             int64_t &gridAxis) {
    StringAttr name;
    for (const AccessFootprint &access : footprint.getAccesses()) {
      if (!access.isStore)
        continue;
      if (!access.isUnconditional || access.isPermuted || access.axes.empty() ||
          access.axes.back().index != TileIndex::BlockId)
        return {};
      const AxisFootprint &columns = access.axes.back();
      auto own = dyn_cast_or_null<StringAttr>(columns.size);
      if (!own || (name && (own != name || columns.gridAxis != gridAxis)))
        return {};
      name = own;
      gridAxis = columns.gridAxis;
    }
    return name ? footprint.getKernel().lookupParam(name) : ParamAttr();
  }

  /// The fewest blocks of a launch with one parameter of the given size.
  static int64_t fewestBlocks(LaunchOp launch, KernelOp kernel, StringAttr name,
                              int64_t size) {
    DictionaryAttr given = launch.getParamsAttr();
    int64_t blocks = 1;
    for (ExprAttr axis : kernel.getGrid().getAsRange<ExprAttr>()) {
      SmallVector<Interval> sizes;
      for (Attribute source : axis.getSources()) {
        Interval &range = sizes.emplace_back(Interval{.lo = 1});
        if (auto dim = dyn_cast<DenseI64ArrayAttr>(source);
            dim && dim.size() == 2) {
          auto type =
              cast<RankedTensorType>(launch.getOperand(dim[0]).getType());
          if (!type.isDynamicDim(dim[1]))
            range = {type.getDimSize(dim[1]), type.getDimSize(dim[1])};
        } else if (auto param = dyn_cast<StringAttr>(source)) {
          Attribute value = kernel.lookupParam(param).getDefaultValue();
          if (given && given.get(param))
            value = given.get(param);
          if (param == name)
            range = {size, size};
          else if (auto number = dyn_cast<IntegerAttr>(value))
            range = {number.getInt(), number.getInt()};
        }
      }
      blocks *=
          std::max<int64_t>(1, rangeOf(axis.getMap().getResult(0), sizes).lo);
    }
    return blocks;
  }

  /// Chooses the most columns per block that pad no more than the default and
  /// leave enough blocks.
  void widen(LaunchOp launch, const TileFootprint &footprint) {
    int64_t gridAxis = -1;
    ParamAttr param = columnsOf(footprint, gridAxis);
    if (!param)
      return;
    auto narrow = dyn_cast<IntegerAttr>(param.getDefaultValue());
    if (DictionaryAttr given = launch.getParamsAttr();
        !narrow || (given && given.get(param.getName())))
      return;
    const auto tiled = footprint.tiledAxisOf(gridAxis, param.getName());
    if (!tiled)
      return;
    const int64_t columns =
        cast<RankedTensorType>(launch.getOperand(tiled->argument).getType())
            .getDimSize(tiled->axis);
    if (ShapedType::isDynamic(columns))
      return;
    int64_t best = narrow.getInt();
    for (IntegerAttr candidate :
         param.getCandidates().getAsRange<IntegerAttr>()) {
      const int64_t size = candidate.getInt();
      if (size > best &&
          llvm::alignTo(columns, size) <=
              llvm::alignTo(columns, narrow.getInt()) &&
          fewestBlocks(launch, footprint.getKernel(), param.getName(), size) >=
              leastBlocks)
        best = size;
    }
    if (best != narrow.getInt())
      choose(launch, param, best);
  }

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

  void lengthen(LaunchOp launch, const TileFootprint &footprint) {
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
    choose(launch, runs->param,
           longEnough == candidates.end() ? candidates.back() : *longEnough);
  }

  /// Switching to another memory region costs as much as reading some 10 KB
  /// (Zen 4: 0.3 µs).
  static constexpr int64_t runBytes = 64 << 10;
  /// So that eight threads can share them evenly.
  static constexpr int64_t leastBlocks = 16;
};

} // namespace
