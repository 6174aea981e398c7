// Runs the phases on a model and collects its plans and kernels in a bundle.
#include "TileGPT/Compiler/CompileModel.h"
#include "Diagnostics.h"
#include "HostCode.h"
#include "LinkedModel.h"
#include "Model/CodeTarget.h"
#include "Model/KeptModel.h"
#include "TablesAsJson.h"
#include "TileGPT/Bundle/Builder.h"
#include "TileGPT/Bundle/Bundle.h"
#include "TileGPT/Compiler/Source.h"
#include "TileGPT/Dialect/Gpt/IR/Rotary.h"
#include "TileGPT/Dialect/Gpt/IR/Settings.h"
#include "TileGPT/Dialect/Gpt/Transforms/Passes.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/Tile/Transforms/ShippedRecords.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Pipelines/Phases.h"
#include "TileGPT/Pipelines/Registration.h"
#include "TileGPT/Target/Bundle/BundlePlans.h"
#include "TileGPT/Target/Bundle/ElementTypes.h"
#include "Tuning/RecordedRanges.h"
#include "Tuning/TunableLaunches.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ThreadPool.h"
#include <mutex>

using namespace mlir;
using tilegpt::runtime::Error;
using tilegpt::runtime::ErrorCode;
using tilegpt::runtime::Result;

