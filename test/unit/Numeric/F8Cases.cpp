// Kernels on f8 tiles, generated for one pair of types each.
#include "F8Cases.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;

namespace tilegpt::numeric {

static NumericCase makeCase(std::string kernel, std::string types,
                            std::string source, std::vector<std::string> ins,
                            std::string out) {
  NumericCase result;
  result.file = "f8";
  result.kernel = std::move(kernel);
  result.types = std::move(types);
  result.source = std::move(source);
  result.ins = std::move(ins);
  result.expected = {std::move(out)};
  result.before.resize(1);
  return result;
}

/// Numbers the elements of all blocks consecutively, as `%number`.
static std::string countUp(int64_t tile) {
  return formatv(R"(  %i = tile.block_id 0
  %size = arith.constant {0} : index
  %first = arith.muli %i, %size : index
  %base = arith.index_cast %first : index to i32
  %bases = tile.splat %base [{0}] : i32 -> tensor<{0}xi32>
  %lane = tile.iota [{0}] : tensor<{0}xi32>
  %number = arith.addi %bases, %lane : tensor<{0}xi32>)",
                 tile);
}

/// Widens all 256 values of an f8 type.
static NumericCase widening(const char *from, const char *to) {
  std::string source = formatv(R"(
tile.kernel @widen() outs(%y: !tile.view<256x{1}>) grid [4] {{
{2}
  %bits = arith.trunci %number : tensor<64xi32> to tensor<64xi8>
  %x = arith.bitcast %bits : tensor<64xi8> to tensor<64x{0}>
  %wide = arith.extf %x : tensor<64x{0}> to tensor<64x{1}>
  tile.store %wide, %y[%i] : tensor<64x{1}>, !tile.view<256x{1}>
})",
                               from, to, countUp(64));
  return makeCase("widen", formatv("{0}_{1}", from, to), source, {},
                  formatv("256x{0}", to));
}

/// Rounds `count` numbers of type `from` to an f8 type; `bits` computes their
/// bits from consecutive numbers. The result is widened again, because NaN has
/// many encodings.
static NumericCase narrowing(const char *from, const char *to, int64_t count,
                             const char *bits) {
  std::string source =
      formatv(R"(
tile.kernel @narrow() outs(%y: !tile.view<{2}xf32>) grid [{3}] {{
{5}
  {4}
  %narrow = arith.truncf %x : tensor<1024x{0}> to tensor<1024x{1}>
  %wide = arith.extf %narrow : tensor<1024x{1}> to tensor<1024xf32>
  tile.store %wide, %y[%i] : tensor<1024xf32>, !tile.view<{2}xf32>
})",
              from, to, count, count / 1024, bits, countUp(1024));
  return makeCase("narrow", formatv("{0}_{1}", from, to), source, {},
                  formatv("{0}xf32", count));
}

/// Every f16 or bf16 value.
static std::string halfBits(const char *type) {
  return formatv(
      "%half = arith.trunci %number : tensor<1024xi32> to tensor<1024xi16>\n"
      "  %x = arith.bitcast %half : tensor<1024xi16> to tensor<1024x{0}>",
      type);
}

/// Every sign, every exponent and nine mantissa bits, followed by zeros or by a
/// set last bit.
static constexpr const char *singleBits = R"(
  %one = arith.constant dense<1> : tensor<1024xi32>
  %c14 = arith.constant dense<14> : tensor<1024xi32>
  %high = arith.shli %number, %c14 : tensor<1024xi32>
  %low = arith.andi %number, %one : tensor<1024xi32>
  %bits = arith.ori %high, %low : tensor<1024xi32>
  %x = arith.bitcast %bits : tensor<1024xi32> to tensor<1024xf32>)";

/// f64 values slightly above or below an f32 with few mantissa bits: rounding
/// to f32 first would turn many of them into ties.
static constexpr const char *doubleBits = R"(
  %one = arith.constant dense<1> : tensor<1024xi32>
  %two = arith.constant dense<2> : tensor<1024xi32>
  %c17 = arith.constant dense<17> : tensor<1024xi32>
  %tiny = arith.constant dense<1.0e-12> : tensor<1024xf64>
  %index = arith.shrui %number, %two : tensor<1024xi32>
  %high = arith.shli %index, %c17 : tensor<1024xi32>
  %single = arith.bitcast %high : tensor<1024xi32> to tensor<1024xf32>
  %double = arith.extf %single : tensor<1024xf32> to tensor<1024xf64>
  %low = arith.andi %number, %two : tensor<1024xi32>
  %side = arith.subi %low, %one : tensor<1024xi32>
  %sign = arith.sitofp %side : tensor<1024xi32> to tensor<1024xf64>
  %part = arith.mulf %sign, %tiny : tensor<1024xf64>
  %step = arith.mulf %double, %part : tensor<1024xf64>
  %x = arith.addf %double, %step : tensor<1024xf64>)";

/// The error of fast sums per term: 13 bits are kept for partial sums of 128
/// terms.
static double lostOf(int64_t k) {
  constexpr int64_t most = 128;
  return 0x1p-13 * double(std::min(k, most)) / double(k);
}

