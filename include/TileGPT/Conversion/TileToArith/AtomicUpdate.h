// The instruction behind a tile.atomic_rmw, the same on the CPU and the GPU.
#ifndef TILEGPT_CONVERSION_TILETOARITH_ATOMICUPDATE_H
#define TILEGPT_CONVERSION_TILETOARITH_ATOMICUPDATE_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace tilegpt::tile {

/// LLVM's name of an update.
/// \param element  type of the updated element: sums of floats and of integers
///                 are different instructions.
mlir::LLVM::AtomicBinOp binOpOf(AtomicKind kind, mlir::Type element);

} // namespace tilegpt::tile

#endif
