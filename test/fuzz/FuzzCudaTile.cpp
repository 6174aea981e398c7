// Any bytes are either a module that survives a round trip or an error.
#include "TileGPT/Dialect/CudaTile/IR/CudaTileOps.h"
#include "TileGPT/Target/CudaTile/Bytecode.h"
#include "mlir/IR/MLIRContext.h"
#include <cstdlib>
#include <optional>

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::target::cudatile;

static std::string print(cuda_tile::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text;
}

/// A context for some hundred inputs: creating one takes longer than reading an
/// input, but it keeps the types and attributes of all inputs alive.
static MLIRContext &getContext() {
  constexpr unsigned inputs = 500;
  static std::optional<MLIRContext> context;
  static unsigned used = 0;
  if (used++ % inputs == 0) {
    context.emplace(MLIRContext::Threading::DISABLED);
    context->getDiagEngine().registerHandler(
        [](Diagnostic &) { return success(); });
  }
  return *context;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  MLIRContext &context = getContext();
  auto module =
      readBytecode(llvm::StringRef(reinterpret_cast<const char *>(data), size),
                   "fuzz", &context);
  if (!module)
    return 0;
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  if (failed(writeBytecode(*module, Version::all().back(), stream)))
    std::abort();
  auto again = readBytecode(bytes, "fuzz", &context);
  if (!again || print(*again) != print(*module))
    std::abort();
  return 0;
}
