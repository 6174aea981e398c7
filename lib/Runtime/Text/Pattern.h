// Regular expressions of tokenizer.json, run by PCRE2. They are written for
// Oniguruma; only syntax with the same meaning in both is accepted.
#ifndef TILEGPT_LIB_RUNTIME_TEXT_PATTERN_H
#define TILEGPT_LIB_RUNTIME_TEXT_PATTERN_H

#include "TileGPT/Runtime/Error.h"
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct pcre2_real_code_8;
struct pcre2_real_match_data_8;
struct pcre2_real_match_context_8;

namespace tilegpt::runtime {

/// Immutable and therefore thread-safe.
class Pattern {
public:
  /// A part of a text: bytes [begin, end).
  struct Match {
    size_t begin, end;
  };

  /// Compiles a regular expression, with the JIT if the system permits it.
  /// \returns BadInput, without the file name, that names the unsupported
  /// syntax: "uses '\\w', which is not supported".
  static Result<Pattern> regex(std::string_view expression);

  /// A literal text.
  static Pattern literal(std::string_view text);

  /// All matches in `text`, which is valid UTF-8, from left to right;
  /// nonoverlapping and nonempty.
  /// \returns Failure if PCRE2 exceeds its match limit.
  Result<std::vector<Match>> find(std::string_view text) const;

private:
  struct Deleter {
    void operator()(pcre2_real_code_8 *code) const;
    void operator()(pcre2_real_match_data_8 *match) const;
    void operator()(pcre2_real_match_context_8 *context) const;
  };
  std::unique_ptr<pcre2_real_code_8, Deleter> code; ///< null for a literal
  std::string text;
};

/// The expression in PCRE2's syntax and meaning.
/// \returns BadInput as Pattern::regex() does.
Result<std::string> translatePattern(std::string_view expression);

} // namespace tilegpt::runtime

#endif // TILEGPT_LIB_RUNTIME_TEXT_PATTERN_H
