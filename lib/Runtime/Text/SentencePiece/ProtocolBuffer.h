// Reads messages of protocol buffers, the encoding of SentencePiece files.
#ifndef TILEGPT_LIB_RUNTIME_TEXT_SENTENCEPIECE_PROTOCOLBUFFER_H
#define TILEGPT_LIB_RUNTIME_TEXT_SENTENCEPIECE_PROTOCOLBUFFER_H

#include <bit>
#include <cstdint>
#include <string_view>

namespace tilegpt::runtime {

/// The fields of one message, in the order of the file.
class ProtocolBuffer {
public:
  explicit ProtocolBuffer(std::string_view bytes) : rest(bytes) {}

  /// Reads the next field; false at the end, and if the message is malformed.
  bool next() {
    uint64_t tag = 0;
    if (rest.empty() || isMalformed || !readVarint(tag))
      return false;
    number = uint32_t(tag >> 3);
    switch (tag & 7) {
    case 0:
      return readVarint(integer);
    case 1:
      return readWord(8);
    case 2: {
      uint64_t size = 0;
      if (!readVarint(size))
        return false;
      if (size > rest.size())
        return fail();
      bytes = rest.substr(0, size_t(size));
      rest.remove_prefix(size_t(size));
      return true;
    }
    case 5:
      return readWord(4);
    default:
      return fail();
    }
  }

  /// Whether the message ended early, or has fields of an unknown kind.
  bool malformed() const { return isMalformed; }

  /// The field read last: its number, and the value of its kind.
  uint32_t number = 0;
  uint64_t integer = 0;   ///< of an integer, an enumerator or a boolean
  std::string_view bytes; ///< of a string or a message
  float real() const { return std::bit_cast<float>(uint32_t(integer)); }

private:
  bool fail() {
    isMalformed = true;
    return false;
  }
  bool readVarint(uint64_t &value) {
    value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (rest.empty())
        return fail();
      const auto byte = uint8_t(rest.front());
      rest.remove_prefix(1);
      value |= uint64_t(byte & 0x7F) << shift;
      if (byte < 0x80)
        return true;
    }
    return fail();
  }
  bool readWord(size_t size) {
    if (rest.size() < size)
      return fail();
    integer = 0;
    for (size_t i = 0; i < size; ++i)
      integer |= uint64_t(uint8_t(rest[i])) << 8 * i;
    rest.remove_prefix(size);
    return true;
  }

  std::string_view rest;
  bool isMalformed = false;
};

} // namespace tilegpt::runtime

#endif // TILEGPT_LIB_RUNTIME_TEXT_SENTENCEPIECE_PROTOCOLBUFFER_H
