// The GPT-2 text computes what Hugging Face does: logits of the demo
// checkpoint, interpreted in the gpt dialect.
#include "Gpt2Tables.h"
#include "ModelProgram.h"
#include "SourceFolder.h"
#include "TileGPT/Runtime/Weights/WeightStore.h"
#include <gtest/gtest.h>

namespace tilegpt {
namespace {

TEST(DemoModel, HasTheLogitsOfTheReference) {
  std::string folder = test::sourceFolder() / "models/shakespeare";
  auto store = runtime::WeightStore::open(folder, test::gpt2Tables().weights);
  ASSERT_TRUE(store) << store.error().message;
  auto expected =
      runtime::Checkpoint::open(folder + "/reference_logits.safetensors");
  ASSERT_TRUE(expected) << expected.error().message;
  auto *logits = expected->find("logits.2");
  ASSERT_TRUE(logits);

  std::string text = builtinModel("shakespeare");
  ModelProgram program(text, "gpt-link-base,gpt.model(gpt-configure)");
  for (const auto &[name, shape] : weightsOf(text)) {
    auto data = (*store)->find(name, bundle::ElementType::F32, shape);
    ASSERT_TRUE(data) << data.error().message;
    int64_t elements = 1;
    for (int64_t size : shape)
      elements *= size;
    program.interpreter().bind(name,
                               llvm::cantFail(reference::Tensor::fromBytes(
                                   bundle::ElementType::F32, shape,
                                   {static_cast<const std::byte *>(*data),
                                    size_t(elements) * sizeof(float)})));
  }
  // "To be, or not to be"
  std::vector<double> actual =
      program.run("forward", {399, 305, 12, 524, 322, 288, 305}, {0});
  auto *values = reinterpret_cast<const float *>(logits->bytes().data());
  ASSERT_EQ(actual.size() * sizeof(float), logits->bytes().size());
  for (size_t i = 0; i < actual.size(); ++i)
    ASSERT_NEAR(actual[i], values[i], 1e-4) << "logit " << i;
}

} // namespace
} // namespace tilegpt
