// GPT-2's pattern for PCRE2. White space is spelled out as Unicode's
// White_Space property, which is what the pattern's authors' engines mean by
// \s; PCRE2's \s would take U+180E, too.
#define PCRE2_CODE_UNIT_WIDTH 8
#include "PreTokenizer.h"
#include <cassert>
#include <pcre2.h>

using namespace tilegpt::runtime;

#define WHITE_SPACE "\\p{Z}\\t-\\r\\x{85}"

/// 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
static constexpr std::string_view pattern =
    "'s|'t|'re|'ve|'m|'ll|'d"
    "| ?\\p{L}+| ?\\p{N}+| ?[^" WHITE_SPACE "\\p{L}\\p{N}]+"
    "|[" WHITE_SPACE "]+(?![^" WHITE_SPACE "])|[" WHITE_SPACE "]+";

/// The pattern never backtracks by more than one character, so any real need
/// stays far below this; hitting it means something is wrong with PCRE2.
static constexpr uint32_t matchLimit = 10'000;

void PreTokenizer::Deleter::operator()(pcre2_code *code) const {
  pcre2_code_free(code);
}
void PreTokenizer::Deleter::operator()(pcre2_match_context *context) const {
  pcre2_match_context_free(context);
}
void PreTokenizer::Pass::Deleter::operator()(pcre2_match_data *match) const {
  pcre2_match_data_free(match);
}

PreTokenizer::PreTokenizer() {
  int error;
  PCRE2_SIZE offset;
  // Anchored: a piece starts where the last one ended.
  code.reset(pcre2_compile(
      reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(),
      PCRE2_UTF | PCRE2_UCP | PCRE2_ANCHORED, &error, &offset, nullptr));
  assert(code && "the pattern is valid");
  // Without permission to run code it makes, PCRE2 interprets the pattern.
  pcre2_jit_compile(code.get(), PCRE2_JIT_COMPLETE);
  context.reset(pcre2_match_context_create(nullptr));
  pcre2_set_match_limit(context.get(), matchLimit);
}

PreTokenizer::Pass::Pass(const PreTokenizer &splitter, std::string_view text)
    : splitter(splitter), text(text),
      match(pcre2_match_data_create(1, nullptr)) {}

Result<size_t> PreTokenizer::Pass::next() {
  if (position == text.size())
    return 0;
  const int status = pcre2_match(splitter.code.get(),
                                 reinterpret_cast<PCRE2_SPTR>(text.data()),
                                 text.size(), position, PCRE2_NO_UTF_CHECK,
                                 match.get(), splitter.context.get());
  if (status < 0) {
    PCRE2_UCHAR reason[128];
    pcre2_get_error_message(status, reason, sizeof(reason));
    return makeError(ErrorCode::Failure,
                     "tokenizer: cannot split the text at "
                     "byte ",
                     position, ": ", reinterpret_cast<const char *>(reason));
  }
  const size_t end = pcre2_get_ovector_pointer(match.get())[1];
  return end - std::exchange(position, end);
}
