// The demo model as kernel launches on the reference interpreter: compares the
// interpreter with the logits of Hugging Face transformers, and its KV cache
// with recomputation.
#include "Gpt2Tables.h"
#include "SourceFolder.h"
#include "TileGPT/Dialect/Gpt/Transforms/Passes.h"
#include "TileGPT/Pipelines/Phases.h"
#include "TileGPT/Pipelines/Registration.h"
#include "TileGPT/Reference/Interpreter.h"
#include "TileGPT/Runtime/Data/Safetensors.h"
#include "TileGPT/Runtime/Weights/WeightStore.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace tilegpt;
using reference::Element;
using reference::ElementType;
using reference::Interpreter;
using reference::Tensor;
using reference::TensorRef;

namespace {

const std::string demoFolder = test::sourceFolder() / "models/shakespeare";

/// A tensor of i32.
TensorRef tensorOf(llvm::ArrayRef<int32_t> values) {
  auto tensor = std::make_shared<Tensor>(llvm::cantFail(
      Tensor::zeros(ElementType::I32, {int64_t(values.size())})));
  for (auto [i, value] : llvm::enumerate(values))
    (*tensor)[i] = Element::of(int64_t(value));
  return tensor;
}

class ReferenceModel : public testing::Test {
protected:
  void SetUp() override {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    module = mlir::parseSourceFile<mlir::ModuleOp>(
        (test::sourceFolder() / "models/gpt2.mlir").string(),
        mlir::ParserConfig(&context));
    ASSERT_TRUE(module);
    PhaseOptions options;
    options.configure = "layers=6 heads=4 width=256 inner=1024 context=512 "
                        "vocab=2048 tied=true activation=gelu_tanh";
    options.plans = {"decode:1-1", "prefill:1-64", "score:1-64"};
    ASSERT_TRUE(mlir::succeeded(
        runPhases(*module, Phase::Graph, Phase::Launches, options, nullptr)));
    interpreter.emplace(*module, /*sequences=*/1);
    bindWeights();
  }

  void bindWeights() {
    auto store =
        runtime::WeightStore::open(demoFolder, test::gpt2Tables().weights);
    ASSERT_TRUE(store) << store.error().message;
    module->walk([&](tile::GlobalOp global) {
      if (global.getKind() != tile::GlobalKind::Weight)
        return;
      auto type = mlir::cast<mlir::RankedTensorType>(global.getType());
      ASSERT_TRUE(type.getElementType().isF32());
      auto data = (*store)->find(
          global.getSymName().str(), ElementType::F32,
          std::span(type.getShape().data(), type.getShape().size()));
      ASSERT_TRUE(data) << data.error().message;
      interpreter->bind(
          global.getSymName(),
          llvm::cantFail(Tensor::fromBytes(
              ElementType::F32, type.getShape(),
              llvm::ArrayRef(static_cast<const std::byte *>(*data),
                             type.getNumElements() * sizeof(float)))));
    });
  }

  /// Runs a step of one sequence whose first token is at `position`.
  TensorRef step(llvm::StringRef kind, llvm::ArrayRef<int32_t> ids,
                 int32_t position) {
    std::string name;
    module->walk([&](mlir::func::FuncOp function) {
      auto found = function->getAttrOfType<mlir::StringAttr>(gpt::planKindAttr);
      if (found && found == kind)
        name = function.getSymName().str();
    });
    auto results = interpreter->call(name, {tensorOf(ids), tensorOf(position)});
    if (results)
      return results->front();
    ADD_FAILURE() << llvm::toString(results.takeError());
    return nullptr;
  }

  nlohmann::json prompts() {
    std::ifstream file(demoFolder + "/reference.json");
    return nlohmann::json::parse(file)["prompts"];
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::optional<Interpreter> interpreter;
};

/// transformers computes in f32, while the interpreter rounds to f32 only
/// between kernels, so the difference is the error of transformers.
TEST_F(ReferenceModel, LogitsAgreeWithTransformers) {
  auto file = runtime::Safetensors::open(
      demoFolder + "/reference_logits.safetensors", "reference");
  ASSERT_TRUE(file) << file.error().message;
  auto ids = prompts()[0]["ids"].get<std::vector<int32_t>>();
  const auto *tensor = file->find("logits.0");
  ASSERT_NE(tensor, nullptr);
  auto bytes = file->bytes(*tensor);
  const auto *expected = reinterpret_cast<const float *>(bytes.data());
  TensorRef logits = step("score", ids, 0);
  ASSERT_TRUE(logits);
  ASSERT_EQ(logits->size() * sizeof(float), bytes.size());
  for (int64_t i = 0; i < logits->size(); ++i)
    ASSERT_NEAR((*logits)[i].f, expected[i], 2e-4) << "element " << i;
}

/// Each call reads the cache that the previous ones wrote.
TEST_F(ReferenceModel, DecodingAgreesWithRecomputation) {
  std::vector<int32_t> ids = {859, 26, 3, 17, 99, 1024};
  TensorRef whole = step("score", ids, 0);
  ASSERT_TRUE(whole);
  size_t given = 4;
  TensorRef last = step("prefill", llvm::ArrayRef(ids).take_front(given), 0);
  int64_t vocabulary = whole->shape().back();
  for (; last; ++given) {
    for (int64_t i = 0; i < vocabulary; ++i)
      ASSERT_NEAR((*last)[i].f, (*whole)[(given - 1) * vocabulary + i].f, 1e-5)
          << "token " << given - 1;
    if (given == ids.size())
      break;
    last = step("decode", ids[given], int32_t(given));
  }
}

} // namespace
