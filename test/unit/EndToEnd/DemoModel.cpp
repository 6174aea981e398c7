// Loads and compiles the demo model.
#include "DemoModel.h"
#include "SourceFolder.h"
#include "TileGPT/Runtime/Config/ModelConfig.h"
#include "ValueOf.h"
#include <fstream>

namespace tilegpt::test {

std::filesystem::path demoFolder() {
  return sourceFolder() / "models/shakespeare";
}

std::filesystem::path demoLlamaFolder() {
  const char *moved = std::getenv("TILEGPT_TEST_ROOT");
  return (moved ? std::filesystem::path(moved) / "test/data"
                : std::filesystem::path(TILEGPT_DATA_DIR)) /
         "shakespeare-llama";
}

/// Returns the value of a result, or throws its error message.
DemoModel::DemoModel(compiler::CompileOptions options, const std::string &file,
                     const std::filesystem::path &folder) {
  std::ifstream reference(folder / "reference.json");
  referenceJson = nlohmann::json::parse(reference);
  const auto source =
      valueOf(compiler::readModel((sourceFolder() / file).string()));
  const auto tables = valueOf(compiler::describeModel(source));
  store = valueOf(runtime::WeightStore::open(folder, tables.weights));
  const auto config =
      valueOf(runtime::ModelConfig::read(folder / "config.json", tables));
  for (const auto &[name, value] : config.settings)
    options.settings += name + "=" + format(value) + " ";
  compiled = valueOf(bundle::Bundle::fromBytes(
      valueOf(compiler::compileModel(source, options))));
}

runtime::Session DemoModel::session(int64_t sequences) {
  return valueOf(runtime::Session::create(*compiled, *store, {sequences, 2}));
}

DemoModel &demoModel() {
  static DemoModel model;
  return model;
}

} // namespace tilegpt::test
