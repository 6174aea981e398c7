// GPT-2 as a bundle of the hand-written kernels in Gpt2Kernels.c: what the
// compiler makes of models/*.mlir, by hand.
#ifndef TILEGPT_TEST_UNIT_RUNTIME_GPT2_GPT2BUNDLE_H
#define TILEGPT_TEST_UNIT_RUNTIME_GPT2_GPT2BUNDLE_H

#include "TileGPT/Bundle/Bundle.h"
#include "TileGPT/Runtime/Config/ModelConfig.h"

namespace tilegpt::test {

/// The sizes a config.json gives.
struct Gpt2Sizes {
  int64_t layers, heads, width, innerWidth, context, vocabulary;
  double epsilon;

  explicit Gpt2Sizes(const runtime::ModelConfig &config);
};

/// Plans decode (1, and 2 to 4 sequences), prefill (2 to 100 rows) and score (1
/// to 100 rows).
/// It carries the tables of models/gpt2.mlir, with these sizes.
/// \param architecture of the target. One that starts with "sm_" gives a bundle
/// for a GPU with the same host code as its kernels' images, which a driver
/// that is a fake can run.
bundle::Bundle gpt2Bundle(const Gpt2Sizes &config,
                          std::string_view architecture = "x86_64");

} // namespace tilegpt::test

#endif // TILEGPT_TEST_UNIT_RUNTIME_GPT2_GPT2BUNDLE_H
