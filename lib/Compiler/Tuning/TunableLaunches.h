// What a tuner may choose for the launches of a model.
#ifndef TILEGPT_LIB_COMPILER_TUNING_TUNABLELAUNCHES_H
#define TILEGPT_LIB_COMPILER_TUNING_TUNABLELAUNCHES_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Pipelines/Phases.h"
#include "TileGPT/Runtime/Tuning/Candidates.h"
#include "mlir/IR/BuiltinOps.h"

namespace tilegpt::compiler {

/// What may be chosen for a launch behind Phase::Launches; where the phases are
/// those of a GPU, with what is expected to be fastest there.
runtime::TunableLaunch findTunable(tile::LaunchOp launch, tile::KernelOp kernel,
                                   const PhaseOptions &phases);

/// The launches of a module behind Phase::Launches, function after function;
/// those without parameters to choose are there too, so that places agree with
/// those of a plan.
std::vector<runtime::TunableLaunch>
findTunableLaunches(mlir::ModuleOp module, const PhaseOptions &phases);

} // namespace tilegpt::compiler

#endif
