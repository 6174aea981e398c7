// Tensors and views of the interpreter. A tensor is a dense array of elements
// that tracks which of them have been written; a scalar is a tensor of rank 0.
#ifndef TILEGPT_REFERENCE_TENSOR_H
#define TILEGPT_REFERENCE_TENSOR_H

#include "TileGPT/Reference/Element.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tilegpt::reference {

using Shape = llvm::SmallVector<int64_t, 4>;

class Tensor {
public:
  /// The largest number of elements a tensor may have.
  static constexpr int64_t maxElements = int64_t(1) << 30;

  /// A scalar.
  Tensor(ElementType type, Element value) : kind(type), values{value} {}

  /// A tensor of zeros.
  /// \returns an error for a negative size or more than maxElements elements.
  static llvm::Expected<Tensor> zeros(ElementType type,
                                      llvm::ArrayRef<int64_t> shape);

  /// A tensor of which no element has been written; floats hold NaN.
  static llvm::Expected<Tensor> unwritten(ElementType type,
                                          llvm::ArrayRef<int64_t> shape);

  /// A tensor of elements in their memory representation, row-major.
  /// \returns an error if the size of `bytes` does not match type and shape.
  static llvm::Expected<Tensor> fromBytes(ElementType type,
                                          llvm::ArrayRef<int64_t> shape,
                                          llvm::ArrayRef<std::byte> bytes);
  std::vector<std::byte> toBytes() const;

  ElementType type() const { return kind; }
  llvm::ArrayRef<int64_t> shape() const { return sizes; }
  int64_t rank() const { return static_cast<int64_t>(sizes.size()); }
  int64_t size() const { return static_cast<int64_t>(values.size()); }
  bool isFloat() const { return reference::isFloat(kind); }

  /// Elements by their row-major number.
  Element &operator[](int64_t i) { return values[i]; }
  const Element &operator[](int64_t i) const { return values[i]; }

  /// The only element.
  Element item() const { return values.front(); }

  /// Stores a value as memory of this type would: floats are rounded.
  void store(int64_t i, Element value) {
    values[i] = isFloat() ? Element::of(roundTo(value.f, kind)) : value;
    if (!written.empty())
      written[i] = true;
  }
  bool isWritten(int64_t i) const { return written.empty() || written[i]; }

  /// An element, an i64, that holds the address of other memory.
  struct Address {
    int64_t element;
    std::shared_ptr<Tensor> memory; ///< whose first element is there
  };
  /// Whoever runs a kernel on this memory stores the addresses, which differ
  /// from machine to machine.
  llvm::ArrayRef<Address> addresses() const { return held; }
  void addAddress(Address address) { held.push_back(std::move(address)); }

  /// The same elements in another shape of as many elements.
  Tensor reshaped(llvm::ArrayRef<int64_t> shape) const;

private:
  Tensor(ElementType type, llvm::ArrayRef<int64_t> shape, int64_t size)
      : kind(type), sizes(shape), values(size) {}

  ElementType kind;
  Shape sizes;
  std::vector<Element> values;
  std::vector<bool> written; ///< empty when everything is
  std::vector<Address> held;
};

/// Tensors are values and never modified while shared, except by a kernel
/// through the views of its outs.
using TensorRef = std::shared_ptr<Tensor>;

/// A strided window of a tensor, as `!tile.view` is one of global memory.
/// Offset and strides count elements.
struct View {
  TensorRef memory;
  bool writable = false;
  int64_t offset = 0;
  Shape shape;
  Shape strides;

  /// The whole of a tensor, row-major.
  static View of(TensorRef tensor, bool writable);

  /// A pointer to the first element of a tensor: of rank 0, with the rest of
  /// the memory after it.
  static View pointerTo(TensorRef tensor);

  /// The number of an element in `memory`, or nothing outside the view. A view
  /// that a kernel makes may exceed its memory, so numbers below 0 and from
  /// the memory's size on are possible.
  std::optional<int64_t> locate(llvm::ArrayRef<int64_t> index) const;
};

/// Strides of a dense row-major tensor.
Shape denseStrides(llvm::ArrayRef<int64_t> shape);

/// The shape as people read it: "2x3xf32", "f32" for a scalar.
std::string describe(ElementType type, llvm::ArrayRef<int64_t> shape);

/// Calls `visit(index)` for every index of a shape in row-major order.
template <typename Visit>
void forEachIndex(llvm::ArrayRef<int64_t> shape, Visit visit) {
  for (int64_t size : shape)
    if (size == 0)
      return;
  Shape index(shape.size(), 0);
  while (true) {
    visit(llvm::ArrayRef<int64_t>(index));
    int64_t axis = static_cast<int64_t>(shape.size()) - 1;
    for (; axis >= 0 && ++index[axis] == shape[axis]; --axis)
      index[axis] = 0;
    if (axis < 0)
      return;
  }
}

} // namespace tilegpt::reference

#endif // TILEGPT_REFERENCE_TENSOR_H
