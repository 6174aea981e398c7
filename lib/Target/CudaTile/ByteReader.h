// Bytes read in order, none twice and none that is not there.
#ifndef TILEGPT_LIB_TARGET_CUDATILE_BYTEREADER_H
#define TILEGPT_LIB_TARGET_CUDATILE_BYTEREADER_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/ArrayRef.h"

namespace tilegpt::target::cudatile {

/// The file that is read, and whether it has been found wrong. Only the first
/// error is told.
class Source {
public:
  Source(llvm::StringRef bytes, llvm::StringRef name,
         mlir::MLIRContext *context)
      : bytes(bytes), loc(mlir::FileLineColLoc::get(context, name, 0, 0)) {}

  /// Reports what is wrong at an offset in the file.
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

/// A part of a file. After an error everything reads as zero, nothing is left,
/// and counts are 0, so that loops end.
class ByteReader {
public:
  ByteReader(Source &source, size_t begin, size_t size)
      : source(&source), at(begin), end(begin + size) {}

  size_t getOffset() const { return at; }
  size_t getRemaining() const { return source->hasFailed() ? 0 : end - at; }
  bool atEnd() const { return getRemaining() == 0; }
  Source &getSource() const { return *source; }

  uint8_t byte();
  /// Little-endian, of up to 8 bytes.
  uint64_t fixed(unsigned width);
  uint64_t varint();
  /// A zigzag number's low 64 bits. Writers differ on whether 64-bit patterns
  /// are signed, so 65 bits are accepted.
  uint64_t zigzag();
  llvm::StringRef take(size_t size);
  /// How many items of at least `smallest` bytes follow.
  size_t count(llvm::StringRef what, size_t smallest = 1);
  /// A number below `limit`.
  uint64_t index(llvm::StringRef what, uint64_t limit);
  /// The next `size` bytes, to be read on their own.
  ByteReader part(size_t size);
  /// Skips to a multiple of `alignment` of the file.
  void align(size_t alignment);

  /// Reports what is wrong here.
  void fail(const llvm::Twine &message) { source->fail(at, message); }

private:
  Source *source;
  size_t at, end;
};

} // namespace tilegpt::target::cudatile

#endif
