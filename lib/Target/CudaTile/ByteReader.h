// Bounds-checked sequential reads of bytes.
#ifndef TILEGPT_LIB_TARGET_CUDATILE_BYTEREADER_H
#define TILEGPT_LIB_TARGET_CUDATILE_BYTEREADER_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/ArrayRef.h"

namespace tilegpt::target::cudatile {

/// The input file and its error state. Only the first error is reported.
class Source {
public:
  Source(llvm::StringRef bytes, llvm::StringRef name,
         mlir::MLIRContext *context)
      : bytes(bytes), loc(mlir::FileLineColLoc::get(context, name, 0, 0)) {}

  /// Reports an error at an offset in the file.
  void fail(size_t offset, const llvm::Twine &message);
  bool hasFailed() const { return failed; }
  llvm::StringRef getBytes() const { return bytes; }
  mlir::MLIRContext *getContext() const { return loc.getContext(); }
  mlir::Location getLoc() const { return loc; }

private:
  llvm::StringRef bytes;
  mlir::Location loc;
  bool failed = false;
};

/// A range of a file. After an error all reads return zero, nothing remains and
/// counts are 0, so that loops terminate.
class ByteReader {
public:
  ByteReader(Source &source, size_t begin, size_t size)
      : source(&source), at(begin), end(begin + size) {}

  size_t getOffset() const { return at; }
  size_t getRemaining() const { return source->hasFailed() ? 0 : end - at; }
  bool atEnd() const { return getRemaining() == 0; }
  Source &getSource() const { return *source; }
  /// The same range of the same file, with the error state of `other`.
  ByteReader in(Source &other) const { return ByteReader(other, at, end - at); }

  uint8_t byte();
  /// Little-endian, up to 8 bytes.
  uint64_t fixed(unsigned width);
  uint64_t varint() {
    if (getRemaining() == 0 || source->getBytes()[at] < 0)
      return longVarint();
    return uint64_t(source->getBytes()[at++]);
  }
  /// The low 64 bits of a zigzag number. Writers differ on whether 64-bit
  /// patterns are signed, so 65 bits are accepted.
  uint64_t zigzag();
  llvm::StringRef take(size_t size);
  /// The number of items that follow, of at least `smallest` bytes each.
  size_t count(llvm::StringRef what, size_t smallest = 1);
  /// A number below `limit`.
  uint64_t index(llvm::StringRef what, uint64_t limit);
  /// The next `size` bytes as a reader of their own.
  ByteReader part(size_t size);
  /// Skips to a multiple of `alignment` in the file.
  void align(size_t alignment);

  /// Reports an error at the current position.
  void fail(const llvm::Twine &message) { source->fail(at, message); }

private:
  /// A varint of several bytes.
  uint64_t longVarint();

  Source *source;
  size_t at, end;
};

} // namespace tilegpt::target::cudatile

#endif
