// How the body of a raw kernel uses its arguments.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_RAW_ARGUMENTUSES_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_RAW_ARGUMENTUSES_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tile {

/// Bytes of the widest access of a thread, and the unit of a TMA descriptor.
inline constexpr int64_t accessBytes = 16;

/// Calls `visit` for every use of a value, looking through assumptions about it
/// and casts of integers.
void forEachArgumentUse(mlir::Value value,
                        llvm::function_ref<void(mlir::OpOperand &)> visit);

/// The largest divisor that the kernel assumes for an argument; 1: none.
int64_t promisedDivisor(mlir::BlockArgument argument);

/// The axis whose stride an operand of a `view_at` is; nullopt for others.
std::optional<int64_t> strideAxis(mlir::OpOperand &use);

/// The axis whose size an operand of a `view_at` is; nullopt for others.
std::optional<int64_t> sizeAxis(mlir::OpOperand &use);

/// Bytes of the narrowest type that the arguments of a kernel point to.
int64_t narrowestBytes(KernelOp kernel);

/// Whether a type is an integer other than i1.
bool isInteger(mlir::Type type);

} // namespace tilegpt::tile

#endif // TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_RAW_ARGUMENTUSES_H
