// Splits text into the words, numbers, marks and spaces that BPE then works on
// one by one, by GPT-2's pattern.
#ifndef TILEGPT_LIB_RUNTIME_TEXT_PRETOKENIZER_H
#define TILEGPT_LIB_RUNTIME_TEXT_PRETOKENIZER_H

#include "TileGPT/Runtime/Error.h"
#include <memory>
#include <string_view>

struct pcre2_real_code_8;
struct pcre2_real_match_data_8;
struct pcre2_real_match_context_8;

namespace tilegpt::runtime {

class PreTokenizer {
public:
  /// Compiles the pattern, to machine code where the system allows it.
  PreTokenizer();

  /// One pass over a text.
  class Pass {
  public:
    /// \param text  valid UTF-8 that stays alive.
    Pass(const PreTokenizer &splitter, std::string_view text);

    /// Finds the next piece; pieces follow each other without gaps.
    /// \returns its size in bytes, 0 at the end; Failure if PCRE2 gives up.
    Result<size_t> next();

  private:
    struct Deleter {
      void operator()(pcre2_real_match_data_8 *match) const;
    };
    const PreTokenizer &splitter;
    std::string_view text;
    size_t position = 0;
    std::unique_ptr<pcre2_real_match_data_8, Deleter> match;
  };

private:
  struct Deleter {
    void operator()(pcre2_real_code_8 *code) const;
    void operator()(pcre2_real_match_context_8 *context) const;
  };
  std::unique_ptr<pcre2_real_code_8, Deleter> code;
  std::unique_ptr<pcre2_real_match_context_8, Deleter> context;
};

} // namespace tilegpt::runtime

#endif // TILEGPT_LIB_RUNTIME_TEXT_PRETOKENIZER_H
