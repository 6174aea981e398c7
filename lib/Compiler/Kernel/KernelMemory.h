// The memory of a kernel that is run by itself: a copy of every tensor between
// guards, as it lies on the device, and what has become of it afterwards.
#ifndef TILEGPT_LIB_COMPILER_KERNELMEMORY_H
#define TILEGPT_LIB_COMPILER_KERNELMEMORY_H

#include "TileGPT/Reference/Interpreter.h"
#include <list>
#include <span>

namespace tilegpt::compiler {

/// One tensor as a kernel sees it. What nothing has written yet is NaN, or an
/// unlikely integer; so are the guards.
class TensorImage {
public:
  /// \param guard elements before and behind, at least.
  TensorImage(reference::TensorRef tensor, int64_t guard);

  /// Guard, elements, guard; aligned to 64 bytes and at least as many. A device
  /// with memory of its own copies them there and back.
  std::span<std::byte> bytes();
  /// Where the elements start; a multiple of 64.
  size_t offset() const { return guardBytes; }

  /// Address of bytes() for the kernel: theirs, unless they have been copied.
  uint64_t address() { return copy ? copy : hostAddress(); }
  void setAddress(uint64_t address) { copy = address; }

  /// Takes over the elements that have changed. An integer may have been
  /// written with the very value that stood for nothing, so it counts as
  /// written.
  void readBack();
  /// Whether a byte beside the tensor has changed.
  bool guardsAreBroken();

  const reference::TensorRef &tensor() const { return original; }

private:
  uint64_t hostAddress() { return reinterpret_cast<uint64_t>(bytes().data()); }

  reference::TensorRef original;
  int64_t width;
  size_t guardBytes;
  std::vector<std::byte> before;
  std::vector<std::byte> storage; ///< longer, to be aligned in
  uint64_t copy = 0;
};

/// Images of all tensors of a run; views of one tensor share one image.
class KernelMemory {
public:
  KernelMemory(llvm::ArrayRef<reference::Value> arguments, int64_t guard);

  std::list<TensorImage> &images() { return all; }

  /// The words a kernel reads its arguments from: a view as address, sizes and
  /// strides in elements, a scalar as its bits.
  std::vector<uint64_t> words();

  /// Takes over what the kernel has written.
  /// \returns an error, and takes over nothing, if that was not all inside the
  /// tensors.
  llvm::Error readBack(llvm::StringRef kernel);

private:
  TensorImage &imageOf(const reference::View &view);

  llvm::ArrayRef<reference::Value> arguments;
  std::list<TensorImage> all;
};

} // namespace tilegpt::compiler

#endif // TILEGPT_LIB_COMPILER_KERNELMEMORY_H
