// Tile sizes of products on a GPU, from a model of their time: waves of blocks,
// each bound by its multiplications or its loads.
#include "ChooseFedTiles.h"
#include "ChooseParts.h"
#include "DepthPieces.h"
#include "MultiplyAddCost.h"
#include "PipeCost.h"
#include "TileGPT/Conversion/TileToGPU/Passes.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/Tile/Transforms/Passes.h"
#include "TileGPT/Target/NVVM/GpuTarget.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_CHOOSETILES
#include "TileGPT/Conversion/TileToGPU/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;

namespace {
/// One axis of a product: the parameter that tiles it and the argument it is an
/// axis of.
struct ProductAxis {
  StringAttr parameter;
  unsigned argument = 0;
  int64_t axis = 0;
};

/// A dot whose operands are tiles of arguments.
struct Product {
  ProductAxis rows, columns, depth;
};
} // namespace

/// The axis number `axis` of a loaded tile, when a parameter tiles it and the
/// view is an argument.
static std::optional<ProductAxis> axisOf(tile::LoadOp load, int64_t axis) {
  auto argument = dyn_cast<BlockArgument>(load.getView());
  auto parameter = dyn_cast<StringAttr>(load.getSizes()[axis]);
  if (!argument || !parameter || load.getOrder())
    return std::nullopt;
  return ProductAxis{parameter, argument.getArgNumber(), axis};
}

static std::optional<Product> findProduct(tile::KernelOp kernel) {
  std::optional<Product> product;
  kernel.walk([&](tile::DotOp dot) {
    auto lhs = dot.getLhs().getDefiningOp<tile::LoadOp>();
    auto rhs = dot.getRhs().getDefiningOp<tile::LoadOp>();
    if (!lhs || !rhs || lhs.getSizes().size() != 2 ||
        rhs.getSizes().size() != 2)
      return WalkResult::advance();
    auto rows = axisOf(lhs, dot.getTransposeA() ? 1 : 0),
         depth = axisOf(lhs, dot.getTransposeA() ? 0 : 1),
         columns = axisOf(rhs, dot.getTransposeB() ? 0 : 1);
    if (!rows || !depth || !columns)
      return WalkResult::advance();
    product = Product{*rows, *columns, *depth};
    return WalkResult::interrupt();
  });
  return product;
}

/// The columns of a product whose left operand is computed and whose right
/// operand is a tile of an argument, all of its depth.
static std::optional<ProductAxis> findColumns(tile::KernelOp kernel) {
  std::optional<ProductAxis> found;
  kernel.walk([&](tile::DotOp dot) {
    auto rhs = dot.getRhs().getDefiningOp<tile::LoadOp>();
    if (dot.getLhs().getDefiningOp<tile::LoadOp>() || !rhs ||
        rhs.getSizes().size() != 2)
      return WalkResult::advance();
    auto columns = axisOf(rhs, dot.getTransposeB() ? 0 : 1),
         depth = axisOf(rhs, dot.getTransposeB() ? 1 : 0);
    if (!columns || !depth ||
        isa<IntegerAttr>(
            kernel.lookupParam(depth->parameter).getDefaultValue()))
      return WalkResult::advance();
    found = columns;
    return WalkResult::interrupt();
  });
  return found;
}

/// The parameter that tiles the rows of a product whose left operand is a tile
/// of a window, as in attention; null when there is none.
static StringAttr findRowsOfWindow(tile::KernelOp kernel) {
  StringAttr found;
  kernel.walk([&](tile::DotOp dot) {
    auto lhs = dot.getLhs().getDefiningOp<tile::LoadOp>();
    if (!lhs || lhs.getSizes().size() != 2 || lhs.getOrder())
      return WalkResult::advance();
    auto rows =
        dyn_cast<StringAttr>(lhs.getSizes()[dot.getTransposeA() ? 1 : 0]);
    if (!rows || !isa<IntegerAttr>(kernel.lookupParam(rows).getDefaultValue()))
      return WalkResult::advance();
    found = rows;
    return WalkResult::interrupt();
  });
  return found;
}

