// LLVM's own optimizer.
#ifndef TILEGPT_TARGET_LLVM_OPTIMIZE_H
#define TILEGPT_TARGET_LLVM_OPTIMIZE_H

#include "llvm/Passes/PassBuilder.h"

namespace tilegpt::target {

/// Runs LLVM's O2 pipeline on a module.
/// \param machine  what the code is for; passes ask it for costs.
/// \param tuning  which loops are unrolled and vectorised, what is packed.
void optimize(llvm::Module &module, llvm::TargetMachine &machine,
              const llvm::PipelineTuningOptions &tuning);

/// Runs passes on a module, spelled as for `opt -passes`, which must parse.
/// \param machine  what the code is for; passes ask it for costs.
void runPasses(llvm::Module &module, llvm::TargetMachine &machine,
               llvm::StringRef passes);

} // namespace tilegpt::target

#endif
