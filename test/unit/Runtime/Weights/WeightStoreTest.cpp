// Sessions get the same weights whatever the file's layout, prefix and type;
// mismatches are reported with the expected and the actual value.
#include "TileGPT/Runtime/Weights/WeightStore.h"
#include "../TemporaryFolder.h"
#include "Gpt2Tables.h"
#include "SmallModel.h"
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
    return WeightStore::open(folder.path, test::gpt2Tables().weights,
                             {layout, 2});
  }
  /// The weights a session of the small model needs, and more.
  static std::vector<WeightNeed> needs() {
    static const SmallModel model(/*conv1d=*/false);
    std::vector<WeightNeed> list;
    for (const auto &[name, tensor] : model.tensors)
      list.push_back({name, ElementType::F32, tensor.shape});
    return list;
  }
  static std::string problem(const Result<void> &prepared) {
    EXPECT_FALSE(prepared);
    return prepared ? "" : prepared.error().message;
  }
  /// The values of an f32 tensor, or the error.
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

  TemporaryFolder folder;
};

} // namespace

TEST_F(Store, LoadsTheDemoModel) {
  const auto store = WeightStore::open(
      test::sourceFolder() / "models/shakespeare", test::gpt2Tables().weights);
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_TRUE((*store)->isHeadTied());
  const int64_t witness[] = {768, 256};
  ASSERT_TRUE(
      (*store)->find("h.0.attn.c_attn.weight", ElementType::F32, witness));
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

TEST_F(Store, ReadsPackedMatricesAsRowsOfOne) {
  SmallModel model;
  model.tensors.clear();
  model.add("experts", {2, 3, 4});
  const auto store = open(model);
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_EQ(floats(**store, "experts", {6, 4}).value(),
            model.tensors["experts"].values);
  EXPECT_EQ(floats(**store, "experts", {2, 3, 4}).value(),
            model.tensors["experts"].values);
  // A part of each matrix: the first of its three rows.
  const auto part = floats(**store, "experts[rows 2x3/3]", {2, 4});
  ASSERT_TRUE(part) << part.error().message;
  const std::vector<float> &all = model.tensors["experts"].values;
  std::vector<float> first(all.begin(), all.begin() + 4);
  first.insert(first.end(), all.begin() + 12, all.begin() + 16);
  EXPECT_EQ(*part, first);
  // A part of the columns of all rows.
  const auto columns = floats(**store, "experts[columns 4/2]", {6, 2});
  ASSERT_TRUE(columns) << columns.error().message;
  for (size_t i = 0; i < 6; ++i)
    EXPECT_EQ((*columns)[2 * i], all[4 * i]);
  EXPECT_EQ(problem(floats(**store, "experts", {3, 8})),
            "weights: 'experts' expected f32[3,8], got f32[2,3,4]");
  EXPECT_EQ(problem(floats(**store, "experts", {24})),
            "weights: 'experts' expected f32[24], got f32[2,3,4]");
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
  ASSERT_TRUE(tied) << tied.error().message;
  EXPECT_TRUE((*tied)->isHeadTied());
  SmallModel model(false);
  model.add("lm_head.weight", {5, 4});
  const auto untied = open(model);
  ASSERT_TRUE(untied) << untied.error().message;
  EXPECT_FALSE((*untied)->isHeadTied());
  // A model with tied embeddings also accepts a checkpoint with a separate
  // head.
  EXPECT_TRUE((*untied)->prepare(needs()));
}

TEST_F(Store, LeavesUnreadWhatTheTableIgnores) {
  SmallModel model;
  model.add("h.0.attn.bias", {1, 1, 8, 8});
  model.add("h.0.attn.masked_bias", {});
  const auto store = open(model);
  ASSERT_TRUE(store) << store.error().message;
  const auto prepared = (*store)->prepare(needs());
  EXPECT_TRUE(prepared) << prepared.error().message;
}

TEST_F(Store, RefusesTensorsThatNothingAsksFor) {
  for (const std::string name : {"h.1.ln_1.weight", "h.0.attn.q_norm.weight"}) {
    SmallModel model;
    model.add(name, {4});
    const auto store = open(model);
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_EQ(problem((*store)->prepare(needs())),
              "weights: '" + file().string() + "' has the tensor '" + name +
                  "' (f32[4]), which the model does not use; it is of another "
                  "model, or its sizes are wrong");
  }
}

TEST_F(Store, ChecksAllWeightsBeforeAnyIsConverted) {
  const auto store = open(SmallModel());
  ASSERT_TRUE(store) << store.error().message;
  auto list = needs();
  const int64_t shape[] = {6, 4};
  for (WeightNeed &need : list)
    if (need.name == "wte.weight")
      need.shape = shape;
  EXPECT_EQ(problem((*store)->prepare(list)),
            "weights: 'wte.weight' expected f32[6,4], got f32[5,4]");
}

TEST_F(Store, PutsThePartsOfAWeightBelowEachOther) {
  SmallModel model;
  model.tensors.clear();
  model.add("q.weight", {2, 4});
  model.add("k.weight", {1, 4});
  model.add("v.weight", {1, 4});
  const auto store = open(model);
  ASSERT_TRUE(store) << store.error().message;
  const std::string name = "q.weight+k.weight+v.weight";
  std::vector<float> expected;
  for (const char *part : {"q.weight", "k.weight", "v.weight"})
    for (const float value : model.tensors[part].values)
      expected.push_back(value);
  EXPECT_EQ(floats(**store, name, {4, 4}).value(), expected);
  const int64_t shape[] = {4, 4}, other[] = {5, 4}, wide[] = {4, 5};
  EXPECT_TRUE((*store)->prepare({{{name, ElementType::BF16, shape}}}));
  EXPECT_EQ(problem((*store)->prepare({{{name, ElementType::F32, other}}})),
            "weights: '" + name + "' expected [5,4], got 4 rows together");
  EXPECT_EQ(problem((*store)->prepare({{{name, ElementType::F32, wide}}})),
            "weights: 'q.weight' expected f32[?,5], got f32[2,4]");
  const std::string missing = "q.weight+x.weight";
  EXPECT_EQ(problem((*store)->prepare({{{missing, ElementType::F32, shape}}})),
            "weights: '" + file().string() +
                "' has no tensor 'x.weight', expected [?,4]");
}

TEST_F(Store, AMissingTensorIsReportedWithWhatIsInItsPlace) {
  SmallModel model;
  model.tensors.clear();
  model.add("text.model.norm.weight", {4});
  model.add("a.gate.qweight", {4});
  model.write(file());
  const auto store = open(model);
  ASSERT_TRUE(store) << store.error().message;
  const int64_t shape[] = {4};
  const auto missing = [&](const std::string &name) {
    return problem((*store)->prepare({{{name, ElementType::F32, shape}}}));
  };
  const std::string where = "weights: '" + file().string() + "' has no tensor ";
  EXPECT_EQ(missing("norm.weight"),
            where + "'norm.weight', expected [4]; it has "
                    "'text.model.norm.weight', whose prefix the model does not "
                    "know");
  EXPECT_EQ(missing("a.gate.weight"),
            where + "'a.gate.weight', expected [4]; it has 'a.gate.qweight', "
                    "of weights in another form: quantized, or with an "
                    "adapter that is not merged");
  EXPECT_EQ(missing("a.gat.weight"), where + "'a.gat.weight', expected [4]");
}

TEST_F(Store, BringsInterleavedRowsTogether) {
  SmallModel model;
  model.tensors.clear();
  model.add("0.qkv.weight", {12, 1}); // [2 heads][3][2 rows]
  model.add("0.qkv.bias", {12});
  model.write(file());
  WeightTable table;
  table.interleaved = {{"{l}.qkv", 2, {1, 1, 1}, 2}};
  const auto store = WeightStore::open(folder.path, table);
  ASSERT_TRUE(store) << store.error().message;
  for (const std::string name : {"0.qkv.weight", "0.qkv.bias"}) {
    const std::vector<float> &stored = model.tensors[name].values;
    std::vector<float> expected;
    for (const size_t row : {0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11})
      expected.push_back(stored[row]);
    EXPECT_EQ(floats(**store, name, model.tensors[name].shape).value(),
              expected);
  }
  table.interleaved = {{"{l}.qkv", 2, {1, 1, 1}, 4}};
  const auto wrong = WeightStore::open(folder.path, table);
  EXPECT_EQ(problem(floats(**wrong, "0.qkv.bias", {12})),
            "weights: '0.qkv.bias' expected 24 rows, got f32[12]");
}

TEST_F(Store, BringsPartsOfUnequalSizesTogether) {
  SmallModel model;
  model.tensors.clear();
  model.add("0.qkv.weight", {16, 1}); // [2 groups][2 queries, key, value][2]
  model.write(file());
  WeightTable table;
  table.interleaved = {{"{l}.qkv", 2, {2, 1, 1}, 2}};
  const auto store = WeightStore::open(folder.path, table);
  ASSERT_TRUE(store) << store.error().message;
  const std::vector<float> &stored = model.tensors["0.qkv.weight"].values;
  std::vector<float> expected;
  for (const size_t row :
       {0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15})
    expected.push_back(stored[row]);
  EXPECT_EQ(floats(**store, "0.qkv.weight", {16, 1}).value(), expected);
}

TEST_F(Store, BringsRotatedPairsOfEachHeadAsHalves) {
  SmallModel model;
  model.tensors.clear();
  model.add("0.q.weight", {10, 3}); // [2 heads][2 pairs, 1 row not rotated]
  model.write(file());
  WeightTable table;
  table.interleaved = {{.name = "{l}.q",
                        .outer = 2,
                        .parts = {1, 1},
                        .inner = 1,
                        .groups = 2,
                        .rest = 1}};
  const auto store = WeightStore::open(folder.path, table);
  ASSERT_TRUE(store) << store.error().message;
  const std::vector<float> &stored = model.tensors["0.q.weight"].values;
  std::vector<float> expected;
  for (const size_t row : {0, 2, 1, 3, 4, 5, 7, 6, 8, 9})
    expected.insert(expected.end(), stored.begin() + row * 3,
                    stored.begin() + (row + 1) * 3);
  EXPECT_EQ(floats(**store, "0.q.weight", {10, 3}).value(), expected);
}

TEST_F(Store, SplitsATensorIntoItsParts) {
  SmallModel model;
  model.tensors.clear();
  model.add("0.a.qkv.weight", {12, 3}); // [2 groups][q, v, k][2 rows]
  model.write(file());
  WeightTable table;
  table.split = {{"{l}.a.qkv", 2, {"q", "v", "k"}}};
  table.interleaved = {{"{l}.a.k", 2, {1, 1}, 1}};
  const auto store = WeightStore::open(folder.path, table);
  ASSERT_TRUE(store) << store.error().message;
  const std::vector<float> &stored = model.tensors["0.a.qkv.weight"].values;
  const auto rowsOf = [&](std::vector<size_t> rows) {
    std::vector<float> values;
    for (const size_t row : rows)
      values.insert(values.end(), stored.begin() + row * 3,
                    stored.begin() + (row + 1) * 3);
    return values;
  };
  EXPECT_EQ(floats(**store, "0.a.q.weight", {4, 3}).value(),
            rowsOf({0, 1, 6, 7}));
  EXPECT_EQ(floats(**store, "0.a.v.weight", {4, 3}).value(),
            rowsOf({2, 3, 8, 9}));
  EXPECT_EQ(floats(**store, "0.a.k.weight", {4, 3}).value(),
            rowsOf({4, 10, 5, 11}));
  EXPECT_EQ(floats(**store, "0.a.q.weight+0.a.k.weight", {8, 3}).value(),
            rowsOf({0, 1, 6, 7, 4, 10, 5, 11}));
}

TEST_F(Store, BringsVectorsOfHeadsAsRows) {
  SmallModel model;
  model.tensors.clear();
  model.add("q.0.weight", {4});
  model.add("q.1.weight", {4});
  model.add("k.weight", {2, 4}); // 2 heads of 2 pairs
  model.write(file());
  WeightTable table;
  table.interleaved = {
      {.name = "k", .outer = 2, .parts = {1, 1}, .inner = 1, .groups = 2}};
  const auto store = WeightStore::open(folder.path, table);
  ASSERT_TRUE(store) << store.error().message;
  std::vector<float> expected = model.tensors["q.0.weight"].values;
  for (const size_t i : {0, 1, 2, 3})
    expected.push_back(model.tensors["q.1.weight"].values[i]);
  for (const size_t i : {0, 2, 1, 3, 4, 6, 5, 7})
    expected.push_back(model.tensors["k.weight"].values[i]);
  EXPECT_EQ(floats(**store, "q.0.weight+q.1.weight+k.weight", {4, 4}).value(),
            expected);
  // A rank has one head of each.
  const auto ofRank = WeightStore::open(folder.path, table,
                                        {.rank = {.number = 1, .count = 2}});
  ASSERT_TRUE(ofRank) << ofRank.error().message;
  const auto at = [&](size_t row) { return expected.begin() + row * 4; };
  std::vector<float> ofSecond(at(1), at(2));
  ofSecond.insert(ofSecond.end(), at(3), at(4));
  EXPECT_EQ(
      floats(**ofRank, "q.0.weight+q.1.weight+k.weight[rows 2/2, 2/2]", {2, 4})
          .value(),
      ofSecond);
}

/// Experts [2, in 3, out 4], whose outs alternate between two parts.
TEST_F(Store, TransposesPackedExperts) {
  SmallModel model;
  model.tensors.clear();
  model.add("0.e.up", {2, 3, 4});
  model.add("0.e.up_bias", {2, 4});
  model.write(file());
  WeightTable table;
  table.transposedExperts = {"{l}.e.up"};
  table.interleaved = {{.name = "{l}.e.up",
                        .outer = 2,
                        .parts = {1, 1},
                        .inner = 1,
                        .groups = 2},
                       {.name = "{l}.e.up_bias",
                        .outer = 2,
                        .parts = {1, 1},
                        .inner = 1,
                        .groups = 2}};
  const auto store = WeightStore::open(folder.path, table);
  ASSERT_TRUE(store) << store.error().message;
  const std::vector<float> &stored = model.tensors["0.e.up"].values;
  const std::vector<float> &bias = model.tensors["0.e.up_bias"].values;
  std::vector<float> expected, second, expectedBias;
  for (const size_t expert : {0, 1})
    for (const size_t out : {0, 2, 1, 3}) {
      for (size_t in = 0; in < 3; ++in) {
        expected.push_back(stored[expert * 12 + in * 4 + out]);
        if (out % 4 >= 2)
          second.push_back(expected.back());
      }
      expectedBias.push_back(bias[expert * 4 + out]);
    }
  EXPECT_EQ(floats(**store, "0.e.up.weight", {8, 3}).value(), expected);
  EXPECT_EQ(floats(**store, "0.e.up_bias", {8}).value(), expectedBias);
  EXPECT_EQ(problem(floats(**store, "0.e.up_bias", {6})),
            "weights: '0.e.up_bias' expected f32[6], got f32[2,4]");
  const auto ofRank = WeightStore::open(folder.path, table,
                                        {.rank = {.number = 1, .count = 2}});
  EXPECT_EQ(floats(**ofRank, "0.e.up.weight[rows 4x2/2]", {4, 3}).value(),
            second);
  EXPECT_EQ(floats(**ofRank, "0.e.up_bias[rows 4x2/2]", {4}).value(),
            (std::vector<float>{expectedBias[1], expectedBias[3],
                                expectedBias[5], expectedBias[7]}));
}

/// Two rows of a block each, with the scales 2 and 1/2.
TEST_F(Store, ExpandsMxfp4) {
  std::string header =
      R"({"x_blocks":{"dtype":"U8","shape":[2,1,16],"data_offsets":[0,32]},)"
      R"("x_scales":{"dtype":"U8","shape":[2,1],"data_offsets":[32,34]}})";
  std::string image(8, '\0');
  image[0] = char(header.size());
  image += header;
  std::vector<float> expected;
  const float values[] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};
  for (int row = 0; row < 2; ++row)
    for (int i = 0; i < 16; ++i) {
      const int low = i, high = (i * 3 + row) % 16;
      image += char(low | high << 4);
      for (const int bits : {low, high})
        expected.push_back((bits & 8 ? -1.0f : 1.0f) * values[bits & 7] *
                           (row == 0 ? 2.0f : 0.5f));
    }
  image += char(128);
  image += char(126);
  folder.write("model.safetensors", image);
  const auto store = WeightStore::open(folder.path, WeightTable());
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_EQ(floats(**store, "x.weight", {2, 32}).value(), expected);
  EXPECT_EQ(problem(floats(**store, "x.weight", {2, 64})),
            "weights: 'x.weight' expected mxfp4[2,64], got mxfp4[2,32]");
  const auto ofRank = WeightStore::open(folder.path, WeightTable(),
                                        {.rank = {.number = 1, .count = 2}});
  const std::vector<float> right =
      floats(**ofRank, "x.weight[columns 32/2]", {2, 16}).value();
  EXPECT_TRUE(
      std::equal(right.begin(), right.begin() + 16, expected.begin() + 16));
  EXPECT_TRUE(
      std::equal(right.begin() + 16, right.end(), expected.begin() + 48));
}

