// Runs the phases of compilation up to the one asked for.
#include "CompileTo.h"
#include "TileGPT/Compiler/ListKernels.h"
#include "TileGPT/Compiler/Source.h"
#include "TileGPT/Pipelines/Phases.h"
#include "TileGPT/Target/Host/HostTarget.h"
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
      cl::desc("Stop after graph, launches, specialized, linalg, bufferized, "
               "vector or llvm")};
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
  cl::opt<std::string> target{"target-cpu", cl::cat(category),
                              cl::init("native"),
                              cl::desc("Processor to generate code for")};
};
} // namespace

static llvm::ManagedStatic<Flags> flags;

void registerPhaseFlags() { (void)*flags; }
bool wantsKernelList() { return flags->listKernels; }
bool wantsPhases() {
  return !flags->compileTo.empty() || !flags->dumpPhasesTo.empty();
}

Result<void> listKernels(llvm::raw_ostream &output) {
  return compiler::listKernels(output, flags->kernels);
}

static tl::unexpected<Error> usage(const Twine &message) {
  return tl::unexpected(Error{ErrorCode::Usage, message.str()});
}

static Result<Phase> lastPhase() {
  if (flags->compileTo.empty())
    return Phase::LLVM;
  if (std::optional<Phase> phase = parsePhase(flags->compileTo))
    return *phase;
  return usage("--compile-to: expected one of " +
               llvm::join(phaseNames(), ", ") + ", found '" + flags->compileTo +
               "'");
}

static Result<PhaseOptions> phaseOptions() {
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
    return usage("--compile-to and --dump-phases-to run whole phases; give "
                 "passes in a call of their own");
  return {};
}

Result<void> compileToPhase(std::unique_ptr<llvm::MemoryBuffer> source,
                            DialectRegistry &registry,
                            llvm::raw_ostream &output) {
  Result<Phase> last = lastPhase();
  if (!last)
    return tl::unexpected(last.error());
  Result<PhaseOptions> options = phaseOptions();
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
    auto dump = [&](Phase phase) {
      return flags->dumpPhasesTo.empty()
                 ? success()
                 : dumpPhase(*module, phase, flags->dumpPhasesTo);
    };
    if (failed(runPhases(*module, Phase::Graph, *last, *options, dump))) {
      result = tl::unexpected(Error{ErrorCode::Failure, "compilation failed"});
      return;
    }
    module->print(output);
    output << '\n';
  });
  return result;
}

} // namespace tilegpt::opt
