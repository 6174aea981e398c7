// Runs the phases on a model, collects its plans and kernels into a bundle.
#include "TileGPT/Compiler/CompileModel.h"
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

using namespace mlir;
using tilegpt::runtime::Error;
using tilegpt::runtime::ErrorCode;
using tilegpt::runtime::Result;

namespace tilegpt::compiler {

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
/// by reading the weights, whatever their number up to 16, and tiles of 128
/// rows waste half their work on 64.
static std::vector<std::string> choosePlans(int64_t stepRows,
                                            int64_t sequences) {
  std::vector<std::string> plans;
  auto upTo = [](int64_t rows, std::initializer_list<int64_t> steps) {
    llvm::SmallVector<int64_t> ends;
    for (int64_t step : steps)
      if (step < rows)
        ends.push_back(step);
    ends.push_back(rows);
    return ends;
  };
  addPlans(plans, "decode", upTo(sequences, {1, 4, 16}));
  addPlans(plans, "prefill", upTo(stepRows, {1, 16, 64}));
  addPlans(plans, "score", upTo(stepRows, {1, 16, 64}));
  return plans;
}

namespace {

/// One compilation, from source to image.
class Compilation {
public:
  Compilation(const CompileOptions &options, target::HostTarget target)
      : options(options), target(std::move(target)), context(registry()),
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
  LogicalResult addPlansTo(bundle::Builder &builder, gpt::ModelOp model) const;
  void describe(bundle::Builder &builder, gpt::ModelOp model) const;
  unsigned threads() const {
    return options.threads ? options.threads
                           : std::max(1u, std::thread::hardware_concurrency());
  }

  const CompileOptions &options;
  target::HostTarget target;
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
  phases.plans =
      choosePlans(std::min(options.stepRows, capacity), options.sequences);
  phases.weights = std::string(bundle::name(options.weightType));
  phases.capacity = capacity;
  phases.kernels = options.kernels;
  phases.vectorBits = target.vectorBits();
  phases.vectorRegisters = target.vectorBits() == 512 ? 32 : 16;
  return phases;
}

LogicalResult Compilation::addPlansTo(bundle::Builder &builder,
                                      gpt::ModelOp model) const {
  target::BundlePlans plans(builder);
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
  builder.setTarget(target::HostTarget::architecture.str(), target.cpu().str(),
                    target.features());
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
  auto dump = [&](Phase phase) {
    return options.dumpPhasesTo.empty()
               ? success()
               : dumpPhase(*module, phase, options.dumpPhasesTo);
  };
  report("lowering the model");
  if (failed(
          runPhases(*module, Phase::Graph, Phase::Specialized, phases, dump)))
    return tl::unexpected(failure());

  bundle::Builder builder;
  model = findModel(*module);
  if (failed(model) || failed(addPlansTo(builder, *model)))
    return tl::unexpected(failure());
  describe(builder, *model);

  report("lowering the kernels");
  if (failed(runPhases(*module, Phase::Linalg, Phase::LLVM, phases, dump)))
    return tl::unexpected(failure());
  report("generating code");
  llvm::Expected<target::HostImage> image =
      target::compileImage(*module, target, threads());
  if (!image)
    return tl::unexpected(
        Error{ErrorCode::Failure, llvm::toString(image.takeError())});
  builder.setHostCode(std::move(*image));
  return builder.finish();
}

Result<std::vector<std::byte>> compileModel(const std::string &path,
                                            const CompileOptions &options) {
  Result<std::unique_ptr<llvm::MemoryBuffer>> source = readSource(path);
  if (!source)
    return tl::unexpected(source.error());
  llvm::Expected<target::HostTarget> target =
      target::HostTarget::create(options.cpu);
  if (!target)
    return tl::unexpected(
        Error{ErrorCode::Usage, llvm::toString(target.takeError())});

  Result<std::vector<std::byte>> image;
  runOnLargeStack([&] {
    Compilation compilation(options, std::move(*target));
    image = compilation.run(**source);
  });
  return image;
}

} // namespace tilegpt::compiler
