// mlir-opt with TileGPT's dialects and passes. Input is checked before it is
// parsed, so no text can overflow the stack.
#include "TileGPT/Compiler/Source.h"
#include "TileGPT/Pipelines/Registration.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace tilegpt;

/// Optimises `input` into `output` the way MlirOptMain does.
static int run(llvm::StringRef input, llvm::StringRef output,
               mlir::DialectRegistry &registry) {
  auto source = compiler::readSource(input);
  if (!source) {
    llvm::errs() << "tilegpt-opt: error: " << source.error().message << '\n';
    return runtime::exitCode(source.error().code);
  }
  std::string message;
  auto file = mlir::openOutputFile(output, &message);
  if (!file) {
    llvm::errs() << "tilegpt-opt: error: " << message << '\n';
    return runtime::exitCode(runtime::ErrorCode::Failure);
  }
  bool failed = false;
  compiler::runOnLargeStack([&] {
    failed = mlir::failed(
        mlir::MlirOptMain(file->os(), std::move(*source), registry,
                          mlir::MlirOptMainConfig::createFromCLOptions()));
  });
  if (failed)
    return runtime::exitCode(runtime::ErrorCode::Failure);
  file->keep();
  return 0;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  mlir::DialectRegistry registry;
  registerDialects(registry);
  registerPasses();
  auto [input, output] = mlir::registerAndParseCLIOptions(
      argc, argv, "TileGPT optimizer driver\n", registry);
  return run(input, output, registry);
}
