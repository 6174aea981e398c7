// Loads and compiles the demo model.
#include "DemoModel.h"
#include "SourceFolder.h"
#include <fstream>

namespace tilegpt::test {

std::filesystem::path demoFolder() {
  return sourceFolder() / "models/shakespeare";
}

/// The value of a result, or an exception with its message.
template <typename T>
static T valueOf(runtime::Result<T> result) {
  if (!result)
    throw std::runtime_error(result.error().message);
  return std::move(*result);
}

DemoModel::DemoModel(compiler::CompileOptions options,
                     const std::string &file) {
  std::ifstream reference(demoFolder() / "reference.json");
  referenceJson = nlohmann::json::parse(reference);
  store = valueOf(runtime::WeightStore::open(demoFolder()));
  const runtime::ModelConfig &config = *store->config();
  options.sizes =
      compiler::ModelSizes{config.layers,
                           config.heads,
                           config.width,
                           config.innerWidth,
                           config.context,
                           config.vocabulary,
                           config.epsilon,
                           config.tied.value_or(true),
                           config.activation == runtime::Activation::Gelu};
  compiled = valueOf(bundle::Bundle::fromBytes(valueOf(
      compiler::compileModel((sourceFolder() / file).string(), options))));
}

runtime::Session DemoModel::session(int64_t sequences) {
  return valueOf(runtime::Session::create(*compiled, *store, {sequences, 2}));
}

DemoModel &demoModel() {
  static DemoModel model;
  return model;
}

} // namespace tilegpt::test
