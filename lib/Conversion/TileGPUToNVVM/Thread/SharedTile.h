// Addresses of the elements of a shared memory buffer: padded rows, or swizzled
// panels.
#ifndef TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_THREAD_SHAREDTILE_H
#define TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_THREAD_SHAREDTILE_H

#include "TileGPT/Conversion/TileToArith/MemoryElement.h"
#include "TileGPT/Dialect/TileGPU/IR/SharedAccess.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "mlir/IR/Builders.h"

namespace tilegpt::tilegpu {

/// Addresses relative to a thread-dependent base element of a buffer.
class SharedTile {
public:
  /// \param pointer     start of the buffer, !llvm.ptr<3>.
  /// \param base        coordinates of the base, index, one for each axis.
  /// \param columnSpan  a power of two that bounds the last coordinate; 0 if
  /// unknown.
  SharedTile(mlir::OpBuilder &builder, mlir::Location loc, SharedType type,
             mlir::Value pointer, mlir::ValueRange base,
             int64_t columnSpan = 0);

  /// The address of the element at base + offset.
  mlir::Value at(llvm::ArrayRef<int64_t> offset);

  /// Reads or writes adjacent elements of the last axis in one access; their
  /// number divides getSharedVector(), the column of the first is a multiple of
  /// it.
  /// \param guard  i1; if false the start of the buffer is read. May be null.
  llvm::SmallVector<mlir::Value> load(llvm::ArrayRef<int64_t> offset,
                                      int64_t count, mlir::Value guard = {});
  void store(llvm::ArrayRef<int64_t> offset,
             llvm::ArrayRef<mlir::Value> values);

private:
  mlir::Value atSwizzled(llvm::ArrayRef<int64_t> offset);
  mlir::Value constant(int64_t value);
  mlir::Value move(mlir::Value from, mlir::Value elements);
  mlir::Value move(mlir::Value from, int64_t elements);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  SharedType type;
  mlir::Value pointer;
  llvm::SmallVector<mlir::Value> base;
  int64_t columnSpan;
};

} // namespace tilegpt::tilegpu

#endif
