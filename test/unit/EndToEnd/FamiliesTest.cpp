// Checkpoint folders of all families, end to end: config.json gives the sizes,
// the text is compiled in memory and runs on the folder's tensors, and results
// are compared with Hugging Face transformers in fp32.
#include "Families.h"
#include "../Runtime/TemporaryFolder.h"
#include "ReferenceResults.h"
#include "TileGPT/Compiler/CompileModel.h"
#include "TileGPT/Runtime/Config/ModelConfig.h"
#include "TileGPT/Runtime/Data/Safetensors.h"
#include "TileGPT/Runtime/Weights/WeightStore.h"
#include "ValueOf.h"
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>

using namespace tilegpt;
using namespace tilegpt::test;
using runtime::Session;

namespace {

class FamiliesOnTheHost : public testing::TestWithParam<Family> {
protected:
  void compile(bundle::ElementType weightType = bundle::ElementType::F32) {
    compile(weightType, GetParam().folder());
  }
  /// \param checkpoint  holds the weights of the family.
  /// \param capacity    tokens of the cache; 0 selects the default.
  void compile(bundle::ElementType weightType,
               const std::filesystem::path &checkpoint, int64_t capacity = 0) {
    const Family &family = GetParam();
    auto source = valueOf(compiler::readModel(
        (sourceFolder() / "models" / (std::string(family.model) + ".mlir"))
            .string()));
    auto tables = valueOf(compiler::describeModel(source));
    store = valueOf(runtime::WeightStore::open(checkpoint, tables.weights));
    auto config =
        valueOf(runtime::ModelConfig::read(checkpoint / "config.json", tables));
    compiler::CompileOptions options;
    for (const auto &[name, value] : config.settings)
      options.settings += name + "=" + format(value) + " ";
    options.sequences = 1;
    options.capacity = capacity;
    options.stepRows = 64;
    options.weightType = weightType;
    compiled = valueOf(bundle::Bundle::fromBytes(
        valueOf(compiler::compileModel(source, options))));
    // In the bundle's copy of the tables, settings are replaced by their
    // values.
    store->setInterleaved(
        valueOf(runtime::ModelTables::parse(
                    compiled->string(compiled->model().tables), "bundle"))
            .weights.interleaved);
    std::ifstream file(family.folder() / "reference.json");
    results = nlohmann::json::parse(file);
    prompts = results["prompts"];
  }

  Session session() {
    return valueOf(Session::create(*compiled, *store, {1, 2}));
  }

  std::unique_ptr<runtime::WeightStore> store;
  std::optional<bundle::Bundle> compiled;
  nlohmann::json results, prompts;
};

/// transformers rounds activations too, so its error is larger.
TEST_P(FamiliesOnTheHost, Bf16IsNoFurtherOffThanTransformersIs) {
  compile(bundle::ElementType::BF16);
  const double allowed = results["bf16_error"].get<double>();
  auto reference = valueOf(runtime::Safetensors::open(
      GetParam().folder() / "reference_logits.safetensors", "test"));
  Session session = this->session();
  for (size_t number = 0; number < prompts.size(); ++number) {
    const auto ids = prompts[number]["ids"].get<std::vector<int32_t>>();
    const auto *tensor = reference.find("logits." + std::to_string(number));
    ASSERT_NE(tensor, nullptr);
    const auto *expected =
        reinterpret_cast<const float *>(reference.bytes(*tensor).data());
    const auto rows = scoreAll(session, ids);
    ASSERT_EQ(rows.size(), ids.size());
    for (size_t row = 0; row < rows.size(); ++row)
      EXPECT_LT(distance(rows[row],
                         {expected + row * rows[row].size(), rows[row].size()}),
                allowed)
          << "prompt " << number << ", token " << row;
  }
}

TEST_P(FamiliesOnTheHost, AgreesWithTransformers) {
  compile();
  auto reference = valueOf(runtime::Safetensors::open(
      GetParam().folder() / "reference_logits.safetensors", "test"));
  Session session = this->session();
  for (size_t number = 0; number < prompts.size(); ++number) {
    auto ids = prompts[number]["ids"].get<std::vector<int32_t>>();
    const auto *tensor = reference.find("logits." + std::to_string(number));
    ASSERT_NE(tensor, nullptr);
    const auto *expected =
        reinterpret_cast<const float *>(reference.bytes(*tensor).data());
    auto at = [&](size_t row) {
      return std::span(expected + row * session.vocabulary(),
                       size_t(session.vocabulary()));
    };
    auto rows = scoreAll(session, ids);
    ASSERT_EQ(rows.size(), ids.size());
    for (size_t row = 0; row < rows.size(); ++row)
      EXPECT_LT(distance(rows[row], at(row)), logitTolerance)
          << "prompt " << number << ", token " << row;
    for (size_t row = 0; row < ids.size(); ++row) {
      runtime::SequenceToken token{0, ids[row]};
      auto logits = session.decode({&token, 1});
      ASSERT_TRUE(logits) << logits.error().message;
      EXPECT_LT(distance(*logits, at(row)), logitTolerance)
          << "prompt " << number << ", decoded token " << row;
    }
    session.truncate(0, 0);
    expectReferenceTokens(session, prompts[number]);
    session.truncate(0, 0);
  }
}

/// Checkpoints with modified config.json files: test/data/family-variants.json
/// lists the modifications and the results of transformers for them.
class VariantsOnTheHost : public FamiliesOnTheHost {
protected:
  /// Writes the family's checkpoint with these keys set, or removed if null.
  void write(const nlohmann::json &keys) {
    std::ifstream file(GetParam().folder() / "config.json");
    nlohmann::json config = nlohmann::json::parse(file);
    for (const auto &[key, value] : keys.items())
      if (value.is_null())
        config.erase(key);
      else
        config[key] = value;
    folder.write("config.json", config.dump());
    const std::filesystem::path weights = folder.path / "model.safetensors";
    std::filesystem::remove(weights);
    std::filesystem::create_symlink(GetParam().folder() / "model.safetensors",
                                    weights);
  }

