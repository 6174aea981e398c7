// The flags of tilegpt-opt; --help-hidden also shows those of MLIR and LLVM.
#ifndef TILEGPT_TOOLS_TILEGPT_OPT_FLAGS_H
#define TILEGPT_TOOLS_TILEGPT_OPT_FLAGS_H

#include "TileGPT/Runtime/Error.h"
#include "llvm/Support/CommandLine.h"

namespace tilegpt::opt {

struct Flags {
  Flags();

  llvm::cl::OptionCategory output, target, sizes, model, precision;

  llvm::cl::opt<std::string> inputPath, outputPath;

  llvm::cl::opt<std::string> emit, bytecodeVersion, compileTo, dumpPhasesTo;
  llvm::cl::opt<bool> explain, listKernels;

  llvm::cl::opt<std::string> arch, targetCpu;
  llvm::cl::opt<bool> listTargets;

  llvm::cl::list<std::string> arguments, bind, assume;
  llvm::cl::opt<bool> generalOnly;
  llvm::cl::opt<std::string> function, kernels, tuning;

  llvm::cl::opt<std::string> configure, weights;
  llvm::cl::list<std::string> plans;
  llvm::cl::opt<std::string> fuseLaunches;
  llvm::cl::opt<bool> explainFusion;

  llvm::cl::opt<bool> tf32, fastF8, exact;

  /// Whether compilation phases are requested instead of passes.
  bool wantsPhases() const {
    return !compileTo.empty() || !dumpPhasesTo.empty() || !emit.empty();
  }

  /// The first given flag that configures compilation, or null.
  const llvm::cl::Option *findForCompiling() const;
};

/// Parses the command line; `--help` and `--version` print and exit. Flags of
/// MLIR and LLVM keep their meaning, but are hidden from `--help`, and
/// diagnostics do not print IR unless a flag requests it.
/// \returns Usage with the wrong argument, and the closest flag to an unknown
/// one.
runtime::Result<const Flags *> parseFlags(int argc, char **argv);

/// "; did you mean 'sm_90a'?", or nothing if no word is similar.
std::string didYouMean(llvm::StringRef found,
                       llvm::ArrayRef<llvm::StringRef> words);

} // namespace tilegpt::opt

#endif // TILEGPT_TOOLS_TILEGPT_OPT_FLAGS_H
