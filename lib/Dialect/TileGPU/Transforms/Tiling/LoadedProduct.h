// A dot whose operands are tiles of arguments, what will multiply them, and the
// tile of its result that takes the least time.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_TILING_LOADEDPRODUCT_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_TILING_LOADEDPRODUCT_H

#include "Plan/MultiplyAddCost.h"
#include "Plan/ProductCost.h"
#include "Tiling/OpenLaunch.h"

namespace tilegpt::tilegpu {

/// A tile of a result.
struct ResultTile {
  int64_t rows, columns;
};

/// What is known of the sizes of a product.
struct ProductSizes {
  int64_t rows, columns;
  std::optional<int64_t> depth;
};

struct LoadedProduct {
  TiledAxis rows, columns, depth;
  /// As the text says.
  tile::Precision precision;
  /// Whether the kernel loads a tile that is not multiplied, such as one that
  /// is added.
  bool hasTileOperand;
  /// Products that the same loop sums up, each for itself.
  int64_t products;
  /// Whether the operands run along the rows and the columns of the result in
  /// memory instead of along the depth.
  bool rowsRunAcross, columnsRunAcross;

  /// Nothing where the result has a size that is not known.
  std::optional<ProductSizes> sizesOf(OpenLaunch &launch) const;

  /// Whether a producer will feed the product: operands that TMA reaches and
  /// wgmma multiplies.
  bool isPiped(OpenLaunch &launch) const;
  /// Whether rows of an operand are known to begin between two words, where no
  /// copy brings them.
  bool readsThroughRegisters(OpenLaunch &launch) const;
  /// Whether the sums of a tile fit the registers of the warp groups that a
  /// producer feeds, and its operands, so many elements of the depth a step,
  /// the stages of a ring.
  bool fitsPipe(OpenLaunch &launch, ResultTile tile, int64_t step) const;
  /// Whether no matrix instruction takes the operands, both f32. Tiles too
  /// small for one (see chooseDot) are not known yet.
  bool isMultiplyAdd(OpenLaunch &launch) const;
  /// Whether the sums of a tile are made transposed, which they can be where
  /// nothing but vectors is combined with them and the results leave in boxes
  /// (`tma_store`).
  bool isTransposed(OpenLaunch &launch, ResultTile tile) const;
  /// Bytes from one row of an operand to the next; 0 where that is not known.
  /// \param runsAcross  along `size` instead of along the depth.
  int64_t pitchOf(OpenLaunch &launch, const TiledAxis &size,
                  bool runsAcross) const;

private:
  /// Whether tensor cores will take the operands as they are.
  bool suitsTensorCores(OpenLaunch &launch) const;
};

/// Tiles that a producer can feed, of a launch that leaves them open.
struct PipedTiles {
  llvm::SmallVector<ResultTile> tiles;
  ProductSizes sizes;
  int64_t step; ///< elements of the depth
};

/// The tiles of a product by steps along the depth; nothing where no producer
/// feeds any.
std::optional<PipedTiles> findPipedTiles(OpenLaunch &launch,
                                         const LoadedProduct &product);

/// The tiles of a product of few rows, all of the depth; nothing where no
/// producer feeds any.
std::optional<PipedTiles> findPipedFewRows(OpenLaunch &launch,
                                           const LoadedProduct &product);

/// The first of a kernel.
std::optional<LoadedProduct> findLoadedProduct(tile::KernelOp kernel);

/// What a product takes by fused multiply-adds on the GPU of a launch, with all
/// others of its batch.
/// \param steps  along the depth.
MultiplyAddTime timeOfMultiplyAdd(const LoadedProduct &product, ResultTile tile,
                                  ProductSizes sizes, int64_t steps,
                                  OpenLaunch &launch);

/// Blocks of a product and all others of its batch.
int64_t blocksOf(const LoadedProduct &product, ResultTile tile,
                 ProductSizes sizes, OpenLaunch &launch);

/// The tile of the least time on the GPU of a launch, with all other products
/// of the batch.
/// \param steps  of fused multiply-adds along the depth; 0 where there is a
///               matrix instruction.
ResultTile bestTile(llvm::ArrayRef<ResultTile> tiles,
                    const LoadedProduct &product, ProductSizes sizes,
                    int64_t steps, OpenLaunch &launch);

/// As `bestTile`, for tiles that a producer feeds.
/// \param depthOfStep  of a step along the depth.
ResultTile bestPipedTile(llvm::ArrayRef<ResultTile> tiles,
                         const LoadedProduct &product, ProductSizes sizes,
                         int64_t depthOfStep, OpenLaunch &launch);

/// Every way in which blocks can share the product, of every tile that a
/// producer can feed; uncertain where its sums may not find registers.
llvm::SmallVector<std::pair<ResultTile, ProductCost>>
waysOfTiles(llvm::ArrayRef<ResultTile> tiles, const LoadedProduct &product,
            ProductSizes sizes, int64_t depthOfStep, OpenLaunch &launch);

} // namespace tilegpt::tilegpu

#endif