namespace {
/// A loaded tile of two axes.
struct LoadedTile {
  ProductAxis rows, columns;
};
} // namespace

/// The first load of whole rows: some rows, but of columns a parameter that is
/// computed from a size.
static std::optional<LoadedTile> findWholeRows(tile::KernelOp kernel) {
  std::optional<LoadedTile> found;
  kernel.walk([&](tile::LoadOp load) {
    if (load.getSizes().size() != 2)
      return WalkResult::advance();
    auto rows = axisOf(load, 0), columns = axisOf(load, 1);
    if (!rows || !columns ||
        !isa<IntegerAttr>(
            kernel.lookupParam(rows->parameter).getDefaultValue()) ||
        isa<IntegerAttr>(
            kernel.lookupParam(columns->parameter).getDefaultValue()))
      return WalkResult::advance();
    found = LoadedTile{*rows, *columns};
    return WalkResult::interrupt();
  });
  return found;
}

/// The first load of a tile of free size, in a kernel without a dot.
static std::optional<LoadedTile> findPlainTile(tile::KernelOp kernel) {
  std::optional<LoadedTile> found;
  kernel.walk([&](Operation *op) {
    if (isa<tile::DotOp>(op)) {
      found.reset();
      return WalkResult::interrupt();
    }
    auto load = dyn_cast<tile::LoadOp>(op);
    if (found || !load || load.getSizes().size() != 2)
      return WalkResult::advance();
    auto rows = axisOf(load, 0), columns = axisOf(load, 1);
    if (rows && columns)
      found = LoadedTile{*rows, *columns};
    return WalkResult::advance();
  });
  return found;
}

namespace {
struct ChooseTiles : tilegpu::impl::ChooseTilesBase<ChooseTiles> {
  using ChooseTilesBase::ChooseTilesBase;

  void runOnOperation() override {
    getOperation().walk([&](tile::LaunchOp launch) {
      tile::KernelOp kernel =
          tile::lookupKernel(launch, launch.getKernelAttr().getAttr());
      if (!kernel)
        return;
      if (std::optional<Product> product = findProduct(kernel))
        choose(launch, kernel, *product);
      else if (std::optional<ProductAxis> columns = findColumns(kernel))
        chooseColumns(launch, kernel, *columns);
      else if (chooseFed(launch, kernel))
        return;
      else if (std::optional<tilegpu::WalkedRows> rows =
                   tilegpu::findWalkedRows(kernel))
        chooseParts(launch, kernel, *rows);
      else if (StringAttr rows = findRowsOfWindow(kernel))
        chooseRows(launch, kernel, rows);
      else if (std::optional<LoadedTile> rows = findWholeRows(kernel))
        choose(launch, kernel, *rows);
      else if (std::optional<LoadedTile> tile = findPlainTile(kernel))
        choosePlain(launch, kernel, *tile);
    });
  }

private:
  /// The size of an axis of the data; of rows that are open, the most there can
  /// be.
  static std::optional<int64_t> sizeOf(tile::LaunchOp launch,
                                       const ProductAxis &axis) {
    auto type =
        cast<RankedTensorType>(launch->getOperand(axis.argument).getType());
    if (!type.isDynamicDim(axis.axis))
      return type.getDimSize(axis.axis);
    for (Operation *op = launch; op; op = op->getParentOp())
      if (auto range = op->getAttrOfType<DenseI64ArrayAttr>(tile::rowsAttr);
          range && range.size() == 2)
        return range[1];
    return std::nullopt;
  }

  /// The values a parameter may still take.
  static SmallVector<int64_t>
  candidates(tile::LaunchOp launch, tile::KernelOp kernel, StringAttr name) {
    if (launch.getParamsAttr())
      if (auto given = launch.getParamsAttr().getAs<IntegerAttr>(name))
        return {given.getInt()};
    tile::ParamAttr param = kernel.lookupParam(name);
    SmallVector<int64_t> values;
    if (auto size = dyn_cast<IntegerAttr>(param.getDefaultValue()))
      values.push_back(size.getInt());
    for (auto size : param.getCandidates().getAsRange<IntegerAttr>())
      if (!llvm::is_contained(values, size.getInt()))
        values.push_back(size.getInt());
    return values;
  }

