// Writes the launches of GPT-2 steps into a bundle, plan by plan.
#include "Gpt2Bundle.h"
#include "Gpt2Tables.h"
#include "TileGPT/Bundle/Builder.h"
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <nlohmann/json.hpp>

using namespace tilegpt;
using namespace tilegpt::bundle;

namespace {

using Shape = std::initializer_list<Extent>;

/// The tables of the text, with its settings replaced by the values of the
/// bundle.
std::string tables(const test::Gpt2Sizes &sizes) {
  auto json = nlohmann::json::parse(test::gpt2TablesJson());
  json["settings"] = {{"layers", sizes.layers},   {"heads", sizes.heads},
                      {"width", sizes.width},     {"inner", sizes.innerWidth},
                      {"context", sizes.context}, {"vocab", sizes.vocabulary},
                      {"eps", sizes.epsilon},     {"tied", true},
                      {"activation", "gelu_tanh"}};
  return json.dump();
}

/// The kernels, in the order they are added.
enum KernelIndex : uint32_t { Embed, LayerNorm, Linear, Attention, Head };

class Gpt2 {
public:
  Gpt2(const test::Gpt2Sizes &config, std::string_view architecture)
      : config(config) {
    ModelInfo info;
    info.layers = config.layers;
    info.heads = config.heads;
    info.width = config.width;
    info.context = info.capacity = config.context;
    info.vocabulary = config.vocabulary;
    info.epsilon = config.epsilon;
    b.setModel("gpt2", info, tables(config));
    std::ifstream file(GPT2_KERNELS, std::ios::binary);
    const std::string image{std::istreambuf_iterator<char>(file), {}};
    std::vector<std::byte> code(image.size());
    std::memcpy(code.data(), image.data(), image.size());
    const Parameter ids{ArgumentKind::View, ElementType::I32, 1, Access::Read};
    const Parameter vector{ArgumentKind::View, ElementType::F32, 1,
                           Access::Read};
    const Parameter matrix{ArgumentKind::View, ElementType::F32, 2,
                           Access::Read};
    const Parameter out{ArgumentKind::View, ElementType::F32, 2,
                        Access::ReadWrite};
    const Parameter cache{ArgumentKind::View, ElementType::F32, 4,
                          Access::ReadWrite};
    const Parameter mode{ArgumentKind::Scalar, ElementType::I64, 0,
                         Access::Read};
    using Parameters = std::initializer_list<Parameter>;
    const std::string messages[] = {"the position is inside of the cache"};
    b.addKernel("embed", "gpt2_embed",
                Parameters{ids, ids, matrix, matrix, out});
    b.addKernel("layer_norm", "gpt2_layer_norm",
                Parameters{matrix, vector, vector, out});
    b.addKernel("linear", "gpt2_linear",
                Parameters{matrix, matrix, vector, out, mode});
    b.addKernel("attention", "gpt2_attention",
                Parameters{matrix, ids, cache, cache, out}, messages);
    b.addKernel("head", "gpt2_head", Parameters{matrix, matrix, out});
    if (!architecture.starts_with("sm_")) {
      b.setTarget(architecture, "", 0);
      b.setHostCode(std::move(code));
      return;
    }
    b.setCudaTarget(architecture);
    DeviceKernel launch;
    launch.threads = 128;
    launch.clusterSize = 1;
    for (uint32_t kernel = Embed; kernel <= Head; ++kernel)
      b.setDeviceImage(kernel, code, launch);
  }

