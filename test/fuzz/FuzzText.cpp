// Any bytes survive encoding and decoding, and however a stream is cut, the
// decoder emits the same valid UTF-8.
#include "TileGPT/Runtime/Data/Utf8.h"
#include "TileGPT/Runtime/Text/StopMatcher.h"
#include "TileGPT/Runtime/Text/StreamDecoder.h"
#include "TileGPT/Runtime/Text/Tokenizer.h"
#include <cstdlib>

using namespace tilegpt::runtime;

/// Single bytes, a few merges that depend on each other, and a special token.
static const Tokenizer &tokenizer() {
  static const Tokenizer instance = [] {
    std::string vocab = "{\"aa\":256,\"aaaa\":257,\"\u0120a\":258,"
                        "\"\u0120\u0120\":259,\"<|endoftext|>\":260";
    char32_t next = 0x100;
    for (uint32_t byte = 0; byte < 256; ++byte) {
      const bool printable = (byte >= '!' && byte <= '~') ||
                             (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
      vocab += byte == '"' || byte == '\\' ? ",\"\\" : ",\"";
      appendUtf8(vocab, printable ? char32_t(byte) : next++);
      vocab += "\":" + std::to_string(byte);
    }
    return Tokenizer::fromVocabAndMerges(
               vocab + "}", "vocab", "a a\naa aa\n\u0120 a\n\u0120 \u0120\n",
               "merges")
        .value();
  }();
  return instance;
}

/// The output of a stream that arrives in pieces of `step` bytes.
static std::string show(std::string_view text, size_t step,
                        StopMatcher &stops) {
  StreamDecoder decoder;
  std::string shown;
  while (!text.empty()) {
    const std::string piece = decoder.push(text.substr(0, step));
    if (findInvalidUtf8(piece))
      std::abort();
    shown += stops.push(piece);
    text.remove_prefix(std::min(step, text.size()));
  }
  return shown + stops.push(decoder.finish()) + stops.finish();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  for (const auto special :
       {Tokenizer::SpecialText::Plain, Tokenizer::SpecialText::Tokens}) {
    const auto ids = tokenizer().encode(text, special);
    if (!ids || tokenizer().decode(*ids) != text)
      std::abort();
  }

  // The first bytes, if any, are the stop string.
  std::vector<std::string> stops;
  if (size > 2)
    stops.emplace_back(text.substr(0, 1 + data[0] % 3));
  std::string first;
  for (const size_t step : {size_t(1), size_t(2), size_t(5), size + 1}) {
    StopMatcher matcher = StopMatcher::create(stops).value();
    const std::string shown = show(text, step, matcher);
    if (step == 1)
      first = shown;
    else if (shown != first)
      std::abort();
  }
  return 0;
}
