// Says which models there are instead of one that is missing.
#include "Flags/ModelFile.h"
#include "Flags/EditDistance.h"
#include "TileGPT/Runtime/Data/MappedFile.h"
#include <algorithm>
#include <string>
#include <vector>

using namespace tilegpt;
using runtime::concat;
namespace fs = std::filesystem;

/// The models and kernels in a folder, by name.
static std::vector<std::string> modelsIn(const fs::path &folder) {
  constexpr std::string_view kinds[] = {".mlir", ".tgb", ".tileirbc"};
  std::vector<std::string> names;
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end;
       !failed && entry != end; entry.increment(failed))
    if (std::ranges::find(kinds, entry->path().extension().string()) !=
        std::end(kinds))
      names.push_back(entry->path().filename().string());
  std::ranges::sort(names);
  return names;
}

/// What to use instead of a file that its folder lacks.
static std::string adviceFor(const fs::path &model) {
  const fs::path folder = model.has_parent_path() ? model.parent_path() : ".";
  std::error_code failed;
  if (!fs::is_directory(folder, failed))
    return concat(", nor does the folder '", folder.string(), "'");
  const std::string name = model.filename().string();
  const std::vector<std::string> names = modelsIn(folder);
  if (names.empty())
    return concat("; '", folder.string(), "' has no .mlir, .tgb or .tileirbc");
  const auto distance = [&](const std::string &other) {
    return run::editDistance(name, other);
  };
  const auto nearest = std::ranges::min_element(names, {}, distance);
  constexpr size_t mostEdits = 2, mostListed = 3;
  if (distance(*nearest) <= mostEdits)
    return concat("; did you mean '", (model.parent_path() / *nearest).string(),
                  "'?");
  std::string list;
  for (size_t i = 0; i < std::min(names.size(), mostListed); ++i)
    list += concat(i == 0 ? "'" : ", '", names[i], "'");
  if (names.size() > mostListed)
    list += concat(" and ", names.size() - mostListed, " more");
  return concat("; '", folder.string(), "' has ", list);
}

runtime::Result<void> run::checkModelFile(const fs::path &model) {
  if (model.empty() || model == "-" || runtime::mayExist(model))
    return {};
  return runtime::makeError(runtime::ErrorCode::BadInput, "model: '",
                            model.string(), "' does not exist",
                            adviceFor(model));
}
