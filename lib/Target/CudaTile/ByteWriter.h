// Sequential writes of bytes.
#ifndef TILEGPT_LIB_TARGET_CUDATILE_BYTEWRITER_H
#define TILEGPT_LIB_TARGET_CUDATILE_BYTEWRITER_H

#include "Format.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace tilegpt::target::cudatile {

class ByteWriter {
public:
  const std::string &str() const { return bytes; }
  size_t size() const { return bytes.size(); }

  void byte(uint8_t value) { bytes.push_back(char(value)); }
  void append(llvm::StringRef text) { bytes.append(text.begin(), text.end()); }
  void fixed(uint64_t value, unsigned width) {
    for (unsigned i = 0; i < width; ++i)
      byte(uint8_t(value >> (8 * i)));
  }
  void varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7)
      byte(uint8_t(value) | 0x80);
    byte(uint8_t(value));
  }
  void zigzag(int64_t value) {
    varint((uint64_t(value) << 1) ^ uint64_t(value >> 63));
  }
  /// A count, then numbers of a fixed width.
  template <typename T>
  void numbers(llvm::ArrayRef<T> values) {
    varint(values.size());
    for (T value : values)
      fixed(uint64_t(value), sizeof(T));
  }
  void align(size_t alignment) {
    while (bytes.size() % alignment != 0)
      byte(filler);
  }

private:
  std::string bytes;
};

/// Unique encoded items, numbered in order of insertion.
class ItemTable {
public:
  uint64_t add(std::string item) {
    return items.insert({std::move(item), items.size()}).first->second;
  }
  bool empty() const { return items.empty(); }
  /// A count, offsets of `width` bytes, then the items.
  void write(ByteWriter &writer, unsigned width) const {
    writer.varint(items.size());
    writer.align(width);
    size_t offset = 0;
    for (const auto &[item, number] : items) {
      writer.fixed(offset, width);
      offset += item.size();
    }
    for (const auto &[item, number] : items)
      writer.append(item);
  }

private:
  llvm::MapVector<std::string, uint64_t, std::map<std::string, unsigned>> items;
};

} // namespace tilegpt::target::cudatile

#endif
