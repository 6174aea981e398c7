// Reads the TYPES and CASE comments of test/Numeric/*.mlir.
#include "NumericCase.h"
#include "SourceFolder.h"
#include "TileGPT/Bundle/ElementType.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>
#include <cctype>
#include <filesystem>

using llvm::StringRef;

namespace tilegpt::numeric {

[[noreturn]] static void refuse(const NumericCase &where,
                                const llvm::Twine &message) {
  llvm::report_fatal_error(llvm::Twine(where.file) + ":" +
                               llvm::Twine(where.line) + ": " + message,
                           /*gen_crash_diag=*/false);
}

/// Replaces T, U and `index` in `2x3xT=…`.
static std::string bindType(StringRef token, StringRef types) {
  auto [t, u] = types.split(':');
  auto [shape, values] = token.split('=');
  size_t start = shape.rfind('x') == StringRef::npos || shape == "index"
                     ? 0
                     : shape.rfind('x') + 1;
  StringRef type = shape.drop_front(start);
  StringRef bound = type == "T"       ? t
                    : type == "U"     ? u
                    : type == "index" ? StringRef("i64")
                                      : type;
  std::string result = (shape.take_front(start) + bound).str();
  return shape.size() == token.size() ? result : result + "=" + values.str();
}

/// Parses `8x2x1`.
static reference::Grid parseGrid(StringRef text, const NumericCase &where) {
  llvm::SmallVector<StringRef> sizes;
  text.split(sizes, 'x');
  reference::Grid grid = {1, 1, 1};
  for (auto [axis, size] : llvm::enumerate(sizes))
    if (axis >= grid.size() || size.getAsInteger(10, grid[axis]))
      refuse(where, "expected grid=8x2x1, found '" + text + "'");
  return grid;
}

/// Parses the part before the colon: kernel, types, parameters.
/// \returns false if the case is not meant for these types.
static bool parseHead(StringRef head, NumericCase &result) {
  llvm::SmallVector<StringRef> words;
  llvm::SplitString(head, words);
  for (StringRef word : words) {
    if (word.consume_front("@")) {
      result.kernel = word.str();
      continue;
    }
    if (word.consume_front("[") && word.consume_back("]")) {
      llvm::SmallVector<StringRef> accepted;
      word.split(accepted, ',');
      if (!llvm::is_contained(accepted, StringRef(result.types)))
        return false;
      continue;
    }
    if (word == "rounded") {
      result.arithmetic.factor =
          bundle::parseElementType(StringRef(result.types).split(':').first);
      continue;
    }
    auto [name, value] = word.split('=');
    if (name == "grid") {
      result.grid = parseGrid(value, result);
      continue;
    }
    int64_t number;
    if (value.getAsInteger(10, number))
      refuse(result, "expected NAME=NUMBER, found '" + word + "'");
    if (name == "K")
      result.arithmetic.depth = number;
    else
      result.parameters.emplace_back(name.str(), number);
  }
  return true;
}

/// Parses the part after the colon: arguments and results.
static void parseBody(StringRef body, NumericCase &result) {
  auto [ins, outs] = body.split("->");
  llvm::SmallVector<StringRef> words;
  llvm::SplitString(ins, words);
  for (StringRef word : words)
    result.ins.push_back(bindType(word, result.types));
  outs = outs.trim();
  if (outs.consume_front("error ")) {
    result.error = outs.trim('"').str();
    return;
  }
  words.clear();
  llvm::SplitString(outs, words);
  for (StringRef word : words) {
    auto [expected, before] = word.split('|');
    result.expected.push_back(bindType(expected, result.types));
    StringRef shape = StringRef(result.expected.back()).split('=').first;
    result.before.push_back(before.empty() ? "" : (shape + "=" + before).str());
  }
  if (result.expected.empty())
    refuse(result, "expected results behind '->'");
}

static std::string aliases(StringRef types) {
  auto [t, u] = types.split(':');
  // All on one line, so that line numbers in messages are off by one only.
  std::string text = "!T = " + t.str();
  if (!u.empty())
    text += " !U = " + u.str();
  return text + "\n";
}

static void readFile(const std::filesystem::path &path,
                     std::vector<NumericCase> &cases) {
  auto buffer = llvm::MemoryBuffer::getFile(path.string());
  if (!buffer)
    llvm::report_fatal_error(llvm::Twine("cannot read ") + path.string());
  llvm::SmallVector<StringRef> types;
  for (llvm::line_iterator line(**buffer, /*SkipBlanks=*/true);
       !line.is_at_end(); ++line) {
    StringRef text = *line;
    if (text.consume_front("// TYPES:"))
      llvm::SplitString(text, types);
    if (!text.consume_front("// CASE "))
      continue;
    for (StringRef entry : types) {
      NumericCase result;
      result.file = path.filename().string();
      result.line = line.line_number();
      result.types = entry.str();
      result.source = aliases(entry) + (*buffer)->getBuffer().str();
      // Types may contain a colon too; the one that ends the head is followed
      // by a blank.
      auto [head, body] = text.split(": ");
      if (!parseHead(head, result))
        continue;
      parseBody(body, result);
      cases.push_back(std::move(result));
    }
  }
}

std::string NumericCase::name() const {
  std::string text = file.substr(0, file.find('.')) + "_" + kernel + "_" +
                     types + "_line" + std::to_string(line);
  for (char &c : text)
    if (!std::isalnum(static_cast<unsigned char>(c)))
      c = '_';
  return text;
}

std::string NumericCase::textOfRandom() const {
  return line == 0 ? "\n// " + llvm::join(ins, " ") + " -> " +
                         llvm::join(expected, " ") + "\n" + source
                   : "";
}

std::vector<NumericCase> readCases() {
  std::vector<std::filesystem::path> files;
  for (const auto &entry : std::filesystem::directory_iterator(
           test::sourceFolder() / "test/Numeric"))
    if (entry.path().extension() == ".mlir")
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<NumericCase> cases;
  for (const std::filesystem::path &file : files)
    readFile(file, cases);
  return cases;
}

} // namespace tilegpt::numeric
