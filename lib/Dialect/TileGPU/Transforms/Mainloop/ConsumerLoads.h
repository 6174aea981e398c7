// Loads of a main loop's consumers that start ahead of where a kernel has them.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_CONSUMERLOADS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_CONSUMERLOADS_H

#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/IR/IRMapping.h"

namespace tilegpt::tilegpu {

/// Starts loads that follow a main loop before it, so that what they bring (a
/// bias, say) is there when the sum is. As many as there are registers for
/// beside what the loop carries, and only of what the kernel does not write.
void loadBeforeLoop(MainloopOp loop);

/// Starts what an iteration loads to a few registers, where only its number
/// says what, before it waits for tiles and dots.
/// \param known  the values of the iteration; gets what is loaded.
void loadBeforeWaits(mlir::OpBuilder &builder, MainloopOp loop,
                     mlir::IRMapping &known);

} // namespace tilegpt::tilegpu

#endif
