// The demo model on a GPU: reference tokens and logits in f32, and the
// perplexity with narrower types.
#include "../EndToEnd/DemoModel.h"
#include "../EndToEnd/ReferenceResults.h"
#include "GpuDevice.h"
#include "TileGPT/Runtime/Cuda/CudaEngine.h"
#include "TileGPT/Runtime/Model/Perplexity.h"
#include "llvm/Support/ErrorHandling.h"
#include <gtest/gtest.h>

using namespace tilegpt;
using namespace tilegpt::test;

namespace {

class GpuModel : public testing::Test {
protected:
  void SetUp() override {
    auto found = gpuOfTarget();
    if (!found)
      GTEST_SKIP() << found.error().message;
    runner = *found;
  }

  /// The demo model compiled for the GPU; if null, the test must return.
  std::unique_ptr<DemoModel> compile(bundle::ElementType type,
                                     bool tf32 = false) {
    compiler::CompileOptions options;
    options.weightType = type;
    options.tf32 = tf32;
    options.threads = 1;
    options.gpu = {runner->target().name.str(),
                   runner->device().multiprocessors};
    return std::make_unique<DemoModel>(options);
  }

  runtime::Session session(DemoModel &model,
                           cuda::LaunchMode mode = cuda::LaunchMode::Graphs) {
    auto driver = cuda::Driver::load();
    auto device = cuda::Device::open(*driver, /*ordinal=*/0);
    auto engine = cuda::CudaEngine::create(model.bundle(), *device, mode);
    if (!engine)
      llvm::reportFatalUsageError(llvm::StringRef(engine.error().message));
    auto created = runtime::Session::create(model.bundle(), model.weights(),
                                            std::move(*engine),
                                            /*sequences=*/1);
    if (!created)
      llvm::reportFatalUsageError(llvm::StringRef(created.error().message));
    return std::move(*created);
  }

  /// Perplexity of the reference's validation tokens; 45.356 in f32.
  void expectPerplexity(DemoModel &model, double tolerance) {
    const auto ids =
        model.reference()["val_tokens"].get<std::vector<int32_t>>();
    runtime::Session running = session(model);
    auto perplexity = runtime::measurePerplexity(
        running, ids, model.reference()["window"].get<int64_t>());
    ASSERT_TRUE(perplexity) << perplexity.error().message;
    EXPECT_NEAR(perplexity->value, 45.356, tolerance);
  }

  compiler::GpuRunner *runner = nullptr;
};

TEST_F(GpuModel, WritesTheTokensOfTheReference) {
  auto model = compile(bundle::ElementType::F32);
  for (auto mode : {cuda::LaunchMode::Graphs, cuda::LaunchMode::Plain})
    for (const auto &prompt : model->reference()["prompts"]) {
      runtime::Session running = session(*model, mode);
      expectReferenceTokens(running, prompt);
    }
}

TEST_F(GpuModel, GivesTheLogitsOfTheReference) {
  auto model = compile(bundle::ElementType::F32);
  runtime::Session running = session(*model);
  expectReferenceLogits(running, model->reference(), demoFolder());
  expectPerplexity(*model, 0.05);
}

TEST_F(GpuModel, LosesLittleInTF32) {
  expectPerplexity(*compile(bundle::ElementType::F32, /*tf32=*/true), 0.1);
}

TEST_F(GpuModel, LosesLittleInF16) {
  expectPerplexity(*compile(bundle::ElementType::F16), 0.2);
}

TEST_F(GpuModel, LosesLittleInBF16) {
  expectPerplexity(*compile(bundle::ElementType::BF16), 0.5);
}

} // namespace
