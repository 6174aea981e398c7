// Reads the texts that gpt-link-base and tile-link-library would read.
#include "Model/ModelTexts.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <set>

using llvm::StringRef;

namespace {

/// Concatenates texts with unambiguous boundaries.
class Texts {
public:
  void add(StringRef name, StringRef text) {
    all += (llvm::Twine(name.size()) + ":" + name + llvm::Twine(text.size()) +
            ":" + text)
               .str();
  }
  /// \returns false if the file cannot be read.
  bool addFile(StringRef path) {
    auto file = llvm::MemoryBuffer::getFile(path);
    if (!file)
      return false;
    add(llvm::sys::path::filename(path), (*file)->getBuffer());
    return true;
  }

  std::string all;
};

} // namespace

/// Strips leading white space and comments.
static StringRef skipSpace(StringRef text) {
  for (;;) {
    text = text.ltrim();
    if (!text.starts_with("//"))
      return text;
    text = text.drop_until([](char c) { return c == '\n'; });
  }
}

/// The strings after each `like`, including those in comments.
/// \returns nothing if one contains an escape, which only a parser resolves.
static std::optional<std::set<std::string>> basesOf(StringRef text) {
  constexpr llvm::StringLiteral keyword = "like";
  std::set<std::string> bases;
  for (size_t at = text.find(keyword); at != StringRef::npos;
       at = text.find(keyword, at + keyword.size())) {
    const StringRef behind = skipSpace(text.substr(at + keyword.size()));
    if (!behind.starts_with("\""))
      continue;
    const StringRef name =
        behind.drop_front().take_until([](char c) { return c == '"'; });
    if (name.contains('\\'))
      return std::nullopt;
    bases.insert(name.str());
  }
  return bases;
}

std::optional<std::string>
tilegpt::compiler::textsOf(StringRef name, StringRef text,
                           const std::string &kernels) {
  Texts texts;
  texts.add("", text);
  const auto bases = basesOf(text);
  if (!bases)
    return std::nullopt;
  const StringRef beside = llvm::sys::path::parent_path(name);
  for (const std::string &base : *bases) {
    llvm::SmallString<128> path(beside.empty() ? "." : beside);
    llvm::sys::path::append(path, base + ".mlir");
    if (llvm::sys::fs::exists(path) && !texts.addFile(path))
      return std::nullopt;
  }
  if (kernels.empty())
    return std::move(texts.all);
  std::set<std::string> files;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator file(kernels, error), end;
       !error && file != end; file.increment(error))
    if (llvm::sys::path::extension(file->path()) == ".mlir")
      files.insert(file->path());
  if (error)
    return std::nullopt;
  for (const std::string &path : files)
    if (!texts.addFile(path))
      return std::nullopt;
  return std::move(texts.all);
}
