// The few flags are parsed by hand: LLVM's parser has one set per program.
#include "TuneCommand.h"
#include "TileGPT/Compiler/TuneLaunches.h"
#include "TileGPT/Runtime/Tuning/Records.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <span>

using tilegpt::runtime::ErrorCode;
using tilegpt::runtime::makeError;
using tilegpt::runtime::Result;
using tilegpt::runtime::TuningRecords;

namespace tilegpt::opt {

namespace {
struct TuneFlags {
  std::vector<std::string> files;
  std::string output; ///< empty: standard output
  std::string architecture, kernels;
  bool merges = false, isOffline = false;
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
    if (word == "--merge")
      flags.merges = true;
    else if (word == "--offline")
      flags.isOffline = true;
    else if ((word == "-o" && value(i, flags.output)) ||
             (word == "--arch" && value(i, flags.architecture)) ||
             (word == "--kernels" && value(i, flags.kernels)))
      continue;
    else if (word.starts_with("-"))
      return makeError(ErrorCode::Usage,
                       "tune: expected --merge, --offline, -o FILE, --arch "
                       "NAME or --kernels DIR, got '",
                       word, "'");
    else
      flags.files.push_back(word);
  }
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

Result<void> runTuneCommand(int argc, const char *const *argv) {
  const auto flags = readFlags(argc, argv);
  if (!flags)
    return tl::unexpected(flags.error());
  if (flags->merges == flags->isOffline)
    return makeError(ErrorCode::Usage,
                     "tune: expected --merge and files of records, or "
                     "--offline and a file of launches");
  if (flags->merges &&
      (!flags->architecture.empty() || !flags->kernels.empty()))
    return makeError(ErrorCode::Usage,
                     "tune: --arch and --kernels are for --offline");
  return flags->merges ? merge(*flags) : rankOffline(*flags);
}

} // namespace tilegpt::opt
