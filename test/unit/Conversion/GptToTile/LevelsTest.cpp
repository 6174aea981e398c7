// A model computes the same at every level and under every combination of graph
// passes: in the gpt dialect, unrolled, fused, as launches, with kernels
// specialized for their launches, in prefill and in steps that use the cache.
#include "ModelProgram.h"
#include <gtest/gtest.h>
#include <random>

namespace tilegpt {
namespace {

/// Two layers of GPT-2 with sizes that no tile size divides.
constexpr llvm::StringLiteral tiny =
    R"(gpt.model @tiny like "gpt2" {layers = 2, heads = 3, width = 15, context = 12, vocab = 37})";

/// The same name always gets the same weights.
reference::Tensor randomWeight(llvm::StringRef name,
                               llvm::ArrayRef<int64_t> shape) {
  std::mt19937_64 random(llvm::hash_value(name));
  std::normal_distribution<double> normal(0, 0.4);
  auto tensor =
      llvm::cantFail(reference::Tensor::zeros(bundle::ElementType::F32, shape));
  double centre = name.ends_with("ln_1.weight") ? 1 : 0;
  for (int64_t i = 0; i < tensor.size(); ++i)
    tensor.store(i, reference::Element::of(centre + normal(random)));
  return tensor;
}

class Tiny : public ModelProgram {
public:
  Tiny(llvm::StringRef passes, int64_t sequences)
      : ModelProgram(tiny, ("gpt-link-base," + passes).str(), sequences) {
    static const auto weights = weightsOf(tiny);
    for (const auto &[name, shape] : weights)
      interpreter().bind(name, randomWeight(name, shape));
  }
};

void expectNear(const std::vector<double> &actual,
                const std::vector<double> &expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i)
    ASSERT_NEAR(actual[i], expected[i], 2e-4) << "element " << i;
}

/// The last `rows` rows of logits.
std::vector<double> lastRows(const std::vector<double> &logits, size_t rows) {
  return {logits.end() - ptrdiff_t(rows * 37), logits.end()};
}

struct Variant {
  const char *name;
  const char *passes;
};

class Levels : public testing::TestWithParam<Variant> {};

TEST_P(Levels, AgreeWithTheModelsOwnOps) {
  Tiny own("gpt.model(gpt-configure)", 2);
  Tiny variant(GetParam().passes, 2);
  std::vector<int64_t> ids = {3, 1, 4, 1, 5, 9, 2, 6, 5, 35};
  expectNear(variant.run("forward", ids, {0, 0}),
             own.run("forward", ids, {0, 0}));
  // A decoding step with the cache, each sequence at its own position.
  expectNear(variant.run("forward", {36, 0}, {5, 3}),
             own.run("forward", {36, 0}, {5, 3}));
}

INSTANTIATE_TEST_SUITE_P(
    Passes, Levels,
    testing::Values(
        Variant{"unrolled", "gpt.model(gpt-configure,gpt-unroll-layers)"},
        Variant{"fused", "gpt.model(gpt-configure,gpt-unroll-layers,gpt-fuse)"},
        Variant{"launches", "gpt.model(gpt-configure,gpt-unroll-layers),"
                            "tile-link-library,gpt-to-tile"},
        Variant{"fusedLaunches",
                "gpt.model(gpt-configure,gpt-unroll-layers,gpt-fuse),"
                "tile-link-library,gpt-to-tile,canonicalize,cse"},
        Variant{"boundKernels",
                "gpt.model(gpt-configure,gpt-unroll-layers,gpt-fuse),"
                "tile-link-library,gpt-to-tile,cse,tile-choose-parameters,"
                "tile-specialize"}),
    [](const testing::TestParamInfo<Variant> &info) {
      return info.param.name;
    });

constexpr llvm::StringLiteral plans =
    "gpt.model(gpt-configure,gpt-unroll-layers,gpt-fuse,gpt-make-plans{"
    "plans=decode:1-1,decode:2-4,prefill:2-12,score:1-12 sequences=2},"
    "gpt-select-last-rows),tile-link-library,gpt-to-tile,cse,"
    "tile-choose-parameters,tile-specialize";

TEST(Plans, PrefillGivesTheLastRowsOfScore) {
  Tiny program(plans, 2);
  std::vector<int64_t> ids = {7, 8, 9, 10, 11, 12};
  std::vector<double> score = program.run("score_1_12", ids, {0, 0});
  std::vector<double> prefill = program.run("prefill_2_12", ids, {0, 0});
  ASSERT_EQ(prefill.size(), 2 * 37u);
  expectNear({prefill.begin(), prefill.begin() + 37},
             {score.begin() + 2 * 37, score.begin() + 3 * 37});
  expectNear(lastRows(prefill, 1), lastRows(score, 1));
}

TEST(Plans, DecodingOverTheCacheEqualsRecomputation) {
  Tiny program(plans, 1);
  std::vector<int64_t> ids = {20, 30, 10, 4, 4, 17};
  std::vector<double> all = program.run("score_1_12", ids, {0});
  program.run("prefill_2_12", {20, 30}, {0});
  for (int64_t at = 2; at < 6; ++at)
    expectNear(program.run("decode_1", {ids[at]}, {at}),
               {all.begin() + at * 37, all.begin() + (at + 1) * 37});
}

TEST(Plans, SequencesOfABatchAreIndependent) {
  Tiny batch(plans, 2), single(plans, 1);
  batch.run("prefill_2_12", {1, 2, 3, 30, 20, 10}, {0, 0});
  single.run("prefill_2_12", {30, 20, 10}, {0});
  expectNear(lastRows(batch.run("decode_2_4", {5, 6}, {3, 3}), 1),
             single.run("decode_1", {6}, {3}));
}

} // namespace
} // namespace tilegpt
