// What `ptxas -v` says about a kernel, as numbers: the registers and memory it
// takes, and what will make it slow.
#ifndef TILEGPT_TARGET_NVVM_PTXASREPORT_H
#define TILEGPT_TARGET_NVVM_PTXASREPORT_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace tilegpt::target {

struct PtxasReport {
  unsigned registers = 0; ///< of a thread
  /// Local memory of a thread, summed over the kernel and what it calls.
  unsigned stackBytes = 0, spillStoreBytes = 0, spillLoadBytes = 0;
  unsigned sharedBytes = 0; ///< static shared memory of a block
  unsigned barriers = 0;    ///< named barriers of a block
  /// Warnings, and information that has a code: "(C7519) warpgroup.arrive is
  /// injected …".
  std::vector<std::string> remarks;
  /// All of it as printed, but for the time it took: equal kernels have equal
  /// reports.
  std::string text;

  friend bool operator==(const PtxasReport &, const PtxasReport &) = default;
};

/// Reads what ptxas prints with `-v`; what it does not know is kept in `text`.
PtxasReport parsePtxasReport(llvm::StringRef text);

/// What a kernel that is shipped must not have, one sentence each with its
/// numbers: a stack frame, spilled registers, and what ptxas remarks on
/// wgmma and setmaxnreg (C75xx): fences it had to insert, serialised products.
std::vector<std::string> performanceProblems(const PtxasReport &report);

} // namespace tilegpt::target

#endif // TILEGPT_TARGET_NVVM_PTXASREPORT_H
