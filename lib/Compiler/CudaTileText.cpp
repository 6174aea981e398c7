// Converts CUDA Tile IR bytecode to text.
#include "CudaTileText.h"
#include "TileGPT/Dialect/CudaTile/IR/CudaTileOps.h"
#include "TileGPT/Target/CudaTile/Bytecode.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tilegpt::compiler {

runtime::Result<std::string> disassembleCudaTile(StringRef bytes,
                                                 StringRef name) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  std::string problem;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error) {
      if (!problem.empty())
        problem += "; ";
      problem += diagnostic.str();
    }
  });
  OwningOpRef<cuda_tile::ModuleOp> module =
      target::cudatile::readBytecode(bytes, name, &context);
  if (!module)
    return runtime::makeError(runtime::ErrorCode::BadInput, name.str(), ": ",
                              problem);
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream, OpPrintingFlags().enableDebugInfo());
  stream << '\n';
  return text;
}

} // namespace tilegpt::compiler
