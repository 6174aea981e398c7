// Runs the phases on a model, collects its plans and kernels into a bundle.
#include "TileGPT/Compiler/CompileModel.h"
#include "DeviceCode.h"
#include "Diagnostics.h"
#include "HostCode.h"
#include "LinkedModel.h"
#include "TablesAsJson.h"
#include "TileGPT/Bundle/Builder.h"
#include "TileGPT/Compiler/Source.h"
#include "TileGPT/Dialect/Gpt/IR/Settings.h"
#include "TileGPT/Dialect/Gpt/Transforms/Passes.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Pipelines/Phases.h"
#include "TileGPT/Pipelines/Registration.h"
#include "TileGPT/Target/Bundle/BundlePlans.h"
#include "TunableLaunches.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/ThreadPool.h"
#include <mutex>
#include <variant>

using namespace mlir;
using tilegpt::runtime::Error;
using tilegpt::runtime::ErrorCode;
using tilegpt::runtime::Result;

namespace tilegpt::compiler {

/// What a bundle's code is for.
using CodeTarget = std::variant<target::HostTarget, DeviceTarget>;

namespace {
/// A plan to compile: a kind of step and the numbers of rows it is for.
struct PlanRange {
  bundle::PlanKind kind;
  llvm::StringRef name;
  int64_t first, last;
};
} // namespace

/// Adds a plan for each of the ranges of rows that end at `ends`.
static void addPlans(std::vector<PlanRange> &plans, bundle::PlanKind kind,
                     llvm::StringRef name, llvm::ArrayRef<int64_t> ends) {
  int64_t first = 1;
  for (int64_t last : ends)
    if (last >= first) {
      plans.push_back({kind, name, first, last});
      first = last + 1;
    }
}

/// Row ranges in which different kernels or tile sizes pay: few rows are bound
/// by reading the weights, whatever their number up to 16; tiles of 128 rows
/// waste half their work on 64; and how many blocks fill a device depends on
/// the rows until they are thousands. On a GPU, tiles that fill it with twice
/// the rows may leave half of it idle, so each range ends where rows have
/// doubled. Tokens are chosen on a GPU where the model runs on one.
static std::vector<PlanRange> choosePlans(int64_t stepRows, int64_t sequences,
                                          bool onGpu) {
  using bundle::PlanKind;
  std::vector<PlanRange> plans;
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
  addPlans(plans, PlanKind::Decode, "decode", upTo(sequences, {1, 4, 16}));
  if (onGpu)
    addPlans(plans, PlanKind::Sample, "sample", upTo(sequences, {1, 4, 16}));
  addPlans(plans, PlanKind::Prefill, "prefill", upTo(stepRows, steps));
  addPlans(plans, PlanKind::Score, "score", upTo(stepRows, steps));
  return plans;
}

/// Whether a run of these steps, none of more than `stepRows` rows, gets to a
/// plan. A text takes steps as long as there are and one for the rest.
static bool isNeeded(const PlanRange &plan, const NeededSteps &steps,
                     int64_t stepRows) {
  auto covers = [&](int64_t rows) {
    return plan.first <= rows && rows <= plan.last;
  };
  if (plan.kind != steps.kind)
    return false;
  if (steps.sequences > 1 || steps.rows <= stepRows)
    return covers(steps.rows);
  return covers(stepRows) || covers(steps.rows % stepRows);
}

/// The steps a run needs whatever it is, and those it asks for, where texts
/// longer than the cache are cut into pieces that fit.
static std::vector<NeededSteps> stepsThatFit(llvm::ArrayRef<NeededSteps> asked,
                                             int64_t capacity) {
  std::vector<NeededSteps> steps = {NeededSteps()};
  for (NeededSteps text : asked) {
    if (text.sequences == 1 && text.rows > capacity) {
      steps.push_back({text.kind, capacity});
      text.rows %= capacity;
    }
    steps.push_back(text);
  }
  return steps;
}

/// As `--gpt-make-plans` spells them.
static std::string nameOf(const PlanRange &plan) {
  return llvm::formatv("{0}:{1}-{2}", plan.name, plan.first, plan.last).str();
}

namespace {

/// One compilation, from source to image.
class Compilation {
public:
  Compilation(const CompileOptions &options, const CodeTarget &target)
      : options(options), target(target),
        threads(llvm::hardware_concurrency(
            std::min(options.threads,
                     llvm::hardware_concurrency().compute_thread_count()))),
        context(registry(), MLIRContext::Threading::DISABLED),
        diagnostics(context) {
    context.setThreadPool(threads);
    if (options.remark)
      hearRemarks();
    if (auto folder = target::CodeCache::folderOf(options.cacheFolder))
      cache.emplace(std::move(*folder), options.cacheBytes.value_or(
                                            target::CodeCache::defaultLimit));
  }

