// Builds tables of words, some of which are addresses.
#include "TileGPT/Compiler/AddressTable.h"
#include "llvm/ADT/STLExtras.h"

using tilegpt::reference::Tensor;
using tilegpt::reference::TensorRef;

namespace tilegpt::compiler {

void AddressTable::addArray(const TensorRef &array) {
  addPointer(array);
  for (int64_t size : array->shape())
    addNumber(size);
  for (int64_t stride : reference::denseStrides(array->shape()))
    addNumber(stride);
}

TensorRef AddressTable::finish() const {
  auto table = std::make_shared<Tensor>(llvm::cantFail(Tensor::zeros(
      reference::ElementType::I64, {static_cast<int64_t>(words.size())})));
  for (auto [i, word] : llvm::enumerate(words)) {
    const auto element = static_cast<int64_t>(i);
    (*table)[element] = reference::Element::of(word.number);
    if (word.memory)
      table->addAddress({element, word.memory});
  }
  return table;
}

} // namespace tilegpt::compiler