/// m x n sums of k products; operands run along k or across it.
static NumericCase product(const char *lhs, const char *rhs, int64_t m,
                           int64_t n, int64_t k, bool alongK,
                           const char *precision = "") {
  std::string right =
      alongK ? formatv("{0}x{1}", n, k).str() : formatv("{0}x{1}", k, n).str();
  std::string source = formatv(R"(
!A = !tile.view<?x?x{0}>
!B = !tile.view<?x?x{1}>
!Y = !tile.view<{2}x{3}xf32>
tile.kernel @product(%a: !A, %b: !B) outs(%y: !Y) grid [1] {{
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<{2}x{3}xf32>
  %0 = tile.load %a[%c0, %c0] [{2}, {4}] : !A -> tensor<{2}x{4}x{0}>
  %1 = tile.load %b[%c0, %c0] [{5}] : !B -> tensor<{6}x{1}>
  %2 = tile.dot %0, %1, %zero{7}{8} : tensor<{2}x{4}x{0}>, tensor<{6}x{1}>, tensor<{2}x{3}xf32> -> tensor<{2}x{3}xf32>
  tile.store %2, %y[%c0, %c0] : tensor<{2}x{3}xf32>, !Y
})",
                               lhs, rhs, m, n, k,
                               alongK ? formatv("{0}, {1}", n, k).str()
                                      : formatv("{0}, {1}", k, n).str(),
                               right, alongK ? " transpose_b" : "", precision);
  NumericCase result = makeCase(
      "product", formatv("{0}_{1}_{2}x{3}x{4}", lhs, rhs, m, n, k), source,
      {formatv("{0}x{1}x{2}=random:{3}", m, k, lhs, m + k),
       formatv("{0}x{1}=random:{2}", right, rhs, n)},
      formatv("{0}x{1}xf32", m, n));
  result.arithmetic.depth = k;
  result.arithmetic.lost = precision[0] ? lostOf(k) : 0;
  return result;
}

/// Like `product`, but with a loop over the depth and blocks of 128 x 128, so
/// that a producer warp can feed it.
static NumericCase pipedProduct(const char *lhs, const char *rhs, int64_t m,
                                int64_t n, int64_t k, const char *precision) {
  std::string source = formatv(R"(
!A = !tile.view<?x{4}x{0}>
!B = !tile.view<?x{4}x{1}>
!Y = !tile.view<?x{3}xf32>
tile.kernel @piped_product(%a: !A, %b: !B) outs(%y: !Y)
    grid [ceildiv(dim(%y, 0), 128), ceildiv(dim(%y, 1), 128)] {{
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %steps = tile.num_tiles %a, 1 by [128] : !A
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %r = scf.for %i = %c0 to %steps step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32>) {{
    %0 = tile.load %a[%m, %i] [128, 128] : !A -> tensor<128x128x{0}>
    %1 = tile.load %b[%n, %i] [128, 128] : !B -> tensor<128x128x{1}>
    %2 = tile.dot %0, %1, %acc transpose_b{5} : tensor<128x128x{0}>, tensor<128x128x{1}>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.yield %2 : tensor<128x128xf32>
  }
  tile.store %r, %y[%m, %n] : tensor<128x128xf32>, !Y
})",
                               lhs, rhs, m, n, k, precision);
  NumericCase result =
      makeCase("piped_product",
               formatv("{0}_{1}_{2}x{3}x{4}", lhs, rhs, m, n, k), source,
               {formatv("{0}x{1}x{2}=random:{3}", m, k, lhs, m),
                formatv("{0}x{1}x{2}=random:{3}", n, k, rhs, n + k)},
               formatv("{0}x{1}xf32", m, n));
  result.arithmetic.depth = k;
  result.arithmetic.lost = precision[0] ? lostOf(k) : 0;
  return result;
}

std::vector<NumericCase> f8Cases() {
  constexpr const char *e4m3 = "f8E4M3FN", *e5m2 = "f8E5M2",
                       *fast = " precision(fast)";
  constexpr int64_t halves = 1 << 16, singles = 1 << 18, doubles = 1 << 17;
  std::vector<NumericCase> cases;
  for (const char *type : {e4m3, e5m2}) {
    for (const char *wide : {"f16", "bf16", "f32", "f64"})
      cases.push_back(widening(type, wide));
    for (const char *wide : {"f16", "bf16"})
      cases.push_back(narrowing(wide, type, halves, halfBits(wide).c_str()));
    cases.push_back(narrowing("f32", type, singles, singleBits));
    cases.push_back(narrowing("f64", type, doubles, doubleBits));
    // Sizes that matrix instructions take and others, along K and across.
    for (bool alongK : {true, false})
      for (int64_t m : {3, 64}) {
        cases.push_back(product(type, type, m, 24, 96, alongK));
        for (const char *other : {"bf16", "f16", "f32"}) {
          cases.push_back(product(type, other, m, 24, 96, alongK));
          cases.push_back(product(other, type, m, 24, 96, alongK));
        }
      }
    cases.push_back(product(type, type, 16, 8, 48, /*alongK=*/true));
  }
  cases.push_back(product(e4m3, e5m2, 32, 40, 64, /*alongK=*/true));
  for (const char *precision : {"", fast}) {
    cases.push_back(product(e5m2, e4m3, 32, 40, 64, true, precision));
    cases.push_back(pipedProduct(e4m3, e4m3, 300, 208, 512, precision));
    cases.push_back(pipedProduct(e5m2, e4m3, 129, 256, 272, precision));
  }
  return cases;
}

} // namespace tilegpt::numeric
