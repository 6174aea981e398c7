// Few flags, so they are read by hand: LLVM's parser has one set for a program.
#include "TuneCommand.h"
#include "TileGPT/Runtime/Tuning/Records.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <span>

using tilegpt::runtime::ErrorCode;
using tilegpt::runtime::makeError;
using tilegpt::runtime::Result;
using tilegpt::runtime::TuningRecords;

namespace tilegpt::opt {

Result<void> runTuneCommand(int argc, const char *const *argv) {
  std::vector<std::string> files;
  std::string output = "-";
  bool merge = false;
  const std::span words(argv + 1, size_t(argc) - 1);
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string word = words[i];
    if (word == "--merge")
      merge = true;
    else if (word == "-o" && i + 1 < words.size())
      output = words[++i];
    else if (word.starts_with("-"))
      return makeError(ErrorCode::Usage, "tune: expected --merge or -o FILE, ",
                       "got '", word, "'");
    else
      files.push_back(word);
  }
  if (!merge || files.size() < 2)
    return makeError(ErrorCode::Usage, "tune: expected --merge and two files "
                                       "of records or more");
  std::optional<TuningRecords> all;
  for (const std::string &file : files) {
    auto records = TuningRecords::read(file);
    if (!records)
      return tl::unexpected(records.error());
    if (!all)
      all = std::move(*records);
    else if (auto merged = all->merge(*records); !merged)
      return makeError(ErrorCode::Usage, merged.error().message, " in '", file,
                       "'");
  }
  if (output != "-")
    return all->write(output);
  llvm::outs() << all->format();
  return {};
}

} // namespace tilegpt::opt
