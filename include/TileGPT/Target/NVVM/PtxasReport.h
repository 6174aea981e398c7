// The output of `ptxas -v` for a kernel: register and memory usage, and
// performance remarks.
#ifndef TILEGPT_TARGET_NVVM_PTXASREPORT_H
#define TILEGPT_TARGET_NVVM_PTXASREPORT_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace tilegpt::target {

struct PtxasReport {
  unsigned registers = 0; ///< of a thread
  /// Local memory per thread, summed over the kernel and its callees.
  unsigned stackBytes = 0, spillStoreBytes = 0, spillLoadBytes = 0;
  unsigned sharedBytes = 0; ///< static shared memory of a block
  unsigned barriers = 0;    ///< named barriers of a block
  /// Warnings, and informational messages with a code: "(C7519)
  /// warpgroup.arrive is injected …".
  std::vector<std::string> remarks;
  /// The output as printed, except compile times: equal kernels have equal
  /// reports.
  std::string text;

  friend bool operator==(const PtxasReport &, const PtxasReport &) = default;
};

/// Parses the output of `ptxas -v`; unknown parts are kept in `text`.
PtxasReport parsePtxasReport(llvm::StringRef text);

/// Problems that a shipped kernel must not have, one sentence each with its
/// numbers: a stack frame, register spills, and ptxas remarks on wgmma and
/// setmaxnreg (C75xx): inserted fences, serialized MMAs.
std::vector<std::string> performanceProblems(const PtxasReport &report);

} // namespace tilegpt::target

#endif // TILEGPT_TARGET_NVVM_PTXASREPORT_H
