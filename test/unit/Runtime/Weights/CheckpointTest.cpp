// Single files and shards, with or without the prefix, give the same tensors;
// an index that does not match its shards is rejected.
#include "TileGPT/Runtime/Weights/Checkpoint.h"
#include "../TemporaryFolder.h"
#include "SmallModel.h"

using namespace tilegpt;
using namespace tilegpt::runtime;
namespace fs = std::filesystem;

namespace {

const std::vector<std::string> prefixes = {"transformer.", "transformer.more."};

/// A model in two shards: "a.safetensors" with `a`, "b.safetensors" with `b`
/// and "c".
class Shards : public testing::Test {
protected:
  Shards() {
    SmallModel first, second;
    first.tensors.clear();
    second.tensors.clear();
    first.add("a", {2});
    second.add("b", {3});
    second.add("c", {});
    first.write(folder.path / "a.safetensors");
    second.write(folder.path / "b.safetensors");
  }

  Result<Checkpoint> open(std::string_view weightMap) {
    folder.write("model.safetensors.index.json",
                 concat("{\"weight_map\": ", weightMap, "}"));
    return Checkpoint::open(folder.path, prefixes);
  }
  std::string index() const {
    return (folder.path / "model.safetensors.index.json").string();
  }

  TemporaryFolder folder;
};

} // namespace

TEST(Checkpoint, OpensAFileOrItsFolder) {
  const TemporaryFolder folder;
  const fs::path file = folder.path / "model.safetensors";
  SmallModel().write(file, "transformer.");
  for (const fs::path &path : {file, folder.path}) {
    const auto checkpoint = Checkpoint::open(path, prefixes);
    ASSERT_TRUE(checkpoint) << checkpoint.error().message;
    EXPECT_EQ(checkpoint->path(), file);
    const Checkpoint::Entry *entry = checkpoint->find("wte.weight");
    ASSERT_NE(entry, nullptr);
    EXPECT_EQ(entry->tensor->name, "transformer.wte.weight");
    EXPECT_EQ(*entry->path, file);
    EXPECT_EQ(entry->bytes().size(), 80u);
    EXPECT_EQ(checkpoint->find("transformer.wte.weight"), nullptr);
  }
}

TEST(Checkpoint, SaysWhichFilesItMisses) {
  const TemporaryFolder folder;
  const std::string expected =
      "weights: expected '" + (folder.path / "model.safetensors").string() +
      "' or 'model.safetensors.index.json' there, found ";
  auto checkpoint = Checkpoint::open(folder.path);
  ASSERT_FALSE(checkpoint);
  EXPECT_EQ(checkpoint.error().message, expected + "neither");
  checkpoint = Checkpoint::open(folder.path / "x.safetensors");
  ASSERT_FALSE(checkpoint);
  EXPECT_EQ(checkpoint.error().message,
            "weights: cannot open '" +
                (folder.path / "x.safetensors").string() +
                "': No such file or directory");
  const fs::path other = folder.path / "weights.safetensors";
  SmallModel().write(other);
  EXPECT_EQ(Checkpoint::open(folder.path).error().message,
            expected + "'weights.safetensors'; pass it as --weights '" +
                other.string() + "' if it is of the same format");
  SmallModel().write(folder.path / "model-00001-of-00002.safetensors");
  EXPECT_EQ(Checkpoint::open(folder.path).error().message,
            expected + "the shard 'model-00001-of-00002.safetensors'; "
                       "download the index too");
}

