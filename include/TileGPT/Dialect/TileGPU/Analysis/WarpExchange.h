// A change of layout that moves elements only inside of warps. The tile goes
// piece by piece through a little shared memory that each warp has to itself,
// and no warp waits for another.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_WARPEXCHANGE_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_WARPEXCHANGE_H

#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include <optional>

namespace tilegpt::tilegpu {

class WarpExchange {
public:
  /// The way from one layout of a tile to the other; nothing where an element
  /// would have to change warps.
  static std::optional<WarpExchange> between(mlir::RankedTensorType source,
                                             mlir::RankedTensorType result);

  /// Bytes of shared memory for all warps that share a tile.
  int64_t getBytes(PlanAttr plan) const;

  /// Registers of the source whose elements end up in those of the result, and
  /// where the box around them begins, seen from the warp.
  struct Piece {
    llvm::SmallVector<int64_t> written, read, origin;
  };

  mlir::RankedTensorType getSource() const { return source; }
  mlir::RankedTensorType getResult() const { return result; }
  llvm::ArrayRef<Piece> getPieces() const { return pieces; }
  /// Of one warp.
  SharedType getBuffer() const { return buffer; }
  /// Registers that move in one access.
  int64_t getWriteVector() const { return writeVector; }
  int64_t getReadVector() const { return readVector; }

private:
  WarpExchange(mlir::RankedTensorType source, mlir::RankedTensorType result)
      : source(source), result(result) {}
  bool findPieces();
  void chooseBuffer();
  /// How far the elements of a piece reach along each axis: their box.
  llvm::SmallVector<int64_t> placePiece(Piece &piece) const;

  mlir::RankedTensorType source, result;
  llvm::SmallVector<Piece> pieces;
  SharedType buffer;
  int64_t writeVector = 1, readVector = 1;
};

} // namespace tilegpt::tilegpu

#endif
