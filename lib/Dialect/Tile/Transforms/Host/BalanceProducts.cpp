// Matmul tiles for the threads of a host: large ones amortize packing, small
// ones balance threads.
#include "Host/PoolTime.h"
#include "Normalize/TensorSizes.h"
#include "TileGPT/Dialect/Tile/Analysis/TileFootprint.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/Tile/Transforms/EachLaunch.h"
#include "TileGPT/Dialect/Tile/Transforms/Passes.h"
#include "mlir/IR/Builders.h"
#include <array>
#include <limits>

using namespace mlir;

namespace tilegpt::tile {
#define GEN_PASS_DEF_BALANCEPRODUCTSPASS
#include "TileGPT/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilegpt::tile

using namespace tilegpt::tile;

namespace {

/// An axis of the result and the parameter that tiles it.
struct Axis {
  ParamAttr param;
  int64_t size = 0;

  /// The candidates that are smaller than the data, and the smallest that is
  /// not; of the former, those of at least `least`.
  SmallVector<int64_t> tiles(int64_t least) const {
    SmallVector<int64_t> all;
    for (IntegerAttr candidate :
         param.getCandidates().getAsRange<IntegerAttr>())
      all.push_back(candidate.getInt());
    llvm::sort(all);
    const auto covers = llvm::find_if(
        all, [&](int64_t candidate) { return candidate >= size; });
    if (covers != all.end())
      all.erase(covers + 1, all.end());
    const int64_t largest = all.empty() ? 0 : all.back();
    llvm::erase_if(all, [&](int64_t candidate) {
      return candidate < least && candidate != largest;
    });
    return all;
  }
};

/// Loading an element of the lhs costs as much as one product, once per tile.
constexpr double broughtElement = 1;

/// How a host blocks columns for its registers: `block` at a time, then `step`,
/// the lanes of one register, for the remainder of a tile that ends within its
/// axis.
struct ColumnBlocks {
  int64_t block, step;
  /// Packing an element of the rhs, in scalar products: a third of a cycle, in
  /// which two FMA units multiply two registers.
  double packedElement;

  /// As chosen by `cpu-contract-to-micro-kernel` for f32: four registers wide
  /// with 32 registers, else two.
  ColumnBlocks(unsigned vectorBits, unsigned vectorRegisters)
      : block((vectorRegisters >= 32 ? 4 : 2) * int64_t(vectorBits) / 32),
        step(vectorBits / 32), packedElement(2 * double(step) / 3) {}

  /// The cost of columns. Single-register blocks take a little longer than
  /// their share of a whole block.
  double formed(int64_t columns, int64_t tile) const {
    constexpr double shortStep = 1.125;
    const int64_t rest = columns % block, steps = llvm::divideCeil(rest, step);
    const bool isWhole = columns == tile;
    return double(columns - rest) +
           double(steps * step) * (isWhole && steps > 1 ? 1 : shortStep);
  }

  /// The cost of a tile.
  double costOfTile(int64_t rows, int64_t columns, int64_t columnTile) const {
    return double(rows) * (formed(columns, columnTile) + broughtElement) +
           packedElement * double(columns);
  }
};

/// The tiles of an axis: all equal except the last one.
struct Tiles {
  int64_t size, count, last;

  Tiles(int64_t axis, int64_t size)
      : size(size), count(int64_t(llvm::divideCeil(axis, size))),
        last(axis - (count - 1) * size) {}

