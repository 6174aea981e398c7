// Runs the compilation phases up to the requested one.
#include "CompileTo.h"
#include "DeclareKernels.h"
#include "Emit.h"
#include "TileGPT/Compiler/Source.h"
#include "TileGPT/Dialect/Gpt/IR/GptOps.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Pipelines/Phases.h"
#include "TileGPT/Runtime/Tuning/Records.h"
#include "TileGPT/Target/Host/HostTarget.h"
#include "TileGPT/Target/NVVM/GpuModel.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using tilegpt::runtime::Error;
using tilegpt::runtime::ErrorCode;
using tilegpt::runtime::Result;

namespace tilegpt::opt {

void listTargets(llvm::raw_ostream &output) {
  for (const target::GpuTarget &target : target::GpuTarget::all())
    output << target.name << '\n';
}

static tl::unexpected<Error> usage(const Twine &message) {
  return tl::unexpected(Error{ErrorCode::Usage, message.str()});
}

Result<void> checkNoPhases(const Flags &flags) {
  if (const llvm::cl::Option *flag = flags.findForCompiling())
    return usage("--" + flag->ArgStr +
                 " requires a compilation target: --emit=ptx for a GPU, "
                 "--compile-to=llvm for the CPU");
  return {};
}

/// Checks that the input meets the requirements of flags for models or
/// launches.
static Result<void> checkModelFlags(ModuleOp module, const Flags &flags,
                                    StringRef path) {
  auto isGiven = [](const llvm::cl::Option &flag) {
    return flag.getNumOccurrences() != 0;
  };
  auto has = [&](auto op) {
    return module->walk([&](decltype(op)) { return WalkResult::interrupt(); })
        .wasInterrupted();
  };
  if (has(gpt::ModelOp()))
    return {};
  const std::reference_wrapper<const llvm::cl::Option> forModels[] = {
      flags.configure, flags.plans, flags.weights};
  for (const llvm::cl::Option &flag : forModels)
    if (isGiven(flag))
      return usage("--" + flag.ArgStr + " is for models; '" + path +
                   "' has none");
  const std::reference_wrapper<const llvm::cl::Option> forLaunches[] = {
      flags.kernels, flags.tuning};
  for (const llvm::cl::Option &flag : forLaunches)
    if (isGiven(flag) && !has(tile::LaunchOp()))
      return usage("--" + flag.ArgStr + " is for models and launches; '" +
                   path + "' has none");
  return {};
}

static SmallVector<StringRef> gpuNames() {
  return llvm::map_to_vector(
      target::GpuTarget::all(),
      [](const target::GpuTarget &gpu) -> StringRef { return gpu.name; });
}

namespace {
/// The compilation that the flags request.
struct Request {
  Phase last = Phase::LLVM;
  std::optional<EmitKind> emit;
  const target::GpuTarget *gpu = nullptr; ///< null for the host
};
} // namespace

/// The last phase by name, and its branch.
static Result<Request> parseRequest(const Flags &flags) {
  Request request;
  std::optional<Phase> named;
  if (!flags.compileTo.empty()) {
    named = parsePhase(flags.compileTo);
    if (!named)
      return usage("--compile-to: expected one of " + phaseList(Branch::Host) +
                   ", or for a GPU " + phaseList(Branch::Gpu) + ", found '" +
                   flags.compileTo + "'");
  }
  if (!flags.emit.empty()) {
    request.emit = parseEmitKind(flags.emit);
    if (!request.emit)
      return usage("--emit: expected llvm-ir, ptx, cubin, report, launch or "
                   "cuda-tile-bytecode, found '" +
                   flags.emit + "'" +
                   didYouMean(flags.emit, {"llvm-ir", "ptx", "cubin", "report",
                                           "launch", "cuda-tile-bytecode"}));
    if (named)
      return usage("--emit runs all phases; remove --compile-to");
  }
  auto isOf = [&](Branch branch) {
    return llvm::is_contained(phasesOf(branch), *named);
  };
  const bool wantsGpu =
      request.emit || !flags.arch.empty() || (named && !isOf(Branch::Host));
  if (named && wantsGpu && !isOf(Branch::Gpu))
    return usage("--compile-to=" + flags.compileTo +
                 " is a host phase; remove --arch");
  if (!llvm::is_contained({"off", "list", "all"}, flags.fuseLaunches))
    return usage("--fuse-launches: expected off, list or all, found '" +
                 flags.fuseLaunches + "'");
  if (flags.exact && (flags.tf32 || flags.fastF8))
    return usage("--exact and " + Twine(flags.tf32 ? "--tf32" : "--fast-f8") +
                 " contradict each other; remove one of them");
  if (flags.generalOnly && !request.emit)
    return usage("--general-only is for --emit");
  if (wantsGpu && flags.targetCpu.getNumOccurrences() != 0)
    return usage("--target-cpu has no effect for a GPU");
  if (wantsGpu) {
    auto gpu = target::GpuTarget::find(flags.arch.empty()
                                           ? StringRef(target::defaultGpuTarget)
                                           : StringRef(flags.arch));
    if (!gpu)
      return usage("--arch: " + llvm::toString(gpu.takeError()) +
                   didYouMean(flags.arch, gpuNames()));
    request.gpu = &*gpu;
  }
  request.last = named ? *named : wantsGpu ? Phase::NVVM : Phase::LLVM;
  return request;
}

/// Checks that a compiled module has code for a GPU: kernels, or modules and
/// functions for devices, which the input may hold already.
static Result<void> checkHasKernels(ModuleOp module, StringRef path) {
  auto isForDevice = [](Operation &op) {
    return isa<tile::KernelOp, ModuleOp>(op) ||
           op.hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName());
  };
  if (llvm::any_of(*module.getBody(), isForDevice))
    return {};
  return tl::unexpected(
      Error{ErrorCode::BadInput,
            ("--emit: expected a tile.kernel, a tile.launch or an entry of a "
             "cuda_tile.module, found none in '" +
             path + "'")
                .str()});
}