/// f8 with one scale, with one for each row, and with one for each block of 128
/// by 128, of which the last ones are cut.
TEST_F(Store, ScalesF8) {
  const std::string header =
      R"({"a.weight":{"dtype":"F8_E4M3","shape":[2,3],"data_offsets":[0,6]},)"
      R"("a.weight_scale":{"dtype":"F32","shape":[],"data_offsets":[6,10]},)"
      R"("a.input_scale":{"dtype":"F32","shape":[],"data_offsets":[10,14]},)"
      R"("b.weight":{"dtype":"F8_E5M2","shape":[2,3],"data_offsets":[14,20]},)"
      R"("b.weight_scale":{"dtype":"BF16","shape":[2,1],"data_offsets":[20,24]},)"
      R"("c.weight":{"dtype":"F8_E4M3","shape":[130,129],"data_offsets":[24,16794]},)"
      R"("c.weight_scale_inv":{"dtype":"F32","shape":[2,2],"data_offsets":[16794,16810]},)"
      R"("d.weight":{"dtype":"F8_E4M3","shape":[1,2],"data_offsets":[16810,16812]}})";
  std::string image(8, '\0');
  image[0] = char(header.size());
  image[1] = char(header.size() >> 8);
  image += header;
  const auto append = [&](auto value) {
    image.append(reinterpret_cast<const char *>(&value), sizeof(value));
  };
  // 1, 1.125, 448, the smallest subnormal, the largest one, -2
  for (const int bits : {0x38, 0x39, 0x7E, 0x01, 0x07, 0xC0})
    image += char(bits);
  append(0.5f);
  append(7.0f);
  for (const int bits : {0x3C, 0x3D, 0x7B, 0x01, 0x03, 0xC0})
    image += char(bits);
  append(uint16_t(0x4000)); // 2
  append(uint16_t(0x3F00)); // 0.5
  image.append(130 * 129, char(0x38));
  for (const float scale : {1.0f, 2.0f, 3.0f, 4.0f})
    append(scale);
  image += char(0x38);
  image += char(0x7F); // NaN
  folder.write("model.safetensors", image);
  const auto store = WeightStore::open(folder.path, WeightTable());
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_EQ(floats(**store, "a.weight", {2, 3}).value(),
            (std::vector<float>{0.5f, 0.5625f, 224, 0x1p-10f, 0x7p-10f, -1}));
  EXPECT_EQ(floats(**store, "b.weight", {2, 3}).value(),
            (std::vector<float>{2, 2.5f, 114688, 0x1p-17f, 0x3p-17f, -1}));
  const std::vector<float> blocks =
      floats(**store, "c.weight", {130, 129}).value();
  for (const auto &[row, column, expected] : {std::tuple(0, 0, 1.0f),
                                              {0, 128, 2.0f},
                                              {127, 127, 1.0f},
                                              {128, 0, 3.0f},
                                              {129, 127, 3.0f},
                                              {129, 128, 4.0f}})
    EXPECT_EQ(blocks[size_t(row * 129 + column)], expected);
  const std::vector<float> plain = floats(**store, "d.weight", {1, 2}).value();
  EXPECT_EQ(plain[0], 1);
  EXPECT_TRUE(std::isnan(plain[1]));
  EXPECT_EQ(problem(floats(**store, "a.weight", {2, 4})),
            "weights: 'a.weight' expected f8_e4m3[2,4], got f8_e4m3[2,3]");
  // A rank reads the scales of its part.
  const auto ofRank = WeightStore::open(folder.path, WeightTable(),
                                        {.rank = {.number = 1, .count = 2}});
  EXPECT_EQ(floats(**ofRank, "b.weight[rows 2/2]", {1, 3}).value(),
            (std::vector<float>{0x1p-17f, 0x3p-17f, -1}));
  // Matrices that a file has in the other order are not turned.
  WeightTable turned;
  turned.transposed = {"b"};
  const auto other =
      WeightStore::open(folder.path, turned, {.layout = WeightsLayout::Conv1d});
  ASSERT_TRUE(other) << other.error().message;
  EXPECT_EQ(
      problem(floats(**other, "b.weight", {3, 2})),
      "weights: 'b.weight' is quantized and stored as [in, out], which is "
      "not supported");
}

