// Any bytes are either a module that survives round trips through bytecode and
// text or an error.
#include "TileGPT/Dialect/CudaTile/IR/CudaTileOps.h"
#include "TileGPT/Target/CudaTile/Bytecode.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Parser/Parser.h"
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
static void checkText(cuda_tile::ModuleOp module) {
  const std::string text = print(module);
  auto again =
      parseSourceString<ModuleOp>(text, ParserConfig(module.getContext()));
  if (!again || print(&again->getBody()->front()) != text)
    std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const llvm::StringRef input(reinterpret_cast<const char *>(data), size);
  auto module = readBytecode(input, "fuzz", &getContext());
  if (!module)
    return 0;
  checkBytecode(*module);
  // Text takes ten times as long, so only some inputs get that far.
  if (llvm::xxh3_64bits(input) % 16 == 0)
    checkText(*module);
  return 0;
}
