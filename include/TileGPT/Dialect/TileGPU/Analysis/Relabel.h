// Changes of shape that leave every element where it is: the registers of the
// result are those of the source under other names.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_RELABEL_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_RELABEL_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include <optional>

namespace tilegpt::tilegpu {

/// For each register of a result, the register of the source that holds its
/// element; -1 where it is padding. Of `tile.cat` the registers of the right
/// source count on from those of the left one.
using RegisterMap = llvm::SmallVector<int64_t>;

/// The map of an op whose result each thread can form of what it holds: of
/// expand_dims, permute and broadcast where the layouts fit, of reshape where
/// only axes of size 1 come or go besides, of cat where the parts are in
/// registers of the same threads, of extract where these are those of a piece
/// at constant indices, of convert_layout where it moves nothing. Nothing for
/// all else.
std::optional<RegisterMap> findRelabeling(mlir::Operation *op);

/// The layout of an index tile that walks `axis` of a tile of rank `rank` with
/// `layout`: each thread holds the indices of just the elements it holds.
LayoutAttr layoutOfIndices(LayoutAttr layout, int64_t rank, int64_t axis);

} // namespace tilegpt::tilegpu

#endif