  Result<std::vector<std::byte>> run(const ModelSource &source);

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
  void hearRemarks();
  void showKernels(ModuleOp module) const;
  runtime::TuningDevice device() const;
  LogicalResult lower(ModuleOp module, const PhaseOptions &phases);
  PhaseOptions phaseOptions(gpt::ModelOp model) const;
  LogicalResult addPlansTo(target::BundlePlans &plans,
                           gpt::ModelOp model) const;
  Result<void> addHostCode(bundle::Builder &builder, ModuleOp module);
  Result<void> addCode(bundle::Builder &builder, ModuleOp module,
                       const std::map<std::string, uint32_t> &kernels);
  LogicalResult dump(ModuleOp module, Phase phase) const {
    return options.dumpPhasesTo.empty()
               ? success()
               : dumpPhase(module, phase, options.dumpPhasesTo);
  }
  void describe(bundle::Builder &builder, gpt::ModelOp model,
                llvm::StringRef tables) const;

  const CompileOptions &options;
  const CodeTarget &target;
  llvm::DefaultThreadPool threads;
  MLIRContext context;
  std::optional<target::CodeCache> cache;
  FirstError diagnostics;
  std::mutex remarkMutex;
  std::optional<ScopedDiagnosticHandler> remarkHandler;
};

} // namespace

/// What records of tuning must be for.
runtime::TuningDevice Compilation::device() const {
  if (const auto *host = std::get_if<target::HostTarget>(&target))
    return {target::HostTarget::architecture.str(), host->cpu().str(),
            options.lanes};
  return {std::get<DeviceTarget>(target).gpu.name.str(), options.gpuName,
          options.gpu->multiprocessors};
}

/// From the text to kernels whose sizes are bound.
LogicalResult Compilation::lower(ModuleOp module, const PhaseOptions &phases) {
  // Warnings are those of records.
  ScopedDiagnosticHandler warnings(&context, [this](Diagnostic &diagnostic) {
    if (!options.warn ||
        diagnostic.getSeverity() != DiagnosticSeverity::Warning)
      return mlir::failure();
    options.warn(diagnostic.str());
    return mlir::success();
  });
  return runPhases(module, Phase::Graph, Phase::Specialized, phases,
                   [&](Phase phase) {
                     if (phase == Phase::Launches && options.tunable)
                       options.tunable(device(), findTunableLaunches(module));
                     return dump(module, phase);
                   });
}

/// Hands remarks on: "@linear_0: main-loop missed: …" is one of a kernel.
void Compilation::hearRemarks() {
  tilegpu::reportRemarks(context);
  remarkHandler.emplace(&context, [this](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Remark)
      return mlir::failure();
    const std::string text = diagnostic.str();
    const auto [name, rest] = llvm::StringRef(text).split(": ");
    const bool isOfKernel = name.starts_with("@") && !name.contains(' ');
    std::lock_guard lock(remarkMutex);
    options.remark(isOfKernel ? name.drop_front() : "",
                   isOfKernel ? rest : llvm::StringRef(text));
    return mlir::success();
  });
}

void Compilation::showKernels(ModuleOp module) const {
  if (!options.specialized)
    return;
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.walk<WalkOrder::PreOrder>([&](tile::KernelOp kernel) {
    kernel.print(stream, OpPrintingFlags().useLocalScope());
    stream << '\n';
    return WalkResult::skip();
  });
  options.specialized(text);
}