  /// Writes one choice into a launch.
  static void setParameter(tile::LaunchOp launch, StringAttr name,
                           int64_t size) {
    Builder builder(launch.getContext());
    NamedAttrList params(launch.getParamsAttr());
    params.set(name, builder.getI64IntegerAttr(size));
    launch.setParamsAttr(params.getDictionary(launch.getContext()));
  }

  /// The largest size that fits, the smallest of all where none does.
  static int64_t largestOf(ArrayRef<int64_t> sizes,
                           llvm::function_ref<bool(int64_t)> fits) {
    int64_t best = *llvm::min_element(sizes);
    for (int64_t size : sizes)
      if (size > best && fits(size))
        best = size;
    return best;
  }

  void choose(tile::LaunchOp launch, tile::KernelOp kernel,
              const Product &product) {
    std::optional<int64_t> rows = sizeOf(launch, product.rows),
                           columns = sizeOf(launch, product.columns);
    if (!rows || !columns)
      return;
    SmallVector<int64_t> rowTiles =
                             candidates(launch, kernel, product.rows.parameter),
                         columnTiles = candidates(launch, kernel,
                                                  product.columns.parameter),
                         depthTiles = candidates(launch, kernel,
                                                 product.depth.parameter);
    if (depthTiles.empty()) {
      // The depth is one tile: a kernel for few rows, bound by the other
      // operand.
      chooseFewRows(launch, product, rowTiles, columnTiles);
    } else {
      SmallVector<Tile> tiles;
      for (int64_t m : rowTiles)
        for (int64_t n : columnTiles)
          tiles.push_back({m, n});
      std::optional<int64_t> depth = sizeOf(launch, product.depth);
      bool piped = isPiped(launch, product);
      // A loop of one step would be none, and no pipe.
      int64_t mostDepth = piped ? *depth - 1 : INT64_MAX;
      int64_t step = depthOfStep(launch, product, depthTiles, mostDepth);
      auto [m, n] = piped ? bestPipedTile(tiles, *rows, *columns,
                                          llvm::divideCeil(*depth, step))
                          : bestTile(tiles, *rows, *columns,
                                     isMultiplyAdd(launch, product) && depth
                                         ? llvm::divideCeil(*depth, step)
                                         : 0);
      setParameter(launch, product.rows.parameter, m);
      setParameter(launch, product.columns.parameter, n);
      setParameter(launch, product.depth.parameter, step);
    }
  }

  /// From three rows on a producer is faster than products of single elements,
  /// all but for the smallest matrices; its tiles have rows for a matrix
  /// instruction then. Few rows of f32 keep all of their digits.
  void chooseFewRows(tile::LaunchOp launch, const Product &product,
                     ArrayRef<int64_t> rowTiles,
                     ArrayRef<int64_t> columnTiles) {
    constexpr int64_t leastPiped = 3, instructionRows = 16, columnStep = 8;
    int64_t rows = *sizeOf(launch, product.rows),
            columns = *sizeOf(launch, product.columns);
    std::optional<int64_t> depth = sizeOf(launch, product.depth);
    SmallVector<Tile> tiles;
    for (int64_t size : columnTiles)
      if (size % columnStep == 0)
        tiles.push_back({instructionRows, size});
    if (rows < leastPiped || !isPiped(launch, product) ||
        elementOf(launch, product).isF32() || tiles.empty() ||
        *depth <= tilegpu::mostAtOnce ||
        !llvm::is_contained(rowTiles, instructionRows))
      return setParameter(launch, product.columns.parameter,
                          tileOfFewRows(columnTiles, rows, columns));
    Tile tile = bestPipedTile(tiles, rows, columns,
                              llvm::divideCeil(*depth, tilegpu::pieceDepth));
    setParameter(launch, product.rows.parameter, tile.rows);
    setParameter(launch, product.columns.parameter, tile.columns);
  }

