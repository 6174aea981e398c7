// Fits the cost model of a GPU to measured times: `tilegpt-opt tune --fit`.
// Plain C++, so that the tool needs no MLIR header.
#ifndef TILEGPT_COMPILER_FITRATES_H
#define TILEGPT_COMPILER_FITRATES_H

#include "TileGPT/Runtime/Error.h"
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tilegpt::compiler {

struct RateFitting {
  /// Files to fit to, and others to compare with only: `.json`, what
  /// `tilegpt-run tune --times` writes; `.csv`, tables of matmuls
  /// (docs/Tuning.md).
  std::vector<std::string> times, checks;
  /// `.mlir` files of the launches that records are for.
  std::vector<std::string> launches;
  std::string kernels; ///< as CompileOptions::kernels
  /// The device of tables, which do not name one: the measured one of this
  /// architecture.
  std::string architecture = "sm_90a";
  std::function<void(std::string_view)> print;
};

/// Fits the rates of matmuls and prints them beside the current ones, how well
/// either agrees with the times, and the row of GpuModels.inc.
/// \returns Usage for an unknown architecture, BadInput for a file that cannot
/// be read, with line and column where it is malformed; for times of different
/// devices or of one whose cost model has no rates of matmuls; and for too few.
runtime::Result<void> fitRates(const RateFitting &fitting);

} // namespace tilegpt::compiler

#endif // TILEGPT_COMPILER_FITRATES_H
