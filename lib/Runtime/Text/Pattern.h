// Regular expressions of tokenizer.json, run by PCRE2. Their authors' engine is
// Oniguruma; only what means the same in both is accepted.
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

/// Immutable, so it may be used from several threads.
class Pattern {
public:
  /// A part of a text: bytes [begin, end).
  struct Match {
    size_t begin, end;
  };

  /// Compiles a regular expression, to machine code where the system allows it.
  /// \returns BadInput, without the name of the file, that names what is not
  /// understood: "uses '\\w', which is not supported".
  static Result<Pattern> regex(std::string_view expression);

  /// A text that stands for itself.
  static Pattern literal(std::string_view text);

  /// All matches in `text`, which is valid UTF-8, from left to right; they do
  /// not overlap and are not empty.
  /// \returns Failure should PCRE2 give up.
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
