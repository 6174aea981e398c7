// Any text is either a tokenizer that loses no byte or an error: as a
// tokenizer.json and, cut at the first zero byte, as vocab.json and merges.txt.
#include "TileGPT/Runtime/Text/Tokenizer.h"
#include <cstdlib>

using namespace tilegpt::runtime;

/// Encodes the tokenizer's own file.
static void check(const Result<Tokenizer> &tokenizer, std::string_view text) {
  if (!tokenizer)
    return;
  for (const auto special :
       {Tokenizer::SpecialText::Plain, Tokenizer::SpecialText::Tokens}) {
    const auto ids = tokenizer->encode(text, special);
    if (!ids || tokenizer->decode(*ids) != text)
      std::abort();
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  check(Tokenizer::fromJson(text, "fuzz"), text);
  const size_t cut = std::min(text.find('\0'), text.size());
  check(Tokenizer::fromVocabAndMerges(text.substr(0, cut), "fuzz",
                                      text.substr(std::min(cut + 1, size)),
                                      "fuzz"),
        text);
  return 0;
}
