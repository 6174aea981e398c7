// Matches patterns with PCRE2.
#define PCRE2_CODE_UNIT_WIDTH 8
#include "Pattern.h"
#include <algorithm>
#include <cstdint>
#include <pcre2.h>

using namespace tilegpt::runtime;

void Pattern::Deleter::operator()(pcre2_code *code) const {
  pcre2_code_free(code);
}
void Pattern::Deleter::operator()(pcre2_match_data *match) const {
  pcre2_match_data_free(match);
}
void Pattern::Deleter::operator()(pcre2_match_context *context) const {
  pcre2_match_context_free(context);
}

static std::string reasonOf(int status) {
  PCRE2_UCHAR reason[128];
  pcre2_get_error_message(status, reason, sizeof(reason));
  return reinterpret_cast<const char *>(reason);
}

Result<Pattern> Pattern::regex(std::string_view expression) {
  const auto translated = translatePattern(expression);
  if (!translated)
    return tl::unexpected(translated.error());
  int status;
  PCRE2_SIZE offset;
  Pattern pattern;
  pattern.code.reset(pcre2_compile(
      reinterpret_cast<PCRE2_SPTR>(translated->data()), translated->size(),
      PCRE2_UTF | PCRE2_UCP, &status, &offset, nullptr));
  if (!pattern.code)
    return makeError(ErrorCode::BadInput,
                     "is not a regular expression: ", reasonOf(status));
  // If executable memory is not permitted, PCRE2 interprets the pattern.
  pcre2_jit_compile(pattern.code.get(), PCRE2_JIT_COMPLETE);
  return pattern;
}

Pattern Pattern::literal(std::string_view text) {
  Pattern pattern;
  pattern.text = text;
  return pattern;
}

Result<std::vector<Pattern::Match>>
Pattern::find(std::string_view subject) const {
  std::vector<Match> matches;
  if (!code) {
    for (size_t at = 0;
         !text.empty() && (at = subject.find(text, at)) != subject.npos;
         at += text.size())
      matches.push_back({at, at + text.size()});
    return matches;
  }
  const std::unique_ptr<pcre2_match_data, Deleter> match(
      pcre2_match_data_create(1, nullptr));
  const std::unique_ptr<pcre2_match_context, Deleter> context(
      pcre2_match_context_create(nullptr));
  // A limit far above what patterns need that examine each character a few
  // times.
  pcre2_set_match_limit(
      context.get(), uint32_t(std::min<uint64_t>(
                         10'000 + 16 * uint64_t(subject.size()), UINT32_MAX)));
  for (size_t position = 0; position < subject.size();) {
    const int status =
        pcre2_match(code.get(), reinterpret_cast<PCRE2_SPTR>(subject.data()),
                    subject.size(), position, PCRE2_NO_UTF_CHECK, match.get(),
                    context.get());
    if (status == PCRE2_ERROR_NOMATCH)
      break;
    if (status < 0)
      return makeError(ErrorCode::Failure,
                       "tokenizer: cannot split the text at byte ", position,
                       ": ", reasonOf(status));
    const PCRE2_SIZE *bounds = pcre2_get_ovector_pointer(match.get());
    if (bounds[0] < bounds[1]) {
      matches.push_back({bounds[0], bounds[1]});
      position = bounds[1];
      continue;
    }
    // After an empty match the search continues with the next character.
    position = std::max(position, size_t(bounds[1])) + 1;
    while (position < subject.size() &&
           (uint8_t(subject[position]) & 0xC0) == 0x80)
      ++position;
  }
  return matches;
}
