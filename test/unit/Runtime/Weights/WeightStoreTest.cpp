// Whatever the file's layout, prefix and type, a session gets the same weights;
// whatever does not fit is named with both sides.
#include "TileGPT/Runtime/Weights/WeightStore.h"
#include "../TemporaryFolder.h"
#include "SmallModel.h"
#include "SourceFolder.h"
#include <cstring>

using namespace tilegpt;
using namespace tilegpt::runtime;
using bundle::ElementType;
namespace fs = std::filesystem;

namespace {

class Store : public testing::Test {
protected:
  using Opened = Result<std::unique_ptr<WeightStore>>;

  Opened open(const SmallModel &model,
              WeightsLayout layout = WeightsLayout::Auto) {
    model.write(file());
    return WeightStore::open(folder.path, {layout, 2});
  }
  /// The values of an f32 tensor, or what is wrong with it.
  static Result<std::vector<float>> floats(WeightStore &store,
                                           std::string_view name,
                                           std::vector<int64_t> shape) {
    const auto found = store.find(name, ElementType::F32, shape);
    if (!found)
      return tl::unexpected(found.error());
    EXPECT_EQ(reinterpret_cast<uintptr_t>(*found) % 64, 0u);
    const auto bytes = tensorBytes(StoredType::F32, shape);
    std::vector<float> values(size_t(*bytes) / sizeof(float));
    std::memcpy(values.data(), *found, size_t(*bytes));
    return values;
  }
  static std::string problem(const Opened &store) {
    EXPECT_FALSE(store);
    return store ? "" : store.error().message;
  }
  static std::string problem(Result<std::vector<float>> values) {
    EXPECT_FALSE(values);
    return values ? "" : values.error().message;
  }
  fs::path file() const { return folder.path / "model.safetensors"; }
  std::string configPath() const { return folder.path / "config.json"; }

  TemporaryFolder folder;
};

} // namespace

TEST_F(Store, LoadsTheDemoModel) {
  const auto store =
      WeightStore::open(test::sourceFolder() / "models/shakespeare");
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_EQ((*store)->config()->width, 256);
  EXPECT_EQ((*store)->config()->tied, true);
  const Checkpoint::Entry &stored =
      *(*store)->checkpoint().find("h.3.mlp.c_fc.weight");
  ASSERT_EQ(stored.tensor->description(), "bf16[256,1024]");
  const auto weight = floats(**store, "h.3.mlp.c_fc.weight", {1024, 256});
  ASSERT_TRUE(weight) << weight.error().message;
  const auto *bits = reinterpret_cast<const uint8_t *>(stored.bytes().data());
  for (size_t in = 0; in < 256; ++in)
    for (size_t out = 0; out < 1024; ++out) {
      const size_t i = 2 * (in * 1024 + out);
      const uint32_t expected = uint32_t(bits[i] | bits[i + 1] << 8) << 16;
      ASSERT_EQ(std::bit_cast<uint32_t>((*weight)[out * 256 + in]), expected);
    }
  // The head is tied, and the same memory.
  const int64_t shape[] = {2048, 256};
  EXPECT_EQ(*(*store)->find("lm_head.weight", ElementType::F32, shape),
            *(*store)->find("wte.weight", ElementType::F32, shape));
}

TEST_F(Store, BothLayoutsGiveTheSameWeights) {
  SmallModel model(/*conv1d=*/true);
  const auto conv1d = open(model);
  ASSERT_TRUE(conv1d) << conv1d.error().message;
  const std::vector<float> stored =
      model.tensors["h.0.attn.c_attn.weight"].values;
  const auto attention = floats(**conv1d, "h.0.attn.c_attn.weight", {12, 4});
  ASSERT_TRUE(attention) << attention.error().message;
  for (size_t in = 0; in < 4; ++in)
    for (size_t out = 0; out < 12; ++out)
      EXPECT_EQ((*attention)[out * 4 + in], stored[in * 12 + out]);
  // A square matrix is transposed like the others.
  const auto square = floats(**conv1d, "h.0.attn.c_proj.weight", {4, 4});
  EXPECT_EQ((*square)[1], model.tensors["h.0.attn.c_proj.weight"].values[4]);

  SmallModel turned(/*conv1d=*/false);
  const auto linear = open(turned);
  ASSERT_TRUE(linear) << linear.error().message;
  for (const auto &[name, tensor] : turned.tensors)
    EXPECT_EQ(floats(**linear, name, tensor.shape).value(), tensor.values)
        << name;
}

