// mlir-opt with TileGPT's dialects and passes, phases by name and the kernel
// library. Input is checked before it is parsed, so no text can overflow the
// stack.
#include "CompileTo.h"
#include "TileGPT/Compiler/Source.h"
#include "TileGPT/Pipelines/Registration.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace tilegpt;
using runtime::Error;
using runtime::ErrorCode;
using runtime::Result;

/// Optimises `source` the way MlirOptMain does; it prints its own diagnostics.
static Result<void> optimize(std::unique_ptr<llvm::MemoryBuffer> source,
                             mlir::DialectRegistry &registry,
                             llvm::raw_ostream &output) {
  bool failed = false;
  compiler::runOnLargeStack([&] {
    failed = mlir::failed(
        mlir::MlirOptMain(output, std::move(source), registry,
                          mlir::MlirOptMainConfig::createFromCLOptions()));
  });
  if (failed)
    return tl::unexpected(Error{ErrorCode::Failure, ""});
  return {};
}

static Result<void> run(llvm::StringRef input, llvm::StringRef outputPath,
                        mlir::DialectRegistry &registry) {
  std::string message;
  auto output = mlir::openOutputFile(outputPath, &message);
  if (!output)
    return tl::unexpected(Error{ErrorCode::Failure, message});
  Result<void> done;
  if (opt::wantsKernelList()) {
    done = opt::listKernels(output->os());
  } else if (opt::wantsTargetList()) {
    opt::listTargets(output->os());
  } else {
    auto source = compiler::readSource(input);
    if (!source)
      return tl::unexpected(source.error());
    done = opt::wantsPhases()
               ? opt::compileToPhase(std::move(*source), registry, output->os())
               : optimize(std::move(*source), registry, output->os());
  }
  if (done)
    output->keep();
  return done;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  mlir::DialectRegistry registry;
  registerDialects(registry);
  registerPasses();
  opt::registerPhaseFlags();
  auto [input, output] = mlir::registerAndParseCLIOptions(
      argc, argv, "TileGPT optimizer driver\n", registry);
  Result<void> done = run(input, output, registry);
  if (done)
    return 0;
  if (!done.error().message.empty())
    llvm::errs() << "tilegpt-opt: error: " << done.error().message << '\n';
  return runtime::exitCode(done.error().code);
}
