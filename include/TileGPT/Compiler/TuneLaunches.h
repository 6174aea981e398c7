// Tuning of single launches without a model: `tilegpt-run tune FILE.mlir` on a
// file of functions that launch kernels. Plain C++, so that the tool needs no
// MLIR header.
#ifndef TILEGPT_COMPILER_TUNELAUNCHES_H
#define TILEGPT_COMPILER_TUNELAUNCHES_H

#include "TileGPT/Runtime/Error.h"
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace tilegpt::compiler {

struct LaunchTuning {
  std::string path;    ///< a `.mlir` file, "-" for standard input
  std::string kernels; ///< as CompileOptions::kernels
  bool usesGpu = false;
  int ordinal = 0;          ///< of the GPU
  std::string architecture; ///< as KernelCommand::architecture
  bool tf32 = false;
  unsigned threads = 0;    ///< that compile, and run kernels; 0: every CPU
  std::string cacheFolder; ///< as CompileOptions::cacheFolder
  double budget = 120;     ///< seconds
  /// Records to write or to add to; empty where `verify` names some to measure
  /// again.
  std::filesystem::path records, verify;
  /// Where to write every choice that was measured, as records; empty for none.
  std::filesystem::path times;
  std::string tool; ///< version, for the records
  /// Receives the current activity, for a progress line.
  std::function<void(std::string_view)> progress;
  /// Receives results, line by line.
  std::function<void(std::string_view)> print;
  std::function<void(std::string_view)> warn;
  /// Whether to stop; results so far are written.
  std::function<bool()> interrupted;
};

/// Whether a file launches kernels: then these are tuned by themselves, not a
/// model in its steps.
/// \returns BadInput for a file that cannot be read or parsed.
runtime::Result<bool> isFileOfLaunches(const std::string &path);

/// Measures choices for every launch of a file against the default, at the
/// maximum rows in functions that are plans (`tile.rows`); all other sizes must
/// be static.
/// \returns BadInput for a file without launches or with dynamic sizes, Device
/// without the GPU, Mismatch if less than nine tenths of the records of
/// `verify` are still faster.
runtime::Result<void> tuneLaunches(const LaunchTuning &tuning);

/// Options for ranking the launches of a file without a device.
struct LaunchRanking {
  std::string path;
  std::string kernels;                 ///< as CompileOptions::kernels
  std::string architecture = "sm_90a"; ///< of a GPU
  size_t most = 12;                    ///< choices of a launch
  unsigned threads = 0;                ///< that compile; 0: every CPU
  /// Receives the choices of every launch, one line each.
  std::function<void(std::string_view)> print;
};

/// Ranks the choices for every launch of a file by the device's cost model and
/// prints what ptxas, if available, reports for each.
/// \returns as tuneLaunches(); Usage for an unknown architecture.
runtime::Result<void> rankLaunches(const LaunchRanking &ranking);

} // namespace tilegpt::compiler

#endif // TILEGPT_COMPILER_TUNELAUNCHES_H
