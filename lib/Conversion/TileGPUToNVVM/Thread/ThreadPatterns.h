// Shared by the files of `--tile-gpu-to-threads`: type conversion, decomposed
// views, shared memory, and one `populate…` function per group of ops.
#ifndef TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_THREAD_THREADPATTERNS_H
#define TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_THREAD_THREADPATTERNS_H

#include "Thread/ThreadTile.h"
#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include "TileGPT/Dialect/Tile/Analysis/OffsetFacts.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Transforms/DialectConversion.h"

namespace tilegpt::tilegpu {

/// Address spaces of NVPTX.
inline constexpr unsigned globalSpace = 1, sharedSpace = 3,
                          clusterSharedSpace = 7;

/// A tile becomes its registers; a view becomes a pointer, sizes and strides
/// (index, in elements); a buffer becomes a pointer.
class ThreadTypeConverter : public mlir::TypeConverter {
public:
  explicit ThreadTypeConverter(mlir::MLIRContext *context);
};

/// The parts of a view. Static sizes and strides are constants.
struct ViewParts {
  ViewParts(tile::ViewType type, mlir::ValueRange parts);

  mlir::Value size(mlir::OpBuilder &builder, mlir::Location loc,
                   int64_t axis) const;
  mlir::Value stride(mlir::OpBuilder &builder, mlir::Location loc,
                     int64_t axis) const;

