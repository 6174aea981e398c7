// Loops that only reduce what they load: their iterations may be reordered and
// split.
#ifndef TILEGPT_DIALECT_TILE_ANALYSIS_CARRIEDREDUCTIONS_H
#define TILEGPT_DIALECT_TILE_ANALYSIS_CARRIEDREDUCTIONS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilegpt::tilegpu {

/// A loop-carried tile `carried = combine(carried, update)`.
struct CarriedReduction {
  mlir::Operation *combine;
  mlir::Value update; ///< made of nothing that the loop carries
  tile::ReduceKind kind;
  tile::NaNPolicy nan;
};

/// The reduction kind of an elementwise op with a loop-carried operand; nothing
/// if the op is not associative.
std::optional<std::pair<tile::ReduceKind, tile::NaNPolicy>>
reductionOf(mlir::Operation *op);

/// The reductions of a loop, one for each of its results; nothing if it carries
/// something else or does more than load and compute.
/// \param reason  set to the reason for a remark.
std::optional<llvm::SmallVector<CarriedReduction>>
findCarriedReductions(mlir::scf::ForOp loop, llvm::StringRef *reason = nullptr);

/// The only loop of a kernel without dots whose reductions can be split among
/// blocks, with only loads and arithmetic before it. Null if there is none.
mlir::scf::ForOp findSharedLoop(tile::KernelOp kernel,
                                llvm::StringRef *reason = nullptr);

} // namespace tilegpt::tilegpu

#endif
