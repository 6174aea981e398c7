// mlir-opt with TileGPT's dialects and passes, phases by name and the kernel
// library. Input is checked before it is parsed, so no text can overflow the
// stack.
#include "CompileTo.h"
#include "EmitBytecode.h"
#include "TileGPT/Compiler/Crash.h"
#include "TileGPT/Compiler/ListKernels.h"
#include "TileGPT/Compiler/Source.h"
#include "TileGPT/Compiler/Text/ExplainError.h"
#include "TileGPT/Dialect/Tile/IR/TileDialect.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Pipelines/Registration.h"
#include "TuneCommand.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/ToolOutputFile.h"
#include <csignal>

using namespace tilegpt;
using runtime::Error;
using runtime::ErrorCode;
using runtime::Result;

namespace {
/// Explains errors of the parser once it meets the tile dialect: the handler
/// must follow the one that MlirOptMain registers before it parses.
struct ExplainErrors
    : mlir::DialectExtension<ExplainErrors, tile::TileDialect> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ExplainErrors)
  ExplainErrors(llvm::StringRef source, const bool &isParsing)
      : source(source), isParsing(isParsing) {}

  void apply(mlir::MLIRContext *context, tile::TileDialect *) const override {
    context->getDiagEngine().registerHandler([source = source,
                                              &isParsing = isParsing, context](
                                                 mlir::Diagnostic &diagnostic) {
      return isParsing ? compiler::explainError(diagnostic, source, *context)
                       : mlir::failure();
    });
  }

  llvm::StringRef source;
  const bool &isParsing;
};
} // namespace

/// Processes `source` with MlirOptMain, which prints its own diagnostics.
static Result<void> optimize(const opt::Flags &flags,
                             std::unique_ptr<llvm::MemoryBuffer> source,
                             mlir::DialectRegistry &registry,
                             llvm::raw_ostream &output) {
  if (Result<void> checked = opt::checkNoPhases(flags); !checked)
    return checked;
  auto parsable = compiler::toMlirSource(std::move(source));
  if (!parsable)
    return tl::unexpected(parsable.error());
  source = std::move(*parsable);
  mlir::MlirOptMainConfig config =
      mlir::MlirOptMainConfig::createFromCLOptions();
  // MlirOptMain makes the context itself, and an engine for flags of its own.
  // It sets up the passes after parsing.
  bool isParsing = true;
  const mlir::MlirOptMainConfig fromFlags = config;
  config.setPassPipelineSetupFn([&, fromFlags](mlir::PassManager &pm) {
    isParsing = false;
    if (flags.explain)
      tilegpu::reportRemarks(*pm.getContext());
    return fromFlags.setupPassPipeline(pm);
  });
  if (!config.shouldVerifyDiagnostics() && config.inputSplitMarker().empty())
    registry.addExtension(
        mlir::TypeID::get<ExplainErrors>(),
        std::make_unique<ExplainErrors>(source->getBuffer(), isParsing));
  bool failed = false;
  if (Result<void> started = compiler::runOnLargeStack([&] {
        failed = mlir::failed(
            mlir::MlirOptMain(output, std::move(source), registry, config));
      });
      !started)
    return started;
  if (failed)
    return tl::unexpected(Error{ErrorCode::Failure, ""});
  return {};
}

static Result<void> run(const opt::Flags &flags,
                        mlir::DialectRegistry &registry) {
  if (Result<void> checked = opt::checkBytecodeFlags(flags); !checked)
    return checked;
  std::string message;
  auto output = mlir::openOutputFile(flags.outputPath, &message);
  if (!output)
    return tl::unexpected(Error{ErrorCode::Failure, message});
  Result<void> done;
  if (flags.listKernels) {
    done = compiler::listKernels(output->os(), flags.kernels);
  } else if (flags.listTargets) {
    opt::listTargets(output->os());
  } else {
    auto source = compiler::readSource(flags.inputPath);
    if (!source)
      return tl::unexpected(source.error());
    done = flags.emit == opt::bytecodeKind
               ? opt::emitBytecode(flags, **source, registry, output->os())
           : flags.wantsPhases()
               ? opt::compileToPhase(flags, **source, registry, output->os())
               : optimize(flags, std::move(*source), registry, output->os());
  }
  if (done)
    output->keep();
  return done;
}

static Result<void> parseAndRun(int argc, char **argv) {
  if (argc > 1 && llvm::StringRef(argv[1]) == "tune")
    return opt::runTuneCommand(argc - 1, argv + 1);
  mlir::DialectRegistry registry;
  registerDialects(registry);
  registerPasses();
  mlir::registerCLIOptions("tilegpt-opt", registry);
  Result<const opt::Flags *> flags = opt::parseFlags(argc, argv);
  if (!flags)
    return tl::unexpected(flags.error());
  return run(**flags, registry);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  compiler::reportCrashesOf("tilegpt-opt");
  // Exceeding a file size limit becomes an error of write(2).
  std::signal(SIGXFSZ, SIG_IGN);
  Result<void> done = parseAndRun(argc, argv);
  if (done)
    return 0;
  if (!done.error().message.empty())
    llvm::errs() << "tilegpt-opt: error: " << done.error().message << '\n';
  return runtime::exitCode(done.error().code);
}
