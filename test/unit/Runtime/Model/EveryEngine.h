// The toy model on every kind of engine: tests of sessions run on each of them
// and expect the same results.
#ifndef TILEGPT_TEST_UNIT_RUNTIME_MODEL_EVERYENGINE_H
#define TILEGPT_TEST_UNIT_RUNTIME_MODEL_EVERYENGINE_H

#include "Cuda/OpenFake.h"
#include "TileGPT/Runtime/Cpu/CpuEngine.h"
#include "TileGPT/Runtime/Cuda/CudaEngine.h"
#include "TileGPT/Runtime/Model/Session.h"
#include "Toy/ToyModel.h"
#include <gtest/gtest.h>

namespace tilegpt::test {

/// The parameter selects the engine; GPUs are those of the fake driver.
class EveryEngine : public testing::TestWithParam<bundle::TargetKind> {
protected:
  static std::unique_ptr<runtime::Engine> engineFor(const bundle::Bundle &model,
                                                    unsigned threads = 2) {
    if (GetParam() == bundle::TargetKind::Host)
      return cpu::CpuEngine::create(model, threads).value();
    return cuda::CudaEngine::create(model, openFake()).value();
  }

  runtime::Session make(int64_t sequences = 1) {
    return runtime::Session::create(toy, weights, engineFor(toy), sequences)
        .value();
  }

  FakeCuda &fake = freshFake();
  bundle::Bundle toy = toyBundle(GetParam());
  ToyWeights weights;
};

/// Names the instances of a suite, like "Suite.Test/Cuda".
inline std::string
engineName(const testing::TestParamInfo<bundle::TargetKind> &info) {
  return info.param == bundle::TargetKind::Host ? "Cpu" : "Cuda";
}

#define TILEGPT_ON_EVERY_ENGINE(suite)                                         \
  INSTANTIATE_TEST_SUITE_P(                                                    \
      , suite,                                                                 \
      testing::Values(bundle::TargetKind::Host, bundle::TargetKind::Cuda),     \
      test::engineName)

} // namespace tilegpt::test

#endif // TILEGPT_TEST_UNIT_RUNTIME_MODEL_EVERYENGINE_H
