// The context of the fuzz targets of CUDA Tile IR.
#ifndef TILEGPT_TEST_FUZZ_CUDATILECONTEXT_H
#define TILEGPT_TEST_FUZZ_CUDATILECONTEXT_H

#include "TileGPT/Dialect/CudaTile/IR/CudaTileDialect.h"
#include "mlir/IR/MLIRContext.h"
#include <optional>

namespace tilegpt::fuzz {

/// A context for some thousand inputs: creating one takes longer than reading
/// an input, but it keeps the types and attributes of all inputs alive. Its
/// diagnostics are dropped.
inline mlir::MLIRContext &cudaTileContext() {
  constexpr unsigned inputs = 4000;
  static std::optional<mlir::MLIRContext> context;
  static unsigned used = 0;
  if (used++ % inputs == 0) {
    context.emplace(mlir::MLIRContext::Threading::DISABLED);
    context->loadDialect<cuda_tile::CudaTileDialect>();
    context->getDiagEngine().registerHandler(
        [](mlir::Diagnostic &) { return llvm::success(); });
  }
  return *context;
}

} // namespace tilegpt::fuzz

#endif