namespace tilegpt::compiler {

namespace {

/// One compilation, from source to image.
class Compilation {
public:
  /// \param cache of kernels; null compiles all of them.
  Compilation(const CompileOptions &options, const CodeTarget &target,
              target::CodeCache *cache)
      : options(options), target(target),
        threads(llvm::hardware_concurrency(
            std::min(options.threads,
                     llvm::hardware_concurrency().compute_thread_count()))),
        context(registry(), MLIRContext::Threading::DISABLED), cache(cache),
        diagnostics(context) {
    context.setThreadPool(threads);
    if (options.remark)
      hearRemarks();
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
  runtime::TuningDevice device() const { return deviceOf(options, target); }
  LogicalResult lower(ModuleOp module, Phase first, Phase last,
                      const PhaseOptions &phases);
  std::vector<runtime::PlanEnd> findPlanEnds() const;
  PhaseOptions phaseOptions() const;
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
  int64_t capacity = 0; ///< tokens that the cache holds
  PlanOwner planOwner;
  const CodeTarget &target;
  llvm::DefaultThreadPool threads;
  MLIRContext context;
  target::CodeCache *cache;
  FirstError diagnostics;
  std::mutex remarkMutex;
  std::optional<ScopedDiagnosticHandler> remarkHandler;
};

} // namespace

/// Runs the phases before code generation, the last of which binds sizes.
LogicalResult Compilation::lower(ModuleOp module, Phase first, Phase last,
                                 const PhaseOptions &phases) {
  // Warnings are those about records.
  ScopedDiagnosticHandler warnings(&context, [this](Diagnostic &diagnostic) {
    if (!options.warn ||
        diagnostic.getSeverity() != DiagnosticSeverity::Warning)
      return mlir::failure();
    options.warn(diagnostic.str());
    return mlir::success();
  });
  return runPhases(module, first, last, phases, [&](Phase phase) {
    if (phase == Phase::Launches && options.tunable)
      options.tunable({device(), findTunablePlans(module, planOwner),
                       findTunableLaunches(module, phases),
                       takeTunableFusions(module)});
    return dump(module, phase);
  });
}

/// Forwards remarks: "@linear_0: main-loop missed: …" belongs to a kernel.
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

/// Where plans end according to tuning records, about which
/// --tile-apply-records warns.
std::vector<runtime::PlanEnd> Compilation::findPlanEnds() const {
  const std::string name = device().describe();
  std::vector<runtime::PlanEnd> ends = recordedEnds(
      tile::readRecordsFor(options.records, name, [](const auto &) {}),
      planOwner);
  const runtime::TuningRecords *shipped =
      options.shippedRecords ? tile::shippedRecordsFor(name) : nullptr;
  if (shipped)
    llvm::append_range(ends, recordedEnds(*shipped, planOwner));
  return ends;
}

PhaseOptions Compilation::phaseOptions() const {
  PhaseOptions phases;
  phases.plans = plansOf(options, capacity, findPlanEnds());
  phases.weights = std::string(bundle::name(options.weightType));
  phases.logits = std::string(bundle::name(options.logitType));
  phases.capacity = capacity;
  phases.tf32 = options.tf32;
  phases.kernels = options.kernels;
  phases.records = options.records;
  phases.recordDevice = device().describe();
  if (options.shippedRecords)
    phases.shippedRecords = phases.recordDevice;
  phases.sequences = options.promptSequences;
  phases.ranks = options.ranks;
  phases.fusion = options.fusion;
  phases.showsFusions = options.tunable != nullptr;
  phases.explainFusion = options.remark != nullptr;
  if (const auto *host = std::get_if<target::HostTarget>(&target)) {
    compileForHost(phases, *host, options.hostThreads);
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

/// Adds the kernels that no plan launches but collectives may use.
static LogicalResult addPeerKernels(target::BundlePlans &plans,
                                    ModuleOp module) {
  for (auto kernel : module.getOps<tile::KernelOp>()) {
    auto kind = kernel->getAttrOfType<StringAttr>(tile::collectiveAttr);
    if (kind && kind.getValue().starts_with("peer_") &&
        failed(plans.addKernel(kernel)))
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
  info.capacity = capacity;
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
  HostCodeOptions host{std::get<target::HostTarget>(target), cache, {}};
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
        std::get<DeviceTarget>(target), cache, threads.getMaxConcurrency(),
        options.warn,
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

  FailureOr<int64_t> usual = gpt::getUsualCapacity(*model);
  if (failed(usual))
    return tl::unexpected(failure(ErrorCode::BadInput));
  capacity = options.capacity ? options.capacity : *usual;
  planOwner = PlanOwner(*model, options.weightType);

  PhaseOptions phases = phaseOptions();
  report("lowering the model");
  // Violated constraints of ops are errors in the text or its settings, except
  // for the number of ranks.
  if (failed(lower(*module, Phase::Graph, Phase::Graph, phases)))
    return tl::unexpected(
        failure(options.ranks == 1 ? ErrorCode::BadInput : ErrorCode::Failure));
  if (failed(lower(*module, Phase::Launches, Phase::Specialized, phases)))
    return tl::unexpected(failure());
  showKernels(*module);

  bundle::Builder builder;
  target::BundlePlans plans(builder, options.gpu ? bundle::TargetKind::Cuda
                                                 : bundle::TargetKind::Host);
  model = linkedModel(*module);
  if (failed(model) || failed(addPlansTo(plans, *model)) ||
      failed(addPeerKernels(plans, *module)))
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

/// Compiles a model for a resolved target.
static Result<std::vector<std::byte>> compileFor(const CodeTarget &target,
                                                 const ModelSource &source,
                                                 const CompileOptions &options,
                                                 target::CodeCache *cache) {
  Result<std::vector<std::byte>> image;
  const Result<void> started = runOnLargeStack([&] {
    Compilation compilation(options, target, cache);
    image = compilation.run(source);
  });
  if (!started)
    return tl::unexpected(started.error());
  return image;
}

Result<std::vector<std::byte>> compileModel(const ModelSource &source,
                                            const CompileOptions &asked) {
  Result<CodeTarget> target = findTarget(asked);
  if (!target)
    return tl::unexpected(target.error());
  auto folder = target::CodeCache::folderOf(asked.cacheFolder);
  if (!folder)
    return compileFor(*target, source, asked, nullptr);

  target::CodeCache cache(
      std::move(*folder),
      asked.cacheBytes.value_or(target::CodeCache::defaultLimit));
  const auto key = modelKey(source, asked, identify(asked, *target));
  // A cached model produces no remarks or reports.
  if (key && !asked.specialized && !asked.remark && !asked.tunable) {
    auto kept = loadModel(cache, *key, asked);
    if (!kept)
      return tl::unexpected(kept.error());
    if (*kept)
      return std::move(**kept);
  }
  // Warnings must appear on every start.
  bool hasWarned = false;
  CompileOptions options = asked;
  options.warn = [&](std::string_view text) {
    hasWarned = true;
    if (asked.warn)
      asked.warn(text);
  };
  auto image = compileFor(*target, source, options, &cache);
  if (image && key && !hasWarned) {
    cache.store(*key, llvm::sys::path::stem(source.name),
                {reinterpret_cast<const char *>(image->data()), image->size()});
    cache.trim();
  }
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
