// Shape changes that move no element: the registers of the result are those of
// the source under other names.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_RELABEL_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_RELABEL_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include <optional>

namespace tilegpt::tilegpu {

/// For each register of a result, the register of the source that holds its
/// element; -1 for padding. For `tile.cat` the registers of the right source
/// are numbered after those of the left one.
using RegisterMap = llvm::SmallVector<int64_t>;

/// The map of an op whose result each thread can form from its own registers:
/// expand_dims, permute and broadcast with matching layouts, reshape that adds,
/// drops, splits or merges axes, cat whose parts are in registers of the same
/// threads, extract of registers at constant indices, convert_layout that moves
/// nothing. Nothing for all other ops.
std::optional<RegisterMap> findRelabeling(mlir::Operation *op);

/// The layout of an index tile along `axis` of a tile of rank `rank` with
/// `layout`: each thread holds exactly the indices of its elements.
LayoutAttr layoutOfIndices(LayoutAttr layout, int64_t rank, int64_t axis);

} // namespace tilegpt::tilegpu

#endif
