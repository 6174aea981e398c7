// Creates tensors, and maps the elements of a view to its memory.
#include "TileGPT/Reference/Tensor.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>
#include <cstring>
#include <limits>

using llvm::ArrayRef;
using llvm::Expected;

namespace tilegpt::reference {

/// The number of elements of a shape, or an error that names it.
static Expected<int64_t> countElements(ElementType type,
                                       ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape) {
    if (size < 0)
      return llvm::createStringError("expected sizes of at least 0, found " +
                                     describe(type, shape));
    if (llvm::MulOverflow(count, size, count) || count > Tensor::maxElements)
      return llvm::createStringError(
          "tensor " + describe(type, shape) + " has more than " +
          std::to_string(Tensor::maxElements) +
          " elements, the most the interpreter holds");
  }
  return count;
}

Expected<Tensor> Tensor::zeros(ElementType type, ArrayRef<int64_t> shape) {
  Expected<int64_t> count = countElements(type, shape);
  if (!count)
    return count.takeError();
  Tensor tensor(type, shape, *count);
  if (tensor.isFloat())
    for (Element &value : tensor.values)
      value.f = 0;
  return tensor;
}

Expected<Tensor> Tensor::unwritten(ElementType type, ArrayRef<int64_t> shape) {
  Expected<Tensor> tensor = zeros(type, shape);
  if (!tensor)
    return tensor;
  if (tensor->isFloat())
    for (Element &value : tensor->values)
      value.f = std::numeric_limits<double>::quiet_NaN();
  tensor->written.resize(tensor->values.size(), false);
  return tensor;
}

Expected<Tensor> Tensor::fromBytes(ElementType type, ArrayRef<int64_t> shape,
                                   ArrayRef<std::byte> bytes) {
  Expected<Tensor> tensor = zeros(type, shape);
  if (!tensor)
    return tensor;
  int64_t width = bundle::byteWidth(type);
  if (static_cast<int64_t>(bytes.size()) != tensor->size() * width)
    return llvm::createStringError(
        "expected " + std::to_string(tensor->size() * width) + " bytes for " +
        describe(type, shape) + ", found " + std::to_string(bytes.size()));
  for (int64_t i = 0; i < tensor->size(); ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + i * width, width);
    (*tensor)[i] = fromBits(bits, type);
  }
  return tensor;
}

std::vector<std::byte> Tensor::toBytes() const {
  int64_t width = bundle::byteWidth(kind);
  std::vector<std::byte> bytes(size() * width);
  for (int64_t i = 0; i < size(); ++i) {
    uint64_t bits = toBits(values[i], kind);
    std::memcpy(bytes.data() + i * width, &bits, width);
  }
  return bytes;
}

Tensor Tensor::reshaped(ArrayRef<int64_t> shape) const {
  Tensor result = *this;
  result.sizes = Shape(shape);
  assert(size() == llvm::product_of(shape) && "reshape keeps the elements");
  return result;
}

View View::of(TensorRef tensor, bool writable) {
  View view;
  view.writable = writable;
  view.shape = Shape(tensor->shape());
  view.strides = denseStrides(tensor->shape());
  view.memory = std::move(tensor);
  return view;
}

View View::pointerTo(TensorRef tensor) {
  View pointer;
  pointer.memory = std::move(tensor);
  pointer.writable = true;
  return pointer;
}

std::optional<int64_t> View::locate(ArrayRef<int64_t> index) const {
  int64_t position = offset;
  for (auto [i, size, stride] : llvm::zip_equal(index, shape, strides)) {
    if (i < 0 || i >= size)
      return std::nullopt;
    position += i * stride;
  }
  return position;
}

Shape denseStrides(ArrayRef<int64_t> shape) {
  Shape strides(shape.size(), 1);
  for (size_t axis = shape.size(); axis-- > 1;)
    // Positive even if an axis is empty, like the strides of a view type.
    strides[axis - 1] = strides[axis] * std::max<int64_t>(shape[axis], 1);
  return strides;
}

std::string describe(ElementType type, ArrayRef<int64_t> shape) {
  std::string text;
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  return text + std::string(bundle::name(type));
}

} // namespace tilegpt::reference
