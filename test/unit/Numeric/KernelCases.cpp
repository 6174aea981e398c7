// Lists the runs of library kernels. Symbols as in docs/Architecture.md: N
// rows, C width, O outputs, V vocabulary, S capacity, B sequences, H heads, D
// head dimension.
#include "KernelCases.h"
#include "FusedCases.h"
#include "LibraryKernels.h"
#include "TileGPT/Dialect/Tile/Transforms/LinkLibrary.h"
#include "llvm/Support/ErrorHandling.h"
#include <initializer_list>
#include <map>

namespace tilegpt::numeric {

/// The text of a library kernel.
static const std::string &textOf(const std::string &kernel) {
  static const auto texts = [] {
    std::map<std::string, std::string> found;
    for (auto op : LibraryKernels::get().module().getOps<tile::KernelOp>()) {
      mlir::OwningOpRef<tile::KernelOp> copy = op.clone();
      copy.get()->removeAttr(tile::libraryAttr);
      llvm::raw_string_ostream(found[op.getSymName().str()]) << *copy;
    }
    return found;
  }();
  auto text = texts.find(kernel);
  if (text == texts.end())
    llvm::report_fatal_error(llvm::Twine("the library has no @") + kernel);
  return text->second;
}

NumericCase kernelCase(const std::string &name, std::vector<std::string> ins,
                       std::vector<std::string> outs, int64_t depth,
                       std::vector<std::string> before) {
  NumericCase result;
  result.file = name + ".mlir";
  result.source = textOf(name);
  result.kernel = name;
  result.arithmetic.depth = depth;
  result.ins = std::move(ins);
  result.expected = std::move(outs);
  result.before = std::move(before);
  result.before.resize(result.expected.size());
  for (const std::string &text : result.ins)
    result.types += text.substr(0, text.find('=')) + "_";
  return result;
}

namespace {
/// `3x4xf32`, and the same with random values that differ between tensors.
std::string shape(std::initializer_list<int64_t> sizes, const char *type) {
  std::string text;
  for (int64_t size : sizes)
    text += std::to_string(size) + "x";
  return text + type;
}
std::string random(std::initializer_list<int64_t> sizes, const char *type) {
  static int seed = 0;
  return shape(sizes, type) + "=random:" + std::to_string(++seed);
}

/// Collects cases; each method adds one run of one kernel.
struct Cases {
  std::vector<NumericCase> all;

