// Runs the phases on a model, collects its plans and kernels into a bundle.
#include "TileGPT/Compiler/CompileModel.h"
#include "DeviceCode.h"
#include "Diagnostics.h"
#include "TileGPT/Bundle/Builder.h"
#include "TileGPT/Compiler/Source.h"
#include "TileGPT/Dialect/Gpt/Transforms/Passes.h"
#include "TileGPT/Pipelines/Phases.h"
#include "TileGPT/Pipelines/Registration.h"
#include "TileGPT/Target/Bundle/BundlePlans.h"
#include "TileGPT/Target/Host/HostImage.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <thread>
#include <variant>

using namespace mlir;
using tilegpt::runtime::Error;
using tilegpt::runtime::ErrorCode;
using tilegpt::runtime::Result;

namespace tilegpt::compiler {

/// What a bundle's code is for.
using CodeTarget = std::variant<target::HostTarget, DeviceTarget>;

/// The options of `--gpt-configure`.
static std::string configureOptions(const ModelSizes &sizes) {
  return llvm::formatv("layers={0} heads={1} width={2} inner={3} context={4} "
                       "vocab={5} eps={6} tied={7} activation={8}",
                       sizes.layers, sizes.heads, sizes.width, sizes.inner,
                       sizes.context, sizes.vocabulary,
                       llvm::formatv("{0:E9}", sizes.epsilon).str(),
                       sizes.tiedHead ? "true" : "false",
                       sizes.exactGelu ? "gelu_erf" : "gelu_tanh");
}

/// Adds a plan for each of the ranges of rows that end at `ends`.
static void addPlans(std::vector<std::string> &plans, llvm::StringRef kind,
                     llvm::ArrayRef<int64_t> ends) {
  int64_t first = 1;
  for (int64_t last : ends)
    if (last >= first) {
      plans.push_back(llvm::formatv("{0}:{1}-{2}", kind, first, last).str());
      first = last + 1;
    }
}

/// Row ranges in which different kernels or tile sizes pay: few rows are bound
/// by reading the weights, whatever their number up to 16; tiles of 128 rows
/// waste half their work on 64; and how many blocks fill a device depends on
/// the rows until they are thousands. On a GPU, tiles that fill it with twice
/// the rows may leave half of it idle, so each range ends where rows have
/// doubled. Tokens are chosen on a GPU where the model runs on one.
static std::vector<std::string> choosePlans(int64_t stepRows, int64_t sequences,
                                            bool onGpu) {
  std::vector<std::string> plans;
  auto upTo = [](int64_t rows, llvm::ArrayRef<int64_t> steps) {
    llvm::SmallVector<int64_t> ends;
    for (int64_t step : steps)
      if (step < rows)
        ends.push_back(step);
    ends.push_back(rows);
    return ends;
  };
  llvm::SmallVector<int64_t> steps = {1, 16, 64, 1024, 4096};
  if (onGpu)
    steps = {1, 16, 64, 128, 256, 512, 1024, 2048, 4096};
  addPlans(plans, "decode", upTo(sequences, {1, 4, 16}));
  if (onGpu)
    addPlans(plans, "sample", upTo(sequences, {1, 4, 16}));
  addPlans(plans, "prefill", upTo(stepRows, steps));
  addPlans(plans, "score", upTo(stepRows, steps));
  return plans;
}

namespace {

/// One compilation, from source to image.
class Compilation {
public:
  Compilation(const CompileOptions &options, const CodeTarget &target)
      : options(options), target(target), context(registry()),
        diagnostics(context) {}

  Result<std::vector<std::byte>> run(const llvm::MemoryBuffer &source);

private:
  static DialectRegistry registry() {
    DialectRegistry registry;
    registerDialects(registry);
    return registry;
  }

