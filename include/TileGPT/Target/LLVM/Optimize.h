// LLVM's own optimizer.
#ifndef TILEGPT_TARGET_LLVM_OPTIMIZE_H
#define TILEGPT_TARGET_LLVM_OPTIMIZE_H

#include "llvm/Passes/PassBuilder.h"

namespace tilegpt::target {

/// Runs LLVM's O2 pipeline on a module.
/// \param machine  the target, for cost queries.
/// \param tuning  which loops are unrolled and vectorized, and SLP
/// vectorization.
void optimize(llvm::Module &module, llvm::TargetMachine &machine,
              const llvm::PipelineTuningOptions &tuning);

/// Runs passes on a module, in the syntax of `opt -passes`, which must parse.
/// \param machine  the target, for cost queries.
void runPasses(llvm::Module &module, llvm::TargetMachine &machine,
               llvm::StringRef passes);

} // namespace tilegpt::target

#endif