/// The device whose cost model selects tiles.
static runtime::TuningDevice modelledDevice(const target::GpuTarget &gpu) {
  const target::GpuModel &model = target::GpuModel::of(gpu);
  return {gpu.name.str(), model.name.str(), model.multiprocessors};
}

static Result<PhaseOptions> phaseOptions(const Flags &flags,
                                         const Request &request) {
  llvm::Expected<target::HostTarget> target =
      target::HostTarget::create(flags.targetCpu);
  if (!target)
    return usage("--target-cpu: " + llvm::toString(target.takeError()));
  PhaseOptions options;
  options.configure = flags.configure;
  options.plans.assign(flags.plans.begin(), flags.plans.end());
  options.assume.assign(flags.assume.begin(), flags.assume.end());
  options.weights = flags.weights;
  options.kernels = flags.kernels;
  if (flags.tuning != "off")
    options.records = flags.tuning;
  options.tf32 = flags.tf32;
  options.fastF8 = flags.fastF8;
  options.exact = flags.exact;
  options.fusion = flags.fuseLaunches;
  options.explainFusion = flags.explainFusion;
  if (request.gpu)
    options.compileForGpu(request.gpu->name.str());
  options.versions = request.emit && !flags.generalOnly;
  // The device is anyone's of its architecture.
  options.recordDevice = request.gpu ? request.gpu->name.str()
                                     : target::HostTarget::architecture.str();
  if (request.gpu && flags.tuning != "off")
    options.shippedRecords = modelledDevice(*request.gpu).describe();
  options.vectorBits = target->vectorBits();
  options.vectorRegisters = target->vectorRegisters();
  options.rowStreams = target->rowStreams();
  options.l2Bytes = target->l2Bytes();
  return options;
}

/// Phases and individual passes are mutually exclusive: their order would be
/// ambiguous.
static Result<void> checkNoPasses(MLIRContext &context) {
  PassManager pm(&context);
  if (failed(MlirOptMainConfig::createFromCLOptions().setupPassPipeline(pm)))
    return usage("the pass pipeline does not parse");
  if (!pm.empty())
    return usage("--compile-to, --dump-phases-to and --emit run whole phases "
                 "and cannot be combined with passes");
  return {};
}

Result<void> compileToPhase(const Flags &flags,
                            const llvm::MemoryBuffer &source,
                            DialectRegistry &registry,
                            llvm::raw_ostream &output) {
  Result<Request> request = parseRequest(flags);
  if (!request)
    return tl::unexpected(request.error());
  Result<PhaseOptions> options = phaseOptions(flags, *request);
  if (!options)
    return tl::unexpected(options.error());

  Result<void> result;
  Result<void> started = compiler::runOnLargeStack([&] {
    MLIRContext context(registry);
    if (result = checkNoPasses(context); !result)
      return;
    llvm::SourceMgr manager;
    SourceMgrDiagnosticHandler handler(manager, &context);
    if (flags.explain)
      tilegpu::reportRemarks(context);
    std::optional<RemarkCollector> remarks;
    if (request->emit == EmitKind::Report)
      remarks.emplace(context);
    OwningOpRef<ModuleOp> module = compiler::parseSource(source, context);
    if (!module) {
      result = tl::unexpected(
          Error{ErrorCode::BadInput, "the input does not parse"});
      return;
    }
    if (result = checkModelFlags(*module, flags, source.getBufferIdentifier());
        !result)
      return;
    if (result = declareKernels(*module, source, flags); !result)
      return;
    const bool needsSizes =
        request->emit ||
        !llvm::is_contained({Phase::Tile, Phase::Graph, Phase::Launches},
                            request->last);
    if (needsSizes)
      if (result = checkSizes(*module, source); !result)
        return;
    auto dump = [&](ModuleOp ir, Phase phase) {
      return flags.dumpPhasesTo.empty()
                 ? success()
                 : dumpPhase(ir, phase, flags.dumpPhasesTo);
    };
    const Phase last = request->emit ? Phase::Specialized : request->last;
    if (failed(runPhases(*module, Phase::Tile, last, *options,
                         [&](Phase phase) { return dump(*module, phase); }))) {
      result = tl::unexpected(Error{ErrorCode::Failure, "compilation failed"});
      return;
    }
    if (request->emit) {
      if (result = checkHasKernels(*module, source.getBufferIdentifier());
          !result)
        return;
      result = emitCode(*module, *request->emit, *request->gpu, flags.exact,
                        dump, remarks ? &*remarks : nullptr, output);
      return;
    }
    module->print(output);
    output << '\n';
  });
  return started ? result : started;
}

} // namespace tilegpt::opt
