// Fuses chains of launches, lists the chains that models have, and specializes
// single launches for their known operands.
#include "FusedCases.h"
#include "LaunchChain.h"
#include "LibraryKernels.h"
#include "TileGPT/Dialect/Tile/Transforms/LinkLibrary.h"
#include "TileGPT/Dialect/Tile/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/ErrorHandling.h"

namespace tilegpt::numeric {

/// `2x3xf32=…` as the type of a tensor, with its "&" if any; scalars and
/// references are returned unchanged.
static std::string typeOf(llvm::StringRef text) {
  if (text.consume_front("&"))
    return "&" + typeOf(text);
  const llvm::StringRef shape = text.split('=').first;
  return shape.contains('x') ? ("tensor<" + shape + ">").str() : text.str();
}

static bool isScalar(llvm::StringRef text) {
  return !text.split('=').first.contains('x');
}

/// The function of a chain, and the texts of its arguments.
static std::string functionOf(llvm::ArrayRef<FusedLaunch> chain,
                              std::vector<std::string> &arguments) {
  std::vector<test::ChainLaunch> launches;
  for (const FusedLaunch &launch : chain) {
    launches.push_back({launch.kernel, {}, {}, launch.isKept});
    for (const std::string &in : launch.ins) {
      launches.back().ins.push_back(typeOf(in));
      if (test::isOwnOperand(in) && !isScalar(in))
        arguments.push_back(in);
    }
    const bool isLast = &launch == &chain.back();
    for (llvm::StringRef out : launch.outs) {
      launches.back().outs.push_back(typeOf(out));
      if (out.consume_front("&") || isLast)
        arguments.push_back(out.str());
    }
  }
  return test::functionOfChain("f", launches, "{}");
}

NumericCase fusedCase(llvm::ArrayRef<FusedLaunch> chain, int64_t depth) {
  LibraryKernels &library = LibraryKernels::get();
  mlir::MLIRContext &context = library.context();
  std::vector<std::string> arguments; // by number
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      functionOf(chain, arguments), mlir::ParserConfig(&context), "chain");
  mlir::PassManager pm(&context);
  pm.addPass(tile::createBindOperandsPass());
  tile::FuseLaunchesPassOptions options;
  options.elementPs = 0; // whatever work is repeated
  options.overlapsMemory = true;
  pm.addPass(tile::createFuseLaunchesPass(options));
  pm.addPass(mlir::createCanonicalizerPass());
  pm.addPass(mlir::createCSEPass());
  if (!module || mlir::failed(tile::linkLibrary(*module, library.module())) ||
      mlir::failed(pm.run(*module)))
    llvm::report_fatal_error("a chain cannot be fused");
  llvm::SmallVector<tile::LaunchOp> launches;
  module->walk([&](tile::LaunchOp launch) { launches.push_back(launch); });
  if (launches.size() != 1)
    llvm::report_fatal_error("a chain does not become one launch");
  tile::LaunchOp launch = launches.front();

  NumericCase result;
  result.kernel = launch.getKernel().str();
  result.file = result.kernel + ".mlir";
  llvm::raw_string_ostream stream(result.source);
  mlir::SymbolTable::lookupNearestSymbolFrom(launch, launch.getKernelAttr())
      ->print(stream);
  result.arithmetic.depth = depth;
  for (mlir::Value in : launch.getIns()) {
    mlir::FloatAttr real;
    mlir::IntegerAttr integer;
    if (auto argument = mlir::dyn_cast<mlir::BlockArgument>(in))
      result.ins.push_back(arguments[argument.getArgNumber()]);
    else if (mlir::matchPattern(in, mlir::m_Constant(&real)))
      result.ins.push_back("f32=" + std::to_string(real.getValueAsDouble()));
    else if (mlir::matchPattern(in, mlir::m_Constant(&integer)))
      result.ins.push_back("i32=" + std::to_string(integer.getInt()));
  }
  for (mlir::Value out : launch.getOuts()) {
    std::string text;
    if (auto argument = mlir::dyn_cast<mlir::BlockArgument>(out))
      text = arguments[argument.getArgNumber()];
    for (const FusedLaunch &part : chain)
      if (text.empty() && part.isKept)
        text = part.outs[0];
    auto [shape, values] = llvm::StringRef(text).split('=');
    result.expected.push_back(shape.str());
    result.before.push_back(values.empty() ? "" : text);
  }
  for (const std::string &text : result.ins)
    result.types += text.substr(0, text.find('=')) + "_";
  return result;
}

