// One launch of the library's linear kernel as a plan of a bundle: the passes
// between a launch and machine code, then the executor.
#include "LinearPlan.h"
#include "TileGPT/Bundle/Bundle.h"
#include "TileGPT/Dialect/Tile/Transforms/Passes.h"
#include "TileGPT/Library/Library.h"
#include "TileGPT/Pipelines/Registration.h"
#include "TileGPT/Pipelines/TileToCpu.h"
#include "TileGPT/Runtime/Cpu/Executor.h"
#include "TileGPT/Target/Bundle/BundlePlans.h"
#include "TileGPT/Target/Host/HostImage.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/FormatVariadic.h"
#include <stdexcept>

using namespace mlir;

namespace tilegpt::bench {

static void require(bool condition, const std::string &what) {
  if (!condition)
    throw std::runtime_error(what);
}

template <typename T>
static T valueOf(runtime::Result<T> result) {
  require(result.has_value(), result ? "" : result.error().message);
  return std::move(*result);
}

static std::string moduleText(const LinearShape &shape,
                              const std::string &params) {
  // As the compiler chooses: the second is for few rows.
  constexpr int64_t fewRows = 16;
  const llvm::StringRef name =
      shape.rows > fewRows ? "linear" : "linear_decode";
  const std::string begin = ("tile.kernel @" + name + "(").str();
  const auto file = llvm::find_if(library::kernels(), [&](const auto &file) {
    return llvm::StringRef(file.text).contains(begin);
  });
  require(file != library::kernels().end(),
          "the library has no kernel called " + name.str());
  const std::string x =
      llvm::formatv("tensor<{0}x{1}xf32>", shape.rows, shape.inputs);
  const std::string w =
      llvm::formatv("tensor<{0}x{1}xf32>", shape.outputs, shape.inputs);
  const std::string b = llvm::formatv("tensor<{0}xf32>", shape.outputs);
  const std::string y =
      llvm::formatv("tensor<{0}x{1}xf32>", shape.rows, shape.outputs);
  return std::string(file->text) +
         llvm::formatv(R"(
tile.global @x weight : {0}
tile.global @w weight : {1}
tile.global @b weight : {2}
func.func @step(%ids: tensor<?xi32>, %pos: tensor<?xi32>) -> {3} {{
  %x = tile.get_global @x : {0}
  %w = tile.get_global @w : {1}
  %b = tile.get_global @b : {2}
  %e = tensor.empty() : {3}
  %y = tile.launch @{4} ins(%x, %w, %b) outs(%e) {5} : ({0}, {1}, {2}, {3}) -> {3}
  return %y : {3}
}
)",
                       x, w, b, y, name,
                       params.empty() ? "" : "params {" + params + "}")
             .str();
}

static bundle::Bundle compile(const LinearShape &shape, unsigned threads,
                              const std::string &params) {
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry);
  auto module = parseSourceString<ModuleOp>(moduleText(shape, params), &context,
                                            "linear");
  require(bool(module), "linear: the launch does not parse");
  auto target = llvm::cantFail(target::HostTarget::create());

  PassManager specialize(&context);
  specialize.addPass(tile::createBalanceProductsPass(
      {target.vectorBits(), target.vectorRegisters(), target.l2Bytes(),
       threads}));
  specialize.addPass(tile::createChooseParametersPass());
  specialize.addPass(tile::createSpecializePass());
  specialize.addPass(createCanonicalizerPass());
  require(succeeded(specialize.run(*module)), "linear: cannot be specialized");

  bundle::Builder builder;
  target::BundlePlans plans(builder, bundle::TargetKind::Host);
  const target::PlanSpec spec{"linear", bundle::PlanKind::Score, 1, 1, 1};
  require(
      succeeded(plans.addPlan(*module->getOps<func::FuncOp>().begin(), spec)),
      "linear: the launch is no plan");

  PassManager lower(&context);
  lower.addPass(tile::createIsolateKernelsPass());
  cpu::CpuPipelineOptions host;
  host.vectorBits = target.vectorBits();
  host.vectorRegisters = target.vectorRegisters();
  host.rowStreams = target.rowStreams();
  cpu::populateTileToCpuPipeline(lower, host);
  require(succeeded(lower.run(*module)), "linear: cannot be lowered");
  auto image = target::compileImage(*module, target);
  require(bool(image), "linear: cannot be compiled");

  // A bundle is of a model; this one has the sizes of none.
  bundle::ModelInfo info;
  info.layers = info.heads = info.width = info.vocabulary = 1;
  info.context = info.capacity = 1;
  info.epsilon = 1e-5;
  builder.setModel("linear", info);
  builder.setTarget(target::HostTarget::architecture.str(), target.cpu().str(),
                    target.features());
  builder.setHostCode(std::move(*image));
  return valueOf(bundle::Bundle::fromBytes(valueOf(builder.finish())));
}

struct LinearPlan::State {
  State(const LinearData &data, unsigned threads, const std::string &params)
      : bundle(compile(data.shape, threads, params)), pool(threads),
        executor(valueOf(cpu::Executor::create(bundle, pool))),
        addresses(bundle.buffers().size()) {
    for (size_t i = 0; i < addresses.size(); ++i) {
      const bundle::Buffer &buffer = bundle.buffers()[i];
      const std::string_view name = bundle.string(buffer.name);
      const std::vector<float> *memory = name == "x"   ? &data.x
                                         : name == "w" ? &data.w
                                         : name == "b" ? &data.b
                                                       : nullptr;
      if (memory)
        addresses[i] =
            reinterpret_cast<std::byte *>(const_cast<float *>(memory->data()));
      else if (buffer.kind == bundle::BufferKind::Output)
        output = i;
      else
        addresses[i] = reinterpret_cast<std::byte *>(&unread);
    }
  }

  bundle::Bundle bundle;
  cpu::ThreadPool pool;
  cpu::Executor executor;
  std::vector<std::byte *> addresses;
  size_t output = 0;
  /// Stands for ids and positions, which no launch reads.
  alignas(bundle::bufferAlignment) int32_t unread = 0;
};

LinearPlan::LinearPlan(const LinearData &data, unsigned threads,
                       const std::string &params)
    : state(std::make_unique<State>(data, threads, params)) {}
LinearPlan::~LinearPlan() = default;

void LinearPlan::run(float *y) {
  state->addresses[state->output] = reinterpret_cast<std::byte *>(y);
  const auto done =
      state->executor.run(state->bundle.plans()[0], 1, 1, state->addresses);
  require(done.has_value(), done ? "" : done.error().message);
}

} // namespace tilegpt::bench
