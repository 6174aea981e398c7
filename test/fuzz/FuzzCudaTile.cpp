// Any bytes are either a module or an error, and a module survives a round trip
// through bytecode.
#include "CudaTileContext.h"
#include "TileGPT/Dialect/CudaTile/IR/CudaTileOps.h"
#include "TileGPT/Target/CudaTile/Bytecode.h"
#include "mlir/IR/OperationSupport.h"
#include <cstdlib>

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::target::cudatile;

/// Compares locations as well.
static void checkRoundTrip(cuda_tile::ModuleOp module) {
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  if (failed(writeBytecode(module, Version::all().back(), stream)))
    std::abort();
  auto again = readBytecode(bytes, "fuzz", module.getContext());
  if (!again || !OperationEquivalence::isEquivalentTo(
                    module, *again, OperationEquivalence::None))
    std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const llvm::StringRef input(reinterpret_cast<const char *>(data), size);
  if (auto module = readBytecode(input, "fuzz", &fuzz::cudaTileContext()))
    checkRoundTrip(*module);
  return 0;
}
