// Converts bytecode and disassembled entries of CUDA Tile IR to text.
#include "CudaTileText.h"
#include "TileGPT/Dialect/CudaTile/IR/CudaTileOps.h"
#include "TileGPT/Target/CudaTile/Bytecode.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tilegpt::compiler {

/// The text of a bytecode file.
static runtime::Result<std::optional<std::string>> disassemble(StringRef bytes,
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

/// Whether the first op is an entry or a global without the dialect's name.
static bool isBare(StringRef text) {
  text = text.ltrim();
  while (text.starts_with("//"))
    text = text.drop_until([](char c) { return c == '\n'; }).ltrim();
  return text.starts_with("entry @") || text.starts_with("global ");
}

runtime::Result<std::optional<std::string>> convertCudaTile(StringRef source,
                                                            StringRef name) {
  if (target::cudatile::isBytecode(source))
    return disassemble(source, name);
  if (!isBare(source))
    return std::nullopt;
  // Locations may follow the last line that ends an entry.
  size_t end = source.rfind("\n}");
  if (end != StringRef::npos)
    end = source.find('\n', end + 1);
  return ("cuda_tile.module @kernels {" + source.take_front(end) + "\n}" +
          source.substr(std::min(end, source.size())))
      .str();
}

} // namespace tilegpt::compiler
