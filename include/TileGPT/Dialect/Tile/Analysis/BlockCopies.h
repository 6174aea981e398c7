// Kernels in which several blocks compute the same.
#ifndef TILEGPT_DIALECT_TILE_ANALYSIS_BLOCKCOPIES_H
#define TILEGPT_DIALECT_TILE_ANALYSIS_BLOCKCOPIES_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace tilegpt::tilegpu {

/// How many adjacent blocks along the first axis of the grid compute the same:
/// the divisor of the block id in all its uses, 1 if it is used in another way.
inline int64_t countBlockCopies(tile::KernelOp kernel) {
  std::optional<int64_t> copies;
  bool isOther = false;
  kernel.walk([&](tile::BlockIdOp id) {
    if (id.getAxis() != 0)
      return;
    for (mlir::Operation *user : id->getUsers()) {
      auto quotient = mlir::dyn_cast<mlir::arith::DivUIOp>(user);
      std::optional<int64_t> divisor =
          quotient && quotient.getLhs() == id
              ? mlir::getConstantIntValue(quotient.getRhs())
              : std::nullopt;
      isOther |= !divisor || (copies && *copies != *divisor);
      if (divisor)
        copies = divisor;
    }
  });
  return isOther ? 1 : copies.value_or(1);
}

} // namespace tilegpt::tilegpu

#endif
