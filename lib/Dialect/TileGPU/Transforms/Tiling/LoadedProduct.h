// A dot whose operands are tiles of arguments, the instructions that will
// compute it, and the cheapest tile of its result.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_TILING_LOADEDPRODUCT_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_TILING_LOADEDPRODUCT_H

#include "Cost/MultiplyAddCost.h"
#include "Cost/ProductCost.h"
#include "TileGPT/Dialect/TileGPU/Analysis/SplitProduct.h"
#include "Tiling/OpenLaunch.h"

namespace tilegpt::tilegpu {

/// A tile of a result.
struct ResultTile {
  int64_t rows, columns;
};

/// The known sizes of a product.
struct ProductSizes {
  int64_t rows, columns;
  std::optional<int64_t> depth;
};

struct LoadedProduct {
  TiledAxis rows, columns, depth;
  /// The precision written in the kernel.
  tile::Precision precision;
  /// Whether the kernel loads another tile, such as one that is added to the
  /// result.
  bool hasTileOperand;
  /// The number of products that the loop accumulates separately.
  int64_t products;
  /// Whether the contiguous axis of the operands is the rows or columns of the
  /// result instead of the depth.
  bool rowsRunAcross, columnsRunAcross;
  /// Whether the rows of the left operand are gathered at numbers in the
  /// argument of `rows`; its elements are always those of the argument of
  /// `depth`.
  bool hasGatheredRows;
  /// How blocks of the grid can split the depth, if they can.
  std::optional<SplitProduct> split;

  /// The sizes; nullopt if a size of the result is unknown.
  std::optional<ProductSizes> sizesOf(OpenLaunch &launch) const;

  /// Whether a producer will feed the product: its operands suit TMA and wgmma.
  bool isPiped(OpenLaunch &launch) const;
  /// Whether the main loop rounds operands that run across to tf32, and
  /// transposes them, in registers (`roundTF32Operands`).
  bool roundsOperands(OpenLaunch &launch) const;
  /// Whether rows of an operand are known to begin within a word, where no
  /// asynchronous copy can load them.
  bool readsThroughRegisters(OpenLaunch &launch) const;
  /// Whether the accumulators of a tile fit the registers of warp groups fed by
  /// a producer, and its operands, `step` elements of the depth at a time, the
  /// stages of a ring.
  bool fitsPipe(OpenLaunch &launch, ResultTile tile, int64_t step) const;
  /// Whether both operands are f32 and suit no matrix instruction. Does not
  /// account for tiles that are too small for one (see chooseDot).
  bool isMultiplyAdd(OpenLaunch &launch) const;
  /// Whether a tile is accumulated transposed: if only vectors are combined
  /// with it and the results are stored in boxes (`tma_store`).
  bool isTransposed(OpenLaunch &launch, ResultTile tile) const;
  /// Whether warp groups can divide the rows of a tile, or of its transpose.
  bool suitsGroups(OpenLaunch &launch, ResultTile tile) const;
  mlir::Type elementOfLeft(OpenLaunch &launch) const {
    return launch.elementOf(depth.argument);
  }
  /// The row stride of an operand in bytes; 0 if unknown.
  int64_t pitchOfLeft(OpenLaunch &launch) const;
  int64_t pitchOfRight(OpenLaunch &launch) const;

private:
  /// Whether tensor cores will take the operands as they are.
  bool suitsTensorCores(OpenLaunch &launch) const;
  bool runsAcross() const { return rowsRunAcross || columnsRunAcross; }
  /// The tile of the main loop that rounds operands, which multiplies a right
  /// operand that runs across from the left.
  ResultTile roundedTile(ResultTile tile) const;
};

/// The tiles that a producer can feed, for a launch that leaves them open.
struct PipedTiles {
  llvm::SmallVector<ResultTile> tiles;
  ProductSizes sizes;
  int64_t step; ///< elements of the depth
};

/// The tiles of a product computed in a loop over the depth; nullopt if a
/// producer can feed none.
std::optional<PipedTiles> findPipedTiles(OpenLaunch &launch,
                                         const LoadedProduct &product);

/// The tiles of a product with few rows over the full depth; nullopt if a
/// producer can feed none.
std::optional<PipedTiles> findPipedFewRows(OpenLaunch &launch,
                                           const LoadedProduct &product);

/// The first loaded product of a kernel.
std::optional<LoadedProduct> findLoadedProduct(tile::KernelOp kernel);

/// The time of a product and all others of its batch by fused multiply-adds on
/// the launch's GPU.
/// \param steps  along the depth.
MultiplyAddTime timeOfMultiplyAdd(const LoadedProduct &product, ResultTile tile,
                                  ProductSizes sizes, int64_t steps,
                                  OpenLaunch &launch);

/// The number of blocks for all products of the batch.
int64_t blocksOf(const LoadedProduct &product, ResultTile tile,
                 ProductSizes sizes, OpenLaunch &launch);

/// The cheapest tile on the launch's GPU, for all products of the batch.
/// \param steps  of fused multiply-adds along the depth; 0 with matrix
/// instructions.
ResultTile bestTile(llvm::ArrayRef<ResultTile> tiles,
                    const LoadedProduct &product, ProductSizes sizes,
                    int64_t steps, OpenLaunch &launch);

/// The cheapest tile of those that a producer feeds.
/// \param depthOfStep  elements of the depth per step.
ResultTile bestPipedTile(llvm::ArrayRef<ResultTile> tiles,
                         const LoadedProduct &product, ProductSizes sizes,
                         int64_t depthOfStep, OpenLaunch &launch);

/// The cost model's view of a product with this tile.
/// \param sizes  with a depth.
TiledProduct cutProduct(const LoadedProduct &product, ResultTile tile,
                        ProductSizes sizes, int64_t depthOfStep,
                        OpenLaunch &launch);

/// Every way to share the product between blocks, for every tile that a
/// producer can feed; uncertain if the accumulators may not fit the registers.
llvm::SmallVector<std::pair<ResultTile, ProductCost>>
waysOfTiles(llvm::ArrayRef<ResultTile> tiles, const LoadedProduct &product,
            ProductSizes sizes, int64_t depthOfStep, OpenLaunch &launch);

} // namespace tilegpt::tilegpu

#endif
