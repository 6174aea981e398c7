// The cost model's view of a kernel's product.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_DESCRIBEPRODUCT_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_DESCRIBEPRODUCT_H

#include "Cost/ProductCost.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Mainloop.h"
#include "TileGPT/Dialect/TileGPU/Analysis/SplitProduct.h"

namespace tilegpt::tilegpu {

/// Axes of a grid without entries of a batch, which are those of any other;
/// clusters lie along these only.
constexpr size_t axesOfTiles = 2;

/// Whether a kernel combines the result with another loaded tile: its loads in
/// flight leave ping-pong consumers too few registers.
bool hasTileOperand(tile::KernelOp kernel, const Mainloop &match);

/// Whether the accumulation happens in f32 after each dot, since dots of f8
/// operands would truncate their accumulator.
bool addsBehindDots(const Mainloop &match);

/// Blocks that split the depth of each tile through memory.
int64_t countShares(tile::KernelOp kernel);

/// The grid axis along which blocks share the tiles of an operand, and of no
/// other one, in lockstep; nullopt if there is none.
std::optional<int64_t> findMulticastAxis(tile::KernelOp kernel,
                                         const Mainloop &match,
                                         mlir::Value operand);

/// The tiling of a kernel's only product, in the terms of the cost model that
/// chose it; nullopt if a size is unknown.
std::optional<TiledProduct> describeProduct(tile::KernelOp kernel,
                                            const Mainloop &match);

/// The same for a product whose warp groups round its operands to tf32
/// (`roundTF32Operands()`, before it does; `isTransposedToRound()` is false),
/// or copy them without a producer.
/// \param rounds  which of both.
std::optional<TiledProduct> describeProduct(tile::KernelOp kernel,
                                            const SplitProduct &product,
                                            bool rounds);

} // namespace tilegpt::tilegpu

#endif