  tile::ViewType type;
  mlir::Value pointer;
  llvm::SmallVector<mlir::Value> sizes, strides;
  /// From the type; kDynamic if dynamic.
  llvm::SmallVector<int64_t> knownStrides;
};

/// Additional arguments of a kernel's function, followed by its TMA
/// descriptors.
enum class GridArgument { X, Y, Z, Status };
mlir::Value gridArgument(mlir::Operation *op, GridArgument which);
mlir::Value tensorMapArgument(mlir::Operation *op, unsigned number);

/// Start of the scratch area of the kernel around `op`, in shared memory
/// (`tile_gpu.scratch`).
mlir::Value scratchPointer(mlir::OpBuilder &builder, mlir::Operation *op);

/// Barrier of all consumer threads.
void emitBarrier(mlir::OpBuilder &builder, mlir::Location loc);

/// Unit attribute of the first op of a kernel that uses the scratch area.
inline constexpr llvm::StringLiteral firstExchangeName =
    "tile_gpu.first_exchange";

/// Barrier before an op writes to the scratch area, from which other threads
/// may still read for an earlier op; none for the first one.
void emitScratchBarrier(mlir::OpBuilder &builder, mlir::Operation *op);

/// Kernel, grid, tile.assert, tile.assume, tile_gpu.barrier, tile_gpu.alloc.
void populateKernelPatterns(const ThreadTypeConverter &converter,
                            mlir::RewritePatternSet &patterns);
/// Elementwise ops, tile.cast, splat, iota.
void populateElementwisePatterns(const ThreadTypeConverter &converter,
                                 mlir::RewritePatternSet &patterns);
/// tile.print.
void populatePrintPatterns(const ThreadTypeConverter &converter,
                           mlir::RewritePatternSet &patterns);
/// arith.constant of a tile, data; scratch, which is an error.
void populateConstantPatterns(const ThreadTypeConverter &converter,
                              mlir::RewritePatternSet &patterns);
/// dim, num_tiles, subview, select, transpose, base, view_at.
void populateViewPatterns(const ThreadTypeConverter &converter,
                          mlir::RewritePatternSet &patterns);
/// load, store, gather, scatter.
/// \param table  facts of all of them; outlives the patterns.
void populateMemoryPatterns(const ThreadTypeConverter &converter,
                            mlir::RewritePatternSet &patterns,
                            const AccessTable &table);
/// gather of consecutive entries, marked as realigned.
void populateConsecutivePatterns(const ThreadTypeConverter &converter,
                                 mlir::RewritePatternSet &patterns);
/// expand_dims, broadcast, permute, reshape, cat, extract, insert,
/// tensor.extract, and tile_gpu.convert_layout.
void populateShapePatterns(const ThreadTypeConverter &converter,
                           mlir::RewritePatternSet &patterns);
/// tile.reduce.
void populateReducePatterns(const ThreadTypeConverter &converter,
                            mlir::RewritePatternSet &patterns);
/// tile.scan.
void populateScanPatterns(const ThreadTypeConverter &converter,
                          mlir::RewritePatternSet &patterns);
/// load_at, store_at.
/// \param table  facts of both; outlives the patterns.
void populateOffsetPatterns(const ThreadTypeConverter &converter,
                            mlir::RewritePatternSet &patterns,
                            const OffsetTable &table);
/// atomic_rmw, atomic_cas.
/// \param table  facts of both; outlives the patterns.
void populateAtomicPatterns(const ThreadTypeConverter &converter,
                            mlir::RewritePatternSet &patterns,
                            const OffsetTable &table);
/// tile_gpu.workspace, meet_blocks, await_blocks, put_part, sum_share.
void populateWorkspacePatterns(const ThreadTypeConverter &converter,
                               mlir::RewritePatternSet &patterns);
/// tile_gpu.write, tile_gpu.read.
void populateSharedPatterns(const ThreadTypeConverter &converter,
                            mlir::RewritePatternSet &patterns);
/// tile_gpu.copy, commit_copies, wait_copies, slice.
void populateCopyPatterns(const ThreadTypeConverter &converter,
                          mlir::RewritePatternSet &patterns);
/// tile_gpu.dot.
void populateDotPatterns(const ThreadTypeConverter &converter,
                         mlir::RewritePatternSet &patterns);
/// tile_gpu.roles, pipe, cursor, advance, slot, acquire, await, release.
void populatePipePatterns(const ThreadTypeConverter &converter,
                          mlir::RewritePatternSet &patterns);
void populateNextTilePatterns(const ThreadTypeConverter &converter,
                              mlir::RewritePatternSet &patterns);
/// tile_gpu.tensor_map, tile_gpu.tma_load.
void populateTmaPatterns(const ThreadTypeConverter &converter,
                         mlir::RewritePatternSet &patterns);
/// tile_gpu.claim_maps, make_map, encode_map, release_maps.
void populateMapPatterns(const ThreadTypeConverter &converter,
                         mlir::RewritePatternSet &patterns);
/// tile_gpu.tma_store, tile_gpu.finish_stores.
void populateTmaStorePatterns(const ThreadTypeConverter &converter,
                              mlir::RewritePatternSet &patterns);
/// tile_gpu.row_store.
void populateRowStorePatterns(const ThreadTypeConverter &converter,
                              mlir::RewritePatternSet &patterns);
/// tile_gpu.init_mailbox, sum_parts, write_part, arrive_cluster, await_cluster.
void populatePartsPatterns(const ThreadTypeConverter &converter,
                           mlir::RewritePatternSet &patterns);
/// tile_gpu.begin_exchange, gather_blocks.
void populateBlockExchangePatterns(const ThreadTypeConverter &converter,
                                   mlir::RewritePatternSet &patterns);
/// tile_gpu.async_dot, limit_dots, finish_dot.
void populateWgmmaPatterns(const ThreadTypeConverter &converter,
                           mlir::RewritePatternSet &patterns);
/// tile_gpu.pack.
void populatePackPatterns(const ThreadTypeConverter &converter,
                          mlir::RewritePatternSet &patterns);
/// tile_gpu.load_units, tile_gpu.store_units.
void populateUnitPatterns(const ThreadTypeConverter &converter,
                          mlir::RewritePatternSet &patterns);
/// tile_gpu.load_covering.
void populateCoveringLoadPatterns(const ThreadTypeConverter &converter,
                                  mlir::RewritePatternSet &patterns);
/// tile_gpu.sum_shifted.
void populateSumShiftedPatterns(const ThreadTypeConverter &converter,
                                mlir::RewritePatternSet &patterns);
/// tile_gpu.fill_outside, tile_gpu.store_covering.
void populateCoveringPatterns(const ThreadTypeConverter &converter,
                              mlir::RewritePatternSet &patterns);
/// tile_gpu.run, copy_run, store_run, rows.
void populateRunPatterns(const ThreadTypeConverter &converter,
                         mlir::RewritePatternSet &patterns);
/// tile_gpu.match_range.
void populateMatchRangePatterns(const ThreadTypeConverter &converter,
                                mlir::RewritePatternSet &patterns);
/// tile_gpu.clear_rows, any, and the turns of warp groups.
void populateGroupPatterns(const ThreadTypeConverter &converter,
                           mlir::RewritePatternSet &patterns);

} // namespace tilegpt::tilegpu

#endif
