// One pass over the text: literal text up to the next tag, and tokens within
// tags.
#include "Lexer.h"
#include "Characters.h"
#include "TileGPT/Runtime/Data/Utf8.h"
#include <algorithm>
#include <charconv>

namespace tilegpt::runtime::chat {

namespace {

bool isSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool isNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// The text with \n for each \r\n and \r, and without one at the end, as Jinja
/// reads it.
std::string withPlainLineEnds(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] != '\r')
      result += text[i];
    else if (i + 1 == text.size() || text[i + 1] != '\n')
      result += '\n';
  if (result.ends_with('\n'))
    result.pop_back();
  return result;
}

class Lexer {
public:
  /// \param text  with plain line ends; must outlive the lexer.
  explicit Lexer(std::string_view text) : text(text) {}

  Result<std::vector<Token>> run() {
    while (at < text.size() && problem.empty())
      textAndTag();
    if (!problem.empty())
      return makeError(ErrorCode::BadInput, "line ", line, ": ", problem);
    add(Token::End, "");
    return std::move(tokens);
  }

private:
  void add(Token::Kind kind, std::string_view content) {
    tokens.push_back({kind, std::string(content), line});
  }
  void advance(size_t count) {
    line += int(std::count(text.begin() + std::ptrdiff_t(at),
                           text.begin() + std::ptrdiff_t(at + count), '\n'));
    at += count;
  }
  bool startsWith(std::string_view word) const {
    return text.substr(at).starts_with(word);
  }

  /// The next of `{{`, `{%` and `{#`.
  size_t findTag() const {
    for (size_t i = at; i + 1 < text.size(); ++i)
      if (text[i] == '{' &&
          (text[i + 1] == '{' || text[i + 1] == '%' || text[i + 1] == '#'))
        return i;
    return text.size();
  }

  /// The text before a block tag, without the spaces at the start of its line.
  std::string_view withoutIndent(std::string_view before, size_t tag) const {
    size_t begin = tag;
    while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t'))
      --begin;
    if (begin > 0 && text[begin - 1] != '\n')
      return before;
    return begin > at ? text.substr(at, begin - at) : std::string_view();
  }

  void textAndTag() {
    const size_t tag = findTag();
    const bool isTag = tag < text.size();
    const char sort = isTag ? text[tag + 1] : '\0';
    const char control = tag + 2 < text.size() ? text[tag + 2] : '\0';
    std::string_view before = text.substr(at, tag - at);
    if (isTag && control == '-') {
      while (!before.empty() && isSpace(before.back()))
        before.remove_suffix(1);
    } else if (isTag && sort != '{' && control != '+') {
      before = withoutIndent(before, tag);
    }
    if (!before.empty())
      add(Token::Text, before);
    advance(tag - at);
    if (!isTag)
      return;
    advance(control == '-' || control == '+' ? 3 : 2);
    if (sort == '#')
      return comment();
    if (sort == '%' && rawBlock())
      return;
    add(sort == '{' ? Token::BeginPrint : Token::BeginBlock, "");
    const std::string_view end = sort == '{' ? "}}" : "%}";
    int brackets = 0;
    while (problem.empty()) {
      while (at < text.size() && isSpace(text[at]))
        advance(1);
      if (at == text.size()) {
        problem = concat("a tag has no ", end);
        return;
      }
      const bool isControl = text[at] == '-' || text[at] == '+';
      if (brackets == 0 && text.substr(at + isControl).starts_with(end)) {
        endTag(isControl ? text[at] : '\0', sort != '{', isControl ? 3 : 2);
        add(sort == '{' ? Token::EndPrint : Token::EndBlock, "");
        return;
      }
      word(brackets);
    }
  }

  /// After the end of a tag of `size` characters.
  void endTag(char control, bool isBlock, size_t size) {
    advance(size);
    if (control == '-') {
      while (at < text.size() && isSpace(text[at]))
        advance(1);
    } else if (isBlock && control != '+' && startsWith("\n")) {
      advance(1);
    }
  }

  /// Matches `name %}` or `name -%}` at `i`, after spaces.
  /// \returns the place behind it, 0 if there is something else.
  size_t tagEnd(size_t i, std::string_view name, char &control) const {
    const auto skip = [&] {
      while (i < text.size() && isSpace(text[i]))
        ++i;
    };
    skip();
    if (!text.substr(std::min(i, text.size())).starts_with(name))
      return 0;
    i += name.size();
    skip();
    control =
        i < text.size() && (text[i] == '-' || text[i] == '+') ? text[i] : '\0';
    i += control != '\0';
    return text.substr(std::min(i, text.size())).starts_with("%}") ? i + 2 : 0;
  }

  /// The text between `{% raw %}` and `{% endraw %}`; false: another tag.
  bool rawBlock() {
    char control = '\0';
    const size_t begin = tagEnd(at, "raw", control);
    if (begin == 0)
      return false;
    // A raw block keeps the line end after its tag.
    advance(begin - 2 - at);
    endTag(control, /*isBlock=*/false, 2);
    for (size_t tag = text.find("{%", at); tag != text.npos;
         tag = text.find("{%", tag + 2)) {
      const size_t inner = tag + 2;
      const char before = inner < text.size() ? text[inner] : '\0';
      const bool isControl = before == '-' || before == '+';
      const size_t end = tagEnd(inner + isControl, "endraw", control);
      if (end == 0)
        continue;
      std::string_view content = text.substr(at, tag - at);
      if (before == '-')
        while (!content.empty() && isSpace(content.back()))
          content.remove_suffix(1);
      else if (before != '+')
        content = withoutIndent(content, tag);
      if (!content.empty())
        add(Token::Text, content);
      advance(end - 2 - at);
      endTag(control, /*isBlock=*/true, 2);
      return true;
    }
    problem = "a raw block has no {% endraw %}";
    return true;
  }

