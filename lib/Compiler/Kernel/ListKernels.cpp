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

using Sources = std::vector<std::unique_ptr<llvm::MemoryBuffer>>;

/// The files of the library, followed by those of `directory`.
static Result<Sources> collectSources(StringRef directory) {
  Sources sources;
  for (const library::File &file : library::kernels())
    sources.push_back(llvm::MemoryBuffer::getMemBuffer(
        file.text, std::string(file.name) + ".mlir"));
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
    sources.push_back(std::move(*source));
  }
  if (error)
    return tl::unexpected(
        Error{ErrorCode::BadInput, directory.str() + ": " + error.message()});
  return sources;
}

/// The start of the text of a kernel.
static size_t beginOf(StringRef text, tile::KernelOp kernel) {
  return text.find(("tile.kernel @" + kernel.getSymName() + "(").str());
}

/// The text of a kernel's header: from the op's name to the end of its grid.
static StringRef headerOf(StringRef text, tile::KernelOp kernel) {
  size_t start = beginOf(text, kernel);
  size_t grid = text.find("grid [", start);
  size_t brace = text.find("{\n", grid);
  return text.slice(start, brace).rtrim();
}

/// The first line of the comment before a kernel and the type aliases it uses.
static StringRef summaryOf(StringRef text, tile::KernelOp kernel) {
  StringRef rest = text.take_front(beginOf(text, kernel)).rtrim('\n'), summary;
  while (!rest.empty()) {
    StringRef line = rest.substr(rest.rfind('\n') + 1);
    if (line.starts_with("//"))
      summary = line.drop_front(2).trim();
    else if (!summary.empty() || !line.starts_with("!"))
      break;
    rest = rest.drop_back(std::min(rest.size(), line.size() + 1));
  }
  return summary;
}

/// By name of the kernel.
using Listing = std::map<std::string, std::string>;

/// Adds the kernels of a file, which replace those of the same name.
static Result<void> listFile(Listing &listing,
                             const llvm::MemoryBuffer &source) {
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  FirstError diagnostics(context);
  OwningOpRef<ModuleOp> module = parseSource(source, context);
  if (!module)
    return tl::unexpected(Error{ErrorCode::BadInput, diagnostics.firstError()});
  for (auto kernel : module->getOps<tile::KernelOp>()) {
    StringRef text = source.getBuffer();
    listing[kernel.getSymName().str()] =
        ("// " + summaryOf(text, kernel) + "\n" + headerOf(text, kernel)).str();
  }
  return {};
}

Result<void> listKernels(llvm::raw_ostream &stream, StringRef directory) {
  Result<Sources> sources = collectSources(directory);
  if (!sources)
    return tl::unexpected(sources.error());
  Listing listing;
  Result<void> listed;
  Result<void> started = runOnLargeStack([&] {
    for (const auto &source : *sources)
      if (listed = listFile(listing, *source); !listed)
        return;
  });
  if (!started || !listed)
    return started ? listed : started;
  for (const auto &[name, text] : listing)
    stream << text << "\n\n";
  return {};
}

} // namespace tilegpt::compiler