  void chooseColumns(tile::LaunchOp launch, tile::KernelOp kernel,
                     const ProductAxis &axis) {
    // All products of a block are there at once: of every row of the result,
    // which is the first output.
    constexpr int64_t products = 16384;
    unsigned result = kernel.getNumIns();
    std::optional<int64_t> columns = sizeOf(launch, axis),
                           depth =
                               sizeOf(launch, {axis.parameter, axis.argument,
                                               1 - axis.axis}),
                           rows = sizeOf(launch, {axis.parameter, result, 0});
    if (!columns || !depth || !rows)
      return;
    SmallVector<int64_t> sizes = candidates(launch, kernel, axis.parameter);
    int64_t smallest = *llvm::min_element(sizes);
    llvm::erase_if(sizes, [&](int64_t size) {
      return size > smallest && size * *depth * *rows > products;
    });
    setParameter(launch, axis.parameter,
                 tileOfFewRows(sizes, /*rows=*/1, *columns));
  }

  /// Sizes for a producer to feed the loop of a kernel, where one can and the
  /// launch leaves them open.
  bool chooseFed(tile::LaunchOp launch, tile::KernelOp kernel) const {
    std::optional<tilegpu::WindowProduct> product =
        tilegpu::findWindowProduct(kernel);
    llvm::Expected<const target::GpuTarget &> known =
        target::GpuTarget::find(target);
    if (!known) {
      llvm::consumeError(known.takeError());
      return false;
    }
    auto isGiven = [&](StringAttr name) {
      return launch.getParamsAttr() && launch.getParamsAttr().get(name);
    };
    if (!product || isGiven(product->rows) || isGiven(product->columns))
      return false;
    auto size = [&](unsigned argument, unsigned axis) {
      return sizeOf(launch, {product->rows, argument, axis});
    };
    std::optional<tilegpu::FedTiles> tiles = tilegpu::chooseFedTiles(
        launch, kernel, *product, *known, multiprocessors, size);
    if (!tiles)
      return false;
    setParameter(launch, product->rows, tiles->rows);
    setParameter(launch, product->columns, tiles->columns);
    return true;
  }

  /// Blocks that share the rows of a loop, and parts for each as the kernel has
  /// them for one; where the launch leaves both open.
  void chooseParts(tile::LaunchOp launch, tile::KernelOp kernel,
                   const tilegpu::WalkedRows &rows) const {
    llvm::Expected<const target::GpuTarget &> known =
        target::GpuTarget::find(target);
    if (!known)
      return llvm::consumeError(known.takeError());
    for (StringAttr name : {rows.copies, rows.parts})
      if (launch.getParamsAttr() && launch.getParamsAttr().get(name))
        return;
    tile::ParamAttr parts = kernel.lookupParam(rows.parts);
    auto usual = dyn_cast<IntegerAttr>(parts.getDefaultValue());
    if (!usual)
      return;
    int64_t copies = tilegpu::chooseCopies(
        kernel, rows, *known, multiprocessors,
        [&](unsigned argument, unsigned axis) {
          return sizeOf(launch, {rows.parts, argument, axis});
        });
    auto all =
        Builder(launch.getContext()).getI64IntegerAttr(usual.getInt() * copies);
    if (copies == 1 || !parts.admits(all))
      return;
    setParameter(launch, rows.copies, copies);
    setParameter(launch, rows.parts, all.getInt());
  }

  /// Rows for the four warps of a block to multiply by matrix instructions;
  /// other types keep the default.
  void chooseRows(tile::LaunchOp launch, tile::KernelOp kernel,
                  StringAttr rows) {
    constexpr int64_t most = 64;
    Type element = getElementTypeOrSelf(launch->getOperand(0).getType());
    if (!element.isBF16() && !element.isF16())
      return;
    int64_t best = 0;
    for (int64_t size : candidates(launch, kernel, rows))
      if (size <= most)
        best = std::max(best, size);
    if (best != 0)
      setParameter(launch, rows, best);
  }

