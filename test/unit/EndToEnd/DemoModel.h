// The demo checkpoint, compiled from models/gpt2.mlir, and its reference
// results.
#ifndef TILEGPT_TEST_UNIT_ENDTOEND_DEMOMODEL_H
#define TILEGPT_TEST_UNIT_ENDTOEND_DEMOMODEL_H

#include "TileGPT/Compiler/CompileModel.h"
#include "TileGPT/Runtime/Model/Session.h"
#include "TileGPT/Runtime/Weights/WeightStore.h"
#include <filesystem>
#include <nlohmann/json.hpp>

namespace tilegpt::test {

/// models/shakespeare.
std::filesystem::path demoFolder();

/// A Llama model with the demo's tokenizer, trained on the same text:
/// test/data/shakespeare-llama.tar.xz, which CMake unpacks into the build
/// folder.
std::filesystem::path demoLlamaFolder();

/// Throws the error of a failed Result, which fails the test.
class DemoModel {
public:
  /// \param file   of the model, relative to the root of the tree.
  /// \param folder of the checkpoint and its reference results.
  explicit DemoModel(compiler::CompileOptions options = {},
                     const std::string &file = "models/gpt2.mlir",
                     const std::filesystem::path &folder = demoFolder());

  const nlohmann::json &reference() const { return referenceJson; }
  const bundle::Bundle &bundle() const { return *compiled; }
  runtime::WeightStore &weights() { return *store; }
  /// A session with two threads.
  runtime::Session session(int64_t sequences = 1);

private:
  nlohmann::json referenceJson;
  std::unique_ptr<runtime::WeightStore> store;
  std::optional<bundle::Bundle> compiled;
};

/// The model with default options, compiled by the first test that needs it.
DemoModel &demoModel();

} // namespace tilegpt::test

#endif
