// Prints the headers of the library's kernels from their source text.
#include "TileGPT/Compiler/ListKernels.h"
#include "Diagnostics.h"
#include "TileGPT/Compiler/Source.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Library/Library.h"
#include "TileGPT/Pipelines/Registration.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <map>

using namespace mlir;
using tilegpt::runtime::Error;
using tilegpt::runtime::ErrorCode;
using tilegpt::runtime::Result;

namespace tilegpt::compiler {

using Sources = std::map<std::string, std::unique_ptr<llvm::MemoryBuffer>>;

/// The library's files by name, those of `directory` in place of the built-in
/// ones.
static Result<Sources> collectSources(StringRef directory) {
  Sources sources;
  for (const library::File &file : library::kernels())
    sources[std::string(file.name)] = llvm::MemoryBuffer::getMemBuffer(
        file.text, std::string(file.name) + ".mlir");
  if (directory.empty())
    return sources;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(directory, error), end;
       it != end && !error; it.increment(error)) {
    if (llvm::sys::path::extension(it->path()) != ".mlir")
      continue;
    Result<std::unique_ptr<llvm::MemoryBuffer>> source = readSource(it->path());
    if (!source)
      return tl::unexpected(source.error());
    sources[llvm::sys::path::stem(it->path()).str()] = std::move(*source);
  }
  if (error)
    return tl::unexpected(
        Error{ErrorCode::BadInput, directory.str() + ": " + error.message()});
  return sources;
}

/// The text of a kernel's header: from the op's name to the end of its grid.
static StringRef headerOf(StringRef text, tile::KernelOp kernel) {
  size_t start = text.find(("tile.kernel @" + kernel.getSymName() + "(").str());
  size_t grid = text.find("grid [", start);
  size_t brace = text.find("{\n", grid);
  return text.slice(start, brace).rtrim();
}

/// The first line of the comment a file starts with.
static StringRef summaryOf(StringRef text) {
  StringRef line = text.split('\n').first;
  return line.consume_front("//") ? line.trim() : "";
}

static Result<void> listFile(llvm::raw_ostream &stream,
                             const llvm::MemoryBuffer &source) {
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  FirstError diagnostics(context);
  OwningOpRef<ModuleOp> module = parseSource(source, context);
  if (!module)
    return tl::unexpected(Error{ErrorCode::BadInput, diagnostics.firstError()});
  for (auto kernel : module->getOps<tile::KernelOp>())
    stream << "// " << summaryOf(source.getBuffer()) << '\n'
           << headerOf(source.getBuffer(), kernel) << "\n\n";
  return {};
}

Result<void> listKernels(llvm::raw_ostream &stream, StringRef directory) {
  Result<Sources> sources = collectSources(directory);
  if (!sources)
    return tl::unexpected(sources.error());
  Result<void> listed;
  Result<void> started = runOnLargeStack([&] {
    for (const auto &[name, source] : *sources)
      if (listed = listFile(stream, *source); !listed)
        return;
  });
  return started ? listed : started;
}

} // namespace tilegpt::compiler