  void report(std::string_view what) const {
    if (options.progress)
      options.progress(what);
  }
  Error failure(ErrorCode code = ErrorCode::Failure) const {
    return {code, diagnostics.firstError()};
  }
  FailureOr<gpt::ModelOp> findModel(ModuleOp module) const;
  PhaseOptions phaseOptions(gpt::ModelOp model) const;
  LogicalResult addPlansTo(target::BundlePlans &plans,
                           gpt::ModelOp model) const;
  Result<void> addHostCode(bundle::Builder &builder, ModuleOp module,
                           const PhaseOptions &phases) const;
  LogicalResult dump(ModuleOp module, Phase phase) const {
    return options.dumpPhasesTo.empty()
               ? success()
               : dumpPhase(module, phase, options.dumpPhasesTo);
  }
  void describe(bundle::Builder &builder, gpt::ModelOp model) const;
  unsigned threads() const {
    return options.threads ? options.threads
                           : std::max(1u, std::thread::hardware_concurrency());
  }

  const CompileOptions &options;
  const CodeTarget &target;
  MLIRContext context;
  FirstError diagnostics;
};

} // namespace

FailureOr<gpt::ModelOp> Compilation::findModel(ModuleOp module) const {
  auto models = llvm::to_vector(module.getOps<gpt::ModelOp>());
  if (models.size() != 1)
    return module.emitError("expected one gpt.model in the file, found ")
           << models.size();
  return models.front();
}

PhaseOptions Compilation::phaseOptions(gpt::ModelOp model) const {
  int64_t context = options.sizes ? options.sizes->context : model.getContext();
  int64_t capacity = options.capacity ? options.capacity : context;
  PhaseOptions phases;
  if (options.sizes)
    phases.configure = configureOptions(*options.sizes);
  // A host has its logits at hand; a device should not have to send them.
  phases.plans = choosePlans(
      std::min(options.stepRows, capacity * options.promptSequences),
      options.sequences, /*onGpu=*/options.gpu.has_value());
  phases.weights = std::string(bundle::name(options.weightType));
  phases.logits = std::string(bundle::name(options.logitType));
  phases.capacity = capacity;
  phases.tf32 = options.tf32;
  phases.kernels = options.kernels;
  phases.sequences = options.promptSequences;
  if (const auto *host = std::get_if<target::HostTarget>(&target)) {
    phases.vectorBits = host->vectorBits();
    phases.vectorRegisters = host->vectorBits() == 512 ? 32 : 16;
  } else {
    phases.compileForGpu(std::get<DeviceTarget>(target).gpu.name.str());
    phases.multiprocessors = options.gpu->multiprocessors;
  }
  return phases;
}

LogicalResult Compilation::addPlansTo(target::BundlePlans &plans,
                                      gpt::ModelOp model) const {
  for (auto function : model.getOps<func::FuncOp>()) {
    auto kind = function->getAttrOfType<StringAttr>(gpt::planKindAttr);
    if (!kind)
      continue;
    auto rows = function->getAttrOfType<DenseI64ArrayAttr>(tile::rowsAttr);
    auto sequences =
        function->getAttrOfType<DenseI64ArrayAttr>(gpt::sequencesAttr);
    target::PlanSpec spec;
    spec.name = function.getSymName();
    spec.kind = kind == "decode"    ? bundle::PlanKind::Decode
                : kind == "sample"  ? bundle::PlanKind::Sample
                : kind == "prefill" ? bundle::PlanKind::Prefill
                                    : bundle::PlanKind::Score;
    spec.minRows = rows[0];
    spec.maxRows = rows[1];
    spec.maxSequences = sequences[1];
    if (failed(plans.addPlan(function, spec)))
      return mlir::failure();
  }
  return success();
}

void Compilation::describe(bundle::Builder &builder, gpt::ModelOp model) const {
  bundle::ModelInfo info;
  info.layers = model.getLayers();
  info.heads = model.getHeads();
  info.width = model.getWidth();
  info.context = model.getContext();
  info.capacity = options.capacity ? options.capacity : info.context;
  info.vocabulary = model.getVocab();
  info.epsilon = model.getEps().convertToDouble();
  info.weightType = options.weightType;
  builder.setModel(model.getSymName().str(), info);
  if (const auto *host = std::get_if<target::HostTarget>(&target))
    builder.setTarget(target::HostTarget::architecture.str(), host->cpu().str(),
                      host->features());
  else
    builder.setCudaTarget(std::get<DeviceTarget>(target).gpu.name.str());
}

Result<void> Compilation::addHostCode(bundle::Builder &builder, ModuleOp module,
                                      const PhaseOptions &phases) const {
  report("lowering the kernels");
  if (failed(runPhases(module, Phase::Linalg, Phase::LLVM, phases,
                       [&](Phase phase) { return dump(module, phase); })))
    return tl::unexpected(failure());
  report("generating code");
  llvm::Expected<target::HostImage> image = target::compileImage(
      module, std::get<target::HostTarget>(target), threads());
  if (!image)
    return tl::unexpected(
        Error{ErrorCode::Failure, llvm::toString(image.takeError())});
  builder.setHostCode(std::move(*image));
  return {};
}

Result<std::vector<std::byte>>
Compilation::run(const llvm::MemoryBuffer &source) {
  OwningOpRef<ModuleOp> module = parseSource(source, context);
  if (!module)
    return tl::unexpected(failure(ErrorCode::BadInput));
  FailureOr<gpt::ModelOp> model = findModel(*module);
  if (failed(model))
    return tl::unexpected(failure(ErrorCode::BadInput));

  PhaseOptions phases = phaseOptions(*model);
  report("lowering the model");
  if (failed(runPhases(*module, Phase::Graph, Phase::Specialized, phases,
                       [&](Phase phase) { return dump(*module, phase); })))
    return tl::unexpected(failure());

  bundle::Builder builder;
  target::BundlePlans plans(builder, options.gpu ? bundle::TargetKind::Cuda
                                                 : bundle::TargetKind::Host);
  model = findModel(*module);
  if (failed(model) || failed(addPlansTo(plans, *model)))
    return tl::unexpected(failure());
  describe(builder, *model);

  if (!options.gpu) {
    if (Result<void> added = addHostCode(builder, *module, phases); !added)
      return tl::unexpected(added.error());
    return builder.finish();
  }
  report("compiling the kernels");
  DeviceCodeOptions device{
      std::get<DeviceTarget>(target), threads(), options.warn,
      [&](ModuleOp kernels, Phase phase) { return dump(kernels, phase); }};
  if (failed(addDeviceCode(builder, plans.getKernels(), *module, device)))
    return tl::unexpected(failure());
  return builder.finish();
}

/// The processor or GPU the options name.
static Result<CodeTarget> findTarget(const CompileOptions &options) {
  if (options.gpu) {
    Result<DeviceTarget> device = findDeviceTarget(options.gpu->architecture);
    if (!device)
      return tl::unexpected(device.error());
    return CodeTarget(std::move(*device));
  }
  llvm::Expected<target::HostTarget> host =
      target::HostTarget::create(options.cpu);
  if (!host)
    return tl::unexpected(
        Error{ErrorCode::Usage, llvm::toString(host.takeError())});
  return CodeTarget(std::move(*host));
}

Result<std::vector<std::byte>> compileModel(const std::string &path,
                                            const CompileOptions &options) {
  Result<std::unique_ptr<llvm::MemoryBuffer>> source = readSource(path);
  if (!source)
    return tl::unexpected(source.error());
  Result<CodeTarget> target = findTarget(options);
  if (!target)
    return tl::unexpected(target.error());

  Result<std::vector<std::byte>> image;
  runOnLargeStack([&] {
    Compilation compilation(options, *target);
    image = compilation.run(**source);
  });
  return image;
}

} // namespace tilegpt::compiler
