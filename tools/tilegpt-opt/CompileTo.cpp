// Runs the phases of compilation up to the one asked for.
#include "CompileTo.h"
#include "Emit.h"
#include "TileGPT/Compiler/ListKernels.h"
#include "TileGPT/Compiler/Source.h"
#include "TileGPT/Pipelines/Phases.h"
#include "TileGPT/Target/Host/HostTarget.h"
#include "TileGPT/Target/NVVM/GpuTarget.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ManagedStatic.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using tilegpt::runtime::Error;
using tilegpt::runtime::ErrorCode;
using tilegpt::runtime::Result;
namespace cl = llvm::cl;

namespace tilegpt::opt {

namespace {
struct Flags {
  cl::OptionCategory category{"TileGPT phases"};
  cl::opt<bool> listKernels{
      "list-kernels", cl::cat(category),
      cl::desc("Print the kernel library: parameters, what each implements")};
  cl::opt<std::string> compileTo{
      "compile-to", cl::cat(category), cl::value_desc("phase"),
      cl::desc("Stop after graph, launches or specialized, then linalg, "
               "bufferized, vector or llvm for the host, planned, layouts, "
               "threads or nvvm for a GPU")};
  cl::opt<std::string> emit{
      "emit", cl::cat(category), cl::value_desc("what"),
      cl::desc("Code of the kernels for a GPU: llvm-ir, ptx, cubin, or report "
               "for what ptxas says of them")};
  cl::opt<std::string> arch{
      "arch", cl::cat(category), cl::value_desc("name"),
      cl::desc("GPU to compile kernels for, sm_90a by default; "
               "--list-targets names all")};
  cl::opt<bool> listTargets{"list-targets", cl::cat(category),
                            cl::desc("Print the GPUs --arch knows")};
  cl::opt<std::string> dumpPhasesTo{
      "dump-phases-to", cl::cat(category), cl::value_desc("dir"),
      cl::desc("Write the IR after every phase to a folder")};
  cl::opt<std::string> kernels{
      "kernels", cl::cat(category), cl::value_desc("dir"),
      cl::desc("Kernels that override the built-in library by name")};
  cl::opt<std::string> configure{
      "configure", cl::cat(category), cl::value_desc("options"),
      cl::desc("Sizes of the model, as for --gpt-configure: \"layers=6 …\"")};
  cl::list<std::string> plans{
      "plans", cl::cat(category), cl::CommaSeparated,
      cl::value_desc("kind:lo-hi"),
      cl::desc("Plans of the model, as for --gpt-make-plans")};
  cl::list<std::string> bind{
      "bind", cl::cat(category), cl::CommaSeparated,
      cl::value_desc("name=value"),
      cl::desc("Parameters of kernels that nothing launches: D=64,X=bf16")};
  cl::opt<std::string> weights{
      "weights", cl::cat(category), cl::init("f32"),
      cl::desc("Element type of the model's matrices: f32, bf16 or f16")};
  cl::opt<bool> tf32{
      "tf32", cl::cat(category),
      cl::desc("Products of f32 may round their operands to tf32")};
  cl::opt<bool> fastF8{
      "fast-f8", cl::cat(category),
      cl::desc("Sums of products of f8 may lose digits, as tensor cores form "
               "them")};
  cl::opt<std::string> target{"target-cpu", cl::cat(category),
                              cl::init("native"),
                              cl::desc("Processor to generate code for")};
};
} // namespace

static llvm::ManagedStatic<Flags> flags;

void registerPhaseFlags() { (void)*flags; }
bool wantsKernelList() { return flags->listKernels; }
bool wantsTargetList() { return flags->listTargets; }
bool wantsPhases() {
  return !flags->compileTo.empty() || !flags->dumpPhasesTo.empty() ||
         !flags->emit.empty();
}

void listTargets(llvm::raw_ostream &output) {
  for (const target::GpuTarget &target : target::GpuTarget::all())
    output << target.name << '\n';
}

Result<void> listKernels(llvm::raw_ostream &output) {
  return compiler::listKernels(output, flags->kernels);
}

static tl::unexpected<Error> usage(const Twine &message) {
  return tl::unexpected(Error{ErrorCode::Usage, message.str()});
}

namespace {
/// What the flags ask for.
struct Request {
  Phase last = Phase::LLVM;
  std::optional<EmitKind> emit;
  const target::GpuTarget *gpu = nullptr; ///< null for the host
};
} // namespace

/// The last phase by name and the branch it is on.
static Result<Request> parseRequest() {
  Request request;
  std::optional<Phase> named;
  if (!flags->compileTo.empty()) {
    named = parsePhase(flags->compileTo);
    if (!named)
      return usage("--compile-to: expected one of " + phaseList(Branch::Host) +
                   ", or for a GPU " + phaseList(Branch::Gpu) + ", found '" +
                   flags->compileTo + "'");
  }
  if (!flags->emit.empty()) {
    request.emit = parseEmitKind(flags->emit);
    if (!request.emit)
      return usage(
          "--emit: expected llvm-ir, ptx, cubin, report or launch, found '" +
          flags->emit + "'");
    if (named)
      return usage("--emit needs all phases; leave --compile-to away");
  }
  auto isOf = [&](Branch branch) {
    return llvm::is_contained(phasesOf(branch), *named);
  };
  const bool wantsGpu =
      request.emit || !flags->arch.empty() || (named && !isOf(Branch::Host));
  if (named && wantsGpu && !isOf(Branch::Gpu))
    return usage("--compile-to=" + flags->compileTo +
                 " is a phase for the host; leave --arch away");
  if (wantsGpu && flags->target.getNumOccurrences() != 0)
    return usage("--target-cpu is of no use for a GPU");
  if (wantsGpu) {
    auto gpu = target::GpuTarget::find(flags->arch.empty()
                                           ? StringRef(target::defaultGpuTarget)
                                           : StringRef(flags->arch));
    if (!gpu)
      return usage("--arch: " + llvm::toString(gpu.takeError()));
    request.gpu = &*gpu;
  }
  request.last = named ? *named : wantsGpu ? Phase::NVVM : Phase::LLVM;
  return request;
}

static Result<PhaseOptions> phaseOptions(const Request &request) {
  llvm::Expected<target::HostTarget> target =
      target::HostTarget::create(flags->target);
  if (!target)
    return usage("--target-cpu: " + llvm::toString(target.takeError()));
  PhaseOptions options;
  options.configure = flags->configure;
  options.plans = flags->plans;
  options.bind = flags->bind;
  options.weights = flags->weights;
  options.kernels = flags->kernels;
  options.tf32 = flags->tf32;
  options.fastF8 = flags->fastF8;
  if (request.gpu)
    options.compileForGpu(request.gpu->name.str());
  options.vectorBits = target->vectorBits();
  options.vectorRegisters = target->vectorBits() == 512 ? 32 : 16;
  return options;
}

/// Phases and passes given one by one do not mix: the order would be anybody's
/// guess.
static Result<void> checkNoPasses(MLIRContext &context) {
  PassManager pm(&context);
  if (failed(MlirOptMainConfig::createFromCLOptions().setupPassPipeline(pm)))
    return usage("the pass pipeline does not parse");
  if (pm.size() != 0)
    return usage("--compile-to, --dump-phases-to and --emit run whole phases; "
                 "give passes in a call of their own");
  return {};
}

Result<void> compileToPhase(std::unique_ptr<llvm::MemoryBuffer> source,
                            DialectRegistry &registry,
                            llvm::raw_ostream &output) {
  Result<Request> request = parseRequest();
  if (!request)
    return tl::unexpected(request.error());
  Result<PhaseOptions> options = phaseOptions(*request);
  if (!options)
    return tl::unexpected(options.error());

  Result<void> result;
  compiler::runOnLargeStack([&] {
    MLIRContext context(registry);
    if (result = checkNoPasses(context); !result)
      return;
    llvm::SourceMgr manager;
    SourceMgrDiagnosticHandler handler(manager, &context);
    OwningOpRef<ModuleOp> module = compiler::parseSource(*source, context);
    if (!module) {
      result = tl::unexpected(
          Error{ErrorCode::BadInput, "the input does not parse"});
      return;
    }
    auto dump = [&](ModuleOp ir, Phase phase) {
      return flags->dumpPhasesTo.empty()
                 ? success()
                 : dumpPhase(ir, phase, flags->dumpPhasesTo);
    };
    const Phase last = request->emit ? Phase::Specialized : request->last;
    if (failed(runPhases(*module, Phase::Graph, last, *options,
                         [&](Phase phase) { return dump(*module, phase); }))) {
      result = tl::unexpected(Error{ErrorCode::Failure, "compilation failed"});
      return;
    }
    if (request->emit) {
      result = emitCode(*module, *request->emit, *request->gpu, dump, output);
      return;
    }
    module->print(output);
    output << '\n';
  });
  return result;
}

} // namespace tilegpt::opt
