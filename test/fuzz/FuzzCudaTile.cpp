// Any bytes are either a module or an error. A module survives round trips
// through bytecode and text, and converting it to the tile dialect either
// succeeds or blames an op of the input.
#include "TileGPT/Compiler/Source.h"
#include "TileGPT/Conversion/CudaTileToTile/Passes.h"
#include "TileGPT/Dialect/CudaTile/IR/CudaTileOps.h"
#include "TileGPT/Target/CudaTile/Bytecode.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/xxhash.h"
#include <cstdlib>
#include <optional>

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::target::cudatile;

/// A context for some thousand inputs: creating one takes longer than reading
/// an input, but it keeps the types and attributes of all inputs alive.
static MLIRContext &getContext() {
  constexpr unsigned inputs = 4000;
  static std::optional<MLIRContext> context;
  static unsigned used = 0;
  if (used++ % inputs == 0) {
    context.emplace(MLIRContext::Threading::DISABLED);
    context->loadDialect<cuda_tile::CudaTileDialect>();
    context->getDiagEngine().registerHandler(
        [](Diagnostic &) { return success(); });
  }
  return *context;
}

/// Compares locations as well.
static void checkBytecode(cuda_tile::ModuleOp module) {
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  if (failed(writeBytecode(module, Version::all().back(), stream)))
    std::abort();
  auto again = readBytecode(bytes, "fuzz", module.getContext());
  if (!again || !OperationEquivalence::isEquivalentTo(
                    module, *again, OperationEquivalence::None))
    std::abort();
}

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

static void checkBytecodeInput(llvm::StringRef input, MLIRContext &context) {
  auto read = readBytecode(input, "fuzz", &context);
  if (!read)
    return;
  checkBytecode(*read);
  // Text and conversion take ten times as long, so only some inputs get that
  // far, unless they are replayed.
#ifdef FUZZ_CORPUS
  constexpr bool isReplay = true;
#else
  constexpr bool isReplay = false;
#endif
  const uint64_t draw = llvm::xxh3_64bits(input) % 32;
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  module->push_back(read.release());
  if (isReplay || draw < 2)
    checkText(*module);
  if (isReplay || draw >= 28)
    checkConversion(*module);
}

static void checkTextInput(llvm::StringRef input, MLIRContext &context) {
  if (!compiler::checkSource(input, "fuzz"))
    return;
  auto module = parseSourceString<ModuleOp>(input, ParserConfig(&context));
  if (!module)
    return;
  checkText(*module);
  checkConversion(*module);
}

/// As for every tool, what does not begin like bytecode is text.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const llvm::StringRef input(reinterpret_cast<const char *>(data), size);
  MLIRContext &context = getContext();
  if (isBytecode(input))
    checkBytecodeInput(input, context);
  else
    checkTextInput(input, context);
  return 0;
}