TEST_F(Store, SkipsRowsAtTheStartOfATable) {
  SmallModel model;
  model.tensors.clear();
  model.add("positions.weight", {6, 3});
  model.write(file());
  WeightTable table;
  table.skipped = {{"positions", 2}};
  const auto store = WeightStore::open(folder.path, table);
  ASSERT_TRUE(store) << store.error().message;
  const std::vector<float> &stored = model.tensors["positions.weight"].values;
  EXPECT_EQ(floats(**store, "positions.weight", {4, 3}).value(),
            std::vector<float>(stored.begin() + 6, stored.end()));
  EXPECT_EQ(problem(floats(**store, "positions.weight", {6, 3})),
            "weights: 'positions.weight' expected f32[8,3], got f32[6,3]");
  const auto second = WeightStore::open(folder.path, table,
                                        {.rank = {.number = 1, .count = 2}});
  EXPECT_EQ(floats(**second, "positions.weight[rows 4/2]", {2, 3}).value(),
            std::vector<float>(stored.begin() + 12, stored.end()));
}

TEST_F(Store, NamesBothShapes) {
  const auto store = open(SmallModel());
  ASSERT_TRUE(store) << store.error().message;
  ASSERT_TRUE((*store)->prepare(needs()));
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
            "weights: 'ln_f.bias' expected f32, f16, bf16, f64 or f8[4], got "
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
  ASSERT_TRUE(floats(**both, name, {12, 4}));
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
    const auto store = open(model);
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_EQ(problem((*store)->prepare(needs())),
              "weights: 'h.0.attn.c_attn.weight' expected [12,4] or [4,12], "
              "got f32" +
                  formatShape(shape));
  }
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