  void addPlan(const char *name, PlanKind kind, int64_t minRows,
               int64_t maxRows) {
    const int64_t width = config.width, heads = config.heads;
    b.beginPlan(name, kind, minRows, maxRows,
                kind == PlanKind::Decode ? maxRows : 1);
    arenaBytes = 0;
    const Argument ids =
        dense("ids", BufferKind::Input, {Extent::rows()}, ElementType::I32);
    const Argument pos = dense("pos", BufferKind::Input, {Extent::sequences()},
                               ElementType::I32);
    const Argument wte = weight("wte", {{config.vocabulary}, {width}});
    const auto arena = [&](const char *name, int64_t columns) {
      const Argument view =
          dense(name, BufferKind::Arena, {Extent::rows(), {columns}},
                ElementType::F32, arenaBytes);
      arenaBytes += uint64_t(maxRows * columns * 4 + 63) / 64 * 64;
      return view;
    };
    const Argument x = arena("x", width), normed = arena("normed", width),
                   qkv = arena("qkv", 3 * width), mixed = arena("mixed", width),
                   hidden = arena("hidden", config.innerWidth);

    launch(Embed, "embed",
           {ids, pos, wte, weight("wpe", {{config.context}, {width}}), x},
           rowsOf(4));
    for (int64_t l = 0; l < config.layers; ++l) {
      const std::string h = "h." + std::to_string(l);
      const auto cache = [&](const char *what) {
        return dense(
            h + what, BufferKind::State,
            {Extent::sequences(), {heads}, {config.context}, {width / heads}});
      };
      layerNorm(h + ".ln_1", x, normed);
      linear(h + ".attn.c_attn", normed, qkv, 3 * width, width, 0);
      const Expression blocks[] = {Expression::dim(2, 0), Expression::dim(2, 1),
                                   Expression::apply(ExpressionOp::Mul)};
      launch(Attention, h + ".attn",
             {qkv, pos, cache(".k"), cache(".v"), mixed},
             b.addExpression(blocks));
      linear(h + ".attn.c_proj", mixed, x, width, width, 2);
      layerNorm(h + ".ln_2", x, normed);
      linear(h + ".mlp.c_fc", normed, hidden, config.innerWidth, width, 1);
      linear(h + ".mlp.c_proj", hidden, x, width, config.innerWidth, 2);
    }
    layerNorm("ln_f", x, normed);
    const Extent rows =
        kind == PlanKind::Score ? Extent::rows() : Extent::sequences();
    launch(Head, "head",
           {normed, wte,
            dense("logits", BufferKind::Output, {rows, {config.vocabulary}})},
           rowsOf(2));
    b.endPlan(arenaBytes);
  }

  Bundle finish() { return Bundle::fromBytes(b.finish().value()).value(); }

private:
  /// A new buffer and a view of all of it. Only the first size may be dynamic.
  Argument dense(const std::string &name, BufferKind kind, Shape shape,
                 ElementType type = ElementType::F32,
                 uint64_t arenaOffset = 0) {
    std::vector<Extent> strides(shape.size(), Extent{1});
    for (size_t i = shape.size(); i-- > 1;)
      strides[i - 1].constant =
          strides[i].constant * (shape.begin() + i)->constant;
    return Builder::view(b.addBuffer(name, kind, type, shape, arenaOffset),
                         type, {}, shape, strides);
  }

  Argument weight(const std::string &name, Shape shape) {
    return dense(name + ".weight", BufferKind::Weight, shape);
  }
  Argument bias(const std::string &name, int64_t size) {
    return dense(name + ".bias", BufferKind::Weight, {{size}});
  }

  Range rowsOf(uint16_t argument) {
    const Expression size[] = {Expression::dim(argument, 0)};
    return b.addExpression(size);
  }

  void launch(uint32_t kernel, const std::string &label,
              std::initializer_list<Argument> arguments, Range blocks) {
    const Expression one[] = {Expression::constant(1)};
    b.addLaunch(kernel, label, arguments,
                {blocks, b.addExpression(one), b.addExpression(one)});
  }

  void layerNorm(const std::string &name, const Argument &x,
                 const Argument &y) {
    launch(LayerNorm, name,
           {x, weight(name, {{config.width}}), bias(name, config.width), y},
           rowsOf(3));
  }

  void linear(const std::string &name, const Argument &x, const Argument &y,
              int64_t out, int64_t in, uint64_t mode) {
    launch(Linear, name,
           {x, weight(name, {{out}, {in}}), bias(name, out), y,
            Builder::scalar(ElementType::I64, mode)},
           rowsOf(3));
  }

  const test::Gpt2Sizes config;
  Builder b;
  uint64_t arenaBytes = 0;
};

} // namespace

test::Gpt2Sizes::Gpt2Sizes(const runtime::ModelConfig &config) {
  const auto size = [&](std::string_view name, int64_t otherwise = 0) {
    const auto *value = find(config.settings, name);
    return value ? std::get<int64_t>(value->elements.front()) : otherwise;
  };
  layers = size("layers");
  heads = size("heads");
  width = size("width");
  innerWidth = size("inner", 4 * width);
  context = size("context");
  vocabulary = size("vocab");
  const auto *eps = find(config.settings, "eps");
  epsilon = eps ? std::get<double>(eps->elements.front()) : 1e-5;
}

Bundle test::gpt2Bundle(const Gpt2Sizes &config,
                        std::string_view architecture) {
  Gpt2 model(config, architecture);
  model.addPlan("decode_1", PlanKind::Decode, 1, 1);
  model.addPlan("decode_2_4", PlanKind::Decode, 2, 4);
  model.addPlan("prefill_2_100", PlanKind::Prefill, 2, 100);
  model.addPlan("score_1_100", PlanKind::Score, 1, 100);
  return model.finish();
}
