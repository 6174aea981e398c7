// What a tuner may choose for the launches of a model.
#ifndef TILEGPT_LIB_COMPILER_TUNING_TUNABLELAUNCHES_H
#define TILEGPT_LIB_COMPILER_TUNING_TUNABLELAUNCHES_H

#include "TileGPT/Runtime/Tuning/Candidates.h"
#include "mlir/IR/BuiltinOps.h"

namespace tilegpt::compiler {

/// The launches of a module behind Phase::Launches, function after function;
/// those without parameters to choose are there too, so that places agree with
/// those of a plan.
std::vector<runtime::TunableLaunch> findTunableLaunches(mlir::ModuleOp module);

} // namespace tilegpt::compiler

#endif