/// Rows by head, columns of the following layer, and a bias that one rank adds,
/// in both layouts of the file.
TEST_F(Store, RanksReadTheirParts) {
  for (const bool conv1d : {true, false}) {
    SmallModel model(conv1d);
    const auto whole = open(model);
    ASSERT_TRUE(whole) << whole.error().message;
    const auto attention = floats(**whole, "h.0.attn.c_attn.weight", {12, 4});
    const auto bias = floats(**whole, "h.0.attn.c_attn.bias", {12});
    const auto proj = floats(**whole, "h.0.attn.c_proj.weight", {4, 4});
    ASSERT_TRUE(attention && bias && proj);
    for (int64_t rank = 0; rank < 2; ++rank) {
      WeightStore::Options options;
      options.rank = {rank, 2};
      const auto store =
          WeightStore::open(file(), test::gpt2Tables().weights, options);
      ASSERT_TRUE(store) << store.error().message;
      const std::string rows = "[rows 3x2*2/2]";
      const auto part =
          floats(**store, "h.0.attn.c_attn.weight" + rows, {6, 4});
      ASSERT_TRUE(part) << part.error().message;
      const auto partBias = floats(**store, "h.0.attn.c_attn.bias" + rows, {6});
      ASSERT_TRUE(partBias) << partBias.error().message;
      for (size_t i = 0; i < 6; ++i) {
        const size_t row = i / 2 * 4 + size_t(rank) * 2 + i % 2;
        EXPECT_EQ((*partBias)[i], (*bias)[row]);
        for (size_t j = 0; j < 4; ++j)
          EXPECT_EQ((*part)[i * 4 + j], (*attention)[row * 4 + j]);
      }
      const auto columns =
          floats(**store, "h.0.attn.c_proj.weight[columns 4/2]", {4, 2});
      ASSERT_TRUE(columns) << columns.error().message;
      for (size_t i = 0; i < 8; ++i)
        EXPECT_EQ((*columns)[i], (*proj)[i / 2 * 4 + size_t(rank) * 2 + i % 2]);
      const auto first = floats(**store, "h.0.attn.c_attn.bias[first]", {12});
      ASSERT_TRUE(first) << first.error().message;
      EXPECT_EQ(*first, rank == 0 ? *bias : std::vector<float>(12));
    }
  }
}

/// The last rank's missing part is zero.
TEST_F(Store, PartsBeyondTheEndAreZero) {
  SmallModel model(/*conv1d=*/true);
  const auto whole = open(model);
  ASSERT_TRUE(whole) << whole.error().message;
  const auto proj = floats(**whole, "h.0.attn.c_proj.weight", {4, 4});
  WeightStore::Options options;
  options.rank = {2, 3};
  const auto store =
      WeightStore::open(file(), test::gpt2Tables().weights, options);
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_EQ(floats(**store, "h.0.attn.c_proj.weight[rows 4/3]", {2, 4}).value(),
            std::vector<float>(8));
  EXPECT_EQ(
      problem(floats(**store, "h.0.attn.c_proj.weight[rows 4/3]", {3, 4})),
      "weights: 'h.0.attn.c_proj.weight[rows 4/3]' is asked for as "
      "[3,4]");
  EXPECT_EQ(problem(floats(**store, "h.0.attn.c_proj.weight[half]", {2, 4})),
            "weights: 'h.0.attn.c_proj.weight[half]' does not name its part "
            "of a weight");
}
