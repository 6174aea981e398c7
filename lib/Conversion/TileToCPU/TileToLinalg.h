// Shared by the files of `--tile-to-linalg`: the memory type of a view, and one
// `populate…` function per group of ops.
#ifndef TILEGPT_LIB_CONVERSION_TILETOCPU_TILETOLINALG_H
#define TILEGPT_LIB_CONVERSION_TILETOCPU_TILETOLINALG_H

#include "TileGPT/Dialect/Tile/IR/TileDialect.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <array>

namespace tilegpt::cpu {

/// The entry of `tilegpt.ranks` for an argument that is not a view; views have
/// their rank. `--cpu-kernel-abi` uses it to find the parts of memrefs.
inline constexpr int64_t scalarRank = -1, pointerRank = -2;

/// The memref that a view becomes: its sizes and strides, with a dynamic
/// offset.
mlir::MemRefType memoryType(tile::ViewType view);

/// `value` as `type`, through a memref.cast if the static information differs.
mlir::Value castMemref(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value value, mlir::MemRefType type);

/// An index constant.
mlir::Value indexConstant(mlir::OpBuilder &builder, mlir::Location loc,
                          int64_t value);

/// Size of an axis of a memref, a constant where it is static.
mlir::Value memrefDim(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value memref, int64_t axis);

/// The in-bounds part of a tile along one axis.
struct ClippedAxis {
  mlir::Value start;  ///< of the tile, in elements
  mlir::Value length; ///< elements inside, 0 … size
};

/// \param index  of the tile, in units of `size` elements.
ClippedAxis clippedLength(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value view, int64_t axis, mlir::Value index,
                          int64_t size);

/// The body of a kernel's function: its last six arguments are the block's
/// indices and the numbers of blocks.
mlir::Value gridArgument(mlir::Operation *op, unsigned number);

/// A loop over every element of a shape, row by row.
/// \param body  called with the indices of each element.
void forEachElement(
    mlir::OpBuilder &builder, mlir::Location loc, llvm::ArrayRef<int64_t> shape,
    llvm::function_ref<void(mlir::OpBuilder &, mlir::ValueRange)> body);

using LoadSet = llvm::DenseSet<mlir::Operation *>;

/// An axis of an access whose tiles may be partly out of bounds.
struct TileEdge {
  mlir::Value view, index;
  int64_t axis, size;
};
using TileEdges = llvm::SmallVector<TileEdge, 2>;

/// For dots, by their axes m, n and k: the accesses that determine the relevant
/// part of the tile, the maximum of their in-bounds parts; none if all of it
/// is. Rows and columns that are never stored are irrelevant, and so is K where
/// both operands are zero.
using DotEdges = llvm::DenseMap<mlir::Operation *, std::array<TileEdges, 3>>;
DotEdges findDotEdges(tile::KernelOp kernel);

/// For loads only used by a dot, axis by axis, the accesses that determine how
/// much of the tile the dot multiplies; none if all of it.
using LoadEdges = llvm::DenseMap<mlir::Operation *, std::array<TileEdges, 2>>;
LoadEdges findLoadEdges(const DotEdges &dots);

/// The largest part of a tile that is in bounds of one of the views, or all of
/// it.
mlir::OpFoldResult extentOf(mlir::ConversionPatternRewriter &rewriter,
                            mlir::Location loc, const TileEdges &edges,
                            int64_t size);

/// The attribute of a block function that has its order, unless it is 0, 1, 2.
inline constexpr llvm::StringLiteral blockOrderAttr = "tilegpt.block_order";

/// The axes of the grid from the fastest one on, in which a thread runs
/// consecutive blocks: those of elementwise kernels and reductions continue the
/// rows of their results, which are contiguous in memory.
llvm::SmallVector<int64_t> chooseBlockOrder(tile::KernelOp kernel);

/// Views: dim, num_tiles, subview, select, transpose; data, scratch; grid:
/// block_id, num_blocks.
void populateViewPatterns(const mlir::TypeConverter &converter,
                          mlir::RewritePatternSet &patterns);
/// load. Those in `inPlace` read memory that their kernel never writes; of
/// those in `edges`, only a part is needed.
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
/// reduce.
void populateReducePatterns(const mlir::TypeConverter &converter,
                            mlir::RewritePatternSet &patterns);
/// scan.
void populateScanPatterns(const mlir::TypeConverter &converter,
                          mlir::RewritePatternSet &patterns);
/// dot, restricted to the relevant part.
void populateDotPatterns(const mlir::TypeConverter &converter,
                         mlir::RewritePatternSet &patterns,
                         const DotEdges &edges);
/// cast, assert, assume, print.
void populateMathPatterns(const mlir::TypeConverter &converter,
                          mlir::RewritePatternSet &patterns);

} // namespace tilegpt::cpu

#endif
