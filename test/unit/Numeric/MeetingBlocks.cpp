// A lock, a histogram, the gradient of an embedding, a split-K product and a
// cumulative sum.
#include "MeetingBlocks.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <cmath>

using llvm::formatv;
using tilegpt::reference::Tensor;

namespace tilegpt::numeric {

/// A case of a kernel in test/Numeric, to be given other arguments.
static NumericCase caseOf(const std::string &kernel, const std::string &types) {
  static const std::vector<NumericCase> all = readCases();
  for (const NumericCase &test : all)
    if (test.kernel == kernel && test.types == types)
      return test;
  ADD_FAILURE() << "test/Numeric has no kernel '" << kernel << "' for "
                << types;
  return {};
}

/// Uses `outs` as shapes, and their values, if any, as initial contents.
static void setArguments(NumericCase &test, std::vector<std::string> ins,
                         const std::vector<std::string> &outs) {
  test.ins = std::move(ins);
  test.expected.clear();
  test.before.clear();
  for (const std::string &out : outs) {
    const size_t values = out.find('=');
    test.expected.push_back(out.substr(0, values));
    test.before.push_back(values == std::string::npos ? "" : out);
  }
}

/// Compares sums with those in double: each may be off by `step` times the sum
/// of the terms' magnitudes.
static std::string compareSums(const Tensor &have, llvm::ArrayRef<double> want,
                               llvm::ArrayRef<double> magnitude) {
  constexpr double step = 1e-5;
  for (size_t i = 0; i < want.size(); ++i)
    if (!(std::abs(have[int64_t(i)].f - want[i]) <= step * magnitude[i]))
      return formatv("element {0}: expected {1}, found {2}", i, want[i],
                     have[int64_t(i)].f);
  return "";
}

/// Replaces a number in the text of the case's kernel.
static void rewrite(NumericCase &test, const std::string &from,
                    const std::string &to) {
  const size_t at =
      test.source.find(from, test.source.find("@" + test.kernel + "("));
  if (at == std::string::npos)
    ADD_FAILURE() << "'" << test.kernel << "' has no '" << from << "'";
  else
    test.source.replace(at, from.size(), to);
}

static MeetingCase lock(int64_t blocks, int64_t rounds) {
  MeetingCase made{"lock", caseOf("lock", "i32"), {}};
  rewrite(made.test, "{N = 50}", formatv("{{N = {0}}", rounds));
  rewrite(made.test, "grid [4]", formatv("grid [{0}]", blocks));
  made.test.parameters.clear();
  made.check = [=](NumericRun &run) -> std::string {
    const int64_t count = run.out(0)[1].i, want = blocks * rounds;
    if (run.out(0)[0].i == 0 && count == want)
      return "";
    return formatv("expected a free lock and {0} updates, found {1} and {2}",
                   want, run.out(0)[0].i, count);
  };
  return made;
}

static MeetingCase histogram(int64_t numbers) {
  constexpr int64_t bins = 256;
  MeetingCase made{"histogram", caseOf("histogram", "f32"), {}};
  setArguments(made.test,
               {formatv("{0}xi32=random:1:0:{1}", numbers, bins - 1)},
               {formatv("{0}xi32=0", bins)});
  made.test.parameters = {{"BN", 1024}};
  made.check = [=](NumericRun &run) -> std::string {
    std::vector<int64_t> want(bins);
    const Tensor &values = run.argument(0);
    for (int64_t i = 0; i < numbers; ++i)
      ++want[size_t(values[i].i)];
    for (int64_t bin = 0; bin < bins; ++bin)
      if (run.out(0)[bin].i != want[size_t(bin)])
        return formatv("bin {0}: expected {1}, found {2}", bin,
                       want[size_t(bin)], run.out(0)[bin].i);
    return "";
  };
  return made;
}

static MeetingCase embedBackward(int64_t rows) {
  constexpr int64_t words = 500, width = 64;
  MeetingCase made{"embed_backward", caseOf("embed_backward", "f32"), {}};
  setArguments(made.test,
               {formatv("{0}xi32=random:2:0:{1}", rows, words - 1),
                formatv("{0}x{1}xf32=random:3", rows, width)},
               {formatv("{0}x{1}xf32=0", words, width)});
  rewrite(made.test, "{BM = 2, BC = 2}",
          formatv("{{BM = 16, BC = {0}}", width));
  made.check = [=](NumericRun &run) {
    std::vector<double> want(words * width), magnitude(words * width);
    const Tensor &ids = run.argument(0), &gradient = run.argument(1);
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t column = 0; column < width; ++column) {
        const double term = gradient[row * width + column].f;
        const auto at = size_t(ids[row].i * width + column);
        want[at] += term;
        magnitude[at] += std::abs(term);
      }
    return compareSums(run.out(0), want, magnitude);
  };
  return made;
}

static MeetingCase splitDepth(int64_t depth) {
  constexpr int64_t m = 128, n = 96;
  MeetingCase made{"split_depth", caseOf("split_depth", "f32"), {}};
  setArguments(made.test,
               {formatv("{0}x{1}xf32=random:1", m, depth),
                formatv("{0}x{1}xf32=random:2", n, depth)},
               {formatv("{0}x{1}xf32=0", m, n)});
  made.test.parameters = {{"P", 4}};
  made.check = [=](NumericRun &run) {
    std::vector<double> want(m * n), magnitude(m * n);
    const Tensor &x = run.argument(0), &w = run.argument(1);
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j)
        for (int64_t k = 0; k < depth; ++k) {
          const double term = x[i * depth + k].f * w[j * depth + k].f;
          want[size_t(i * n + j)] += term;
          magnitude[size_t(i * n + j)] += std::abs(term);
        }
    return compareSums(run.out(0), want, magnitude);
  };
  return made;
}

static MeetingCase cumulativeSum(int64_t numbers) {
  constexpr int64_t tile = 4096;
  MeetingCase made{"cumulative_sum", caseOf("cumulative_sum", "f32"), {}};
  setArguments(made.test, {formatv("{0}xf32=random:4", numbers)},
               {formatv("{0}xf32", numbers),
                formatv("{0}xi64=0", 1 + (numbers + tile - 1) / tile)});
  made.test.parameters = {{"BN", tile}};
  made.check = [=](NumericRun &run) {
    std::vector<double> want, magnitude;
    double sum = 0, terms = 0;
    const Tensor &values = run.argument(0);
    for (int64_t i = 0; i < numbers; ++i) {
      want.push_back(sum += values[i].f);
      magnitude.push_back(terms += std::abs(values[i].f));
    }
    return compareSums(run.out(0), want, magnitude);
  };
  return made;
}

std::vector<MeetingCase> meetingCases(const MeetingSizes &sizes) {
  return {lock(sizes.lockBlocks, sizes.lockRounds), histogram(sizes.numbers),
          embedBackward(sizes.rows), splitDepth(sizes.depth),
          cumulativeSum(sizes.numbers)};
}

} // namespace tilegpt::numeric
