// The memory of a standalone kernel: a copy of every tensor between guard
// regions, and its contents after the run.
#ifndef TILEGPT_LIB_COMPILER_KERNELMEMORY_H
#define TILEGPT_LIB_COMPILER_KERNELMEMORY_H

#include "TileGPT/Reference/Interpreter.h"
#include <list>
#include <span>

namespace tilegpt::compiler {

/// The memory image of a tensor. Uninitialized elements and guards are NaN, or
/// an unlikely integer.
class TensorImage {
public:
  /// \param guard minimum number of elements before and after.
  TensorImage(reference::TensorRef tensor, int64_t guard);

  /// Guard, elements, guard; aligned to 64 bytes and at least as many. A device
  /// with memory of its own copies them there and back.
  std::span<std::byte> bytes();
  /// Where the elements start; a multiple of 64.
  size_t offset() const { return guardBytes; }

  /// The device address of bytes(): their host address unless they were copied.
  uint64_t address() { return copy ? copy : hostAddress(); }
  void setAddress(uint64_t address) { copy = address; }

  /// Sets an i64 element, as if the tensor held this value.
  void setWord(int64_t element, uint64_t word);
  /// Whether an element has its value before the run.
  bool isUnchanged(int64_t element);

  /// Gives the elements their values before the run.
  void restore();
  /// Reads back the elements that have changed. A written integer may equal the
  /// value of uninitialized ones, so all integers count as written.
  void readBack();
  /// Whether a guard byte has changed.
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

/// Images of all tensors of a run, those included whose addresses other tensors
/// hold; views of one tensor share one image.
class KernelMemory {
public:
  KernelMemory(llvm::ArrayRef<reference::Value> arguments, int64_t guard);

  std::list<TensorImage> &images() { return all; }

  /// Stores the addresses that tensors hold in their images, again after
  /// images were given device addresses.
  void placeAddresses();
  /// Makes these addresses zero again where the kernel has not changed them:
  /// the same bytes for every run.
  void removeAddresses();

  /// The words a kernel reads its arguments from: a view as address, sizes and
  /// strides in elements, a scalar as its bits.
  std::vector<uint64_t> words();

  /// Restores all tensors that a kernel may have written.
  void restore();

  /// Reads back all tensors.
  /// \returns an error, without reading back, if the kernel wrote out of
  /// bounds.
  llvm::Error readBack(llvm::StringRef kernel);

private:
  void add(const reference::TensorRef &tensor, int64_t guard);
  TensorImage &imageOf(const reference::TensorRef &tensor);

  llvm::ArrayRef<reference::Value> arguments;
  std::list<TensorImage> all;
};

} // namespace tilegpt::compiler

#endif // TILEGPT_LIB_COMPILER_KERNELMEMORY_H
