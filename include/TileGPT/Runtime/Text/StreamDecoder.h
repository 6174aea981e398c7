// Turns a stream of bytes into text that can be shown at any time: a UTF-8
// character is emitted as a whole, once its last byte has arrived.
#ifndef TILEGPT_RUNTIME_TEXT_STREAMDECODER_H
#define TILEGPT_RUNTIME_TEXT_STREAMDECODER_H

#include <string>
#include <string_view>

namespace tilegpt::runtime {

/// The output is always valid UTF-8. Bytes that cannot become a character are
/// replaced by U+FFFD, one for the longest prefix of a character or otherwise
/// for each byte, as in browsers.
class StreamDecoder {
public:
  /// Adds the bytes of a token. \returns the completed characters.
  std::string push(std::string_view bytes);

  /// Ends the stream. \returns U+FFFD for an incomplete character, else
  /// nothing.
  std::string finish();

private:
  std::string pending; ///< at most three bytes
};

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_TEXT_STREAMDECODER_H
