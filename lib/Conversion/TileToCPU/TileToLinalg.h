// What the files of `--tile-to-linalg` share: the type of a view in memory, and
// one function a group of ops that adds its patterns.
#ifndef TILEGPT_LIB_CONVERSION_TILETOCPU_TILETOLINALG_H
#define TILEGPT_LIB_CONVERSION_TILETOCPU_TILETOLINALG_H

#include "TileGPT/Dialect/Tile/IR/TileDialect.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <array>

namespace tilegpt::cpu {

/// What `tilegpt.ranks` says of an argument that is no view; views have their
/// rank. By it `--cpu-kernel-abi` finds the parts of memrefs again.
inline constexpr int64_t scalarRank = -1, pointerRank = -2;

/// The memref a view becomes: its sizes and strides, and an offset that is
/// known when the kernel runs.
mlir::MemRefType memoryType(tile::ViewType view);

/// `value` as `type`, through a memref.cast where the two differ in what is
/// known statically.
mlir::Value castMemref(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value value, mlir::MemRefType type);

/// An index constant.
mlir::Value indexConstant(mlir::OpBuilder &builder, mlir::Location loc,
                          int64_t value);

/// Size of an axis of a memref, a constant where it is static.
mlir::Value memrefDim(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value memref, int64_t axis);

/// The part of a tile that lies inside its view, along one axis.
struct ClippedAxis {
  mlir::Value start;  ///< of the tile, in elements
  mlir::Value length; ///< elements inside, 0 … size
};

/// \param index  of the tile, counted in tiles of `size` elements.
ClippedAxis clippedLength(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value view, int64_t axis, mlir::Value index,
                          int64_t size);

/// The body of a kernel's function: its last six arguments are the block's
/// indices and the numbers of blocks.
mlir::Value gridArgument(mlir::Operation *op, unsigned number);

/// A loop over every element of a shape, row by row.
/// \param body  what to do with one, at these indices.
void forEachElement(
    mlir::OpBuilder &builder, mlir::Location loc, llvm::ArrayRef<int64_t> shape,
    llvm::function_ref<void(mlir::OpBuilder &, mlir::ValueRange)> body);

using LoadSet = llvm::DenseSet<mlir::Operation *>;

/// An axis of an access whose tiles may stick out of the view.
struct TileEdge {
  mlir::Value view, index;
  int64_t axis, size;
};
using TileEdges = llvm::SmallVector<TileEdge, 2>;

/// Of dots by their axes m, n and k: the accesses that say how much of the tile
/// matters, which is the most of what lies inside of any of them; none where
/// all of it does. Rows and columns that are stored nowhere do not matter, nor
/// does depth at which both operands are zero.
using DotEdges = llvm::DenseMap<mlir::Operation *, std::array<TileEdges, 3>>;
DotEdges findDotEdges(tile::KernelOp kernel);

/// Of loads that only a dot reads, axis by axis, the accesses that say how much
/// of the tile that dot multiplies; none where it is all of it.
using LoadEdges = llvm::DenseMap<mlir::Operation *, std::array<TileEdges, 2>>;
LoadEdges findLoadEdges(const DotEdges &dots);

/// The largest part of a tile that is inside of one of the views, or all of it.
mlir::OpFoldResult extentOf(mlir::ConversionPatternRewriter &rewriter,
                            mlir::Location loc, const TileEdges &edges,
                            int64_t size);

/// Views: dim, num_tiles, subview, select, transpose; data, scratch; grid:
/// block_id, num_blocks.
void populateViewPatterns(const mlir::TypeConverter &converter,
                          mlir::RewritePatternSet &patterns);
/// load. Those in `inPlace` read memory that their kernel never writes; of
/// those in `edges`, a part is enough.
void populateLoadPatterns(const mlir::TypeConverter &converter,
                          mlir::RewritePatternSet &patterns,
                          const LoadSet &inPlace, const LoadEdges &edges);
/// store.
void populateStorePatterns(const mlir::TypeConverter &converter,
                           mlir::RewritePatternSet &patterns);
/// gather, scatter.
void populateGatherPatterns(const mlir::TypeConverter &converter,
                            mlir::RewritePatternSet &patterns);
/// splat, iota, reshape, broadcast, expand_dims, permute, cat, extract, insert.
void populateShapePatterns(const mlir::TypeConverter &converter,
                           mlir::RewritePatternSet &patterns);
/// base, view_at, load_at, store_at, atomic_rmw, atomic_cas.
void populatePointerPatterns(const mlir::TypeConverter &converter,
                             mlir::RewritePatternSet &patterns);
/// reduce, scan.
void populateReducePatterns(const mlir::TypeConverter &converter,
                            mlir::RewritePatternSet &patterns);
/// dot, of which only what matters is multiplied.
void populateDotPatterns(const mlir::TypeConverter &converter,
                         mlir::RewritePatternSet &patterns,
                         const DotEdges &edges);
/// cast, assert, assume, print.
void populateMathPatterns(const mlir::TypeConverter &converter,
                          mlir::RewritePatternSet &patterns);

} // namespace tilegpt::cpu

#endif
