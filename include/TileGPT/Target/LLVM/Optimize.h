// LLVM's own optimizer. Only Optimize.cpp includes `PassBuilder.h`, which is
// slow to parse (docs/Architecture.md).
#ifndef TILEGPT_TARGET_LLVM_OPTIMIZE_H
#define TILEGPT_TARGET_LLVM_OPTIMIZE_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace tilegpt::target {

/// Runs LLVM's O2 pipeline on a module without loop unrolling, and without
/// vectorization of loops and of straight-line code.
/// \param machine  the target, for cost queries.
void optimizeScalar(llvm::Module &module, llvm::TargetMachine &machine);

/// Runs passes on a module, in the syntax of `opt -passes`, which must parse.
/// \param machine  the target, for cost queries.
void runPasses(llvm::Module &module, llvm::TargetMachine &machine,
               llvm::StringRef passes);

} // namespace tilegpt::target

#endif
