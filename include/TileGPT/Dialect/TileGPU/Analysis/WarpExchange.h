// A layout change that moves elements only within warps. The tile goes piece by
// piece through a small shared memory area private to each warp, without
// synchronization between warps.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_WARPEXCHANGE_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_WARPEXCHANGE_H

#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include <optional>

namespace tilegpt::tilegpu {

class WarpExchange {
public:
  /// The exchange from one layout of a tile to the other; nothing if an element
  /// would have to change warps.
  static std::optional<WarpExchange> between(mlir::RankedTensorType source,
                                             mlir::RankedTensorType result);

  /// Bytes of shared memory for all warps that share a tile.
  int64_t getBytes(PlanAttr plan) const;

  /// Registers of the source whose elements end up in those of the result, and
  /// the start of their bounding box relative to the warp.
  struct Piece {
    llvm::SmallVector<int64_t> written, read, origin;
  };

  mlir::RankedTensorType getSource() const { return source; }
  mlir::RankedTensorType getResult() const { return result; }
  llvm::ArrayRef<Piece> getPieces() const { return pieces; }
  /// Per warp.
  SharedType getBuffer() const { return buffer; }
  /// Registers moved by one access.
  int64_t getWriteVector() const { return writeVector; }
  int64_t getReadVector() const { return readVector; }

private:
  WarpExchange(mlir::RankedTensorType source, mlir::RankedTensorType result)
      : source(source), result(result) {}
  bool findPieces();
  void chooseBuffer();
  /// The extent of a piece along each axis: its bounding box.
  llvm::SmallVector<int64_t> placePiece(Piece &piece) const;

  mlir::RankedTensorType source, result;
  llvm::SmallVector<Piece> pieces;
  SharedType buffer;
  int64_t writeVector = 1, readVector = 1;
};

} // namespace tilegpt::tilegpu

#endif