NumericCase boundCase(const std::string &kernel, std::vector<std::string> ins,
                      std::vector<std::string> outs, int64_t depth,
                      llvm::ArrayRef<std::string> before) {
  for (auto [out, held] : llvm::zip(outs, before))
    if (!held.empty())
      out = held;
  return fusedCase(FusedLaunch{kernel, std::move(ins), std::move(outs)}, depth);
}

namespace {
std::string matrixShape(int64_t rows, int64_t columns, const char *type) {
  return std::to_string(rows) + "x" + std::to_string(columns) + "x" + type;
}
std::string seeded(const std::string &shape) {
  static int seed = 1000;
  return shape + "=random:" + std::to_string(++seed);
}
std::string matrix(int64_t rows, int64_t columns, const char *type) {
  return seeded(matrixShape(rows, columns, type));
}
std::string vector(int64_t size) {
  return seeded(std::to_string(size) + "xf32");
}

/// Collects cases; each method adds one run of one chain.
struct Chains {
  std::vector<NumericCase> all;

  void linearGelu(const char *kernel, int64_t n, int64_t c, int64_t o,
                  const char *type, const char *weight) {
    all.push_back(
        fusedCase({{kernel,
                    {matrix(n, c, type), matrix(o, c, weight), vector(o)},
                    {matrixShape(n, o, type)}},
                   {"gelu", {"^"}, {matrixShape(n, o, type)}}},
                  c));
  }
  /// \param gelu  whether a GELU follows the product.
  void normLinear(bool gelu, int64_t c, int64_t o, const char *type,
                  const char *weight) {
    std::vector<FusedLaunch> chain = {
        {"layer_norm",
         {matrix(1, c, type), vector(c), vector(c), "f32=1.0e-5"},
         {matrixShape(1, c, type)}},
        {"linear_decode",
         {"^", matrix(o, c, weight), vector(o)},
         {matrixShape(1, o, type)}}};
    if (gelu)
      chain.push_back({"gelu", {"^"}, {matrixShape(1, o, type)}});
    // The error of the norm, times a column of weights.
    all.push_back(fusedCase(chain, 4 * c));
  }
  void rmsNormLinear(int64_t c, int64_t o, bool hasBias, const char *type,
                     const char *weight) {
    all.push_back(
        fusedCase({{"rms_norm",
                    {matrix(1, c, type), vector(c), "f32=1.0e-5", "f32=0.0"},
                    {matrixShape(1, c, type)}},
                   {"linear_decode",
                    {"^", matrix(o, c, weight), hasBias ? vector(o) : "0xf32"},
                    {matrixShape(1, o, type)}}},
                  4 * c));
  }
  /// A norm of f32 residual sums, with rows of another type.
  void wideNormLinear(int64_t c, int64_t o, const char *type) {
    all.push_back(
        fusedCase({{"rms_norm",
                    {matrix(1, c, "f32"), vector(c), "f32=1.0e-5", "f32=0.0"},
                    {matrixShape(1, c, type)}},
                   {"linear_decode",
                    {"^", matrix(o, c, type), vector(o)},
                    {matrixShape(1, o, type)}}},
                  4 * c));
  }
  /// A product that is added to f32 residual sums.
  void wideSum(int64_t n, int64_t c, int64_t o, const char *type) {
    all.push_back(fusedCase(
        {{n <= 16 ? "linear_decode" : "linear",
          {matrix(n, c, type), matrix(o, c, type), vector(o)},
          {matrixShape(n, o, "f32")}},
         {"add", {"^", matrix(n, o, "f32")}, {matrixShape(n, o, "f32")}}},
        c));
  }
  /// A gated layer of `f` units; `norm` puts a norm in front (one row only).
  void gatedLayer(const char *kernel, const std::string &glu, bool norm,
                  int64_t n, int64_t c, int64_t f, const char *type,
                  const char *weight) {
    std::vector<FusedLaunch> chain;
    if (norm)
      chain.push_back({"rms_norm",
                       {matrix(n, c, type), vector(c), "f32=1.0e-5", "f32=1.0"},
                       {matrixShape(n, c, type)}});
    chain.push_back(
        {kernel,
         {norm ? "^" : matrix(n, c, type), matrix(2 * f, c, weight), "0xf32"},
         {matrixShape(n, 2 * f, type)}});
    chain.push_back({glu, {"^"}, {matrixShape(n, f, type)}});
    all.push_back(fusedCase(chain, norm ? 8 * c : 4 * c));
  }
  /// A gated layer with a bias.
  void biasedGates(int64_t n, int64_t c, int64_t f, const char *type) {
    all.push_back(
        fusedCase({{"linear",
                    {matrix(n, c, type), matrix(2 * f, c, type), vector(2 * f)},
                    {matrixShape(n, 2 * f, type)}},
                   {"silu_glu", {"^"}, {matrixShape(n, f, type)}}},
                  4 * c));
  }
  /// Stores both the sum and its norm.
  void addNorm(int64_t n, int64_t c, const char *type) {
    all.push_back(fusedCase({{"add",
                              {matrix(n, c, type), matrix(n, c, type)},
                              {matrixShape(n, c, type)},
                              /*isKept=*/true},
                             {"layer_norm",
                              {"^", vector(c), vector(c), "f32=1.0e-5"},
                              {matrixShape(n, c, type)}}},
                            c));
  }
};
} // namespace

