// Loops with dots whose iterations can process their tiles piece by piece.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_ITERATIONS_PIECEITERATIONS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_ITERATIONS_PIECEITERATIONS_H

#include "TileGPT/Dialect/TileGPU/Analysis/FreeAxis/AxisPlaces.h"

namespace tilegpt::tilegpu {

/// A loop over the tiles of an axis that only carries sums of dots along it,
/// and online softmaxes. Smaller tiles change the order of the sums, and which
/// maxima are subtracted.
struct PieceIterations {
  mlir::scf::ForOp loop;
  StreamedAxis axis;
  AxisPlaces places;
  /// The numbers of loop-carried maxima that start at minus infinity, and stay
  /// there in a piece whose scores are all minus infinity.
  llvm::SmallVector<unsigned> openMaxima;

  /// Turns each iteration into `pieces`, which divide the size of the axis.
  /// Open maxima start at a finite number.
  void split(int64_t pieces);

  /// Turns each `times` iterations into one. Bounds are rounded up.
  void join(int64_t times);

private:
  void setSize(int64_t size);
};

/// Nothing if a piece affects more than these sums.
/// \param refusal  set to the reason.
std::optional<PieceIterations>
findPieceIterations(mlir::scf::ForOp loop, FreeAxisRefusal *refusal = nullptr);

/// The number of iterations that replace one, in `tile.wanted_plan`.
inline constexpr llvm::StringLiteral piecesName = "pieces";

/// Removes that request, which a plan does not record. One that remains is
/// reported by `--tile-gpu-make-plan`.
void takePieces(tile::KernelOp kernel);

/// Creates a copy of constants, and of tiles made from constants, for each of
/// their uses: axes of equal size share them.
void separateConstants(tile::KernelOp kernel);

} // namespace tilegpt::tilegpu

#endif