  TemporaryFolder folder;
};

TEST_P(VariantsOnTheHost, AgreeWithTransformers) {
  std::ifstream file(sourceFolder() / "test/data/family-variants.json");
  const auto variants = nlohmann::json::parse(file);
  for (const auto &[name, variant] : variants.items()) {
    if (variant["family"] != GetParam().name)
      continue;
    SCOPED_TRACE(name);
    write(variant["config"]);
    compile(bundle::ElementType::F32, folder.path,
            variant.value("capacity", 0));
    Session session = this->session();
    const auto ids = variant["ids"].get<std::vector<int32_t>>();
    const auto last = variant["last_logits"].get<std::vector<float>>();
    EXPECT_LT(distance(scoreAll(session, ids).back(), last), logitTolerance);
    session.truncate(0, 0);
    expectReferenceTokens(session, variant);
  }
}

/// Checkpoints of multimodal models: their text model has its own section in
/// config.json and a prefix in the names of tensors.
class TextHalfOnTheHost : public FamiliesOnTheHost {
protected:
  /// Writes the family's checkpoint as the text model of such a checkpoint.
  /// \param prefix  replaces "model." in the names of tensors.
  void write(const std::string &prefix) {
    std::ifstream file(GetParam().folder() / "config.json");
    nlohmann::json text = nlohmann::json::parse(file);
    const bool isGemma = text["model_type"] == "gemma3_text";
    folder.write("config.json",
                 nlohmann::json{{"model_type", isGemma ? "gemma3" : "llava"},
                                {"text_config", text},
                                {"vision_config", {{"a", 1}}}}
                     .dump());
    std::ifstream weights(GetParam().folder() / "model.safetensors",
                          std::ios::binary);
    std::string bytes(std::istreambuf_iterator<char>(weights), {});
    uint64_t size;
    std::memcpy(&size, bytes.data(), sizeof(size));
    nlohmann::json header;
    const size_t data = sizeof(size) + size;
    const auto old = nlohmann::json::parse(bytes.substr(sizeof(size), size));
    for (const auto &[name, tensor] : old.items())
      header[name.starts_with("model.") ? prefix + name.substr(6) : name] =
          tensor;
    const size_t end = bytes.size() - data;
    header["vision_tower.embeddings.weight"] = {
        {"dtype", "F32"}, {"shape", {1}}, {"data_offsets", {end, end + 4}}};
    const std::string start = header.dump();
    size = start.size();
    folder.write("model.safetensors",
                 std::string(reinterpret_cast<char *>(&size), sizeof(size)) +
                     start + bytes.substr(data) + "1234");
  }

  TemporaryFolder folder;
};

TEST_P(TextHalfOnTheHost, GivesTheTokensOfTheWhole) {
  for (const char *prefix :
       {"language_model.model.", "model.language_model."}) {
    write(prefix);
    compile(bundle::ElementType::F32, folder.path);
    Session session = this->session();
    expectReferenceTokens(session, prompts[0]);
  }
}

static std::vector<Family>
familiesNamed(std::initializer_list<std::string_view> names) {
  std::vector<Family> some;
  for (const Family &family : test::families)
    if (std::ranges::find(names, family.name) != names.end())
      some.push_back(family);
  return some;
}

INSTANTIATE_TEST_SUITE_P(
    Some, TextHalfOnTheHost,
    testing::ValuesIn(familiesNamed({"gemma3", "llama", "qwen3"})),
    [](const auto &info) { return info.param.identifier(); });

INSTANTIATE_TEST_SUITE_P(
    Some, VariantsOnTheHost,
    testing::ValuesIn(familiesNamed(
        {"gpt-neox",   "qwen2",     "qwen3",       "llama",       "llama-yarn",
         "phi3",       "gemma",     "gemma2",      "phi",         "stablelm",
         "starcoder2", "qwen3-moe", "opt",         "olmo",        "olmoe",
         "bloom",      "mpt",       "deepseek_v2", "deepseek_v3", "gpt-oss",
         "lfm2",       "qwen2-moe"})),
    [](const auto &info) { return info.param.identifier(); });

INSTANTIATE_TEST_SUITE_P(All, FamiliesOnTheHost,
                         testing::ValuesIn(test::families),
                         [](const auto &info) {
                           return info.param.identifier();
                         });

} // namespace
