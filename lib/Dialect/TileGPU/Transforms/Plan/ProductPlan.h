// The plan of a kernel whose main loops only sum up products.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_PRODUCTPLAN_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_PRODUCTPLAN_H

#include "Plan/ProductCost.h"
#include "Plan/WantedPlan.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Mainloop.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "TileGPT/Target/NVVM/GpuTarget.h"

namespace tilegpt::tilegpu {

/// A plan for main loops that only sum up products; null where they do not fit
/// the registers of two warp groups, or shared memory three stages.
/// \param wanted  heeded where it says how blocks share the product (`parts`,
/// `multicast`, `multicastAxis`) or that teams take no turns.
PlanAttr planProducts(tile::KernelOp kernel, llvm::ArrayRef<Mainloop> matches,
                      const target::GpuTarget &target, int64_t multiprocessors,
                      const WantedPlan &wanted);

/// How the only product of a kernel is cut into tiles, as the estimate sees it
/// that these were chosen by; nothing where a size is open.
std::optional<TiledProduct> describeProduct(tile::KernelOp kernel,
                                            const Mainloop &match);

} // namespace tilegpt::tilegpu

#endif
