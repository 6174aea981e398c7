// Any text is either a tokenizer or an error: as a tokenizer.json, as a
// tokenizer.model and, cut at the first zero byte, as vocab.json and
// merges.txt. Loaded tokenizers encode any text, and those of the older files
// lose no byte.
#include "TileGPT/Runtime/Text/Tokenizer.h"
#include <cstdlib>

using namespace tilegpt::runtime;

/// Encodes the tokenizer's own file.
static void check(const Result<Tokenizer> &tokenizer, std::string_view text,
                  bool isLossless) {
  if (!tokenizer)
    return;
  for (const auto special :
       {Tokenizer::SpecialText::Plain, Tokenizer::SpecialText::Tokens}) {
    const auto ids = tokenizer->encode(text, special);
    // Patterns in the file may be too expensive.
    if (!ids && !isLossless && ids.error().code == ErrorCode::Failure)
      continue;
    const auto decoded = ids ? tokenizer->decode(*ids) : std::string();
    if (!ids || !decoded || (isLossless && decoded != text))
      std::abort();
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  check(Tokenizer::fromJson(text, "fuzz"), text, false);
  check(Tokenizer::fromSentencePiece(text, "fuzz"), text, false);
  const size_t cut = std::min(text.find('\0'), text.size());
  check(Tokenizer::fromVocabAndMerges(text.substr(0, cut), "fuzz",
                                      text.substr(std::min(cut + 1, size)),
                                      "fuzz"),
        text, true);
  return 0;
}
