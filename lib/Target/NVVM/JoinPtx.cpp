// Symbols of a module are found in its directives at the beginning of a line:
// bodies of functions indent theirs or declare registers.
#include "TileGPT/Target/NVVM/JoinPtx.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"

using namespace tilegpt;
using llvm::StringRef;

static bool isOfName(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$' || c == '%' || c == '.';
}

/// The last word before a list of parameters, a size or a value.
static StringRef nameOfVariable(StringRef line) {
  line =
      line.take_until([](char c) { return c == '[' || c == '=' || c == ';'; })
          .rtrim();
  return line.take_back(line.size() - line.find_last_of(" \t") - 1);
}

/// Declarations of a module that other modules may also have.
static llvm::StringSet<> ownSymbols(StringRef text) {
  llvm::StringSet<> names;
  for (StringRef line : llvm::split(text, '\n'))
    if (line.starts_with(".") && !line.contains(".func") &&
        !line.contains(".entry") &&
        (line.contains(".global ") || line.contains(".const ") ||
         line.contains(".shared ")))
      names.insert(nameOfVariable(line));
  return names;
}

/// Appends a module, adding `suffix` to the symbols `names`.
static void appendRenamed(StringRef text, const llvm::StringSet<> &names,
                          const std::string &suffix, std::string &joined) {
  while (!text.empty()) {
    StringRef other = text.take_until(isOfName);
    text = text.drop_front(other.size());
    StringRef word = text.take_while(isOfName);
    text = text.drop_front(word.size());
    joined += other;
    joined += word;
    if (names.contains(word))
      joined += suffix;
  }
}

/// Whether a line defines memory that all modules share.
static bool isSharedMemory(StringRef line, target::PtxModules are) {
  if (!line.starts_with(".") || !line.contains(".global "))
    return false;
  const StringRef name = nameOfVariable(line);
  return name.starts_with("tilegpt_program_") ||
         (are == target::PtxModules::Versions &&
          name.starts_with("tilegpt_shared_"));
}

/// The number of source files of a module, to which line numbers refer.
static unsigned countFiles(StringRef text) {
  return text.starts_with("\t.file\t") + text.count("\n\t.file\t");
}

/// Adds `before` to the source file number of a line, if it has one.
static std::string renumberFile(StringRef line, unsigned before) {
  for (StringRef directive : {"\t.file\t", "\t.loc\t"}) {
    StringRef rest = line;
    unsigned number;
    if (rest.consume_front(directive) && !rest.consumeInteger(10, number))
      return (directive + llvm::Twine(number + before) + rest).str();
  }
  return line.str();
}

/// Drops the directives that a module has only one of, and declarations of
/// functions and definitions of shared memory that `joined` contains.
static std::string bodyOf(StringRef text, StringRef joined,
                          target::PtxModules are) {
  const unsigned files = countFiles(joined);
  std::string body;
  bool isRepeated = false;
  for (StringRef line : llvm::split(text, '\n')) {
    if (line.starts_with(".version") || line.starts_with(".target") ||
        line.starts_with(".address_size"))
      continue;
    if (isSharedMemory(line, are) && joined.contains((line + "\n").str()))
      continue;
    if (line.starts_with(".extern .func"))
      isRepeated = joined.contains(line);
    if (!isRepeated)
      body += renumberFile(line, files) + "\n";
    isRepeated &= !line.contains(';');
  }
  return body;
}

std::string target::joinPtx(llvm::ArrayRef<StringRef> modules, PtxModules are) {
  std::string joined = modules.front().str();
  for (auto [number, text] : llvm::enumerate(modules.drop_front())) {
    const std::string body = bodyOf(text, joined, are);
    appendRenamed(body, ownSymbols(body), "$" + std::to_string(number + 1),
                  joined);
  }
  return joined;
}

llvm::Error target::joinImages(llvm::ArrayRef<GpuKernel *> kernels,
                               const GpuTarget &target, const Ptxas *ptxas) {
  if (kernels.size() < 2)
    return llvm::Error::success();
  llvm::SmallVector<StringRef> modules;
  for (const GpuKernel *kernel : kernels)
    modules.push_back(kernel->ptx);
  const std::string ptx = joinPtx(modules, PtxModules::Kernels);
  Cubin cubin;
  if (ptxas) {
    llvm::Expected<Ptxas::Output> assembled = ptxas->assemble(ptx, target.name);
    if (!assembled)
      return llvm::createStringError(
          "gpu: cannot assemble the kernels of a program: " +
          llvm::toString(assembled.takeError()));
    cubin = std::move(assembled->cubin);
  }
  for (GpuKernel *kernel : kernels) {
    kernel->ptx = ptx;
    kernel->cubin = cubin;
  }
  return llvm::Error::success();
}