  void rowwise(const std::string &kernel, int64_t n, int64_t c,
               const char *type) {
    all.push_back(kernelCase(kernel, {random({n, c}, type)},
                             {shape({n, c}, type)},
                             kernel == "softmax" ? c : 8));
  }
  void add(int64_t n, int64_t c, const char *type) {
    all.push_back(kernelCase("add",
                             {random({n, c}, type), random({n, c}, type)},
                             {shape({n, c}, type)}, 1));
  }
  void layerNorm(int64_t n, int64_t c, const char *type) {
    all.push_back(kernelCase("layer_norm",
                             {random({n, c}, type), random({c}, "f32"),
                              random({c}, "f32"), "f32=1e-5"},
                             {shape({n, c}, type)}, c));
    if (c > 10000)
      all.back().parameters = {{"BM", 1}};
  }
  /// \param hasGain, hasBias  false: the vector is empty.
  void layerNormOffset(int64_t n, int64_t c, const char *type, bool hasGain,
                       bool hasBias) {
    all.push_back(
        kernelCase("layer_norm_offset",
                   {random({n, c}, type), random({hasGain ? c : 0}, "f32"),
                    random({hasBias ? c : 0}, "f32"), "f32=1e-5", "f32=1"},
                   {shape({n, c}, type)}, c));
  }
  void rmsNorm(int64_t n, int64_t c, const char *type,
               const char *offset = "f32=0", bool hasGain = true) {
    all.push_back(
        kernelCase("rms_norm",
                   {random({n, c}, type), random({hasGain ? c : 0}, "f32"),
                    "f32=1e-5", offset},
                   {shape({n, c}, type)}, c));
  }
  /// Residual sums in f32, with rows of another type.
  void wideSums(int64_t n, int64_t c, const char *type) {
    auto run = [&](const char *kernel, std::vector<std::string> ins,
                   const char *result, double depth) {
      all.push_back(
          kernelCase(kernel, std::move(ins), {shape({n, c}, result)}, depth));
    };
    auto gain = [&] { return random({c}, "f32"); };
    run("add", {random({n, c}, type), random({n, c}, "f32")}, "f32", 1);
    run("add", {random({n, c}, "f32"), random({n, c}, "f32")}, type, 1);
    run("round", {random({n, c}, "f32")}, type, 1);
    run("layer_norm", {random({n, c}, "f32"), gain(), gain(), "f32=1e-5"}, type,
        c);
    run("rms_norm", {random({n, c}, "f32"), gain(), "f32=1e-5", "f32=0"}, type,
        c);
    const char *product = n <= 16 ? "linear_decode" : "linear";
    run(product, {random({n, c}, type), random({c, c}, type), gain()}, "f32",
        c);
  }
  /// Gated units: `n` rows of `f`.
  void glu(const std::string &kernel, int64_t n, int64_t f, const char *type) {
    all.push_back(kernelCase(kernel, {random({n, 2 * f}, type)},
                             {shape({n, f}, type)}, 8));
  }
  /// Without a bias, which is then an empty vector.
  void linearPlain(const std::string &kernel, int64_t n, int64_t c, int64_t o,
                   const char *type, const char *weight) {
    linear(kernel, n, c, o, type, weight);
    all.back().ins[2] = shape({0}, "f32");
  }
  /// The number of the first row that this rank's part of a table holds; empty
  /// for 0.
  static std::string beginOf(int64_t row) {
    return row == 0 ? "0xi32" : "1xi32=" + std::to_string(row);
  }
  /// \param begin  the first row that this part of the table holds.
  void embedTokens(int64_t n, int64_t c, int64_t v, const char *weight,
                   const char *type = "f32", int64_t begin = 0) {
    all.push_back(
        boundCase("embed_tokens",
                  {random({n}, "i32") + ":0:" + std::to_string(v - 1),
                   random({v, c}, weight), "f32=25.25", beginOf(begin)},
                  {shape({n, c}, type)}, 1));
  }
  /// \param r  rotated features of a head, out of `d`.
  void rotaryAngles(int64_t b, int64_t t, int64_t d, int64_t r, bool isListed) {
    // Angles are f32, so the error grows with the position.
    all.push_back(boundCase(
        "rotary_angles",
        {random({b}, "i32") + ":0:30", random({isListed ? r / 2 : 0}, "f32"),
         "f32=" + std::to_string(-26.575424 / double(r)), "f32=0.125",
         "f32=-0.333", "f32=0.01", "f32=0.5", "f32=1.25"},
        {shape({b * t, d}, "f32"), shape({b * t, r}, "f32")}, 256));
  }
  void rotary(int64_t n, int64_t heads, int64_t d, int64_t r,
              const char *type) {
    all.push_back(
        kernelCase("rotary",
                   {random({n, heads * d}, type), random({n, d}, "f32"),
                    random({n, r}, "f32"), "i32=" + std::to_string(heads - 1)},
                   {shape({n, heads * d}, type)}, 4));
  }
  void headNorm(int64_t n, int64_t h, int64_t k, int64_t d, const char *type) {
    all.push_back(
        kernelCase("head_norm",
                   {random({n, (h + 2 * k) * d}, type), random({d}, "f32"),
                    random({d}, "f32"), "f32=1e-5", "f32=1",
                    "i32=" + std::to_string(h), "i32=" + std::to_string(h + k)},
                   {shape({n, (h + 2 * k) * d}, type)}, d));
  }
  void headLayerNorm(int64_t n, int64_t h, int64_t k, int64_t d, bool hasBias,
                     const char *type) {
    all.push_back(kernelCase(
        "head_layer_norm",
        {random({n, (h + 2 * k) * d}, type), random({h + k, d}, "f32"),
         hasBias ? random({h + k, d}, "f32") : random({n, 0}, "f32"),
         "f32=1e-5"},
        {shape({n, (h + 2 * k) * d}, type)}, d));
  }
  /// Norms of all `q` columns of queries and of all `k` columns of keys.
  void qkNorm(int64_t n, int64_t q, int64_t k, const char *type) {
    all.push_back(kernelCase("qk_norm",
                             {random({n, q + 2 * k}, type), random({q}, "f32"),
                              random({k}, "f32"), "f32=1e-5"},
                             {shape({n, q + 2 * k}, type)}, q));
  }
  /// The operands of the norm and rotation that append applies to heads of `d`
  /// features; `r` of them are rotated. Empty tensors turn either off.
  static std::vector<std::string> headWork(int64_t rows, int64_t d, int64_t r,
                                           bool isNormed) {
    const int64_t gains = isNormed ? d : 0, cosines = r > 0 ? d : 0;
    return {random({gains}, "f32"),
            random({gains}, "f32"),
            "f32=1.0e-5",
            "f32=0.0",
            random({rows, cosines}, "f32"),
            random({rows, r}, "f32")};
  }
  void append(bool isNormed, int64_t b, int64_t t, int64_t h, int64_t k,
              int64_t d, int64_t r, int64_t s, const char *cache,
              const char *type = "f32") {
    std::string kv = shape({b, k, s, d}, cache);
    std::vector<std::string> ins = {random({b * t, (h + 2 * k) * d}, type)};
    llvm::append_range(ins, headWork(b * t, d, r, isNormed));
    ins.push_back(random({b}, "i32") + ":0:" + std::to_string(s - t));
    const int64_t queries = r > 0 || isNormed ? h * d : 0;
    all.push_back(boundCase("kv_append", std::move(ins),
                            {kv, kv, shape({b * t, queries}, type)},
                            isNormed ? 4 * d
                            : r > 0  ? d
                                     : 1));
  }
  /// Scale, window and cap of scores; 0 turns each off.
  struct Scores {
    double factor = 0;
    int64_t window = 0;
    double cap = 0;
  };
  static void addScores(std::vector<std::string> &ins, const Scores &scores) {
    ins.push_back("f32=" + std::to_string(scores.factor));
    ins.push_back("i32=" + std::to_string(scores.window));
    ins.push_back("f32=" + std::to_string(scores.cap));
  }
  /// Exponentials are rounded to the type of the cache before the product.
  void meetInCache(llvm::StringRef cache) {
    if (cache != "f32")
      all.back().arithmetic.factor = bundle::parseElementType(cache);
  }
  /// The same for a kernel with unbound scalars, which decides at run time.
  void attentionUnbound(const std::string &kernel, const Scores &scores) {
    std::vector<std::string> ins = {
        random({2, 96}, "f32"), random({2, 2, 65, 16}, "f32"),
        random({2, 2, 65, 16}, "f32"), random({2}, "i32") + ":0:64"};
    addScores(ins, scores);
    all.push_back(
        kernelCase(kernel, std::move(ins), {shape({2, 32}, "f32")}, 16 + 65));
  }
  /// Attention fused with the append of the token.
  /// \param r  rotated features of a head.
  void appendDecode(bool isNormed, int64_t b, int64_t h, int64_t k, int64_t d,
                    int64_t r, int64_t s, const Scores &scores,
                    const char *type, const char *cache,
                    const std::string &positions = {}) {
    const std::string keys = random({b, k, s, d}, cache),
                      values = random({b, k, s, d}, cache);
    std::vector<std::string> append = {random({b, (h + 2 * k) * d}, type)};
    llvm::append_range(append, headWork(b, d, r, isNormed));
    append.push_back(positionsOf(b, s, positions));
    // Queries that change come from the append.
    const bool changes = isNormed || r > 0;
    std::vector<std::string> attend = {changes ? "^2" : "%a0", "^", "^1",
                                       "%a5"};
    addScores(attend, scores);
    all.push_back(fusedCase(
        {{"kv_append",
          std::move(append),
          {"&" + keys, "&" + values, shape({b, changes ? h * d : 0}, type)}},
         {"attention_decode", std::move(attend), {shape({b, h * d}, type)}}},
        (isNormed ? 4 : 1) * (d + s)));
    meetInCache(cache);
  }
  /// `h` heads of queries on `k` heads of keys.
  void attention(const std::string &kernel, int64_t b, int64_t t, int64_t h,
                 int64_t k, int64_t d, int64_t s, const Scores &scores,
                 const char *type, const char *cache) {
    std::vector<std::string> ins = {
        random({b * t, (h + 2 * k) * d}, type), random({b, k, s, d}, cache),
        random({b, k, s, d}, cache),
        random({b}, "i32") + ":0:" + std::to_string(s - t)};
    addScores(ins, scores);
    all.push_back(boundCase(kernel, std::move(ins),
                            {shape({b * t, h * d}, type)}, d + s));
    meetInCache(cache);
  }
  /// Scores with a slope for each head.
  /// \param first  of the slopes that belong to the heads; 0: no operand.
  void alibi(const std::string &kernel, int64_t b, int64_t t, int64_t h,
             int64_t k, int64_t d, int64_t s, double factor, int64_t first,
             const char *type, const char *cache) {
    std::vector<std::string> ins = {
        random({b * t, (h + 2 * k) * d}, type),
        random({b, k, s, d}, cache),
        random({b, k, s, d}, cache),
        random({b}, "i32") + ":0:" + std::to_string(s - t),
        "f32=" + std::to_string(factor),
        random({first + h}, "f32") + ":0.01:0.5",
        first == 0 ? "0xi32" : "1xi32=" + std::to_string(first)};
    all.push_back(boundCase(kernel, std::move(ins),
                            {shape({b * t, h * d}, type)}, d + s));
    meetInCache(cache);
  }
  void sinks(const std::string &kernel, int64_t b, int64_t t, int64_t h,
             int64_t k, int64_t d, int64_t s, double factor, int64_t window,
             const char *type, const char *cache) {
    std::vector<std::string> ins = {random({b * t, (h + 2 * k) * d}, type),
                                    random({b, k, s, d}, cache),
                                    random({b, k, s, d}, cache),
                                    random({b}, "i32") +
                                        ":0:" + std::to_string(s - t),
                                    "f32=" + std::to_string(factor),
                                    "i32=" + std::to_string(window),
                                    random({h}, "f32") + ":-2:4"};
    all.push_back(boundCase(kernel, std::move(ins),
                            {shape({b * t, h * d}, type)}, d + s));
    meetInCache(cache);
  }
  void route(int64_t n, int64_t e, int64_t t, int64_t normalize,
             const char *type) {
    all.push_back(kernelCase(
        "route", {random({n, e}, type), "f32=" + std::to_string(normalize)},
        {shape({n, t}, "i32"), shape({n, t}, "f32")}, e));
  }
  void routeMargin(int64_t n, int64_t e, int64_t t, const char *margin,
                   const char *type) {
    all.push_back(kernelCase("route_margin", {random({n, e}, type), margin},
                             {shape({n, t}, "i32"), shape({n, t}, "f32")}, e));
  }
  void routeScores(int64_t n, int64_t e, int64_t t, int64_t normalize,
                   int64_t bias, int64_t sigmoid, const char *type) {
    all.push_back(kernelCase(
        "route_scores",
        {random({n, e}, type), "f32=" + std::to_string(normalize),
         random({bias}, "f32"), "f32=" + std::to_string(sigmoid), "f32=2.5"},
        {shape({n, t}, "i32"), shape({n, t}, "f32")}, e));
  }
  void routeGroups(int64_t n, int64_t e, int64_t t, int64_t bias,
                   int64_t groups, int64_t chosen, const char *type) {
    all.push_back(kernelCase(
        "route_groups",
        {random({n, e}, type), "f32=1", random({bias}, "f32"), "f32=1",
         "f32=2.5", random({groups}, "f32"), "i32=" + std::to_string(chosen)},
        {shape({n, t}, "i32"), shape({n, t}, "f32")}, e));
  }
  void latentHeads(int64_t n, int64_t h, const std::string &order, int64_t d,
                   int64_t turned, int64_t value, const char *type) {
    all.push_back(kernelCase(
        "latent_heads",
        {random({n, h * d}, type), random({n, h * (d - turned + value)}, type),
         random({n, turned}, type), std::to_string(d) + "xf32=" + order},
        {shape({n, 3 * h * d}, type)}, 1));
  }
  void convolution(int64_t b, int64_t t, int64_t c, int64_t taps, int64_t s,
                   bool hasBias, const char *type, const char *cache) {
    const std::string pos = random({b}, "i32") + ":0:" + std::to_string(s - t);
    all.push_back(kernelCase("conv_append", {random({b * t, 3 * c}, type), pos},
                             {shape({b, 1, s, c}, cache)}, 4));
    all.push_back(kernelCase(
        "conv_convolve",
        {random({b * t, 3 * c}, type), random({b, 1, s, c}, cache), pos,
         random({c, taps}, "f32"), random({hasBias ? c : 0}, "f32")},
        {shape({b * t, c}, type)}, 4 * taps));
  }
  void columns(int64_t n, int64_t groups, int64_t width, int64_t first,
               int64_t kept, const char *type) {
    all.push_back(kernelCase(
        "columns",
        {random({n, groups * width}, type), "i32=" + std::to_string(width),
         "i32=" + std::to_string(first), "i32=" + std::to_string(kept)},
        {shape({n, groups * kept}, type)}, 1));
  }
  void xielu(int64_t n, int64_t c, const char *type) {
    all.push_back(kernelCase("xielu",
                             {random({n, c}, type), "1xf32=0.8", "1xf32=-1.5",
                              "1xf32=0.5", "1xf32=-1e-6"},
                             {shape({n, c}, type)}, 4));
  }
  void expertUnits(int64_t n, int64_t c, int64_t e, int64_t t, int64_t f,
                   const char *type, const char *weight) {
    all.push_back(
        kernelCase("experts_silu_glu",
                   {random({n, c}, type),
                    random({n, t}, "i32") + ":0:" + std::to_string(e - 1),
                    random({e * 2 * f, c}, weight)},
                   {shape({n, t * f}, type)}, 4 * c));
  }
  void expertSum(int64_t n, int64_t c, int64_t e, int64_t t, int64_t f,
                 const char *type, const char *weight) {
    all.push_back(
        kernelCase("experts_sum",
                   {random({n, t * f}, type),
                    random({n, t}, "i32") + ":0:" + std::to_string(e - 1),
                    random({n, t}, "f32"), random({e * c, f}, weight)},
                   {shape({n, c}, type)}, t * f));
  }
  void clampedUnits(int64_t n, int64_t c, int64_t e, int64_t t, int64_t f,
                    const char *type, const char *weight) {
    all.push_back(
        kernelCase("experts_clamped_glu",
                   {random({n, c}, type),
                    random({n, t}, "i32") + ":0:" + std::to_string(e - 1),
                    random({e * 2 * f, c}, weight), random({e * 2 * f}, "f32"),
                    "f32=1.702", "f32=1.5"},
                   {shape({n, t * f}, type)}, 4 * c));
  }
  void biasedSum(int64_t n, int64_t c, int64_t e, int64_t t, int64_t f,
                 const char *type, const char *weight) {
    all.push_back(
        kernelCase("experts_biased_sum",
                   {random({n, t * f}, type),
                    random({n, t}, "i32") + ":0:" + std::to_string(e - 1),
                    random({n, t}, "f32"), random({e * c, f}, weight),
                    random({e, c}, "f32")},
                   {shape({n, c}, type)}, t * f));
  }
  /// Rows and a number.
  void withNumber(const char *kernel, int64_t n, int64_t c, const char *type) {
    all.push_back(kernelCase(kernel, {random({n, c}, type), "f32=1.5"},
                             {shape({n, c}, type)}, 8));
  }
  void gate(const char *kernel, int64_t n, int64_t c, const char *type,
            const char *logits) {
    all.push_back(kernelCase(kernel,
                             {random({n, c}, type), random({n, 1}, logits)},
                             {shape({n, c}, type)}, 8));
  }
  void gateFeatures(int64_t n, int64_t c, const char *type,
                    const char *logits) {
    all.push_back(kernelCase("gate_features",
                             {random({n, c}, type), random({n, c}, logits)},
                             {shape({n, c}, type)}, 8));
  }
  /// Positions of the new tokens of `b` sequences: as listed, or random.
  static std::string positionsOf(int64_t b, int64_t s,
                                 const std::string &listed) {
    return listed.empty() ? random({b}, "i32") + ":0:" + std::to_string(s - 1)
                          : shape({b}, "i32") + "=" + listed;
  }
  void linear(const std::string &kernel, int64_t n, int64_t c, int64_t o,
              const char *type, const char *weight) {
    std::vector<std::string> ins = {random({n, c}, type),
                                    random({o, c}, weight), random({o}, "f32")};
    all.push_back(kernelCase(kernel, std::move(ins), {shape({n, o}, type)}, c));
  }
  /// Logits: a linear layer without a bias.
  void unembed(const std::string &kernel, int64_t n, int64_t c, int64_t v,
               const char *type, const char *weight,
               const char *logits = "f32") {
    all.push_back(boundCase(
        kernel, {random({n, c}, type), random({v, c}, weight), "0xf32"},
        {shape({n, v}, logits)}, c));
  }
  /// \param token, place  the first rows that these parts of the tables hold.
  void embed(int64_t b, int64_t t, int64_t c, int64_t v, const char *weight,
             const char *type = "f32", int64_t token = 0, int64_t place = 0) {
    std::string largest = std::to_string(v - 1);
    all.push_back(
        boundCase("embed",
                  {random({b * t}, "i32") + ":0:" + largest,
                   random({b}, "i32") + ":0:9", random({v, c}, weight),
                   random({t + 10, c}, weight), beginOf(token), beginOf(place)},
                  {shape({b * t, c}, type)}, 1));
  }
  void positions(int64_t b, int64_t t, int64_t c, const char *table,
                 const char *type = "f32") {
    all.push_back(
        kernelCase("positions",
                   {random({b * t, c}, type), random({b}, "i32") + ":0:9",
                    random({t + 10, c}, table)},
                   {shape({b * t, c}, type)}, 1));
  }
  void sinusoids(int64_t b, int64_t t, int64_t c, const char *type = "f32") {
    // Angles are f32, so the error grows with the position.
    all.push_back(
        boundCase("sinusoids",
                  {random({b * t, c}, type), random({b}, "i32") + ":0:30",
                   random({c / 2}, "f32"), "i32=2"},
                  {shape({b * t, c}, type)}, 256));
  }
  /// \param kept  columns of the result, at most `c`.
  void collective(const char *kernel, int64_t n, int64_t c, int64_t kept,
                  const char *type) {
    all.push_back(kernelCase(kernel, {random({n, c}, type)},
                             {shape({n, kept}, type)}, 1));
  }
  /// A single rank: the result is x, and each block of 512 elements increments
  /// its epoch.
  void peerExchange(const char *kernel, int64_t c, const char *type) {
    std::vector<std::string> ins = {random({c}, type), "1xi64=0", "1xi32=0",
                                    "i64=0", "i64=1024"};
    if (llvm::StringRef(kernel).ends_with("gather"))
      ins.push_back("i64=" + std::to_string(c));
    std::string epochs = std::to_string((c + 511) / 512) + "xi64";
    all.push_back(kernelCase(kernel, ins, {shape({c}, type), epochs}, 1,
                             {"", epochs + "=7"}));
  }
  void lastRows(int64_t b, int64_t t, int64_t c, const char *type = "f32") {
    all.push_back(kernelCase("last_rows",
                             {random({b * t, c}, type), shape({b}, "i32")},
                             {shape({b, c}, type)}, 1));
  }
  void sampleOrder(int64_t b, int64_t v) {
    int64_t entries = (v + 255) / 256 * 256;
    all.push_back(kernelCase(
        "sample_order", {random({b, v}, "f32")},
        {shape({b, entries}, "f32"), shape({b, entries}, "i32")}, 1));
  }
  /// \param how  temperature, k, p, log min-p and u for each of two rows.
  void sampleDraw(int64_t entries, const char *how) {
    // The kernel expects sorted columns, so the rows are decreasing.
    std::string sorted = shape({2, entries}, "f32") + "=";
    for (int64_t i = 0; i < 2 * entries; ++i)
      sorted +=
          (i ? "," : "") + std::to_string(-0.125 * double(i % entries / 64));
    all.push_back(kernelCase("sample_draw",
                             {sorted, random({2, entries}, "i32") + ":0:50000",
                              shape({2, 5}, "f32") + "=" + how},
                             {shape({2}, "i32")}, 1));
  }
  void fullAttention(int64_t b, int64_t h, int64_t t, int64_t s, int64_t d,
                     const char *type) {
    all.push_back(
        kernelCase("attention_full",
                   {random({b, h, t, d}, type), random({b, h, s, d}, type),
                    random({b, h, s, d}, type)},
                   {shape({b, h, t, d}, type)}, d + s));
    if (type != llvm::StringRef("f32"))
      all.back().arithmetic.factor = bundle::parseElementType(type);
  }
};
} // namespace

std::vector<NumericCase> kernelCases() {
  Cases cases;
  for (int64_t c : {1, 31, 48, 65, 257, 768, 1023, 1600})
    for (int64_t n : {1, 5}) {
      cases.rowwise("softmax", n, c, "f32");
      cases.layerNorm(n, c, n == 1 ? "bf16" : "f32");
      if (n == 1)
        continue;
      cases.rowwise("gelu", n, c, "f32");
      cases.rowwise("gelu_exact", n, c, c % 2 ? "f32" : "bf16");
      cases.add(n, c, c % 2 ? "f32" : "bf16");
    }
  cases.rowwise("softmax", 2, 50257, "f32");
  cases.rowwise("softmax", 9, 50257, "bf16");
  cases.rowwise("softmax", 3, 32776, "f16");
  cases.layerNorm(2, 50257, "f32");
  cases.layerNorm(3, 33001, "bf16");
  // Longer than fits into the shared memory of a block.
  cases.rowwise("softmax", 3, 100001, "f32");
  cases.rowwise("softmax", 5, 131080, "bf16");
  cases.layerNorm(3, 90001, "f32");
  cases.add(2, 50257, "f32");
  // Many short rows, several per block.
  for (int64_t c : {1, 3, 7, 24, 100}) {
    cases.rowwise("softmax", 3000, c, c % 2 ? "bf16" : "f32");
    // The variance of three f32 values may cancel.
    cases.layerNorm(3000, c, c % 2 && c != 3 ? "f32" : "bf16");
    cases.add(3000, c, "bf16");
  }

  cases.linear("linear", 31, 65, 257, "f32", "f32");
  cases.linear("linear", 65, 768, 48, "f32", "bf16");
  cases.wideSums(1, 264, "bf16");
  cases.wideSums(37, 136, "bf16");
  cases.wideSums(130, 72, "f16");
  cases.linear("linear", 1, 1, 1, "f32", "f32");
  cases.linear("linear", 257, 1023, 31, "f32", "f32");
  cases.linear("linear", 48, 1600, 65, "bf16", "bf16");
  cases.unembed("linear", 31, 48, 1023, "f32", "bf16");
  cases.unembed("linear", 17, 65, 50257, "f32", "f32");
  cases.unembed("linear", 31, 48, 1023, "f32", "bf16", "bf16");
  cases.linear("linear_decode", 1, 1600, 257, "f32", "bf16");
  cases.linear("linear_decode", 5, 65, 31, "f32", "f32");
  cases.linear("linear_decode", 16, 1023, 768, "f32", "f32");
  cases.unembed("linear_decode", 1, 768, 50257, "f32", "bf16");
  cases.unembed("linear_decode", 3, 48, 1023, "f32", "f32");
  cases.unembed("linear_decode", 3, 48, 1023, "f32", "f16", "f16");
  cases.linear("linear", 48, 160, 65, "f32", "f8E4M3FN");
  cases.linear("linear_decode", 5, 65, 31, "bf16", "f8E5M2");
  cases.unembed("linear", 31, 48, 257, "f8E4M3FN", "f8E5M2", "bf16");
  cases.unembed("linear_decode", 3, 48, 257, "f8E5M2", "f8E4M3FN", "f32");

  cases.embed(1, 31, 768, 50257, "f32");
  cases.embed(3, 5, 257, 65, "bf16");
  // Parts of tables, one per rank.
  cases.embed(2, 31, 65, 40, "f32", "f32", 17, 5);
  cases.positions(1, 31, 768, "f32");
  cases.positions(3, 5, 257, "bf16");
  cases.positions(4, 1, 64, "bf16", "bf16");
  cases.sinusoids(1, 31, 768);
  cases.sinusoids(3, 5, 258);
  cases.sinusoids(4, 1, 64, "bf16");
  cases.lastRows(3, 31, 257);
  cases.collective("all_reduce", 31, 257, 257, "f32");
  cases.collective("all_reduce", 5, 768, 768, "bf16");
  cases.collective("all_gather", 31, 257, 255, "f32");
  cases.collective("all_gather", 3, 64, 1, "f16");
  for (const char *kernel : {"peer_all_reduce", "peer_all_gather"}) {
    cases.peerExchange(kernel, 4, "f32");
    cases.peerExchange(kernel, 511, "bf16");
    cases.peerExchange(kernel, 1030, "f16");
  }
  cases.append(false, 1, 31, 3, 3, 16, 0, 48, "f32");
  cases.append(false, 3, 1, 2, 2, 65, 0, 31, "bf16");
  cases.attention("attention", 1, 31, 3, 3, 16, 31, {}, "f32", "f32");
  cases.attention("attention", 1, 65, 2, 2, 64, 257, {}, "f32", "bf16");
  cases.attention("attention", 3, 48, 2, 2, 31, 65, {}, "f32", "f32");
  cases.attention("attention", 1, 1, 1, 1, 1, 1, {}, "f32", "f32");
  cases.fullAttention(1, 3, 31, 65, 16, "f32");
  cases.fullAttention(2, 2, 65, 257, 64, "bf16");
  cases.fullAttention(1, 1, 1, 1, 1, "f32");
  cases.attention("attention_decode", 1, 1, 12, 12, 64, 1023, {}, "f32",
                  "bf16");
  cases.attention("attention_decode", 4, 1, 3, 3, 16, 65, {}, "f32", "f32");
  cases.appendDecode(false, 1, 12, 12, 64, 0, 257, {}, "f32", "f32");
  cases.appendDecode(false, 3, 2, 2, 31, 0, 65, {}, "bf16", "bf16");
  cases.appendDecode(false, 1, 1, 1, 1, 0, 1, {}, "f32", "f32");
  cases.appendDecode(false, 1, 2, 2, 16, 0, 1100, {}, "bf16", "bf16");
  // Llama-like models.
  for (int64_t c : {1, 65, 576, 1023}) {
    cases.rmsNorm(5, 257, "f32", "f32=1", /*hasGain=*/false);
    cases.rmsNorm(5, c, "f32", "f32=1");
    cases.rmsNorm(1, c, "bf16");
  }
  for (const char *kernel : {"silu_glu", "gelu_glu"}) {
    cases.glu(kernel, 5, 65, "f32");
    cases.glu(kernel, 17, 1536, "bf16");
  }
  cases.linearPlain("linear", 31, 65, 257, "f32", "f32");
  cases.linearPlain("linear", 65, 576, 48, "bf16", "bf16");
  cases.linearPlain("linear_decode", 5, 65, 31, "f32", "f32");
  cases.linearPlain("linear_decode", 1, 1600, 257, "f32", "bf16");
  cases.embedTokens(31, 576, 1003, "bf16");
  cases.embedTokens(3, 65, 259, "f32", "bf16");
  cases.embedTokens(31, 65, 40, "f32", "f32", 17);
  for (bool isListed : {false, true}) {
    cases.rotaryAngles(1, 1, 64, 64, isListed);
    cases.rotaryAngles(3, 7, 16, 4, isListed);
  }
  cases.rotary(5, 4, 16, 16, "f32");
  cases.rotary(31, 7, 80, 32, "bf16");
  cases.headLayerNorm(5, 4, 2, 16, true, "f32");
  cases.headLayerNorm(31, 3, 1, 80, false, "bf16");
  cases.headLayerNorm(17, 2, 2, 8, true, "f16");
  cases.headNorm(5, 4, 2, 16, "f32");
  cases.headNorm(31, 3, 1, 80, "bf16");
  for (bool isNormed : {false, true}) {
    cases.append(isNormed, 1, 31, 4, 2, 16, 16, 48, "f32");
    cases.append(isNormed, 3, 1, 9, 3, 64, 16, 31, "bf16", "bf16");
    cases.appendDecode(isNormed, 1, 8, 2, 64, 64, 257, {0.2, 0}, "f32", "f32");
    cases.appendDecode(isNormed, 3, 9, 3, 64, 16, 65, {0.2, 16}, "bf16",
                       "bf16");
    cases.appendDecode(isNormed, 1, 1, 1, 2, 2, 1, {0.2, 1}, "f32", "f32");
    cases.appendDecode(isNormed, 1, 4, 4, 16, 16, 1100, {0.2, 700}, "bf16",
                       "bf16");
  }
  cases.attention("attention", 2, 31, 6, 2, 16, 65, {}, "f32", "f32");
  cases.attention("attention", 1, 65, 9, 3, 64, 257, {}, "bf16", "bf16");
  cases.attention("attention_decode", 3, 1, 9, 3, 64, 257, {}, "f32", "bf16");
  cases.appendDecode(false, 3, 9, 3, 64, 0, 65, {}, "bf16", "bf16");
  cases.appendDecode(false, 1, 4, 2, 16, 0, 257, {}, "f32", "f32");
  // The new token just before, at and just after the end of a tile of keys.
  for (int64_t g : {2, 4, 7, 8}) {
    const char *edges = "0,1,63,64,65";
    cases.appendDecode(false, 5, g, 1, 32, 0, 130, {}, "bf16", "bf16", edges);
    cases.appendDecode(g == 4, 5, g, 1, 32, 32, 130, {0.2, 0}, "bf16", "bf16",
                       edges);
    // Windows of one key, of one tile, and of one tile and one key.
    for (int64_t window : {1, 64, 65})
      cases.appendDecode(g == 2, 3, g, 1, 16, 8, 200, {0.2, window}, "f32",
                         "f32", "63,64,199");
  }
  cases.attention("attention", 2, 70, 4, 2, 16, 130, {0.2, 16}, "f32", "f32");
  cases.attention("attention", 1, 300, 4, 1, 64, 400, {0.2, 100}, "bf16",
                  "bf16");
  cases.attention("attention", 1, 31, 2, 2, 16, 31, {0.2, 1}, "f32", "f32");
  cases.attention("attention_decode", 3, 1, 6, 2, 32, 257, {0.2, 100}, "f32",
                  "f32");
  cases.attention("attention_decode", 1, 1, 4, 1, 64, 65, {0.2, 1}, "bf16",
                  "bf16");
  // Capped scores and experts.
  cases.attention("attention", 2, 70, 4, 2, 16, 130, {0.2, 16, 1.5}, "f32",
                  "f32");
  cases.attention("attention", 1, 300, 4, 1, 64, 400, {0.2, 0, 1.5}, "bf16",
                  "bf16");
  cases.attention("attention_decode", 3, 1, 6, 2, 32, 257, {0.2, 100, 1.5},
                  "f32", "f32");
  cases.attention("attention_decode", 1, 1, 4, 1, 64, 65, {0.2, 1, 1.5}, "bf16",
                  "bf16");
  for (const char *kernel : {"attention", "attention_decode"})
    for (const Cases::Scores &scores :
         {Cases::Scores{}, {0.2, 16, 0}, {0.2, 0, 1.5}, {0, 16, 1.5}})
      cases.attentionUnbound(kernel, scores);
  cases.alibi("attention_alibi", 1, 31, 3, 3, 16, 31, 0, 0, "f32", "f32");
  cases.alibi("attention_alibi", 2, 70, 6, 2, 16, 130, 0.2, 2, "f32", "f32");
  cases.alibi("attention_alibi", 1, 300, 4, 4, 64, 400, 0, 0, "bf16", "bf16");
  cases.sinks("attention_sinks", 1, 31, 4, 2, 16, 31, 0, 0, "f32", "f32");
  cases.sinks("attention_sinks", 2, 70, 6, 2, 16, 130, 0.2, 9, "f32", "f32");
  cases.sinks("attention_sinks", 1, 300, 4, 4, 64, 400, 0, 65, "bf16", "bf16");
  cases.sinks("attention_sinks_decode", 4, 1, 3, 3, 16, 65, 0, 0, "f32", "f32");
  cases.sinks("attention_sinks_decode", 3, 1, 9, 3, 32, 257, 0.2, 33, "f32",
              "f32");
  cases.sinks("attention_sinks_decode", 1, 1, 4, 1, 64, 1030, 0, 128, "bf16",
              "bf16");
  cases.alibi("attention_alibi_decode", 4, 1, 3, 3, 16, 65, 0, 0, "f32", "f32");
  cases.alibi("attention_alibi_decode", 3, 1, 9, 3, 32, 257, 0.2, 3, "f32",
              "f32");
  cases.alibi("attention_alibi_decode", 1, 1, 4, 1, 64, 1030, 0, 4, "bf16",
              "bf16");
  for (const char *kernel : {"softcap", "scale", "clamp"}) {
    cases.withNumber(kernel, 5, 257, "f32");
    cases.withNumber(kernel, 3, 1003, "bf16");
  }
  for (const char *kernel : {"gate", "gate_linear"}) {
    cases.gate(kernel, 5, 257, "f32", "f32");
    cases.gate(kernel, 3, 1003, "bf16", "f32");
    cases.gate(kernel, 9, 64, "f16", "bf16");
  }
  cases.gateFeatures(5, 257, "f32", "f32");
  cases.gateFeatures(3, 1003, "bf16", "bf16");
  cases.gateFeatures(9, 64, "f16", "bf16");
  for (const char *kernel : {"relu", "relu_squared"}) {
    cases.rowwise(kernel, 5, 257, "f32");
    cases.rowwise(kernel, 3, 1003, "bf16");
    cases.rowwise(kernel, 9, 64, "f16");
  }
  cases.qkNorm(5, 48, 16, "f32");
  cases.qkNorm(3, 257, 65, "bf16");
  cases.qkNorm(17, 1024, 1024, "f16");
  for (bool hasGain : {false, true})
    for (bool hasBias : {false, true}) {
      cases.layerNormOffset(5, 257, "f32", hasGain, hasBias);
      cases.layerNormOffset(3, 1024, "bf16", hasGain, hasBias);
    }
  cases.routeScores(1, 8, 2, 1, 8, 1, "f32");
  cases.routeScores(5, 128, 8, 0, 128, 1, "f32");
  cases.routeScores(17, 60, 4, 1, 60, 0, "f32");
  cases.routeScores(9, 33, 3, 0, 0, 1, "f32");
  cases.routeGroups(5, 64, 8, 64, 8, 4, "f32");
  cases.routeGroups(17, 60, 4, 0, 5, 2, "f32");
  cases.routeGroups(3, 24, 6, 24, 6, 3, "f32");
  cases.latentHeads(5, 3, "8,10,9,11,0,1,2,3,4,5,6,7", 12, 4, 6, "f32");
  cases.latentHeads(19, 2, "2,3,0,1", 4, 2, 4, "bf16");
  cases.convolution(1, 5, 65, 3, 9, true, "f32", "f32");
  cases.convolution(3, 1, 192, 4, 12, false, "f32", "bf16");
  cases.convolution(2, 33, 96, 3, 40, true, "bf16", "bf16");
  cases.columns(5, 3, 12, 0, 6, "f32");
  cases.columns(3, 1, 576, 512, 64, "bf16");
  cases.columns(17, 16, 192, 0, 128, "f16");
  cases.xielu(5, 257, "f32");
  cases.xielu(3, 1003, "bf16");
  cases.xielu(9, 64, "f16");
  cases.route(1, 8, 2, 1, "f32");
  cases.route(5, 128, 8, 0, "f32");
  cases.route(17, 60, 4, 1, "bf16");
  cases.route(3, 1, 1, 0, "f32");
  cases.routeMargin(1, 16, 2, "f32=0.02", "f32");
  cases.routeMargin(17, 60, 4, "f32=0.5", "f32");
  cases.routeMargin(3, 1, 1, "f32=0", "f32");
  cases.expertUnits(1, 576, 8, 2, 257, "f32", "bf16");
  cases.expertUnits(5, 65, 3, 3, 31, "f32", "f32");
  cases.expertUnits(3, 1024, 4, 2, 48, "bf16", "bf16");
  cases.expertSum(1, 257, 8, 2, 576, "f32", "bf16");
  cases.expertSum(5, 31, 3, 3, 65, "f32", "f32");
  cases.expertSum(3, 48, 4, 2, 1024, "bf16", "bf16");
  cases.clampedUnits(1, 576, 8, 2, 257, "f32", "bf16");
  cases.clampedUnits(5, 65, 3, 3, 31, "f32", "f32");
  cases.clampedUnits(3, 1024, 4, 2, 48, "bf16", "bf16");
  cases.biasedSum(1, 257, 8, 2, 576, "f32", "bf16");
  cases.biasedSum(5, 31, 3, 3, 65, "f32", "f32");
  cases.biasedSum(3, 48, 4, 2, 1024, "bf16", "bf16");
  cases.sampleOrder(2, 11);
  cases.sampleOrder(1, 256);
  cases.sampleOrder(2, 5000);
  cases.sampleDraw(256, "0,40,0.9,-3,0.5,0.8,40,0.95,-3,0.6");
  cases.sampleDraw(4096, "1,0,0.9,-100,0.77,0.7,0,1,-100,0.31");
  cases.sampleDraw(8192, "1.5,3000,1,-100,0.97,1,100,0.5,-0.2,0.999");
  llvm::append_range(cases.all, fusedCases());
  return std::move(cases.all);
}

std::vector<NumericCase> largeKernelCases() {
  Cases cases;
  for (const char *type : {"bf16", "f16", "f32"}) {
    cases.linear("linear", 300, 520, 392, type, type);
    cases.linear("linear", 129, 136, 259, type, type);
    cases.linear("linear", 40, 264, 1000, type, type);
    for (const char *logits : {"f32", type}) {
      cases.unembed("linear", 130, 256, 1003, type, type, logits);
      cases.unembed("linear", 77, 64, 5008, type, type, logits);
    }
    for (int64_t n : {2, 8, 9, 16})
      cases.linear("linear_decode", n, 768, 2304, type, type);
    cases.unembed("linear_decode", 16, 64, 50257, type, type);

    for (const char *kernel : {"gelu", "gelu_exact"})
      cases.rowwise(kernel, 333, 3072, type);
    cases.rowwise("softmax", 600, 1024, type);
    cases.layerNorm(1000, 768, type);
    cases.layerNorm(300, 1600, type);
    cases.add(500, 1003, type);
    cases.embed(2, 150, 768, 50257, type, type);
    cases.lastRows(5, 40, 1600, type);
    cases.append(false, 2, 130, 12, 12, 64, 0, 300, type, type);

    cases.attention("attention", 2, 200, 3, 3, 64, 333, {}, type, type);
    cases.attention("attention", 1, 321, 2, 2, 128, 321, {}, type, type);
    cases.attention("attention", 1, 97, 2, 2, 80, 513, {}, type, type);
    cases.fullAttention(2, 3, 200, 333, 64, type);
    cases.fullAttention(1, 2, 321, 256, 128, type);
    cases.attention("attention_decode", 2, 1, 12, 12, 64, 2049, {}, type, type);
    cases.alibi("attention_alibi", 2, 200, 3, 3, 64, 333, 0, 0, type, type);
    cases.alibi("attention_alibi_decode", 2, 1, 16, 16, 64, 1030, 0, 0, type,
                type);
    cases.sinks("attention_sinks", 2, 200, 16, 2, 64, 333, 0, 128, type, type);
    cases.sinks("attention_sinks_decode", 2, 1, 64, 8, 64, 1030, 0, 128, type,
                type);
    cases.attention("attention_decode", 3, 1, 8, 2, 112, 1030, {}, type, type);
    cases.appendDecode(false, 4, 12, 12, 64, 0, 1500, {}, type, type);
    cases.appendDecode(false, 1, 12, 12, 64, 0, 2100, {}, type, type);
    cases.appendDecode(false, 2, 5, 5, 80, 0, 1030, {}, type, type);
  }
  // Rows of 16-bit elements with any alignment, in tiles of many columns.
  cases.unembed("linear", 260, 128, 50257, "bf16", "bf16", "bf16");
  cases.unembed("linear_decode", 16, 64, 50257, "f16", "f16", "f16");
  cases.linear("linear", 300, 520, 392, "f32", "bf16");
  cases.linear("linear", 300, 520, 392, "bf16", "f8E4M3FN");
  cases.linear("linear_decode", 9, 768, 2304, "bf16", "f8E4M3FN");
  cases.unembed("linear", 130, 256, 1003, "f8E4M3FN", "f8E4M3FN", "bf16");
  cases.unembed("linear", 77, 528, 5008, "f8E5M2", "f8E4M3FN", "f32");
  cases.unembed("linear_decode", 1, 768, 50257, "bf16", "f8E5M2", "f32");
  // More tiles than any device has resident blocks, with one or two steps along
  // K each.
  cases.linear("linear", 4096, 64, 3072, "bf16", "bf16");
  cases.linear("linear", 2100, 128, 2056, "f16", "f16");
  // More blocks than a device can hold at once: the rest is fetched
  // dynamically.
  cases.attention("attention", 2, 70, 40, 40, 64, 100, {}, "bf16", "bf16");
  cases.fullAttention(2, 40, 70, 100, 64, "bf16");
  llvm::append_range(cases.all, largeFusedCases());
  return std::move(cases.all);
}

} // namespace tilegpt::numeric
