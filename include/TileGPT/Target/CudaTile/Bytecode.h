// CUDA Tile IR bytecode reader and writer. Input is untrusted: every length,
// offset, index and nesting level is checked before use.
#ifndef TILEGPT_TARGET_CUDATILE_BYTECODE_H
#define TILEGPT_TARGET_CUDATILE_BYTECODE_H

#include "TileGPT/Target/CudaTile/Version.h"
#include "mlir/IR/BuiltinOps.h"

namespace tilegpt::cuda_tile {
class ModuleOp;
} // namespace tilegpt::cuda_tile

namespace tilegpt::target::cudatile {

/// Whether these are the first bytes of a bytecode file.
bool isBytecode(llvm::StringRef bytes);

/// The module of a file, named @kernels, and verified. Errors go to the
/// context's diagnostics, at `name`, with the byte offset.
/// \returns null after an error.
mlir::OwningOpRef<cuda_tile::ModuleOp> readBytecode(llvm::StringRef bytes,
                                                    llvm::StringRef name,
                                                    mlir::MLIRContext *context);

/// Writes a verified module. A feature that the version lacks is an error at
/// the op that needs it.
llvm::LogicalResult writeBytecode(cuda_tile::ModuleOp module, Version version,
                                  llvm::raw_ostream &output);

} // namespace tilegpt::target::cudatile

#endif