PhaseOptions Compilation::phaseOptions(gpt::ModelOp model) const {
  int64_t capacity = options.capacity ? options.capacity : model.getContext();
  PhaseOptions phases;
  // A host has its logits at hand; a device should not have to send them.
  const int64_t stepRows =
      std::min(options.stepRows, capacity * options.promptSequences);
  const std::vector<NeededSteps> needed = stepsThatFit(
      options.needed.value_or(std::vector<NeededSteps>()), capacity);
  for (const PlanRange &plan : choosePlans(stepRows, options.sequences,
                                           /*onGpu=*/options.gpu.has_value()))
    if (!options.needed || llvm::any_of(needed, [&](const NeededSteps &steps) {
          return isNeeded(plan, steps, stepRows);
        }))
      phases.plans.push_back(nameOf(plan));
  phases.weights = std::string(bundle::name(options.weightType));
  phases.logits = std::string(bundle::name(options.logitType));
  phases.capacity = capacity;
  phases.tf32 = options.tf32;
  phases.kernels = options.kernels;
  phases.records = options.records;
  phases.recordDevice = device().describe();
  phases.sequences = options.promptSequences;
  phases.ranks = options.ranks;
  phases.explainFusion = options.remark != nullptr;
  if (const auto *host = std::get_if<target::HostTarget>(&target)) {
    phases.vectorBits = host->vectorBits();
    phases.vectorRegisters = host->vectorRegisters();
    phases.rowStreams = host->rowStreams();
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

void Compilation::describe(bundle::Builder &builder, gpt::ModelOp model,
                           llvm::StringRef tables) const {
  bundle::ModelInfo info;
  info.layers = model.getLayers();
  info.heads = model.getHeads();
  info.width = model.getWidth();
  info.context = model.getContext();
  info.capacity = options.capacity ? options.capacity : info.context;
  info.vocabulary = model.getVocab();
  info.epsilon = model.getEps().convertToDouble();
  info.weightType = options.weightType;
  info.ranks = uint32_t(options.ranks);
  builder.setModel(model.getSymName().str(), info, tables.str());
  if (const auto *host = std::get_if<target::HostTarget>(&target))
    builder.setTarget(target::HostTarget::architecture.str(), host->cpu().str(),
                      host->features());
  else
    builder.setCudaTarget(std::get<DeviceTarget>(target).gpu.name.str());
}

Result<void> Compilation::addHostCode(bundle::Builder &builder,
                                      ModuleOp module) {
  HostCodeOptions host{
      std::get<target::HostTarget>(target), cache ? &*cache : nullptr, {}};
  if (!options.dumpPhasesTo.empty())
    host.afterPhase = [&](ModuleOp kernels, Phase phase) {
      return dump(kernels, phase);
    };
  FailureOr<target::HostImage> image = compileHostCode(module, host);
  if (failed(image))
    return tl::unexpected(failure());
  builder.setHostCode(std::move(*image));
  return {};
}

/// Compiles the kernels of a bundle, by name.
Result<void>
Compilation::addCode(bundle::Builder &builder, ModuleOp module,
                     const std::map<std::string, uint32_t> &kernels) {
  report("compiling the kernels");
  if (!options.gpu) {
    if (Result<void> added = addHostCode(builder, module); !added)
      return added;
  } else {
    DeviceCodeOptions device{
        std::get<DeviceTarget>(target), cache ? &*cache : nullptr,
        threads.getMaxConcurrency(), options.warn,
        [&](ModuleOp kernels, Phase phase) { return dump(kernels, phase); }};
    if (failed(addDeviceCode(builder, kernels, module, device)))
      return tl::unexpected(failure());
  }
  if (cache && options.warn && !cache->getWarning().empty())
    options.warn(cache->getWarning());
  return {};
}

/// The globals of a model that are weights.
static std::vector<NeededWeight> weightsOf(gpt::ModelOp model) {
  std::vector<NeededWeight> weights;
  for (auto global : model.getBody().getOps<tile::GlobalOp>()) {
    auto type = cast<RankedTensorType>(global.getType());
    auto element = target::elementTypeOf(type.getElementType());
    if (global.getKind() == tile::GlobalKind::Weight && element)
      weights.push_back(
          {global.getSymName().str(), *element, type.getShape().vec()});
  }
  return weights;
}

Result<std::vector<std::byte>> Compilation::run(const ModelSource &source) {
  OwningOpRef<ModuleOp> module = parseSource(
      *llvm::MemoryBuffer::getMemBuffer(source.text, source.name), context);
  if (!module)
    return tl::unexpected(failure(ErrorCode::BadInput));
  FailureOr<gpt::ModelOp> model = linkedModel(*module);
  if (failed(model) || failed(gpt::setSettings(*model, options.settings)) ||
      failed(model->verify()))
    return tl::unexpected(failure(ErrorCode::BadInput));
  FailureOr<std::string> tables = tablesAsJson(*model);
  if (failed(tables))
    return tl::unexpected(failure(ErrorCode::BadInput));

  PhaseOptions phases = phaseOptions(*model);
  report("lowering the model");
  if (failed(lower(*module, phases)))
    return tl::unexpected(failure());
  showKernels(*module);

  bundle::Builder builder;
  target::BundlePlans plans(builder, options.gpu ? bundle::TargetKind::Cuda
                                                 : bundle::TargetKind::Host);
  model = linkedModel(*module);
  if (failed(model) || failed(addPlansTo(plans, *model)))
    return tl::unexpected(failure());
  if (options.checkWeights)
    if (Result<void> checked = options.checkWeights(weightsOf(*model));
        !checked)
      return tl::unexpected(checked.error());
  describe(builder, *model, *tables);

  if (Result<void> added = addCode(builder, *module, plans.getKernels());
      !added)
    return tl::unexpected(added.error());
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

Result<std::vector<std::byte>> compileModel(const ModelSource &source,
                                            const CompileOptions &options) {
  Result<CodeTarget> target = findTarget(options);
  if (!target)
    return tl::unexpected(target.error());

  Result<std::vector<std::byte>> image;
  const Result<void> started = runOnLargeStack([&] {
    Compilation compilation(options, *target);
    image = compilation.run(source);
  });
  if (!started)
    return tl::unexpected(started.error());
  return image;
}

Result<std::vector<std::byte>> compileModel(const std::string &path,
                                            const CompileOptions &options) {
  Result<ModelSource> source = readModel(path);
  if (!source)
    return tl::unexpected(source.error());
  return compileModel(*source, options);
}

} // namespace tilegpt::compiler
