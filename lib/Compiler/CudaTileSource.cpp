// Reads bytecode and disassembled entries of CUDA Tile IR.
#include "CudaTileSource.h"
#include "TileGPT/Dialect/CudaTile/IR/CudaTileOps.h"
#include "TileGPT/Target/CudaTile/Bytecode.h"
#include "mlir/IR/MLIRContext.h"

using namespace mlir;

namespace tilegpt::compiler {

/// Whether the first op is an entry or a global without the dialect's name.
static bool isBare(StringRef text) {
  text = text.ltrim();
  while (text.starts_with("//"))
    text = text.drop_until([](char c) { return c == '\n'; }).ltrim();
  return text.starts_with("entry @") || text.starts_with("global ");
}

std::optional<std::string> wrapBareEntries(StringRef text) {
  if (!isBare(text))
    return std::nullopt;
  // Locations may follow the last line that ends an entry.
  size_t end = text.rfind("\n}");
  if (end != StringRef::npos)
    end = text.find('\n', end + 1);
  return ("cuda_tile.module @kernels {" + text.take_front(end) + "\n}" +
          text.substr(std::min(end, text.size())))
      .str();
}

OwningOpRef<ModuleOp> readCudaTileBytecode(const llvm::MemoryBuffer &source,
                                           MLIRContext &context) {
  const StringRef name = source.getBufferIdentifier();
  OwningOpRef<cuda_tile::ModuleOp> program =
      target::cudatile::readBytecode(source.getBuffer(), name, &context);
  if (!program)
    return {};
  OwningOpRef<ModuleOp> module =
      ModuleOp::create(FileLineColLoc::get(&context, name, 0, 0));
  module->push_back(program.release());
  return module;
}

} // namespace tilegpt::compiler
