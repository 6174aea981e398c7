// A module, of bytecode or text, survives a round trip through text, and
// converting it to the tile dialect either succeeds or blames an op of the
// input.
#include "CudaTileContext.h"
#include "TileGPT/Compiler/Source.h"
#include "TileGPT/Conversion/CudaTileToTile/Passes.h"
#include "TileGPT/Dialect/CudaTile/IR/CudaTileOps.h"
#include "TileGPT/Target/CudaTile/Bytecode.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include <cstdlib>

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::target::cudatile;

static std::string print(Operation *op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  op->print(stream, OpPrintingFlags().useLocalScope());
  return text;
}

/// Compares texts, which leave out what has no effect: padding without a mask.
static void checkText(ModuleOp module) {
  const std::string text = print(module);
  auto again =
      parseSourceString<ModuleOp>(text, ParserConfig(module.getContext()));
  if (!again || print(*again) != text)
    std::abort();
}

/// The pass manager verifies the result. An error names an op of the input, or
/// a print, whose formats only the tile dialect checks.
static void checkConversion(ModuleOp module) {
  bool isInputBlamed = false;
  ScopedDiagnosticHandler handler(
      module.getContext(), [&](Diagnostic &diagnostic) {
        const std::string message = diagnostic.str();
        isInputBlamed |= StringRef(message).contains("'cuda_tile.") ||
                         StringRef(message).contains("'tile.print'");
        return success();
      });
  PassManager passes(module.getContext());
  passes.addPass(cuda_tile::createCudaTileToTilePass());
  if (failed(passes.run(module)) && !isInputBlamed)
    std::abort();
}

/// As for every tool, what does not begin like bytecode is text.
static OwningOpRef<ModuleOp> read(llvm::StringRef input, MLIRContext &context) {
  if (!isBytecode(input)) {
    if (!compiler::checkSource(input, "fuzz"))
      return {};
    return parseSourceString<ModuleOp>(input, ParserConfig(&context));
  }
  auto kernels = readBytecode(input, "fuzz", &context);
  if (!kernels)
    return {};
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  module->push_back(kernels.release());
  return module;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const llvm::StringRef input(reinterpret_cast<const char *>(data), size);
  if (auto module = read(input, fuzz::cudaTileContext())) {
    checkText(*module);
    checkConversion(*module);
  }
  return 0;
}