  void choose(tile::LaunchOp launch, tile::KernelOp kernel,
              const LoadedTile &tile) {
    // Narrow elements are computed as f32: more rows would leave too few
    // registers for other blocks.
    constexpr int64_t elements = 8192, mostNarrowRows = 4, narrowBits = 16;
    std::optional<int64_t> rows = sizeOf(launch, tile.rows),
                           columns = sizeOf(launch, tile.columns);
    if (!rows || !columns)
      return;
    bool isNarrow = getElementTypeOrSelf(launch->getOperand(tile.rows.argument))
                        .getIntOrFloatBitWidth() <= narrowBits;
    setParameter(launch, tile.rows.parameter,
                 largestOf(candidates(launch, kernel, tile.rows.parameter),
                           [&](int64_t size) {
                             return size * *columns <= elements &&
                                    (!isNarrow || size <= mostNarrowRows) &&
                                    *rows / size >= 2 * multiprocessors;
                           }));
  }

  /// Some 2048 elements, sixteen a thread, where that leaves blocks enough.
  void choosePlain(tile::LaunchOp launch, tile::KernelOp kernel,
                   const LoadedTile &tile) {
    constexpr int64_t elements = 2048;
    std::optional<int64_t> rows = sizeOf(launch, tile.rows),
                           columns = sizeOf(launch, tile.columns);
    auto width = dyn_cast<IntegerAttr>(
        kernel.lookupParam(tile.columns.parameter).getDefaultValue());
    if (!rows || !columns || !width)
      return;
    int64_t across = llvm::divideCeil(*columns, width.getInt());
    setParameter(launch, tile.rows.parameter,
                 largestOf(candidates(launch, kernel, tile.rows.parameter),
                           [&](int64_t size) {
                             int64_t down = llvm::divideCeil(*rows, size);
                             return size * width.getInt() <= elements &&
                                    down * across >= 2 * multiprocessors;
                           }));
  }

  /// The largest tile of which every multiprocessor gets two; where there are
  /// rows enough for matrix instructions, none narrower than two of those;
  /// where there are not, a thread has all sums of a row in registers.
  int64_t tileOfFewRows(ArrayRef<int64_t> tiles, int64_t rows,
                        int64_t columns) const {
    constexpr int64_t manyRows = 9, narrowest = 16, mostSums = 128;
    int64_t best = *llvm::min_element(tiles);
    for (int64_t tile : tiles) {
      bool isTooNarrow = rows >= manyRows && best < narrowest;
      if (rows < manyRows && rows * tile > mostSums)
        continue;
      if (tile > best && (isTooNarrow || columns / tile >= 2 * multiprocessors))
        best = tile;
    }
    return best;
  }

  struct Tile {
    int64_t rows, columns;
  };

  /// The element type of the left operand.
  static Type elementOf(tile::LaunchOp launch, const Product &product) {
    return getElementTypeOrSelf(
        launch->getOperand(product.rows.argument).getType());
  }

  /// Whether a producer will feed the product: operands that TMA reaches and
  /// wgmma multiplies.
  bool isPiped(tile::LaunchOp launch, const Product &product) const {
    llvm::Expected<const target::GpuTarget &> known =
        target::GpuTarget::find(target);
    if (!known) {
      llvm::consumeError(known.takeError());
      return false;
    }
    constexpr int64_t unitBits = 128;
    Type element = elementOf(launch, product);
    std::optional<int64_t> depth = sizeOf(launch, product.depth);
    return known->hasTma && known->hasWgmma &&
           (element.isBF16() || element.isF16() || (element.isF32() && tf32)) &&
           element ==
               getElementTypeOrSelf(
                   launch->getOperand(product.columns.argument).getType()) &&
           depth && *depth * element.getIntOrFloatBitWidth() % unitBits == 0;
  }

  /// The candidate of the least time that `suits`, or the first one.
  static Tile leastTime(ArrayRef<Tile> tiles,
                        llvm::function_ref<bool(Tile)> suits,
                        llvm::function_ref<int64_t(Tile)> timeOf) {
    Tile best = tiles.front();
    std::optional<int64_t> least;
    for (Tile tile : tiles) {
      if (!suits(tile))
        continue;
      int64_t time = timeOf(tile);
      if (!least || time < *least) {
        least = time;
        best = tile;
      }
    }
    return best;
  }

