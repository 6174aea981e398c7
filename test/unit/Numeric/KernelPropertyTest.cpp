// Properties of the kernel library beyond agreement with the interpreter:
// bitwise causality, independent rows, a layer norm that keeps its precision,
// and cache rows that are never read.
#include "Compare.h"
#include "FusedCases.h"
#include "KernelCases.h"
#include "NumericRun.h"
#include "gtest/gtest.h"
#include <cmath>

namespace tilegpt::numeric {
namespace {

using reference::Element;
using reference::ElementType;
using reference::Tensor;

enum class Device { Reference, Cpu };

llvm::Error run(NumericRun &kernel, Device device) {
  if (device == Device::Reference)
    return kernel.onReference();
  return kernel.onCpu({.guard = 1024, .openSizes = true});
}

/// The bytes of the first `rows` rows of out 0.
std::vector<std::byte> firstRows(const NumericRun &kernel, int64_t rows) {
  const Tensor &out = kernel.out(0);
  std::vector<std::byte> bytes = out.toBytes();
  bytes.resize(bytes.size() / out.shape().front() * rows);
  return bytes;
}

/// Sets row `row` of a matrix to `value`.
void fillRow(Tensor &matrix, int64_t row, double value) {
  int64_t width = matrix.shape().back();
  for (int64_t i = 0; i < width; ++i)
    matrix.store(row * width + i, Element::of(value));
}

class KernelProperty : public testing::TestWithParam<Device> {};

INSTANTIATE_TEST_SUITE_P(Devices, KernelProperty,
                         testing::Values(Device::Reference, Device::Cpu),
                         [](const auto &info) {
                           return info.param == Device::Cpu ? "Cpu"
                                                            : "Reference";
                         });

/// 65 tokens of two heads in a cache of capacity 80: keys and values of the
/// tokens are where kv_append would have put them, the rest is NaN.
TEST_P(KernelProperty, AttentionDoesNotSeeTheFuture) {
  constexpr int64_t tokens = 65, heads = 2, width = 16, capacity = 80;
  constexpr int64_t changed = 40;
  NumericCase attention = boundCase(
      "attention",
      {"65x96xf32=random:1", "1x2x80x16xf32=random:2", "1x2x80x16xf32=random:3",
       "1xi32=0", "f32=0.0", "i32=0", "f32=0.0"},
      {"65x32xf32"}, 1);
  auto prepare = [&](NumericRun &kernel, bool change) {
    for (int64_t cache : {1, 2}) {
      Tensor &rows = kernel.argument(cache);
      for (int64_t h = 0; h < heads; ++h) {
        for (int64_t s = tokens; s < capacity; ++s)
          for (int64_t i = 0; i < width; ++i)
            rows[(h * capacity + s) * width + i] = Element::of(NAN);
        for (int64_t s = changed; change && s < tokens; ++s)
          for (int64_t i = 0; i < width; ++i)
            rows[(h * capacity + s) * width + i] = Element::of(7.0);
      }
    }
    for (int64_t t = changed; change && t < tokens; ++t)
      fillRow(kernel.argument(0), t, -3);
  };
  NumericRun before(attention), after(attention);
  prepare(before, false);
  prepare(after, true);
  ASSERT_EQ(llvm::toString(run(before, GetParam())), "");
  ASSERT_EQ(llvm::toString(run(after, GetParam())), "");
  EXPECT_EQ(firstRows(before, changed), firstRows(after, changed));
  EXPECT_NE(firstRows(before, tokens), firstRows(after, tokens));
  for (int64_t i = 0; i < before.out(0).size(); ++i)
    ASSERT_TRUE(std::isfinite(before.out(0)[i].f)) << "NaN leaked in";
}

/// Appending changes only the new rows of the cache.
TEST_P(KernelProperty, AppendKeepsWhatIsCached) {
  NumericCase append =
      boundCase("kv_append",
                {"2x24xf32=random:1", "0xf32", "0xf32", "f32=0.0", "f32=0.0",
                 "2x0xf32", "2x0xf32", "1xi32=3"},
                {"1x2x8x4xf32", "1x2x8x4xf32", "2x0xf32"}, 1,
                {"1x2x8x4xf32=random:2", "1x2x8x4xf32=random:3"});
  NumericRun kernel(append);
  Tensor before = kernel.out(0);
  ASSERT_EQ(llvm::toString(run(kernel, GetParam())), "");
  for (int64_t i = 0; i < before.size(); ++i) {
    int64_t position = i / 4 % 8, head = i / 32;
    double expected = before[i].f;
    if (position == 3 || position == 4)
      expected =
          kernel.argument(0)[(position - 3) * 24 + 8 + head * 4 + i % 4].f;
    ASSERT_EQ(kernel.out(0)[i].f, expected) << "element " << i;
  }
}

/// Row-wise kernels: when the last row changes, the others stay bitwise equal.
TEST_P(KernelProperty, RowsDoNotSeeEachOther) {
  std::vector<NumericCase> cases = {
      kernelCase("linear",
                 {"37x65xf32=random:1", "50x65xf32=random:2", "50xf32"},
                 {"37x50xf32"}, 1),
      kernelCase("linear_decode",
                 {"5x65xf32=random:1", "50x65xbf16=random:2", "50xf32"},
                 {"5x50xf32"}, 1),
      kernelCase("layer_norm",
                 {"7x65xf32=random:1", "65xf32=random:2", "65xf32=random:3",
                  "f32=1e-5"},
                 {"7x65xf32"}, 1),
      kernelCase("softmax", {"7x65xf32=random:1"}, {"7x65xf32"}, 1)};
  for (const NumericCase &test : cases) {
    NumericRun before(test), after(test);
    int64_t last = before.out(0).shape().front() - 1;
    fillRow(after.argument(0), last, 1e30);
    ASSERT_EQ(llvm::toString(run(before, GetParam())), "") << test.kernel;
    ASSERT_EQ(llvm::toString(run(after, GetParam())), "") << test.kernel;
    EXPECT_EQ(firstRows(before, last), firstRows(after, last)) << test.kernel;
  }
}

/// At mean 1e4 and deviation 1, E[x²] − E[x]² in f32 would have no correct
/// digits left. The remaining error is the rounding of the mean, 2⁻²⁴·1e4.
TEST(LayerNorm, KeepsItsDigits) {
  NumericCase norm = kernelCase(
      "layer_norm",
      {"3x768xf32=random:1:9998:10002", "768xf32=1", "768xf32=0", "f32=1e-5"},
      {"3x768xf32"}, 1);
  NumericRun reference(norm), compiled(norm);
  ASSERT_EQ(llvm::toString(run(reference, Device::Reference)), "");
  ASSERT_EQ(llvm::toString(run(compiled, Device::Cpu)), "");
  EXPECT_EQ(compare(reference.out(0), compiled.out(0), {.scale = 1e4}), "");
  // The reference, straight from the definition of mean and variance.
  for (int64_t row = 0; row < 3; ++row) {
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < 768; ++i) {
      double y = reference.out(0)[row * 768 + i].f;
      sum += y;
      squares += y * y;
    }
    EXPECT_NEAR(sum / 768, 0, 1e-6);
    EXPECT_NEAR(squares / 768, 1, 1e-4);
  }
}

} // namespace
} // namespace tilegpt::numeric
