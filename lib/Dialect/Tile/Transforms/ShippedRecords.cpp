// Reads files of records; the embedded ones once per process.
#include "TileGPT/Dialect/Tile/Transforms/ShippedRecords.h"
#include "TileGPT/Library/Library.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using tilegpt::runtime::Result;
using tilegpt::runtime::TuningRecords;

namespace tilegpt::tile {

TuningRecords
readRecordsFor(const std::string &path, const std::string &device,
               llvm::function_ref<void(const std::string &)> warn) {
  if (path.empty())
    return {};
  auto read = TuningRecords::read(path);
  if (!read) {
    warn(read.error().message);
    return {};
  }
  if (!device.empty() && read->device.describe() != device &&
      read->device.architecture != device) {
    warn(runtime::concat("tuning: '", path, "' is for ",
                         read->device.describe(), ", not for ", device,
                         "; it is not applied"));
    return {};
  }
  return std::move(*read);
}

Result<std::vector<TuningRecords>> readShippedRecords() {
  std::vector<TuningRecords> all;
  for (const library::File &file : library::tuning()) {
    auto records = TuningRecords::parse(
        file.text, runtime::concat("tuning: 'tuning/", file.name, ".json'"));
    if (!records)
      return tl::unexpected(records.error());
    all.push_back(std::move(*records));
  }
  return all;
}

const TuningRecords *shippedRecordsFor(std::string_view device) {
  static const std::vector<TuningRecords> all = [] {
    auto read = readShippedRecords();
    if (!read)
      llvm::report_fatal_error(read.error().message.c_str());
    return std::move(*read);
  }();
  const auto found = llvm::find_if(all, [&](const TuningRecords &records) {
    return records.device.describe() == device;
  });
  return found == all.end() ? nullptr : &*found;
}

} // namespace tilegpt::tile
