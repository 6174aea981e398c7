// Ops of the gpt dialect on numbers small enough to check by hand, and errors
// of their evaluators.
#include "Program.h"
#include "gmock/gmock.h"
#include <cmath>
#include <limits>

namespace tilegpt::reference {
namespace {

constexpr auto f32 = ElementType::F32;
constexpr auto i32 = ElementType::I32;

/// A model of width 2 with one head, 4 positions and 3 tokens; `body` is the
/// body of its function @f.
std::string modelWith(llvm::StringRef signature, llvm::StringRef body) {
  return ("gpt.model @m {layers = 2, heads = 1, width = 2, context = 4, vocab "
          "= 3} {\nfunc.func @f(" +
          signature + ") -> tensor<?x?xf32> {\n" + body +
          "\nreturn %y : tensor<?x?xf32>\n}\n}")
      .str();
}

std::vector<double> resultOf(Program &program,
                             std::vector<TensorRef> arguments) {
  auto results = program.interpreter->call("f", std::move(arguments));
  if (results)
    return valuesOf(*results->front());
  ADD_FAILURE() << llvm::toString(results.takeError());
  return {};
}

std::string errorOf(Program &program, std::vector<TensorRef> arguments) {
  auto results = program.interpreter->call("f", std::move(arguments));
  return results ? "no error" : llvm::toString(results.takeError());
}

constexpr llvm::StringLiteral steps =
    "%ids: tensor<?xi32>, %pos: tensor<?xi32>";
constexpr llvm::StringLiteral rows = "%x: tensor<?x?xf32>";
constexpr llvm::StringLiteral embed =
    R"(%y = gpt.embed %ids at %pos weights("wte", "wpe") : tensor<?xi32>, tensor<?xi32> -> tensor<?x?xf32>)";

void bindTables(Program &program) {
  program.interpreter->bind("wte.weight",
                            *tensorOf(f32, {3, 2}, {1, 2, 3, 4, 5, 6}));
  program.interpreter->bind(
      "wpe.weight", *tensorOf(f32, {4, 2}, {10, 0, 20, 0, 30, 0, 40, 0}));
}

TEST(Gpt, EmbedsEachSequenceFromItsPosition) {
  Program program(modelWith(steps, embed));
  bindTables(program);
  EXPECT_THAT(resultOf(program, {tensorOf(i32, {4}, {0, 1, 2, 0}),
                                 tensorOf(i32, {2}, {0, 2})}),
              testing::ElementsAre(11, 2, 23, 4, 35, 6, 41, 2));
}

TEST(Gpt, NormalisesRows) {
  Program program(modelWith(
      rows,
      R"(%y = gpt.layer_norm %x weights("n") : tensor<?x?xf32> -> tensor<?x?xf32>)"));
  program.interpreter->bind("n.weight", *tensorOf(f32, {2}, {2, 3}));
  program.interpreter->bind("n.bias", *tensorOf(f32, {2}, {1, -1}));
  // Mean 10001, deviation 1: a large mean costs no precision.
  double scale = 1 / std::sqrt(1 + 1e-5);
  EXPECT_THAT(resultOf(program, {tensorOf(f32, {1, 2}, {10000, 10002})}),
              testing::ElementsAre(testing::DoubleNear(1 - 2 * scale, 1e-6),
                                   testing::DoubleNear(3 * scale - 1, 1e-6)));
}

TEST(Gpt, LinearAddsTheResidualBehindTheActivation) {
  Program program(modelWith(
      rows,
      R"(%y = gpt.linear %x weights("w") to 2 activation(gelu_erf) residual(%x : tensor<?x?xf32>) : tensor<?x?xf32> -> tensor<?x?xf32>)"));
  program.interpreter->bind("w.weight", *tensorOf(f32, {2, 2}, {1, 1, -1, 0}));
  program.interpreter->bind("w.bias", *tensorOf(f32, {2}, {-2, 0}));
  // gelu(1) + 1 and gelu(-1) + 2.
  double positive = 0.5 * (1 + std::erf(1 / std::sqrt(2.0)));
  EXPECT_THAT(
      resultOf(program, {tensorOf(f32, {1, 2}, {1, 2})}),
      testing::ElementsAre(testing::DoubleNear(positive + 1, 1e-6),
                           testing::DoubleNear(2 - (1 - positive), 1e-6)));
}

TEST(Gpt, LayersReadTheirOwnWeights) {
  Program program(modelWith(rows, R"(
    %y = gpt.layers iter(%v = %x) : tensor<?x?xf32> {
      %l = gpt.linear %v weights("h.{l}") to 2 : tensor<?x?xf32> -> tensor<?x?xf32>
      gpt.yield %l : tensor<?x?xf32>
    })"));
  for (const char *name : {"h.0.weight", "h.1.weight"})
    program.interpreter->bind(name, *tensorOf(f32, {2, 2}, {0, 1, 1, 0}));
  program.interpreter->bind("h.0.bias", *tensorOf(f32, {2}, {1, 1}));
  program.interpreter->bind("h.1.bias", *tensorOf(f32, {2}, {0, 5}));
  EXPECT_THAT(resultOf(program, {tensorOf(f32, {1, 2}, {1, 2})}),
              testing::ElementsAre(2, 8));
}

/// The token drawn from `logits` as `how` says, or the error.
std::string drawn(std::vector<double> logits, std::vector<double> how) {
  Program program(
      R"(gpt.model @m {layers = 1, heads = 1, width = 2, context = 4, vocab = 4} {
    func.func @f(%z: tensor<?x4xf32>, %how: tensor<?x5xf32>) -> tensor<?xi32> {
      %y = gpt.sample %z as %how : tensor<?x4xf32>, tensor<?x5xf32> -> tensor<?xi32>
      return %y : tensor<?xi32>
    }
  })");
  auto results = program.interpreter->call(
      "f", {tensorOf(f32, {1, 4}, logits), tensorOf(f32, {1, 5}, how)});
  if (!results)
    return llvm::toString(results.takeError());
  return std::to_string(int64_t(valuesOf(*results->front())[0]));
}

TEST(Gpt, SamplesInTheOrderOfLogitsAndIds) {
  const double no = -std::numeric_limits<double>::infinity();
  const double a = std::log(0.1), b = std::log(0.4), c = std::log(0.2),
               d = std::log(0.3);
  const std::vector<double> z = {a, b, c, d}; // in order: 1, 3, 2, 0
  // Temperature 0 takes the first maximum, whatever the other options.
  EXPECT_EQ(drawn({1, 3, 3, 2}, {0, 0, 1, no, 0.9}), "1");
  // The draw walks the tokens in order of probability.
  EXPECT_EQ(drawn(z, {1, 0, 1, no, 0.39}), "1");
  EXPECT_EQ(drawn(z, {1, 0, 1, no, 0.41}), "3");
  EXPECT_EQ(drawn(z, {1, 0, 1, no, 0.71}), "2");
  EXPECT_EQ(drawn(z, {1, 0, 1, no, 0.99}), "0");
  // Top 2: 4/7 and 3/7; the smallest set reaching 0.65; those at least half as
  // likely as the best.
  EXPECT_EQ(drawn(z, {1, 2, 1, no, 0.56}), "1");
  EXPECT_EQ(drawn(z, {1, 2, 1, no, 0.99}), "3");
  EXPECT_EQ(drawn(z, {1, 0, 0.65, no, 0.99}), "3");
  EXPECT_EQ(drawn(z, {1, 0, 1, std::log(0.45), 0.99}), "2");
  // A temperature of a half squares the odds: 16/30, 9/30, …
  EXPECT_EQ(drawn(z, {0.5, 0, 1, no, 0.54}), "3");
  EXPECT_EQ(drawn({no, no, 5, no}, {1, 0, 1, no, 0.99}), "2");
  EXPECT_THAT(drawn({no, no, no, no}, {1, 0, 1, no, 0}),
              testing::HasSubstr("row 0 has no finite logit"));
  EXPECT_THAT(drawn({0, -no, 0, 0}, {1, 0, 1, no, 0}),
              testing::HasSubstr("row 0 has the logit INF for token 1"));
}

constexpr llvm::StringLiteral attention =
    R"(%y = gpt.attention %x at %pos cache("h.0") : tensor<?x?xf32>, tensor<?xi32> -> tensor<?x?xf32>)";
constexpr llvm::StringLiteral packed =
    "%x: tensor<?x?xf32>, %pos: tensor<?xi32>";

TEST(Gpt, AttentionReadsWhatItAppendedBefore) {
  Program program(modelWith(packed, attention));
  // Rows are q, k, v; equal scores average the values seen so far.
  std::vector<double> first = {0, 0, 1, 0, 4, 8};
  EXPECT_THAT(resultOf(program,
                       {tensorOf(f32, {1, 6}, first), tensorOf(i32, {1}, {0})}),
              testing::ElementsAre(4, 8));
  std::vector<double> second = {0, 0, 7, 7, 6, 0};
  EXPECT_THAT(resultOf(program, {tensorOf(f32, {1, 6}, second),
                                 tensorOf(i32, {1}, {1})}),
              testing::ElementsAre(5, 4));
}

TEST(Gpt, RefusesIdsPositionsAndFullCaches) {
  Program program(modelWith(steps, embed));
  bindTables(program);
  EXPECT_THAT(
      errorOf(program, {tensorOf(i32, {1}, {3}), tensorOf(i32, {1}, {0})}),
      testing::EndsWith("'gpt.embed' op row 0 has the id 3, outside "
                        "the vocabulary of 3"));
  EXPECT_THAT(
      errorOf(program, {tensorOf(i32, {2}, {0, 0}), tensorOf(i32, {1}, {3})}),
      testing::EndsWith("'gpt.embed' op row 1 is at position 4, "
                        "outside the context of 4"));
  EXPECT_THAT(errorOf(program, {tensorOf(i32, {3}, {0, 0, 0}),
                                tensorOf(i32, {2}, {0, 0})}),
              testing::EndsWith("'gpt.embed' op expected the rows (3) to be a "
                                "multiple of the sequences (2)"));

  Program full(modelWith(packed, attention));
  EXPECT_THAT(errorOf(full, {tensorOf(f32, {2, 6}, std::vector<double>(12)),
                             tensorOf(i32, {1}, {3})}),
              testing::EndsWith("'gpt.attention' op sequence 0 has 2 tokens "
                                "from position 3, but the cache holds 4"));
  EXPECT_THAT(errorOf(full, {tensorOf(f32, {2, 6}, std::vector<double>(12)),
                             tensorOf(i32, {2}, {0, 0})}),
              testing::EndsWith("'gpt.attention' op has 2 sequences, but the "
                                "cache 'h.0.k' is 1x1x4x2xf32"));
}

TEST(Gpt, RefusesWeightsThatAreMissingOrOfAnotherShape) {
  Program program(modelWith(
      rows,
      R"(%y = gpt.unembed %x weights("wte") : tensor<?x?xf32> -> tensor<?x?xf32>)"));
  std::vector<TensorRef> arguments = {tensorOf(f32, {1, 2}, {1, 2})};
  EXPECT_THAT(errorOf(program, arguments),
              testing::EndsWith("'gpt.unembed' op reads weight 'wte.weight', "
                                "which is not bound"));
  program.interpreter->bind("wte.weight", *tensorOf(f32, {1, 2}, {1, 2}));
  EXPECT_THAT(errorOf(program, arguments),
              testing::EndsWith("'gpt.unembed' op expected 3x2xf32 for weight "
                                "'wte.weight', found 1x2xf32"));
}

TEST(Gpt, RefusesAResidualOfAnotherShape) {
  Program program(modelWith(
      "%x: tensor<?x?xf32>, %r: tensor<?x?xf32>",
      R"(%y = gpt.linear %x weights("w") to 2 residual(%r : tensor<?x?xf32>) : tensor<?x?xf32> -> tensor<?x?xf32>)"));
  program.interpreter->bind("w.weight", *tensorOf(f32, {2, 2}, {1, 1, 1, 1}));
  program.interpreter->bind("w.bias", *tensorOf(f32, {2}, {0, 0}));
  EXPECT_THAT(errorOf(program, {tensorOf(f32, {1, 2}, {1, 2}),
                                tensorOf(f32, {1, 3}, {1, 2, 3})}),
              testing::EndsWith("'gpt.linear' op expected a residual of "
                                "1x2xf32, found 1x3xf32"));
}

} // namespace
} // namespace tilegpt::reference
