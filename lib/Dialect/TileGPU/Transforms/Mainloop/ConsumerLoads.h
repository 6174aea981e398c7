// Hoists loads of a main loop's consumers.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_CONSUMERLOADS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_CONSUMERLOADS_H

#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/IR/IRMapping.h"

namespace tilegpt::tilegpu {

/// Hoists loads that follow a main loop above it, so that their data (a bias,
/// say) arrives before the sum is complete. Hoists as many as fit into the
/// registers beside the loop-carried values, and only from memory that the
/// kernel does not write.
void loadBeforeLoop(MainloopOp loop);

/// Issues an iteration's small loads, whose addresses depend on nothing but the
/// iteration number, before it waits for tiles and dots.
/// \param known  maps the iteration's values; gains the loaded ones.
void loadBeforeWaits(mlir::OpBuilder &builder, MainloopOp loop,
                     mlir::IRMapping &known);

} // namespace tilegpt::tilegpu

#endif