  void comment() {
    const size_t end = text.find("#}", at);
    if (end == text.npos) {
      problem = "a comment has no #}";
      return;
    }
    const char control = end > at ? text[end - 1] : '\0';
    advance(end - at);
    endTag(control, /*isBlock=*/true, 2);
  }

  void word(int &brackets) {
    const char c = text[at];
    size_t size = 1;
    if (isNameStart(c)) {
      while (at + size < text.size() &&
             (isNameStart(text[at + size]) || isDigit(text[at + size])))
        ++size;
      add(Token::Name, text.substr(at, size));
    } else if (isDigit(c)) {
      // The elements of `a.0.1` are integers.
      const bool isElement = !tokens.empty() &&
                             tokens.back().kind == Token::Sign &&
                             tokens.back().text == ".";
      bool isWhole = true;
      for (; at + size < text.size(); ++size) {
        const char d = text[at + size];
        const bool isPoint = d == '.' && isWhole && !isElement &&
                             at + size + 1 < text.size() &&
                             isDigit(text[at + size + 1]);
        if (!isDigit(d) && !isPoint)
          break;
        isWhole &= !isPoint;
      }
      if (const size_t digits = exponent(at + size)) {
        size += digits;
        isWhole = false;
      }
      add(isWhole ? Token::Integer : Token::Number, text.substr(at, size));
    } else if (c == '"' || c == '\'') {
      return string(c);
    } else {
      constexpr std::string_view pairs[] = {"==", "!=", "<=", ">=", "//", "**"};
      for (const std::string_view pair : pairs)
        if (startsWith(pair))
          size = 2;
      constexpr std::string_view signs = "()[]{}.,:|~+-*/%<>=";
      if (size == 1 && signs.find(c) == signs.npos) {
        problem = concat("found '", std::string(1, c), "' within a tag");
        return;
      }
      brackets += c == '(' || c == '[' || c == '{';
      brackets -= c == ')' || c == ']' || c == '}';
      add(Token::Sign, text.substr(at, size));
    }
    advance(size);
  }

  /// The length of an exponent such as `e-3` at `i`; 0: there is none.
  size_t exponent(size_t i) const {
    const size_t begin = i;
    if (i == text.size() || (text[i] != 'e' && text[i] != 'E'))
      return 0;
    ++i;
    i += i < text.size() && (text[i] == '-' || text[i] == '+');
    if (i == text.size() || !isDigit(text[i]))
      return 0;
    while (i < text.size() && isDigit(text[i]))
      ++i;
    return i - begin;
  }

  void string(char quote) {
    std::string content;
    size_t i = at + 1;
    for (; i < text.size() && text[i] != quote; ++i) {
      if (text[i] != '\\' || i + 1 == text.size()) {
        content += text[i];
        continue;
      }
      escape(++i, content);
    }
    if (i >= text.size()) {
      problem = "a string has no end";
      return;
    }
    add(Token::String, content);
    advance(i + 1 - at);
  }

  /// The character that an escape sequence at `i`, after the backslash,
  /// represents in Python; moves `i` to its last character.
  void escape(size_t &i, std::string &content) {
    constexpr std::string_view names = "ntr'\"\\abfv",
                               meanings = "\n\t\r'\"\\\a\b\f\v";
    const char name = text[i];
    if (name == '\n') // the string goes on in the next line
      return;
    if (name >= '0' && name <= '7') {
      uint32_t character = 0;
      size_t end = i;
      for (; end < std::min(i + 3, text.size()) && text[end] >= '0' &&
             text[end] <= '7';
           ++end)
        character = character * 8 + uint32_t(text[end] - '0');
      appendUtf8(content, character);
      i = end - 1;
      return;
    }
    if (const size_t known = names.find(name); known != names.npos) {
      content += meanings[known];
      return;
    }
    const size_t digits = name == 'x' ? 2 : name == 'u' ? 4 : 8;
    if (name != 'x' && name != 'u' && name != 'U') {
      content += '\\';
      content += name;
      return;
    }
    uint32_t character = 0;
    const char *begin = text.data() + i + 1;
    const char *end = begin + std::min(digits, text.size() - i - 1);
    const auto read = std::from_chars(begin, end, character, 16);
    const bool isSurrogate = character >= 0xD800 && character < 0xE000;
    if (read.ptr != begin + digits || character > 0x10FFFF || isSurrogate) {
      problem = concat("a string has the escape '\\",
                       text.substr(i, 1 + size_t(end - begin)),
                       "', which is not a character");
      return;
    }
    appendUtf8(content, character);
    i += digits;
  }

  std::string_view text;
  size_t at = 0;
  int line = 1;
  std::string problem;
  std::vector<Token> tokens;
};

} // namespace

Result<std::vector<Token>> splitTemplate(std::string_view text) {
  const std::string plain = withPlainLineEnds(text);
  return Lexer(plain).run();
}

} // namespace tilegpt::runtime::chat