  int64_t wavesOf(Tile tile, int64_t rows, int64_t columns) const {
    int64_t blocks = llvm::divideCeil(rows, tile.rows) *
                     llvm::divideCeil(columns, tile.columns);
    return llvm::divideCeil(blocks, multiprocessors);
  }

  /// Multiplications of a step along K and, a row or column of operands being
  /// as dear as 64 of them, its loads.
  static int64_t stepTime(Tile tile) {
    constexpr int64_t loadCost = 64;
    return tile.rows * tile.columns + loadCost * (tile.rows + tile.columns);
  }

  /// Whether no matrix instruction takes the operands.
  bool isMultiplyAdd(tile::LaunchOp launch, const Product &product) const {
    Type lhs = elementOf(launch, product),
         rhs = getElementTypeOrSelf(
             launch->getOperand(product.columns.argument).getType());
    return lhs.isF32() && rhs.isF32() && !tf32;
  }

  /// \param steps  of fused multiply-adds along the depth; 0 where there is a
  ///               matrix instruction.
  Tile bestTile(ArrayRef<Tile> tiles, int64_t rows, int64_t columns,
                int64_t steps) const {
    // More would not fit the registers beside what computes it.
    constexpr int64_t narrowest = 32, widest = 128, most = 128 * 128;
    return leastTime(
        tiles,
        [](Tile tile) {
          // Shapes that powers of two of threads share out evenly.
          int64_t odd =
              tile.columns >> llvm::countr_zero(uint64_t(tile.columns));
          return tile.columns >= narrowest && tile.columns <= widest &&
                 odd <= 3 && tile.rows * tile.columns <= most;
        },
        [&](Tile tile) {
          return steps ? tilegpu::cyclesOfMultiplyAdd(
                             tile.rows, tile.columns,
                             llvm::divideCeil(rows, tile.rows) *
                                 llvm::divideCeil(columns, tile.columns),
                             steps, multiprocessors)
                       : wavesOf(tile, rows, columns) * stepTime(tile);
        });
  }

  /// As `bestTile`, for tiles that a producer feeds. Copies of boxes that stick
  /// out of their view are slow (512 x 1600 x 6400: 23.6 us with tiles of 64 x
  /// 104, 19.4 with 128 x 64).
  Tile bestPipedTile(ArrayRef<Tile> tiles, int64_t rows, int64_t columns,
                     int64_t steps) const {
    constexpr int64_t groupRows = 64;
    return leastTime(
        tiles,
        [](Tile tile) {
          return tile.rows < groupRows || tile.rows % groupRows == 0;
        },
        [&](Tile tile) {
          int64_t cycles =
              tilegpu::costOfPipe(
                  {tile.rows, tile.columns,
                   int64_t(llvm::divideCeil(rows, tile.rows)),
                   int64_t(llvm::divideCeil(columns, tile.columns)), steps},
                  multiprocessors)
                  .cycles;
          bool sticksOut = columns % tile.columns != 0;
          return sticksOut ? cycles + cycles / 8 : cycles;
        });
  }

  /// A step of 128 bytes of the wider operand, but at most `most`, or the
  /// nearest candidate below.
  static int64_t depthOfStep(tile::LaunchOp launch, const Product &product,
                             ArrayRef<int64_t> tiles, int64_t most) {
    auto bitsOf = [&](unsigned argument) {
      return getElementTypeOrSelf(launch->getOperand(argument).getType())
          .getIntOrFloatBitWidth();
    };
    most = std::min<int64_t>(most,
                             1024 / std::max(bitsOf(product.rows.argument),
                                             bitsOf(product.columns.argument)));
    int64_t best = *llvm::min_element(tiles);
    for (int64_t tile : tiles)
      if (tile <= most)
        best = std::max(best, tile);
    return best;
  }
};
} // namespace
