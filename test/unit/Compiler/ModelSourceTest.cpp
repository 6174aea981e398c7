// Model texts and the tables that describe their checkpoints.
#include "TileGPT/Compiler/ModelSource.h"
#include "Gpt2Tables.h"
#include "LinkedModel.h"
#include "SourceFolder.h"
#include "TablesAsJson.h"
#include "Text/RefusedTypes.h"
#include "TileGPT/Library/Library.h"
#include "TileGPT/Pipelines/Registration.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Parser/Parser.h"
#include <gmock/gmock.h>

using namespace tilegpt;
using namespace tilegpt::compiler;

/// The tables of a text in the form a bundle stores.
static std::string jsonOf(llvm::StringRef text) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      text, mlir::ParserConfig(&context));
  auto model = linkedModel(*module);
  auto json = tablesAsJson(*model);
  return mlir::succeeded(json) ? *json : "failed";
}

TEST(ModelSource, TheTablesOfTestsAreThoseOfTheText) {
  const auto source =
      readModel((test::sourceFolder() / "models/gpt2.mlir").string());
  ASSERT_TRUE(source) << source.error().message;
  EXPECT_EQ(jsonOf(source->text), test::gpt2TablesJson());
}

TEST(ModelSource, SizesInTablesBecomeNumbers) {
  EXPECT_EQ(jsonOf(R"(gpt.model @m {layers = 1, heads = 2, width = 8,
                          context = 16, vocab = 32, rate = 1.0e4,
                          weights = {interleaved = {"l.{l}.qkv" =
                              ["heads", 3, "head_dim / 2"], "l.{l}.kv" =
                              ["heads", [2, "heads / 2"], "head_dim"]}}})"),
            R"({"settings":{"context":16,"eps":1e-05,"head_dim":4,"heads":2,)"
            R"("inner":32,"kv_heads":2,"layers":1,"rate":10000.0,"vocab":32,)"
            R"("width":8},"weights":{"interleaved":)"
            R"({"l.{l}.kv":[2,[2,1],4],"l.{l}.qkv":[2,3,2]}}})");
}

TEST(ModelSource, EveryBuiltInModelIsDescribed) {
  for (const library::File &file : library::models()) {
    const auto tables = describeModel(
        {std::string(file.name) + ".mlir", std::string(file.text)});
    ASSERT_TRUE(tables) << tables.error().message;
    EXPECT_FALSE(tables->config.rules.empty()) << file.name;
    // The library scans the text without a parser; the result must agree.
    const auto types = library::modelTypes(file);
    if (!types.empty())
      EXPECT_TRUE(std::ranges::equal(types, tables->config.modelTypes))
          << file.name;
    for (const std::string_view type : types)
      EXPECT_TRUE(
          llvm::is_contained(llvm::map_range(builtinModels(type).value(),
                                             [](const ModelSource &source) {
                                               return source.text;
                                             }),
                             file.text));
  }
  EXPECT_EQ(builtinModels("llama").value().size(), 1u);
  EXPECT_EQ(builtinModels("falcon").value().size(), 2u);
}

TEST(ModelSource, SaysWhyATypeIsRefused) {
  const auto problem = [](std::string_view type) {
    const auto models = builtinModels(type);
    return models ? "" : models.error().message;
  };
  EXPECT_EQ(problem("t5"),
            "model: the model_type 't5' is not supported: it has an encoder, "
            "whose results its decoder attends to (tilegpt-run --list-models "
            "lists the types that are)");
  EXPECT_THAT(problem("mamba2"), testing::HasSubstr("a recurrent state"));
  EXPECT_THAT(problem("modernbert"), testing::HasSubstr("later ones"));
  EXPECT_THAT(problem("deepseek_v32"), testing::HasSubstr("an indexer"));
  EXPECT_THAT(problem("gemma4_text"), testing::HasSubstr("share keys"));
  EXPECT_THAT(problem("lama"), testing::HasSubstr("did you mean 'llama'?"));
  for (const library::File &file : library::models())
    for (const std::string_view type : library::modelTypes(file))
      EXPECT_EQ(reasonToRefuse(type), "") << type;
}

TEST(ModelSource, SaysWhatIsWrong) {
  const auto problem = [](std::string text) {
    const auto tables = describeModel({"m.mlir", std::move(text)});
    return tables ? "" : tables.error().message;
  };
  const std::string sizes = "gpt.model @m {layers = 1, heads = 2, width = 8, "
                            "context = 16, vocab = 32";
  EXPECT_EQ(problem(""), "m.mlir: expected one gpt.model in the file, found 0");
  EXPECT_EQ(problem(sizes + ", config = {settings = {depth = \"n\"}}}"),
            "model: 'm.mlir' config.settings.depth names a setting that the "
            "model does not have");
  EXPECT_EQ(problem(sizes + ", config = {ignored = [unit]}}"),
            "m.mlir:1:1: 'gpt.model' op expected its settings and tables to "
            "hold numbers, texts, lists and tables only");
  EXPECT_THAT(
      problem(sizes + ", weights = {interleaved = {a = [\"deep\"]}}}"),
      testing::HasSubstr("names 'deep', which the model does not have"));
  const auto unknown = builtinModels("nosuch");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().message,
            "model: no built-in model is for the model_type 'nosuch' "
            "(tilegpt-run --list-models lists those it has); pass a model "
            "(.mlir) that computes the same");
}
