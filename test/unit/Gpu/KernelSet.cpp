// Writes one function per launch and runs it through a model's phases.
#include "KernelSet.h"
#include "../LaunchChain.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

namespace tilegpt::test {

namespace {
/// A launch. T stands for the element type of the set, N for the rows of a
/// step, B for its sequences; `f32=0.2` is a constant. `linear.add` is a chain
/// of `linear` and `add`: the ins of `linear`, `->` its result (`kept` if it is
/// stored as well), `|` and the ins of `add`, where `^` is that result. See
/// ChainLaunch for other references.
struct Launch {
  const char *kernel;
  int64_t mostRows; ///< of N and B
  const char *ins;
  const char *outs;
  /// The only set it belongs to; null for all.
  const char *only = nullptr;
};
} // namespace

static constexpr Launch launches[] = {
    {"linear", 1024, "Nx768xT 2304x768xT 2304xf32", "Nx2304xT"},
    {"linear", 64, "Nx1600xT 4800x1600xT 4800xf32", "Nx4800xT"},
    {"linear.gelu", 1024, "Nx768xT 3072x768xT 3072xf32 -> Nx3072xT | ^",
     "Nx3072xT"},
    {"linear.gelu", 64, "Nx1600xT 6400x1600xT 6400xf32 -> Nx6400xT | ^",
     "Nx6400xT"},
    {"linear.add", 1024, "Nx3072xT 768x3072xT 768xf32 -> Nx768xT | ^ Nx768xT",
     "Nx768xT"},
    {"linear.add", 64, "Nx6400xT 1600x6400xT 1600xf32 -> Nx1600xT | ^ Nx1600xT",
     "Nx1600xT"},
    {"linear", 1024, "Nx768xT 50257x768xT 0xf32", "Nx50257xf32"},
    {"linear", 1024, "Nx768xT 50257x768xT 0xf32", "Nx50257xT"},
    {"linear", 4096, "Nx1600xT 50257x1600xT 0xf32", "Nx50257xT"},
    {"linear_decode", 1, "Nx768xT 2304x768xT 2304xf32", "Nx2304xT"},
    {"linear_decode", 16, "Nx1600xT 4800x1600xT 4800xf32", "Nx4800xT"},
    {"linear_decode.gelu", 4, "Nx768xT 3072x768xT 3072xf32 -> Nx3072xT | ^",
     "Nx3072xT"},
    {"linear_decode.gelu", 16, "Nx1600xT 6400x1600xT 6400xf32 -> Nx6400xT | ^",
     "Nx6400xT"},
    {"linear_decode.add", 1,
     "Nx3072xT 768x3072xT 768xf32 -> Nx768xT | ^ Nx768xT", "Nx768xT"},
    {"linear_decode.add", 16,
     "Nx6400xT 1600x6400xT 1600xf32 -> Nx1600xT | ^ Nx1600xT", "Nx1600xT"},
    {"linear_decode", 1, "Nx768xT 50257x768xT 0xf32", "Nx50257xf32"},
    {"linear_decode", 16, "Nx1600xT 50257x1600xT 0xf32", "Nx50257xf32"},
    {"linear_decode", 16, "Nx1600xT 50257x1600xT 0xf32", "Nx50257xT"},
    {"layer_norm.linear_decode", 1,
     "Nx768xT 768xf32 768xf32 f32 -> Nx768xT | ^ 2304x768xT 2304xf32",
     "Nx2304xT"},
    {"layer_norm.linear_decode", 1,
     "Nx1600xT 1600xf32 1600xf32 f32 -> Nx1600xT | ^ 4800x1600xT 4800xf32",
     "Nx4800xT"},
    {"layer_norm.linear_decode.gelu", 1,
     "Nx768xT 768xf32 768xf32 f32 -> Nx768xT | ^ 3072x768xT 3072xf32 -> "
     "Nx3072xT | ^",
     "Nx3072xT"},
    {"layer_norm.linear_decode.gelu", 1,
     "Nx1600xT 1600xf32 1600xf32 f32 -> Nx1600xT | ^ 6400x1600xT 6400xf32 -> "
     "Nx6400xT | ^",
     "Nx6400xT"},
    // Residual sums are f32, whatever the type of product rows.
    {"linear.add", 1024,
     "Nx3072xT 768x3072xT 768xf32 -> Nx768xf32 | ^ Nx768xf32", "Nx768xf32"},
    {"linear_decode.add", 1,
     "Nx3072xT 768x3072xT 768xf32 -> Nx768xf32 | ^ Nx768xf32", "Nx768xf32"},
    {"layer_norm.linear_decode", 1,
     "Nx1600xf32 1600xf32 1600xf32 f32 -> Nx1600xT | ^ 4800x1600xT 4800xf32",
     "Nx4800xT"},
    {"round", 1024, "Nx768xf32", "Nx768xT"},
    {"gelu", 1024, "Nx3072xT", "Nx3072xT"},
    {"gelu_exact", 1024, "Nx3072xT", "Nx3072xT"},
    {"add", 1024, "Nx768xT Nx768xT", "Nx768xT"},
    {"all_gather", 1024, "Nx768xT", "Nx768xT"},
    {"all_reduce", 1024, "Nx768xT", "Nx768xT"},
    {"peer_all_reduce", 51200, "NxT 8xi64 1xi32 i64 i64", "NxT 100xi64"},
    {"peer_all_gather", 51200, "NxT 8xi64 1xi32 i64 i64 i64", "NxT 100xi64"},
    {"softmax", 1024, "Nx1024xT", "Nx1024xT"},
    {"softmax", 1024, "Nx50257xT", "Nx50257xT"},
    {"layer_norm", 1024, "Nx768xT 768xf32 768xf32 f32", "Nx768xT"},
    {"layer_norm", 1024, "Nx1600xT 1600xf32 1600xf32 f32", "Nx1600xT"},
    {"layer_norm_offset", 1024, "Nx2048xT 2048xf32 0xf32 f32 f32=0.0",
     "Nx2048xT"},
    {"add.layer_norm", 1024,
     "Nx768xT Nx768xT -> Nx768xT kept | ^ 768xf32 768xf32 f32", "Nx768xT"},
    {"embed", 1024, "Nxi32 Nxi32 50257x768xT 1024x768xT 0xi32 0xi32",
     "Nx768xT"},
    {"last_rows", 1024, "Nx768xT Nxi32", "Nx768xT"},
    {"kv_append", 1024, "Nx2304xT 0xf32 0xf32 f32 f32 Nx0xf32 Nx0xf32 Nxi32",
     "Nx12x1024x64xT Nx12x1024x64xT Nx0xT"},
    {"attention", 1024,
     "Nx2304xT Nx12x1024x64xT Nx12x1024x64xT Nxi32 f32=0.0 i32=0 f32=0.0",
     "Nx768xT"},
    {"attention", 1024,
     "Nx768xT Nx2x1024x128xT Nx2x1024x128xT Nxi32 f32=0.0 i32=0 f32=0.0",
     "Nx256xT"},
    {"attention_alibi", 1024,
     "Nx3072xT Nx16x2048x64xT Nx16x2048x64xT Nxi32 f32=0.0 16xf32 0xi32",
     "Nx1024xT"},
    {"attention_alibi", 1024,
     "Nx9216xT Nx24x2048x128xT Nx24x2048x128xT Nxi32 f32=0.0 24xf32 0xi32",
     "Nx3072xT"},
    {"attention_full", 12, "Nx12x1024x64xT Nx12x1024x64xT Nx12x1024x64xT",
     "Nx12x1024x64xT"},
    {"attention_full", 4, "Nx16x4096x128xT Nx16x4096x128xT Nx16x4096x128xT",
     "Nx16x4096x128xT"},
    {"attention_decode", 16,
     "Nx2304xT Nx12x1024x64xT Nx12x1024x64xT Nxi32 f32=0.0 i32=0 f32=0.0",
     "Nx768xT"},
    {"attention_decode", 16,
     "Nx6144xT Nx8x4096x128xT Nx8x4096x128xT Nxi32 f32=0.0 i32=0 f32=0.0",
     "Nx4096xT"},
    {"attention_decode", 1,
     "Nx6144xT Nx8x4096x128xT Nx8x4096x128xT Nxi32 f32=0.0 i32=0 f32=0.0",
     "Nx4096xT"},
    {"attention_alibi_decode", 16,
     "Nx3072xT Nx16x2048x64xT Nx16x2048x64xT Nxi32 f32=0.0 16xf32 0xi32",
     "Nx1024xT"},
    {"attention_sinks", 1024,
     "Nx5120xT Nx8x4096x64xT Nx8x4096x64xT Nxi32 f32=0.0 i32=128 64xf32",
     "Nx4096xT"},
    {"attention_sinks_decode", 16,
     "Nx5120xT Nx8x4096x64xT Nx8x4096x64xT Nxi32 f32=0.0 i32=128 64xf32",
     "Nx4096xT"},
    {"kv_append.attention_decode", 16,
     "Nx2304xT 0xf32 0xf32 f32 f32 Nx0xf32 Nx0xf32 Nxi32 -> &Nx12x1024x64xT "
     "&Nx12x1024x64xT Nx0xT | %a0 ^ ^1 %a7 f32=0.0 i32=0 f32=0.0",
     "Nx768xT"},
    {"kv_append.attention_decode", 16,
     "Nx6144xT 0xf32 0xf32 f32 f32 Nx0xf32 Nx0xf32 Nxi32 -> &Nx8x4096x128xT "
     "&Nx8x4096x128xT Nx0xT | %a0 ^ ^1 %a7 f32=0.0 i32=0 f32=0.0",
     "Nx4096xT"},
    {"kv_append.attention_decode", 1,
     "Nx3072xT 0xf32 0xf32 f32 f32 Nx0xf32 Nx0xf32 Nxi32 -> &Nx8x1024x64xT "
     "&Nx8x1024x64xT Nx0xT | %a0 ^ ^1 %a7 f32=0.0 i32=0 f32=0.0",
     "Nx2048xT"},
    {"kv_append.attention_decode", 64,
     "Nx4096xT 0xf32 0xf32 f32 f32 Nx0xf32 Nx0xf32 Nxi32 -> &Nx4x1024x256xT "
     "&Nx4x1024x256xT Nx0xT | %a0 ^ ^1 %a7 f32=0.0 i32=0 f32=0.0",
     "Nx2048xT"},
    {"rms_norm", 1024, "Nx2048xT 2048xf32 f32 f32", "Nx2048xT"},
    {"qk_norm", 1024, "Nx4096xT 2048xf32 1024xf32 f32", "Nx4096xT"},
    {"head_norm", 1024, "Nx4096xT 128xf32 128xf32 f32 f32 i32 i32", "Nx4096xT"},
    {"head_layer_norm", 1024, "Nx7680xT 72x96xf32 Nx0xf32 f32", "Nx7680xT"},
    {"head_layer_norm", 1024, "Nx7680xT 64x80xf32 64x80xf32 f32", "Nx7680xT"},
    {"embed_tokens", 1024, "Nxi32 128256x2048xT f32 0xi32", "Nx2048xT"},
    {"rotary_angles", 1024, "Nxi32 0xf32 f32 f32 f32 f32 f32 f32",
     "Nx64xf32 Nx64xf32"},
    {"rotary_angles", 1024, "Nxi32 32xf32 f32 f32 f32 f32 f32 f32",
     "Nx64xf32 Nx64xf32"},
    {"rotary", 1024, "Nx3072xT Nx64xf32 Nx64xf32 i32", "Nx3072xT"},
    {"silu_glu", 1024, "Nx16384xT", "Nx8192xT"},
    {"gelu_glu", 1024, "Nx4096xT", "Nx2048xT"},
    {"linear.silu_glu", 1024, "Nx2048xT 16384x2048xT 0xf32 -> Nx16384xT | ^",
     "Nx8192xT"},
    {"linear.gelu_glu", 1024, "Nx640xT 4096x640xT 0xf32 -> Nx4096xT | ^",
     "Nx2048xT"},
    {"linear_decode.silu_glu", 1, "Nx576xT 3072x576xT 0xf32 -> Nx3072xT | ^",
     "Nx1536xT"},
    {"linear_decode.silu_glu", 1,
     "Nx2048xT 16384x2048xT 0xf32 -> Nx16384xT | ^", "Nx8192xT"},
    {"linear_decode.gelu_glu", 1, "Nx640xT 4096x640xT 0xf32 -> Nx4096xT | ^",
     "Nx2048xT"},
    {"linear_decode.silu_glu", 16,
     "Nx2048xT 16384x2048xT 0xf32 -> Nx16384xT | ^", "Nx8192xT"},
    {"rms_norm.linear_decode", 1,
     "Nx2048xT 2048xf32 f32 f32 -> Nx2048xT | ^ 3072x2048xT 0xf32", "Nx3072xT"},
    {"rms_norm.linear_decode.silu_glu", 1,
     "Nx2048xT 2048xf32 f32 f32 -> Nx2048xT | ^ 16384x2048xT 0xf32 -> "
     "Nx16384xT | ^",
     "Nx8192xT"},
    {"rms_norm.linear_decode.gelu_glu", 1,
     "Nx640xT 640xf32 f32 f32 -> Nx640xT | ^ 4096x640xT 0xf32 -> Nx4096xT | ^",
     "Nx2048xT"},
    {"kv_append", 1024, "Nx3072xT 0xf32 0xf32 f32 f32 Nx64xf32 Nx64xf32 Nxi32",
     "Nx8x1024x64xT Nx8x1024x64xT Nx2048xT"},
    {"kv_append", 1024,
     "Nx4096xT 128xf32 128xf32 f32 f32 Nx128xf32 Nx128xf32 Nxi32",
     "Nx8x1024x128xT Nx8x1024x128xT Nx2048xT"},
    {"attention", 1024,
     "Nx3072xT Nx8x1024x64xT Nx8x1024x64xT Nxi32 f32=0.2 i32=512 f32=0.0",
     "Nx2048xT"},
    {"attention_decode", 16,
     "Nx2304xT Nx12x1024x64xT Nx12x1024x64xT Nxi32 f32=0.2 i32=512 f32=0.0",
     "Nx768xT"},
    {"attention", 1024,
     "Nx4096xT Nx4x1024x256xT Nx4x1024x256xT Nxi32 f32=0.2 i32=512 f32=50.0",
     "Nx2048xT"},
    {"attention_decode", 16,
     "Nx4096xT Nx4x1024x256xT Nx4x1024x256xT Nxi32 f32=0.2 i32=512 f32=50.0",
     "Nx2048xT"},
    {"softcap", 1024, "Nx256000xT f32", "Nx256000xT"},
    {"scale", 1024, "Nx2048xf32 f32", "Nx2048xf32"},
    {"clamp", 1024, "Nx12288xT f32", "Nx12288xT"},
    {"relu", 1024, "Nx3072xT", "Nx3072xT"},
    {"relu_squared", 1024, "Nx3072xT", "Nx3072xT"},
    {"gate", 1024, "Nx2048xf32 Nx1xf32", "Nx2048xf32"},
    {"gate_linear", 1024, "Nx2048xf32 Nx1xf32", "Nx2048xf32"},
    {"gate_features", 1024, "Nx2048xf32 Nx2048xT", "Nx2048xf32"},
    {"positions", 1024, "Nx1024xf32 Nxi32 514x1024xT", "Nx1024xf32"},
    {"sinusoids", 1024, "Nx1024xf32 Nxi32 512xf32 i32", "Nx1024xf32"},
    {"route", 64, "Nx128xT f32", "Nx8xi32 Nx8xf32"},
    {"route_margin", 64, "Nx16xT f32", "Nx2xi32 Nx2xf32"},
    {"route_scores", 64, "Nx128xT f32 128xf32 f32 f32", "Nx8xi32 Nx8xf32"},
    {"xielu", 1024, "Nx21504xT 1xf32 1xf32 1xf32 1xf32", "Nx21504xT"},
    {"experts_silu_glu", 64, "Nx2048xT Nx8xi32 196608x2048xT", "Nx6144xT"},
    {"route_groups", 64, "Nx256xT f32 256xf32 f32 f32 8xf32 i32",
     "Nx8xi32 Nx8xf32"},
    {"latent_heads", 1024, "Nx3072xT Nx4096xT Nx64xT 192xf32", "Nx9216xT"},
    {"conv_append", 1024, "Nx6144xT 1xi32", "&1x1x4096x2048xT"},
    {"conv_convolve", 1024, "Nx6144xT 1x1x4096x2048xT 1xi32 2048x3xf32 0xf32",
     "Nx2048xT"},
    {"columns", 1024, "Nx3072xT i32=192 i32=0 i32=128", "Nx2048xT"},
    {"experts_clamped_glu", 64,
     "Nx2880xT Nx4xi32 184320x2880xT 184320xf32 f32 f32", "Nx11520xT"},
    {"experts_biased_sum", 64,
     "Nx11520xT Nx4xi32 Nx4xf32 92160x2880xT 32x2880xf32", "Nx2880xT"},
    {"experts_sum", 64, "Nx6144xT Nx8xi32 Nx8xf32 262144x768xT", "Nx2048xT"},
    {"kv_append.attention_decode", 16,
     "Nx3072xT 0xf32 0xf32 f32 f32 Nx64xf32 Nx64xf32 Nxi32 -> &Nx8x1024x64xT "
     "&Nx8x1024x64xT Nx2048xT | ^2 ^ ^1 %a7 f32=0.0 i32=0 f32=0.0",
     "Nx2048xT"},
    {"kv_append.attention_decode", 16,
     "Nx4096xT 128xf32 128xf32 f32 f32 Nx128xf32 Nx128xf32 Nxi32 -> "
     "&Nx8x1024x128xT &Nx8x1024x128xT Nx2048xT | ^2 ^ ^1 %a7 f32=0.2 i32=512 "
     "f32=0.0",
     "Nx2048xT"},
    {"kv_append.attention_decode", 1,
     "Nx9216xT 0xf32 0xf32 f32 f32 Nx96xf32 Nx96xf32 Nxi32 -> &Nx32x1024x96xT "
     "&Nx32x1024x96xT Nx3072xT | ^2 ^ ^1 %a7 f32=0.0 i32=0 f32=0.0",
     "Nx3072xT"},
    {"kv_append.attention_decode", 16,
     "Nx6144xT 128xf32 128xf32 f32 f32 Nx128xf32 Nx128xf32 Nxi32 -> "
     "&Nx16x1024x128xT &Nx16x1024x128xT Nx2048xT | ^2 ^ ^1 %a7 f32=0.0 i32=0 "
     "f32=0.0",
     "Nx2048xT"},
    {"kv_append.attention_decode", 16,
     "Nx4096xT 0xf32 0xf32 f32 f32 Nx256xf32 Nx256xf32 Nxi32 -> "
     "&Nx4x1024x256xT &Nx4x1024x256xT Nx2048xT | ^2 ^ ^1 %a7 f32=0.2 i32=512 "
     "f32=50.0",
     "Nx2048xT"},
    {"sample_order", 16, "Nx50257xf32", "Nx50432xf32 Nx50432xi32"},
    {"sample_draw", 16, "Nx50432xf32 Nx50432xi32 Nx5xf32", "Nxi32"},
    {"linear", 1024, "Nx768xT 2304x768xf8E4M3FN 2304xf32", "Nx2304xT", "bf16"},
    {"linear_decode", 4, "Nx768xT 2304x768xf8E5M2 2304xf32", "Nx2304xT",
     "bf16"},
    {"linear", 1024, "Nx768xf8E4M3FN 50304x768xf8E4M3FN 0xf32", "Nx50304xT",
     "bf16"},
    {"linear", 64, "Nx768xf8E4M3FN 50304x768xf8E5M2 0xf32", "Nx50304xf32",
     "bf16"},
    {"linear_decode", 1, "Nx768xf8E5M2 50304x768xf8E4M3FN 0xf32", "Nx50304xT",
     "bf16"}};

/// `Nx768xT` as a type; scalars and references stay as they are.
static std::string typeOf(llvm::StringRef shape, llvm::StringRef element) {
  if (shape.consume_front("&"))
    return "&" + typeOf(shape, element);
  std::string text = shape.str();
  if (text.find('x') == std::string::npos)
    return text;
  if (text.front() == 'N')
    text.front() = '?';
  if (text.back() == 'T')
    text = text.substr(0, text.size() - 1) + element.str();
  return "tensor<" + text + ">";
}

/// The types of a list of shapes.
static std::vector<std::string> typesOf(llvm::StringRef shapes,
                                        llvm::StringRef element) {
  llvm::SmallVector<llvm::StringRef> words;
  llvm::SplitString(shapes, words);
  std::vector<std::string> types;
  for (llvm::StringRef word : words)
    types.push_back(typeOf(word, element));
  return types;
}

/// A function that contains only one launch, or a chain that is to be fused.
static std::string functionOf(const Launch &launch, size_t number,
                              llvm::StringRef element) {
  llvm::SmallVector<llvm::StringRef> kernels, ins;
  llvm::SplitString(launch.kernel, kernels, ".");
  llvm::SplitString(launch.ins, ins, "|");
  std::vector<ChainLaunch> chain;
  for (auto [kernel, operands] : llvm::zip_equal(kernels, ins)) {
    auto [read, made] = operands.split("->");
    const bool isKept = made.trim().consume_back("kept");
    made = made.split("kept").first;
    chain.push_back({kernel.str(), typesOf(read, element),
                     typesOf(made.empty() ? launch.outs : made, element),
                     isKept});
  }
  return functionOfChain("f" + std::to_string(number), chain,
                         "{tile.rows = array<i64: 1, " +
                             std::to_string(launch.mostRows) + ">}");
}

mlir::OwningOpRef<mlir::ModuleOp> kernelSet(mlir::MLIRContext &context,
                                            const target::GpuTarget &target,
                                            llvm::StringRef type) {
  std::string text;
  for (auto [number, launch] : llvm::enumerate(launches))
    if (!launch.only || type == launch.only)
      text += functionOf(launch, number, type);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      text, mlir::ParserConfig(&context), "launches");
  if (!module) {
    ADD_FAILURE() << "the launches do not parse";
    return {};
  }
  PhaseOptions options;
  options.gpu = target.name.str();
  options.fastF8 = true;
  if (mlir::failed(runPhases(*module, Phase::Graph, Phase::Specialized, options,
                             nullptr))) {
    ADD_FAILURE() << "the launches cannot be specialized";
    return {};
  }
  return module;
}

llvm::StringRef libraryName(llvm::StringRef kernel) {
  return kernel.rsplit('_').first;
}

} // namespace tilegpt::test
