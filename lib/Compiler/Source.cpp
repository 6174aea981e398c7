// Limits, reading and parsing of `.mlir` text.
#include "TileGPT/Compiler/Source.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/thread.h"

using namespace mlir;
using tilegpt::runtime::Error;
using tilegpt::runtime::ErrorCode;
using tilegpt::runtime::Result;

namespace tilegpt::compiler {

static tl::unexpected<Error> badInput(const Twine &message) {
  return tl::unexpected(Error{ErrorCode::BadInput, message.str()});
}

/// Position behind the string or comment that starts at `at`, or `at` when
/// neither does.
static size_t skipStringOrComment(StringRef text, size_t at) {
  if (text[at] == '"') {
    for (++at; at < text.size() && text[at] != '"' && text[at] != '\n'; ++at)
      if (text[at] == '\\')
        ++at;
    return std::min(at + 1, text.size());
  }
  if (text.substr(at).starts_with("//"))
    return std::min(text.find('\n', at), text.size());
  return at;
}

/// The deepest nesting of brackets. `<` opens only behind a name (`tuple<`),
/// and `->` does not close.
static unsigned nestingOf(StringRef text) {
  unsigned depth = 0, deepest = 0;
  for (size_t at = 0; at < text.size();) {
    if (size_t behind = skipStringOrComment(text, at); behind != at) {
      at = behind;
      continue;
    }
    char c = text[at], before = at == 0 ? ' ' : text[at - 1];
    if (StringRef("([{").contains(c) || (c == '<' && llvm::isAlnum(before)))
      deepest = std::max(deepest, ++depth);
    else if ((StringRef(")]}").contains(c) || (c == '>' && before != '-')) &&
             depth > 0)
      --depth;
    ++at;
  }
  return deepest;
}

Result<void> checkSource(StringRef text, StringRef name) {
  if (text.size() > maxSourceBytes)
    return badInput(name + ": expected at most " + Twine(maxSourceBytes) +
                    " bytes of source, found " + Twine(text.size()));
  if (unsigned nesting = nestingOf(text); nesting > maxSourceNesting)
    return badInput(name + ": brackets nest " + Twine(nesting) +
                    " deep, expected at most " + Twine(maxSourceNesting));
  return {};
}

Result<std::unique_ptr<llvm::MemoryBuffer>> readSource(StringRef path) {
  auto file = llvm::MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/true);
  if (!file)
    return badInput(path + ": " + file.getError().message());
  if (Result<void> checked = checkSource((*file)->getBuffer(), path); !checked)
    return tl::unexpected(checked.error());
  return std::move(*file);
}

void runOnLargeStack(llvm::function_ref<void()> work) {
  llvm::thread thread(std::optional<unsigned>(largeStackBytes), work);
  thread.join();
}

OwningOpRef<ModuleOp> parseSource(const llvm::MemoryBuffer &source,
                                  MLIRContext &context) {
  llvm::SourceMgr manager;
  manager.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(source.getMemBufferRef()),
      llvm::SMLoc());
  return parseSourceFile<ModuleOp>(manager, ParserConfig(&context));
}

} // namespace tilegpt::compiler