TEST(Checkpoint, SaysHowToConvertPyTorchsFiles) {
  const TemporaryFolder folder;
  const auto expected = [&](const std::string &name) {
    return "weights: '" + (folder.path / name).string() +
           "' is a PyTorch file, which may contain code and is not supported; "
           "convert it to safetensors: python3 -c 'import torch, "
           "safetensors.torch as s; t = torch.load(\"" +
           name +
           "\", weights_only=True); s.save_file({k: v.clone().contiguous() for "
           "k, v in t.items()}, \"model.safetensors\")'";
  };
  folder.write("pytorch_model-00002-of-00002.bin", "");
  folder.write("pytorch_model-00001-of-00002.bin", "");
  folder.write("training_args.bin", "");
  folder.write("model.pt", "");
  folder.write("renamed", "PK\x03\x04 and so on");
  const std::pair<fs::path, std::string> cases[] = {
      {folder.path, "model.pt"},
      {folder.path / "model.pt", "model.pt"},
      {folder.path / "training_args.bin", "training_args.bin"},
      {folder.path / "renamed", "renamed"}};
  for (const auto &[path, name] : cases) {
    const auto checkpoint = Checkpoint::open(path);
    ASSERT_FALSE(checkpoint);
    EXPECT_EQ(checkpoint.error().message, expected(name));
    EXPECT_EQ(checkpoint.error().code, ErrorCode::BadInput);
  }
  fs::remove(folder.path / "model.pt");
  EXPECT_EQ(Checkpoint::open(folder.path).error().message,
            expected("pytorch_model-00001-of-00002.bin"));
}

TEST(Checkpoint, NamesOtherFormats) {
  const TemporaryFolder folder;
  const auto messageOf = [](const fs::path &path) {
    const auto checkpoint = Checkpoint::open(path);
    return checkpoint ? "" : checkpoint.error().message;
  };
  const auto adapter = folder.write("adapter_config.json", "{}");
  EXPECT_EQ(messageOf(folder.path),
            "weights: '" + adapter.string() +
                "' belongs to an adapter without its base model; merge it "
                "into the base model first");
  const auto named = folder.write("a.gguf", ""),
             renamed = folder.write("b", "GGUF and so on");
  for (const auto &[path, file] :
       {std::pair(named, named), std::pair(renamed, renamed),
        std::pair(fs::path(folder.path), named)})
    EXPECT_EQ(messageOf(path), "weights: '" + file.string() +
                                   "' is a GGUF file, which is not read; take "
                                   "the safetensors that it was made from");
}

TEST(Checkpoint, RefusesOneNameWithAndWithoutPrefix) {
  const TemporaryFolder folder;
  const fs::path file = folder.path / "x.safetensors";
  SmallModel model;
  model.add("transformer.wte.weight", {1});
  model.write(file);
  const auto checkpoint = Checkpoint::open(file, prefixes);
  ASSERT_FALSE(checkpoint);
  // Either of them may come first in the file.
  EXPECT_EQ(checkpoint.error().message,
            "weights: '" + file.string() +
                "' has both 'transformer.wte.weight' and 'wte.weight'");
}

TEST_F(Shards, AreOneCheckpoint) {
  const auto checkpoint =
      open(R"({"c": "b.safetensors", "transformer.a": "a.safetensors",)"
           R"("b": "b.safetensors"})");
  ASSERT_TRUE(checkpoint) << checkpoint.error().message;
  EXPECT_EQ(checkpoint->tensors().size(), 3u);
  EXPECT_EQ(checkpoint->find("a")->path->filename(), "a.safetensors");
  EXPECT_EQ(checkpoint->find("c")->path->filename(), "b.safetensors");
}

TEST_F(Shards, MustAgreeWithTheIndex) {
  const std::pair<std::string, std::string> cases[] = {
      {"7", "expected an object with a 'weight_map', an object"},
      {R"({"a": 1})",
       "expected the shard of 'a' to be a file name, got an integer"},
      {R"({"a": "../a.safetensors"})",
       "puts 'a' into '../a.safetensors', expected the name of a file in the "
       "same folder"},
      {R"({"a": "/etc/passwd"})",
       "puts 'a' into '/etc/passwd', expected the name of a file in the same "
       "folder"},
      {R"({"a": "x\\a"})",
       "puts 'a' into 'x\\a', expected the name of a file in the same folder"},
      {R"({"a": ".."})",
       "puts 'a' into '..', expected the name of a file in the same folder"},
      {R"({"a": ""})",
       "puts 'a' into '', expected the name of a file in the same folder"},
      {R"({"a": "none.safetensors"})",
       "names the shard 'none.safetensors', which is missing; download it "
       "again"},
      {R"({"a": "b.safetensors"})",
       "puts 'a' into 'b.safetensors', which does not have it"},
      {R"({"a": "a.safetensors", "b": "a.safetensors", "c": "b.safetensors"})",
       "puts 'b' into 'a.safetensors', which does not have it"},
  };
  for (const auto &[map, message] : cases) {
    const auto checkpoint = open(map);
    ASSERT_FALSE(checkpoint) << message;
    EXPECT_EQ(checkpoint.error().message,
              "weights: '" + index() + "' " + message);
    EXPECT_EQ(checkpoint.error().code, ErrorCode::BadInput);
  }
}

