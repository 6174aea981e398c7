// The few flags are parsed by hand: LLVM's parser has one set per program.
#include "TuneCommand.h"
#include "TileGPT/Compiler/FitRates.h"
#include "TileGPT/Compiler/TuneLaunches.h"
#include "TileGPT/Runtime/Tuning/Records.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <span>

using tilegpt::runtime::ErrorCode;
using tilegpt::runtime::makeError;
using tilegpt::runtime::Result;
using tilegpt::runtime::TuningRecords;

namespace tilegpt::opt {

namespace {
enum class TuneTask { Merge, RankOffline, Fit };

struct TuneFlags {
  std::vector<std::string> files, checks;
  std::string output; ///< empty: standard output
  std::string architecture, kernels;
  std::optional<TuneTask> task;
};
} // namespace

static Result<TuneFlags> readFlags(int argc, const char *const *argv) {
  TuneFlags flags;
  const std::span words(argv + 1, size_t(argc) - 1);
  const auto value = [&](size_t &i, std::string &text) {
    if (i + 1 < words.size())
      text = words[++i];
    return !text.empty();
  };
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string word = words[i];
    std::optional<TuneTask> task;
    std::string check;
    if (word == "--merge")
      task = TuneTask::Merge;
    else if (word == "--offline")
      task = TuneTask::RankOffline;
    else if (word == "--fit")
      task = TuneTask::Fit;
    else if (word == "--check" && value(i, check))
      flags.checks.push_back(check);
    else if ((word == "-o" && value(i, flags.output)) ||
             (word == "--arch" && value(i, flags.architecture)) ||
             (word == "--kernels" && value(i, flags.kernels)))
      continue;
    else if (word.starts_with("-"))
      return makeError(ErrorCode::Usage,
                       "tune: expected --merge, --offline, --fit, --check "
                       "FILE, -o FILE, --arch NAME or --kernels DIR, got '",
                       word, "'");
    else
      flags.files.push_back(word);
    if (task && flags.task && *task != *flags.task)
      return makeError(ErrorCode::Usage,
                       "tune: expected one of --merge, --offline and --fit");
    if (task)
      flags.task = task;
  }
  if (!flags.task)
    return makeError(ErrorCode::Usage,
                     "tune: expected --merge and files of records, --offline "
                     "and a file of launches, or --fit and files of times");
  return flags;
}

/// Merges several files.
static Result<void> merge(const TuneFlags &flags) {
  if (flags.files.size() < 2)
    return makeError(ErrorCode::Usage,
                     "tune: expected two files of records or more to merge");
  std::optional<TuningRecords> all;
  for (const std::string &file : flags.files) {
    auto records = TuningRecords::read(file);
    if (!records)
      return tl::unexpected(records.error());
    if (!all)
      all = std::move(*records);
    else if (auto merged = all->merge(*records); !merged)
      return makeError(ErrorCode::Usage, merged.error().message, " in '", file,
                       "'");
  }
  if (!flags.output.empty() && flags.output != "-")
    return all->write(flags.output);
  llvm::outs() << all->format();
  return {};
}

static Result<void> rankOffline(const TuneFlags &flags) {
  if (flags.files.size() != 1 || !flags.output.empty())
    return makeError(ErrorCode::Usage,
                     "tune: expected one file of launches to rank, and no -o");
  compiler::LaunchRanking ranking;
  ranking.path = flags.files.front();
  ranking.kernels = flags.kernels;
  if (!flags.architecture.empty())
    ranking.architecture = flags.architecture;
  ranking.print = [](std::string_view text) { llvm::outs() << text; };
  return compiler::rankLaunches(ranking);
}

static Result<void> fit(const TuneFlags &flags) {
  compiler::RateFitting fitting;
  for (const std::string &file : flags.files)
    (file.ends_with(".mlir") ? fitting.launches : fitting.times)
        .push_back(file);
  if (fitting.times.empty() || !flags.output.empty())
    return makeError(ErrorCode::Usage,
                     "tune: expected files of times to fit to, .json or .csv, "
                     "and no -o");
  fitting.checks = flags.checks;
  fitting.kernels = flags.kernels;
  if (!flags.architecture.empty())
    fitting.architecture = flags.architecture;
  fitting.print = [](std::string_view text) { llvm::outs() << text; };
  return compiler::fitRates(fitting);
}

static constexpr char help[] =
    R"(Usage: tilegpt-opt tune --merge RECORDS RECORDS... [-o FILE]
       tilegpt-opt tune --offline LAUNCHES [--arch NAME] [--kernels DIR]
       tilegpt-opt tune --fit TIMES... [LAUNCHES...] [--check TIMES] [--arch NAME] [--kernels DIR]

Operations on tuning records that need no measurement; 'tilegpt-run tune' measures.

  --merge        merge record files for one device; of two records for a launch, keep the one with more samples
  -o FILE        output of --merge; default: standard output
  --offline      list what tuning would try for the launches of a .mlir file, by estimated cycles, with ptxas registers
  --fit          fit the rates of a GPU's cost model to times (.json of 'tilegpt-run tune --times', or .csv)
  --check TIMES  with --fit: file that is only compared; may be repeated
  --arch NAME    GPU, such as sm_90a
  --kernels DIR  directory of kernels that override built-in ones of the same name
)";

Result<void> runTuneCommand(int argc, const char *const *argv) {
  if (llvm::is_contained(llvm::ArrayRef(argv, size_t(argc)),
                         llvm::StringRef("--help"))) {
    llvm::outs() << help;
    return {};
  }
  const auto flags = readFlags(argc, argv);
  if (!flags)
    return tl::unexpected(flags.error());
  if (!flags->checks.empty() && flags->task != TuneTask::Fit)
    return makeError(ErrorCode::Usage, "tune: --check is for --fit");
  switch (*flags->task) {
  case TuneTask::Merge:
    if (!flags->architecture.empty() || !flags->kernels.empty())
      return makeError(ErrorCode::Usage,
                       "tune: --arch and --kernels are for --offline and "
                       "--fit");
    return merge(*flags);
  case TuneTask::RankOffline:
    return rankOffline(*flags);
  case TuneTask::Fit:
    return fit(*flags);
  }
  llvm_unreachable("no task");
}

} // namespace tilegpt::opt