TEST_F(Store, UsesTensorsInPlaceWhereTheyFit) {
  SmallModel model;
  model.tensors.clear();
  model.add("a", {16}); // 64 bytes: the next one is aligned, too
  model.add("b", {3});
  model.add("c", {16});
  const auto store = open(model);
  ASSERT_TRUE(store) << store.error().message;
  const auto inFile = [&](std::string_view name, int64_t size) {
    const auto found = (*store)->find(name, ElementType::F32, {&size, 1});
    const auto again = (*store)->find(name, ElementType::F32, {&size, 1});
    EXPECT_EQ(*found, *again);
    return *found == (*store)->checkpoint().find(name)->bytes().data();
  };
  EXPECT_TRUE(inFile("a", 16));
  EXPECT_TRUE(inFile("b", 3));
  EXPECT_FALSE(inFile("c", 16)); // 12 bytes off
}

TEST_F(Store, ConvertsToTheTypeAskedFor) {
  SmallModel model;
  model.tensors.clear();
  model.add("a", {3});
  model.tensors["a"].values = {1.0f, -2.5f, 3.0078125f};
  const auto store = open(model);
  const int64_t shape[] = {3};
  const auto bfloats = (*store)->find("a", ElementType::BF16, shape);
  const auto halves = (*store)->find("a", ElementType::F16, shape);
  ASSERT_TRUE(bfloats && halves);
  const auto *b = static_cast<const uint16_t *>(*bfloats);
  const auto *h = static_cast<const uint16_t *>(*halves);
  EXPECT_EQ(b[0], 0x3F80);
  EXPECT_EQ(b[1], 0xC020);
  EXPECT_EQ(b[2], 0x4040); // 3.0078125 is a tie: to even
  EXPECT_EQ(h[0], 0x3C00);
  EXPECT_EQ(h[1], 0xC100);
  EXPECT_EQ(h[2], 0x4204);
  const auto wrong = (*store)->find("a", ElementType::I8, shape);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message, "weights: 'a' is asked for in i8, but "
                                   "weights come in f32, f16, bf16 or f64");
}

TEST_F(Store, TheHeadIsTiedUnlessThereIsOne) {
  const auto tied = open(SmallModel());
  EXPECT_EQ(floats(**tied, "lm_head.weight", {5, 4}).value(),
            SmallModel().tensors["wte.weight"].values);
  SmallModel model(false);
  model.add("lm_head.weight", {5, 4});
  const auto untied = open(model);
  EXPECT_EQ(floats(**untied, "lm_head.weight", {5, 4}).value(),
            model.tensors["lm_head.weight"].values);
  // The config decides if it says something.
  folder.write("config.json", R"({"tie_word_embeddings": true, )" +
                                  std::string(SmallModel::config + 1));
  const auto told = open(model);
  ASSERT_TRUE(told) << told.error().message;
  EXPECT_EQ(floats(**told, "lm_head.weight", {5, 4}).value(),
            model.tensors["wte.weight"].values);
}

TEST_F(Store, DecidesWhetherTheHeadIsTied) {
  folder.write("config.json", SmallModel::config);
  SmallModel model;
  const auto tied = open(model);
  ASSERT_TRUE(tied) << tied.error().message;
  EXPECT_EQ((*tied)->config()->tied, true);
  model.add("lm_head.weight", {5, 4});
  const auto untied = open(model);
  ASSERT_TRUE(untied) << untied.error().message;
  EXPECT_EQ((*untied)->config()->tied, false);
}

TEST_F(Store, IgnoresMaskBuffers) {
  folder.write("config.json", SmallModel::config);
  SmallModel model;
  model.add("h.0.attn.bias", {1, 1, 8, 8});
  model.add("h.0.attn.masked_bias", {});
  const auto store = open(model);
  EXPECT_TRUE(store) << store.error().message;
}

TEST_F(Store, NamesBothShapes) {
  const auto store = open(SmallModel());
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_EQ(problem(floats(**store, "wte.weight", {6, 4})),
            "weights: 'wte.weight' expected f32[6,4], got f32[5,4]");
  EXPECT_EQ(problem(floats(**store, "wte.weight", {20})),
            "weights: 'wte.weight' expected f32[20], got f32[5,4]");
  EXPECT_EQ(problem(floats(**store, "h.0.mlp.c_fc.weight", {20, 4})),
            "weights: 'h.0.mlp.c_fc.weight' expected f32[4,20], got "
            "f32[4,16]");
  EXPECT_EQ(problem(floats(**store, "h.9.ln_1.bias", {4})),
            "weights: '" + file().string() +
                "' has no tensor 'h.9.ln_1.bias', expected [4]");
}

TEST_F(Store, WantsNumbersWithAPoint) {
  SmallModel model;
  model.tensors["ln_f.bias"].type = StoredType::I32;
  const auto store = open(model);
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_EQ(problem(floats(**store, "ln_f.bias", {4})),
            "weights: 'ln_f.bias' expected f32, f16, bf16 or f64[4], got "
            "i32[4]");
}