TEST_F(Shards, MayHaveNamesThatNoFileCanHave) {
  const std::string name(300, 'a');
  const auto checkpoint = open(R"({"a": ")" + name + R"("})");
  ASSERT_FALSE(checkpoint);
  EXPECT_EQ(checkpoint.error().message, "weights: cannot open '" +
                                            (folder.path / name).string() +
                                            "': File name too long");
}

TEST_F(Shards, MustNotShareATensor) {
  fs::copy(folder.path / "b.safetensors", folder.path / "c.safetensors");
  const auto checkpoint =
      open(R"({"b": "b.safetensors", "c": "c.safetensors"})");
  ASSERT_FALSE(checkpoint);
  EXPECT_EQ(checkpoint.error().message,
            "weights: tensor 'b' is in two shards, '" +
                (folder.path / "b.safetensors").string() + "' and '" +
                (folder.path / "c.safetensors").string() + "'");
}

TEST_F(Shards, AreCheckedLikeAnyFile) {
  folder.write("a.safetensors", "1234");
  const auto checkpoint = open(R"({"a": "a.safetensors"})");
  ASSERT_FALSE(checkpoint);
  EXPECT_EQ(checkpoint.error().message,
            "weights: '" + (folder.path / "a.safetensors").string() +
                "' is not a safetensors file: expected at least 8 bytes, got "
                "4");
}

TEST(Checkpoint, ReadsTheTextModelOfAMultimodalOne) {
  const TemporaryFolder folder;
  const fs::path file = folder.path / "model.safetensors";
  SmallModel model;
  model.tensors.clear();
  model.add("language_model.transformer.a", {2});
  model.add("language_model.lm_head.weight", {2});
  model.add("model.language_model.b", {2});
  model.add("model.text_model.c", {2});
  for (const char *other :
       {"visual.a", "model.visual.b", "vision_tower.c", "model.connector.d",
        "multi_modal_projector.e", "model.image_newline", "model.aligner.f",
        "encoder.layers.0.g", "vision_embed_tokens.weight"})
    model.add(other, {2});
  model.write(file);
  const std::vector<std::string> strip = {"transformer.", "model."};
  const auto checkpoint = Checkpoint::open(file, strip);
  ASSERT_TRUE(checkpoint) << checkpoint.error().message;
  std::vector<std::string> names;
  for (const auto &[name, entry] : checkpoint->tensors())
    names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"a", "b", "c", "lm_head.weight"}));
}

TEST(Checkpoint, KeepsUnknownTensorsBesideATextModelWithoutNamesOfItsOwn) {
  const TemporaryFolder folder;
  const fs::path file = folder.path / "model.safetensors";
  SmallModel model;
  model.tensors.clear();
  for (const char *name : {"model.layers.0.a", "visual.b", "visually"})
    model.add(name, {2});
  model.write(file);
  const std::vector<std::string> strip = {"model."};
  const auto checkpoint = Checkpoint::open(file, strip);
  ASSERT_TRUE(checkpoint) << checkpoint.error().message;
  std::vector<std::string> names;
  for (const auto &[name, entry] : checkpoint->tensors())
    names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"layers.0.a", "visually"}));
}
