// Scans the tokens of a source once and computes its size with expanded
// aliases.
#include "TileGPT/Compiler/Source.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

using llvm::StringRef;
using llvm::Twine;
using tilegpt::runtime::Error;
using tilegpt::runtime::ErrorCode;
using tilegpt::runtime::Result;

namespace tilegpt::compiler {

namespace {

/// A piece of text with its aliases written out.
struct Extent {
  uint64_t bytes = 0;
  unsigned nesting = 0;
};

class Scan {
public:
  explicit Scan(StringRef text) : text(text) {}

  /// \returns an error message; empty if the source is within the limits.
  std::string run();

private:
  void step();
  bool skipStringOrComment();
  std::string checkString(StringRef string) const;
  std::string checkArray() const;
  std::string scanName();
  void scanBracket();
  void scanShape();
  void scanNumber();
  void endDefinition();
  std::string excess() const;

  /// The part of the text from `at` on.
  StringRef rest() const { return text.substr(at); }
  char before() const { return at == 0 ? ' ' : text[at - 1]; }

  StringRef text;
  size_t at = 0;
  unsigned depth = 0, rank = 0;
  size_t digits = 0; ///< of the longest number
  bool inMetadata = false;
  Extent whole;   ///< all but the definitions of aliases
  Extent aliased; ///< the definition being read
  StringRef name; ///< of its alias; empty outside of one
  bool hasBody = false;
  llvm::StringMap<Extent> aliases;
  std::string wrong;
};

} // namespace

static bool isInName(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.' || c == '-';
}

/// Skips the string or comment that starts here, if any.
bool Scan::skipStringOrComment() {
  const size_t start = at;
  if (text[at] == '"') {
    for (++at; at < text.size() && text[at] != '"' && text[at] != '\n'; ++at)
      if (text[at] == '\\')
        ++at;
    at = std::min(at + 1, text.size());
    if (wrong.empty())
      wrong = checkString(text.slice(start + 1, at - 1));
  } else if (rest().starts_with("//")) {
    at = std::min(text.find('\n', at), text.size());
  }
  return at != start;
}

/// Resources are hexadecimal numbers whose first 4 bytes say how the others are
/// aligned in memory.
std::string Scan::checkString(StringRef string) const {
  constexpr unsigned digits = 8;
  if (!inMetadata || !string.consume_front("0x") || string.size() < digits)
    return {};
  uint32_t alignment = 0;
  for (unsigned byte = 0; byte < digits / 2; ++byte) {
    uint32_t value = 0;
    if (string.substr(size_t(2) * byte, 2).getAsInteger(16, value))
      return {};
    alignment |= value << (8 * byte);
  }
  if (llvm::isPowerOf2_32(alignment) && alignment <= maxResourceAlignment)
    return {};
  return ("a resource has the alignment " + Twine(alignment) +
          ", expected a power of two of at most " + Twine(maxResourceAlignment))
      .str();
}

static StringRef skipBlanksAndComments(StringRef text) {
  for (text = text.ltrim(); text.starts_with("//"); text = text.ltrim())
    text = text.drop_until([](char c) { return c == '\n'; });
  return text;
}

/// MLIR's parser queries the width of a dense array's element type, even for
/// `index`, which has none. The type may be an alias.
std::string Scan::checkArray() const {
  StringRef behind = rest();
  if (isInName(before()) || !behind.consume_front("array"))
    return {};
  behind = skipBlanksAndComments(behind);
  if (!behind.consume_front("<"))
    return {};
  behind = skipBlanksAndComments(behind);
  const StringRef type = behind.take_while(isInName);
  if (type != "index" && !behind.starts_with("!"))
    return {};
  return ("an array has elements of type '" +
          (type.empty() ? behind.take_until(llvm::isSpace).split(':').first
                        : type) +
          "', expected an integer or float type")
      .str();
}

/// Reads the name of an alias, a type or an attribute.
std::string Scan::scanName() {
  const size_t start = at++;
  while (at < text.size() && isInName(text[at]))
    ++at;
  const StringRef found = text.slice(start, at);
  const StringRef behind = rest().ltrim();
  Extent &current = name.empty() ? whole : aliased;
  if (depth == 0 && behind.starts_with("=") && !behind.starts_with("==")) {
    endDefinition();
    name = found;
    at = size_t(behind.data() - text.data()) + 1;
    return {};
  }
  hasBody = true;
  if (auto alias = aliases.find(found); alias != aliases.end()) {
    current.bytes += alias->second.bytes;
    current.nesting = std::max(current.nesting, depth + alias->second.nesting);
  }
  return excess();
}

/// `<` opens only after a name (`tuple<`), and `->` does not close.
void Scan::scanBracket() {
  const char c = text[at];
  Extent &current = name.empty() ? whole : aliased;
  if (StringRef("([{").contains(c) || (c == '<' && llvm::isAlnum(before())))
    current.nesting = std::max(current.nesting, ++depth);
  else if ((StringRef(")]}").contains(c) || (c == '>' && before() != '-')) &&
           depth > 0)
    --depth;
}

/// Counts the axes of `4x?x8xf32`.
void Scan::scanShape() {
  unsigned axes = 0;
  size_t end = at;
  while (end < text.size()) {
    const size_t start = end;
    if (text[end] == '?')
      ++end;
    else
      while (end < text.size() && llvm::isDigit(text[end]))
        ++end;
    digits = std::max(digits, end - start);
    if (end >= text.size() || text[end] != 'x')
      break;
    ++axes;
    ++end;
    if (end < text.size() && text[end] != '?' && !llvm::isDigit(text[end]))
      break;
  }
  rank = std::max(rank, axes);
  at = std::max(end, at + 1);
}

/// Counts the digits of a number, or of one in a name.
void Scan::scanNumber() {
  const size_t start = at;
  while (at < text.size() && llvm::isDigit(text[at]))
    ++at;
  digits = std::max(digits, at - start);
}

void Scan::endDefinition() {
  if (!name.empty())
    aliases[name] = aliased;
  name = {};
  aliased = {};
  hasBody = false;
}

std::string Scan::excess() const {
  const Extent &current = name.empty() ? whole : aliased;
  if (current.bytes > maxSourceBytes)
    return (name.empty() ? Twine("the aliases stand") : "'" + name + "' stands")
               .str() +
           (" for more than " + Twine(maxSourceBytes) + " bytes").str();
  return {};
}

/// Skips the next token or character.
void Scan::step() {
  if (skipStringOrComment())
    return;
  const char c = text[at];
  if (rest().starts_with("{-#"))
    inMetadata = true;
  if (wrong = checkArray(); !wrong.empty())
    return;
  if ((c == '!' || c == '#') && at + 1 < text.size() &&
      (llvm::isAlpha(text[at + 1]) || text[at + 1] == '_')) {
    wrong = scanName();
    return;
  }
  if ((c == '?' || llvm::isDigit(c)) && !isInName(before())) {
    hasBody = true;
    return scanShape();
  }
  if (llvm::isDigit(c)) {
    hasBody = true;
    return scanNumber();
  }
  if (c == '\n' && depth == 0 && hasBody)
    endDefinition();
  else if (!llvm::isSpace(c))
    hasBody = true;
  scanBracket();
  ++at;
}

std::string Scan::run() {
  while (at < text.size() && wrong.empty()) {
    const size_t start = at;
    Extent &current = name.empty() ? whole : aliased;
    step();
    current.bytes += at - start;
  }
  endDefinition();
  unsigned nesting = whole.nesting;
  for (const auto &alias : aliases)
    nesting = std::max(nesting, alias.second.nesting);
  if (!wrong.empty())
    return wrong;
  if (nesting > maxSourceNesting)
    return ("brackets nest " + Twine(nesting) + " deep, expected at most " +
            Twine(maxSourceNesting))
        .str();
  if (digits > maxSourceDigits)
    return ("a number has " + Twine(digits) + " digits, expected at most " +
            Twine(maxSourceDigits))
        .str();
  if (rank > maxSourceRank)
    return ("a shape has " + Twine(rank) + " axes, expected at most " +
            Twine(maxSourceRank))
        .str();
  return {};
}

Result<void> checkSource(StringRef text, StringRef name) {
  std::string wrong;
  if (text.size() > maxSourceBytes)
    wrong = ("expected at most " + Twine(maxSourceBytes) +
             " bytes of source, found " + Twine(text.size()))
                .str();
  else
    wrong = Scan(text).run();
  if (wrong.empty())
    return {};
  return tl::unexpected(
      Error{ErrorCode::BadInput, (name + ": " + wrong).str()});
}

} // namespace tilegpt::compiler
