// Turns a stream of bytes into text that can be shown at any moment: a UTF-8
// character comes out whole, when its last byte has come in.
#ifndef TILEGPT_RUNTIME_TEXT_STREAMDECODER_H
#define TILEGPT_RUNTIME_TEXT_STREAMDECODER_H

#include <string>
#include <string_view>

namespace tilegpt::runtime {

/// The output is always valid UTF-8. Bytes that can no longer become a
/// character are replaced by U+FFFD, one for the longest prefix of a character
/// or else for each byte, as in browsers.
class StreamDecoder {
public:
  /// Adds the bytes of a token. \returns the characters complete now.
  std::string push(std::string_view bytes);

  /// Ends the stream. \returns U+FFFD if a character was left incomplete, else
  /// nothing.
  std::string finish();

private:
  std::string pending; ///< at most three bytes
};

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_TEXT_STREAMDECODER_H
