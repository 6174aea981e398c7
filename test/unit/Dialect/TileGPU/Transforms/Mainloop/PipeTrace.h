// The steps that the roles of a kernel take on its pipe, extracted from the IR
// after --tile-gpu-specialize-roles.
#ifndef TILEGPT_TEST_UNIT_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_PIPETRACE_H
#define TILEGPT_TEST_UNIT_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_PIPETRACE_H

#include "PipeModel.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"

namespace tilegpt::tilegpu {

/// Runs both roles of a kernel with one pipe, following loops and branches.
/// \param scalars  values of the kernel's index arguments, in order.
PipeSystem traceKernel(tile::KernelOp kernel,
                       const std::vector<int64_t> &scalars);

} // namespace tilegpt::tilegpu

#endif
