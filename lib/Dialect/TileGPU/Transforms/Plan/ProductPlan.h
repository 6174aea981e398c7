// Plans kernels whose main loops only accumulate products.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_PRODUCTPLAN_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_PRODUCTPLAN_H

#include "Cost/ProductCost.h"
#include "Plan/WantedPlan.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Mainloop.h"
#include "TileGPT/Dialect/TileGPU/Analysis/SplitProduct.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "TileGPT/Target/NVVM/GpuTarget.h"
#include <vector>

namespace tilegpt::tilegpu {

/// A plan for main loops that only accumulate products; null if they do not fit
/// the registers of two warp groups, or three stages do not fit shared memory.
/// \param wanted  honored where it sets how blocks share the product (`parts`,
/// `multicast`, `multicastAxis`) or forbids turns of teams.
PlanAttr planProducts(tile::KernelOp kernel, llvm::ArrayRef<Mainloop> matches,
                      const target::GpuTarget &target, int64_t multiprocessors,
                      const WantedPlan &wanted);

/// The number of rows of tiles in a raster band, which blocks walk column by
/// column, for a grid of two axes whose depth is not split through memory.
int64_t rasterOf(const TiledProduct &product, const ProductCost &way,
                 int64_t multiprocessors);

/// Other numbers that may be faster, each in a different order of tiles; none
/// if blocks of the grid split the depth, which they do group by group.
std::vector<int64_t> otherRasters(const TiledProduct &product,
                                  const ProductCost &way,
                                  int64_t multiprocessors);

/// The raster of a kernel whose blocks wait for each other, group by group: if
/// not all blocks are resident, those of the first incomplete group must be.
/// nullopt for other kernels.
std::optional<int64_t> rasterOfGroups(tile::KernelOp kernel);

} // namespace tilegpt::tilegpu

#endif