std::vector<NumericCase> fusedCases() {
  Chains chains;
  for (int64_t c : {1, 31, 48, 65, 257, 768, 1023, 1600})
    chains.addNorm(5, c, c % 2 ? "f32" : "bf16");
  chains.linearGelu("linear", 31, 65, 257, "f32", "f32");
  chains.linearGelu("linear", 65, 768, 48, "f32", "bf16");
  chains.linearGelu("linear_decode", 1, 1600, 257, "f32", "bf16");
  chains.linearGelu("linear_decode", 5, 65, 31, "f32", "f32");
  for (bool gelu : {false, true}) {
    chains.normLinear(gelu, 768, 257, "f32", "bf16");
    chains.normLinear(gelu, 65, 31, "f32", "f32");
    chains.normLinear(gelu, 1600, 48, "bf16", "bf16");
  }
  chains.normLinear(false, 65, 31, "f32", "f8E4M3FN");
  chains.rmsNormLinear(576, 257, false, "f32", "bf16");
  chains.rmsNormLinear(65, 31, true, "f32", "f32");
  chains.rmsNormLinear(1024, 48, false, "bf16", "bf16");
  chains.wideNormLinear(264, 264, "bf16");
  chains.wideSum(1, 264, 136, "bf16");
  chains.wideSum(37, 136, 72, "f16");
  for (const char *glu : {"silu_glu", "gelu_glu"}) {
    chains.gatedLayer("linear", glu, false, 31, 65, 257, "f32", "f32");
    chains.gatedLayer("linear", glu, false, 65, 576, 48, "f32", "bf16");
    chains.gatedLayer("linear", glu, false, 48, 160, 65, "bf16", "bf16");
    chains.gatedLayer("linear_decode", glu, false, 1, 576, 257, "f32", "bf16");
    chains.gatedLayer("linear_decode", glu, true, 1, 576, 257, "f32", "bf16");
    chains.gatedLayer("linear_decode", glu, true, 1, 65, 31, "f32", "f32");
    chains.gatedLayer("linear_decode", glu, true, 1, 1024, 48, "bf16", "bf16");
    chains.gatedLayer("linear_decode", glu, false, 5, 576, 48, "bf16", "bf16");
    chains.gatedLayer("linear_decode", glu, false, 16, 65, 31, "f32", "f32");
  }
  chains.biasedGates(33, 65, 31, "f32");
  return std::move(chains.all);
}

std::vector<NumericCase> largeFusedCases() {
  Chains chains;
  for (const char *type : {"bf16", "f16", "f32"}) {
    chains.linearGelu("linear", 300, 520, 392, type, type);
    chains.linearGelu("linear", 129, 136, 259, type, type);
    chains.linearGelu("linear", 40, 264, 1000, type, type);
    for (int64_t n : {2, 8, 9, 16})
      chains.linearGelu("linear_decode", n, 768, 2304, type, type);
    chains.normLinear(false, 1600, 4800, type, type);
    chains.normLinear(true, 768, 3072, type, type);
  }
  chains.linearGelu("linear", 129, 136, 259, "f16", "f8E5M2");
  return std::move(chains.all);
}

} // namespace tilegpt::numeric
