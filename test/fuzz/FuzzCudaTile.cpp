// Any bytes are either a module, which then writes and reads back as it is, or
// an error.
#include "TileGPT/Target/CudaTile/Bytecode.h"
#include "mlir/IR/MLIRContext.h"
#include <cstdlib>

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::target::cudatile;

static std::string print(cuda_tile::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // Types and attributes live as long as their context.
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.getDiagEngine().registerHandler(
      [](Diagnostic &) { return success(); });
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