  int64_t sizeOf(int64_t number) const {
    return number == count - 1 ? last : size;
  }
};

/// The time of a launch relative to an even distribution of its products,
/// summed over several thread counts; `most` if it is no less.
double costOf(const ColumnBlocks &blocks, const Tiles &rows,
              const Tiles &columns, ArrayRef<unsigned> threads, double products,
              double most) {
  double all = 0;
  for (auto [rowTiles, rowSize] : {std::pair(rows.count - 1, rows.size),
                                   std::pair<int64_t, int64_t>(1, rows.last)})
    for (auto [columnTiles, columnSize] :
         {std::pair(columns.count - 1, columns.size),
          std::pair<int64_t, int64_t>(1, columns.last)})
      all += double(rowTiles * columnTiles) *
             blocks.costOfTile(rowSize, columnSize, columns.size);
  const double largest =
      blocks.costOfTile(rows.sizeOf(0), columns.sizeOf(0), columns.size);
  const auto leastTime = [&](unsigned threads) {
    return std::max(all / threads, largest);
  };

  double cost = 0;
  for (unsigned each : threads)
    cost += leastTime(each) * each / products;
  if (cost >= most)
    return most;

  // With many blocks, the last ones occupy a thread half a block longer on
  // average.
  constexpr int64_t many = 256;
  SmallVector<double> costs;
  if (rows.count * columns.count <= many)
    for (int64_t column = 0; column < columns.count; ++column)
      for (int64_t row = 0; row < rows.count; ++row)
        costs.push_back(blocks.costOfTile(
            rows.sizeOf(row), columns.sizeOf(column), columns.size));
  for (unsigned each : threads) {
    if (each == 1)
      continue;
    const double time =
        costs.empty() ? all / each + largest / 2 : timeInPool(costs, each);
    cost += (time - leastTime(each)) * each / products;
  }
  return cost;
}

class BalanceProducts
    : public tilegpt::tile::impl::BalanceProductsPassBase<BalanceProducts> {
public:
  using BalanceProductsPassBase::BalanceProductsPassBase;

  void runOnOperation() override {
    forEachLaunch(getOperation(), [&](LaunchOp launch, KernelOp kernel) {
      balance(launch, kernel);
    });
  }

private:
  /// The axis of the result, if a block stores one tile of it whose size the
  /// launch does not fix.
  static std::optional<Axis> axisOf(LaunchOp launch, KernelOp kernel,
                                    const AccessFootprint &store,
                                    unsigned number) {
    const AxisFootprint &axis = store.axes[number];
    auto name = dyn_cast_or_null<StringAttr>(axis.size);
    if (!name || axis.index != TileIndex::BlockId)
      return std::nullopt;
    if (DictionaryAttr given = launch.getParamsAttr(); given && given.get(name))
      return std::nullopt;
    const std::optional<int64_t> size = boundOfSize(
        launch, launch.getOperand(store.argument.getArgNumber()), number);
    if (!size)
      return std::nullopt;
    ParamAttr param = kernel.lookupParam(name);
    if (!param || !isa<IntegerAttr>(param.getDefaultValue()))
      return std::nullopt;
    return Axis{param, *size};
  }

  /// K, if a loop steps through it by a parameter that the launch does not fix
  /// and all operands have the same K.
  static std::optional<Axis> depthOf(LaunchOp launch,
                                     const TileFootprint &footprint) {
    StringAttr name;
    for (const AccessFootprint &access : footprint.getAccesses())
      for (const AxisFootprint &axis : access.axes) {
        if (access.isStore || axis.index != TileIndex::LoopVariable)
          continue;
        auto size = dyn_cast_or_null<StringAttr>(axis.size);
        if (!size || access.isPermuted || (name && name != size))
          return std::nullopt;
        name = size;
      }
    DictionaryAttr given = launch.getParamsAttr();
    if (!name || (given && given.get(name)))
      return std::nullopt;
    ParamAttr param = footprint.getKernel().lookupParam(name);
    const auto loaded = footprint.loadedAxesOf(name);
    if (!param || param.getCandidates().empty() || !loaded ||
        !isa<IntegerAttr>(param.getDefaultValue()))
      return std::nullopt;
    std::optional<int64_t> depth;
    for (const ArgumentAxis &axis : *loaded) {
      const int64_t size =
          cast<RankedTensorType>(launch.getOperand(axis.argument).getType())
              .getDimSize(axis.axis);
      if (ShapedType::isDynamic(size) || (depth && *depth != size))
        return std::nullopt;
      depth = size;
    }
    if (!depth)
      return std::nullopt;
    return Axis{param, *depth};
  }

  /// The candidate that loads and stores accumulators least often, the smallest
  /// of several.
  static int64_t bestDepth(const Axis &depth) {
    const SmallVector<int64_t> tiles = depth.tiles(/*least=*/1);
    return *llvm::min_element(tiles, [&](int64_t lhs, int64_t rhs) {
      return llvm::divideCeil(depth.size, lhs) <
             llvm::divideCeil(depth.size, rhs);
    });
  }

  void balance(LaunchOp launch, KernelOp kernel) {
    const TileFootprint footprint(kernel);
    if (footprint.getBodyClass() != BodyClass::Product)
      return;
    const AccessFootprint *store = nullptr;
    for (const AccessFootprint &access : footprint.getAccesses()) {
      if (!access.isStore)
        continue;
      if (store)
        return;
      store = &access;
    }
    if (!store || !store->argument || store->axes.size() != 2 ||
        store->isPermuted || !store->isUnconditional)
      return;
    std::optional<Axis> rows = axisOf(launch, kernel, *store, 0),
                        columns = axisOf(launch, kernel, *store, 1);
    if (!rows || !columns || rows->size <= fewRows ||
        rows->param == columns->param)
      return;

    int64_t sumBytes = 0;
    kernel.walk([&](DotOp dot) {
      Type element = getElementTypeOrSelf(dot.getResult().getType());
      sumBytes += std::max<int64_t>(1, tilegpt::memoryBytes(element));
    });
    const ColumnBlocks blocks(vectorBits, vectorRegisters);
    const int64_t mostSumBytes =
        std::min<int64_t>(256 << 10, int64_t(l2Bytes) / 4);
    const SmallVector<unsigned> counts = threads == 0
                                             ? SmallVector<unsigned>{1, 2, 4, 8}
                                             : SmallVector<unsigned>{threads};
    std::optional<std::array<int64_t, 2>> best;
    double least = std::numeric_limits<double>::infinity();
    for (int64_t rowTile : rows->tiles(leastRows))
      for (int64_t columnTile : columns->tiles(leastColumns)) {
        if (rowTile * columnTile * sumBytes > mostSumBytes)
          continue;
        const double cost =
            costOf(blocks, Tiles(rows->size, rowTile),
                   Tiles(columns->size, columnTile), counts,
                   double(rows->size) * double(columns->size), least);
        if (cost >= least)
          continue;
        best = {rowTile, columnTile};
        least = cost;
      }
    if (!best)
      return;
    NamedAttrList chosen(launch.getParamsAttr());
    Builder builder(&getContext());
    chosen.set(rows->param.getName(), builder.getI64IntegerAttr((*best)[0]));
    chosen.set(columns->param.getName(), builder.getI64IntegerAttr((*best)[1]));
    if (const auto depth = depthOf(launch, footprint))
      chosen.set(depth->param.getName(),
                 builder.getI64IntegerAttr(bestDepth(*depth)));
    launch.setParamsAttr(chosen.getDictionary(&getContext()));
    ++numBalanced;
  }

  /// Tiles with fewer rows do not amortize packing of rhs; tiles with fewer
  /// columns load as much as they multiply.
  static constexpr int64_t leastRows = 64, leastColumns = 32;
  /// Matmuls with this few rows are memory-bound.
  static constexpr int64_t fewRows = 16;
};

} // namespace
