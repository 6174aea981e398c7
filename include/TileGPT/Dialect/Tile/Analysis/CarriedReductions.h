// Loops that do nothing but reduce what they load: their iterations may run in
// any order, and in parts.
#ifndef TILEGPT_DIALECT_TILE_ANALYSIS_CARRIEDREDUCTIONS_H
#define TILEGPT_DIALECT_TILE_ANALYSIS_CARRIEDREDUCTIONS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilegpt::tilegpu {

/// A tile that a loop carries as `carried = combine(carried, update)`.
struct CarriedReduction {
  mlir::Operation *combine;
  mlir::Value update; ///< made of nothing that the loop carries
  tile::ReduceKind kind;
  tile::NaNPolicy nan;
};

/// What an elementwise op of two operands reduces by when one is carried;
/// nothing where the op is no associative one.
std::optional<std::pair<tile::ReduceKind, tile::NaNPolicy>>
reductionOf(mlir::Operation *op);

/// The reductions that a loop carries, one for each of its results; nothing
/// where it carries something else or does more than load and compute.
/// \param reason  set to why not, for a remark.
std::optional<llvm::SmallVector<CarriedReduction>>
findCarriedReductions(mlir::scf::ForOp loop, llvm::StringRef *reason = nullptr);

/// The one loop of a kernel without dots whose reductions blocks may share out:
/// in front of it the kernel only loads and computes. Null where there is none.
mlir::scf::ForOp findSharedLoop(tile::KernelOp kernel,
                                llvm::StringRef *reason = nullptr);

} // namespace tilegpt::tilegpu

#endif
