// A GPT-2 bundle with the handwritten kernels of Gpt2Kernels.c, equivalent to
// what the compiler produces from models/*.mlir.
#ifndef TILEGPT_TEST_UNIT_RUNTIME_GPT2_GPT2BUNDLE_H
#define TILEGPT_TEST_UNIT_RUNTIME_GPT2_GPT2BUNDLE_H

#include "TileGPT/Bundle/Bundle.h"
#include "TileGPT/Runtime/Config/ModelConfig.h"

namespace tilegpt::test {

/// The sizes from a config.json.
struct Gpt2Sizes {
  int64_t layers, heads, width, innerWidth, context, vocabulary;
  double epsilon;

  explicit Gpt2Sizes(const runtime::ModelConfig &config);
};

/// Has the plans decode (1, and 2 to 4 sequences), prefill (2 to 100 rows) and
/// score (1 to 100 rows), and the tables of models/gpt2.mlir with these sizes.
/// \param architecture of the target. One that starts with "sm_" gives a GPU
/// bundle whose kernel images are the same host code, which the fake driver can
/// run.
bundle::Bundle gpt2Bundle(const Gpt2Sizes &config,
                          std::string_view architecture = "x86_64");

} // namespace tilegpt::test

#endif // TILEGPT_TEST_UNIT_RUNTIME_GPT2_GPT2BUNDLE_H
