// The choices of a tuner for the launches of a model.
#ifndef TILEGPT_LIB_COMPILER_TUNING_TUNABLELAUNCHES_H
#define TILEGPT_LIB_COMPILER_TUNING_TUNABLELAUNCHES_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Pipelines/Phases.h"
#include "TileGPT/Runtime/Tuning/Candidates.h"
#include "mlir/IR/BuiltinOps.h"

namespace tilegpt::compiler {

/// The choices for a launch after Phase::Launches; for GPU phases, with those
/// expected to be fastest.
runtime::TunableLaunch findTunable(tile::LaunchOp launch, tile::KernelOp kernel,
                                   const PhaseOptions &phases);

/// The launches of a module after Phase::Launches, by function; includes those
/// without choices, so that positions agree with a plan's.
std::vector<runtime::TunableLaunch>
findTunableLaunches(mlir::ModuleOp module, const PhaseOptions &phases);

/// The legal fusions of a module after Phase::Launches that shows them
/// (PhaseOptions::showsFusions); their attributes are removed.
std::vector<runtime::TunableFusion> takeTunableFusions(mlir::ModuleOp module);

} // namespace tilegpt::compiler

#endif
