// Holds back an incomplete character until its remaining bytes arrive or cannot
// arrive.
#include "TileGPT/Runtime/Text/StreamDecoder.h"
#include "TileGPT/Runtime/Data/Utf8.h"
#include <utility>

using namespace tilegpt::runtime;

std::string StreamDecoder::push(std::string_view bytes) {
  const std::string joined = std::exchange(pending, {}).append(bytes);
  std::string text;
  for (std::string_view rest = joined; !rest.empty();) {
    const Utf8Step step = firstCharacter(rest);
    if (step.incomplete) {
      pending = rest;
      break;
    }
    text += step.valid ? rest.substr(0, step.bytes) : replacementCharacter;
    rest.remove_prefix(step.bytes);
  }
  return text;
}

std::string StreamDecoder::finish() {
  return std::string(std::exchange(pending, {}).empty() ? ""
                                                        : replacementCharacter);
}
