// Tuning of launches by themselves, without a model around them: what
// `tilegpt-run tune FILE.mlir` does with a file of functions that launch
// kernels. Plain C++, so that the tool needs no MLIR header.
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
  /// Told what goes on, for a progress line.
  std::function<void(std::string_view)> progress;
  /// Told what has been found out, in lines.
  std::function<void(std::string_view)> print;
  std::function<void(std::string_view)> warn;
  /// Whether to come to an end; what is decided by then is written.
  std::function<bool()> interrupted;
};

/// Whether a file launches kernels: then these are tuned by themselves, not a
/// model in its steps.
/// \returns BadInput for a file that cannot be read or parsed.
runtime::Result<bool> isFileOfLaunches(const std::string &path);

/// Races choices for every launch of a file against what the compiler chooses
/// by itself, in functions that are plans (`tile.rows`) at the most rows; all
/// other sizes must be static.
/// \returns BadInput for a file without launches or with open sizes, Device
/// without the GPU, Mismatch where less than nine tenths of the records of
/// `verify` are still faster.
runtime::Result<void> tuneLaunches(const LaunchTuning &tuning);

/// What launches of a file are ranked for, without a device.
struct LaunchRanking {
  std::string path;
  std::string kernels;                 ///< as CompileOptions::kernels
  std::string architecture = "sm_90a"; ///< of a GPU
  size_t most = 12;                    ///< choices of a launch
  unsigned threads = 0;                ///< that compile; 0: every CPU
  /// Told the choices of every launch, a line each.
  std::function<void(std::string_view)> print;
};

/// Ranks the choices for every launch of a file by the model of the device and
/// says what ptxas, where there is one, makes of each.
/// \returns as tuneLaunches(); Usage for an architecture nobody knows.
runtime::Result<void> rankLaunches(const LaunchRanking &ranking);

} // namespace tilegpt::compiler

#endif // TILEGPT_COMPILER_TUNELAUNCHES_H
