// Sequential reads of bytes.
#include "ByteReader.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilegpt::target::cudatile {

void Source::fail(size_t offset, const Twine &message) {
  if (failed)
    return;
  failed = true;
  mlir::emitError(loc) << message << " (at byte " << offset << ')';
}

uint8_t ByteReader::byte() {
  if (atEnd()) {
    fail("expected more bytes, found the end of the part");
    return 0;
  }
  return uint8_t(source->getBytes()[at++]);
}

uint64_t ByteReader::fixed(unsigned width) {
  uint64_t value = 0;
  for (unsigned i = 0; i < width; ++i)
    value |= uint64_t(byte()) << (8 * i);
  return value;
}

/// LEB128: seven bits per byte, low bits first, at most `most` bits.
static unsigned __int128 readVarint(ByteReader &reader, unsigned most) {
  unsigned __int128 value = 0;
  for (unsigned shift = 0;; shift += 7) {
    uint8_t byte = reader.byte();
    uint8_t bits = byte & 0x7f;
    // The last byte must not exceed the limit.
    if (shift >= most || (shift + 7 > most && bits >> (most - shift) != 0)) {
      reader.fail("expected a number of at most " + Twine(most) + " bits");
      return 0;
    }
    value |= static_cast<unsigned __int128>(bits) << shift;
    if (!(byte & 0x80))
      return value;
  }
}

uint64_t ByteReader::longVarint() { return uint64_t(readVarint(*this, 64)); }

uint64_t ByteReader::zigzag() {
  unsigned __int128 value = readVarint(*this, 65);
  return uint64_t(value >> 1) ^ (value & 1 ? ~uint64_t(0) : 0);
}

StringRef ByteReader::take(size_t size) {
  if (size > getRemaining()) {
    fail("expected " + Twine(size) + " bytes, found " + Twine(getRemaining()));
    return {};
  }
  at += size;
  return source->getBytes().substr(at - size, size);
}

size_t ByteReader::count(StringRef what, size_t smallest) {
  uint64_t found = varint();
  if (found > getRemaining() / smallest) {
    fail("expected room for " + Twine(found) + " " + what + ", found " +
         Twine(getRemaining()) + " bytes");
    return 0;
  }
  return source->hasFailed() ? 0 : found;
}

uint64_t ByteReader::index(StringRef what, uint64_t limit) {
  size_t before = at;
  uint64_t found = varint();
  if (found < limit)
    return found;
  source->fail(before, "expected " + what + " below " + Twine(limit) +
                           ", found " + Twine(found));
  return 0;
}

ByteReader ByteReader::part(size_t size) {
  size_t begin = at;
  take(size);
  return source->hasFailed() ? ByteReader(*source, begin, 0)
                             : ByteReader(*source, begin, size);
}

void ByteReader::align(size_t alignment) {
  take(llvm::alignTo(at, alignment) - at);
}

} // namespace tilegpt::target::cudatile
