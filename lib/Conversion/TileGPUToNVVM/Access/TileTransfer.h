// Moves the registers of a tile to and from a buffer in shared memory, with
// accesses of up to 16 bytes per thread.
#ifndef TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_ACCESS_TILETRANSFER_H
#define TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_ACCESS_TILETRANSFER_H

#include "Thread/SharedTile.h"
#include "Thread/ThreadTile.h"

namespace tilegpt::tilegpu {

class TileTransfer {
public:
  /// \param type       the tile, a tensor with a layout.
  /// \param buffer     a buffer of its rank and element type, beginning at
  ///                   `pointer`, !llvm.ptr<3>.
  /// \param origin     where in the buffer the tile begins, index, one for
  ///                   each axis; empty for zeros. The tile lies within the
  ///                   buffer.
  /// \param alignment  of the last coordinate of the origin: what it is known
  ///                   to be a multiple of, 0 if it is 0.
  TileTransfer(mlir::OpBuilder &builder, mlir::Location loc,
               mlir::RankedTensorType type, SharedType buffer,
               mlir::Value pointer, mlir::ValueRange origin = {},
               int64_t alignment = 0);

  /// Writes the elements inside the tile; of several threads with replicas, the
  /// first writes.
  void write(mlir::ValueRange registers);
  /// Reads the registers; padding is undefined.
  llvm::SmallVector<mlir::Value> read();

  /// Number of registers per access that reads.
  int64_t getVectorSize() const { return vector; }
  /// The registers from `reg` on that are moved together.
  llvm::SmallVector<mlir::Value> readVector(int64_t reg);

private:
  void pairBytes(llvm::SmallVector<mlir::Value> &values);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type element;
  ThreadTile tile;
  SharedTile shared;
  int64_t largest; ///< of the elements that an access may write
  int64_t vector;
};

} // namespace tilegpt::tilegpu

#endif
