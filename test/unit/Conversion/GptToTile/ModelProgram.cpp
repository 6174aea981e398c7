// Parsing, lowering and calling of models in tests.
#include "ModelProgram.h"
#include "TileGPT/Library/Library.h"
#include "TileGPT/Pipelines/Registration.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include <gtest/gtest.h>
#include <mutex>

using namespace mlir;

namespace tilegpt {

static DialectRegistry dialects() {
  static std::once_flag once;
  std::call_once(once, registerPasses);
  DialectRegistry registry;
  registerDialects(registry);
  return registry;
}

ModelProgram::ModelProgram(StringRef text, StringRef pipeline,
                           int64_t sequences)
    : context(dialects()) {
  module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
  if (!module)
    llvm::reportFatalUsageError("the model does not parse");
  PassManager passes(&context);
  if (failed(parsePassPipeline(pipeline, passes)) ||
      failed(passes.run(*module)))
    llvm::reportFatalUsageError("the passes failed");
  oracle.emplace(*module, sequences);
}

static reference::TensorRef ints(const std::vector<int64_t> &values) {
  auto tensor = std::make_shared<reference::Tensor>(
      llvm::cantFail(reference::Tensor::zeros(bundle::ElementType::I32,
                                              {int64_t(values.size())})));
  for (auto [i, value] : llvm::enumerate(values))
    tensor->store(int64_t(i), reference::Element::of(value));
  return tensor;
}

std::vector<double> ModelProgram::run(StringRef function,
                                      std::vector<int64_t> ids,
                                      std::vector<int64_t> positions) {
  auto results = oracle->call(function, {ints(ids), ints(positions)});
  if (!results) {
    ADD_FAILURE() << llvm::toString(results.takeError());
    return {};
  }
  const reference::Tensor &logits = *results->front();
  std::vector<double> values;
  for (int64_t i = 0; i < logits.size(); ++i)
    values.push_back(logits[i].f);
  return values;
}

std::vector<std::pair<std::string, std::vector<int64_t>>>
weightsOf(StringRef text) {
  ModelProgram program(text,
                       "gpt-link-base,gpt.model(gpt-configure,"
                       "gpt-unroll-layers),tile-link-library,gpt-to-tile");
  std::vector<std::pair<std::string, std::vector<int64_t>>> weights;
  for (tile::GlobalOp global :
       program.model().getBody().getOps<tile::GlobalOp>())
    if (global.getKind() == tile::GlobalKind::Weight)
      weights.emplace_back(
          global.getSymName().str(),
          cast<RankedTensorType>(global.getType()).getShape().vec());
  return weights;
}

std::string builtinModel(StringRef name) {
  const library::File *file = library::find(library::models(), name);
  if (!file)
    llvm::reportFatalUsageError("no built-in model '" + name + "'");
  return std::string(file->text);
}

} // namespace tilegpt