TEST_F(Store, SaysWhichLayoutToPass) {
  const std::string_view name = "h.0.attn.c_attn.weight";
  const auto linear = open(SmallModel(false), WeightsLayout::Conv1d);
  ASSERT_TRUE(linear) << linear.error().message;
  EXPECT_EQ(problem(floats(**linear, name, {12, 4})),
            "weights: 'h.0.attn.c_attn.weight' expected f32[4,12], got "
            "f32[12,4] (PyTorch Linear layout; pass --weights-layout=linear)");
  const auto conv1d = open(SmallModel(true), WeightsLayout::Linear);
  ASSERT_TRUE(conv1d) << conv1d.error().message;
  EXPECT_EQ(problem(floats(**conv1d, name, {12, 4})),
            "weights: 'h.0.attn.c_attn.weight' expected f32[12,4], got "
            "f32[4,12] (Conv1D layout; pass --weights-layout=conv1d)");
  SmallModel mixed(true);
  std::swap(mixed.tensors["h.0.mlp.c_fc.weight"].shape[0],
            mixed.tensors["h.0.mlp.c_fc.weight"].shape[1]);
  const auto both = open(mixed);
  ASSERT_TRUE(both) << both.error().message;
  EXPECT_EQ(problem(floats(**both, "h.0.mlp.c_fc.weight", {16, 4})),
            "weights: 'h.0.mlp.c_fc.weight' expected f32[4,16], got f32[16,4] "
            "(the other way round than 'h.0.attn.c_attn.weight'; all must have "
            "the same layout)");
}

TEST_F(Store, RefusesALayoutItCannotTell) {
  for (const std::vector<int64_t> &shape :
       {std::vector<int64_t>{4, 4}, {12}, {4, 13}, {0, 0}}) {
    SmallModel model;
    model.add("h.0.attn.c_attn.weight", shape);
    EXPECT_EQ(problem(open(model)),
              "weights: 'h.0.attn.c_attn.weight' expected [C,3C] or [3C,C], "
              "got f32" +
                  formatShape(shape));
  }
}

TEST_F(Store, ComparesTheConfigWithTheTensors) {
  const auto changed = [](std::string_view from, std::string_view to) {
    std::string text = SmallModel::config;
    return text.replace(text.find(from), from.size(), to);
  };
  const std::string says = "; '" + configPath() + "' says ";
  const std::string has = "weights: '" + file().string() + "' has ";
  const std::pair<std::string, std::string> cases[] = {
      {changed("\"vocab_size\": 5", "\"vocab_size\": 6"),
       "weights: 'wte.weight' expected f32[6,4], got f32[5,4]" + says +
           "vocab_size 6, n_embd 4"},
      {changed("\"n_embd\": 4", "\"n_embd\": 8"),
       "weights: 'wte.weight' expected f32[5,8], got f32[5,4]" + says +
           "vocab_size 5, n_embd 8"},
      {changed("\"n_positions\": 8", "\"n_positions\": 9"),
       "weights: 'wpe.weight' expected f32[9,4], got f32[8,4]" + says +
           "context 9, n_embd 4"},
      {changed("}", ", \"n_inner\": 12}"),
       "weights: 'h.0.mlp.c_fc.weight' expected f32[4,12], got f32[4,16]" +
           says + "n_inner 12, n_embd 4"},
      {changed("\"n_layer\": 1", "\"n_layer\": 2"),
       has + "no tensor 'h.1.ln_1.weight', expected [4]" + says + "n_embd 4"},
      {changed("}", ", \"tie_word_embeddings\": false}"),
       has + "no tensor 'lm_head.weight', expected [5,4]" + says +
           "vocab_size 5, n_embd 4"},
  };
  for (const auto &[config, message] : cases) {
    folder.write("config.json", config);
    EXPECT_EQ(problem(open(SmallModel())), message);
  }
  folder.write("config.json", SmallModel::config);
  SmallModel deeper;
  deeper.add("h.1.ln_1.weight", {4});
  EXPECT_EQ(problem(open(deeper)), has + "the tensor 'h.1.ln_1.weight', but '" +
                                       configPath() + "' says n_layer 1");
  folder.write("config.json", "{");
  EXPECT_EQ(problem(open(SmallModel())),
            "config: '" + configPath() +
                "' ends too early, at line 1, column 1");
}

TEST_F(Store, SeesThatTheFileWasTruncated) {
  const auto store = open(SmallModel());
  ASSERT_TRUE(store) << store.error().message;
  fs::resize_file(file(), 100);
  EXPECT_EQ(problem(floats(**store, "wte.weight", {5, 4})),
            "weights: '" + file().string() +
                "' was truncated while it was in use; restore it and run "
                "again");
}

TEST(WeightsLayoutFlag, HasThreeValues) {
  EXPECT_EQ(parseWeightsLayout("auto"), WeightsLayout::Auto);
  EXPECT_EQ(parseWeightsLayout("conv1d"), WeightsLayout::Conv1d);
  EXPECT_EQ(parseWeightsLayout("linear"), WeightsLayout::Linear);
  EXPECT_EQ(parseWeightsLayout("Linear"), std::nullopt);
}
