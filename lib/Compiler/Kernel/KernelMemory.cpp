// Places tensors between guard regions and reads them back.
#include "KernelMemory.h"
#include "TileGPT/Bundle/ElementType.h"
#include "TileGPT/Reference/Frame.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstring>

using tilegpt::reference::TensorRef;
using tilegpt::reference::View;

namespace tilegpt::compiler {

static constexpr uint64_t alignment = 64;
/// A NaN in every float type.
static constexpr std::byte guardByte{0xFF};

TensorImage::TensorImage(TensorRef tensor, int64_t guard)
    : original(std::move(tensor)), width(bundle::byteWidth(original->type())),
      guardBytes(llvm::alignTo(guard * width, alignment)),
      before(original->toBytes()) {
  int poison = original->isFloat() ? 0xFF : 0xA5;
  for (int64_t i = 0; i < original->size(); ++i)
    if (!original->isWritten(i))
      std::memset(&before[i * width], poison, width);
  storage.resize(2 * alignment + 2 * guardBytes + before.size(), guardByte);
  restore();
}

void TensorImage::restore() {
  std::ranges::copy(before, bytes().begin() + offset());
}

void TensorImage::setWord(int64_t element, uint64_t word) {
  const int64_t at = element * width;
  for (std::byte *elements : {before.data(), bytes().data() + offset()})
    std::memcpy(elements + at, &word, sizeof(word));
}

std::span<std::byte> TensorImage::bytes() {
  auto start = reinterpret_cast<uintptr_t>(storage.data());
  size_t skipped = llvm::alignTo(start, alignment) - start;
  return std::span(storage).subspan(
      skipped, std::max(2 * guardBytes + before.size(), alignment));
}

bool TensorImage::isUnchanged(int64_t element) {
  const int64_t at = element * width;
  return !std::memcmp(bytes().data() + offset() + at, &before[at], width);
}

void TensorImage::readBack() {
  const std::byte *data = bytes().data() + offset();
  for (int64_t i = 0; i < original->size(); ++i) {
    if (isUnchanged(i) && (original->isFloat() || original->isWritten(i)))
      continue;
    uint64_t bits = 0;
    std::memcpy(&bits, data + i * width, width);
    original->store(i, reference::fromBits(bits, original->type()));
  }
}

bool TensorImage::guardsAreBroken() {
  auto isBroken = [](std::span<const std::byte> guard) {
    return !std::ranges::all_of(
        guard, [](std::byte byte) { return byte == guardByte; });
  };
  return isBroken(bytes().first(offset())) ||
         isBroken(bytes().subspan(offset() + before.size()));
}

KernelMemory::KernelMemory(llvm::ArrayRef<reference::Value> arguments,
                           int64_t guard)
    : arguments(arguments) {
  for (const reference::Value &value : arguments)
    if (const auto *view = std::get_if<View>(&value))
      add(view->memory, guard);
  placeAddresses();
}

void KernelMemory::add(const TensorRef &tensor, int64_t guard) {
  if (llvm::any_of(all, [&](const TensorImage &image) {
        return image.tensor() == tensor;
      }))
    return;
  all.emplace_back(tensor, guard);
  for (const reference::Tensor::Address &held : tensor->addresses())
    add(held.memory, guard);
}

TensorImage &KernelMemory::imageOf(const TensorRef &tensor) {
  return *llvm::find_if(
      all, [&](const TensorImage &image) { return image.tensor() == tensor; });
}

void KernelMemory::placeAddresses() {
  for (TensorImage &image : all)
    for (const reference::Tensor::Address &held : image.tensor()->addresses()) {
      TensorImage &target = imageOf(held.memory);
      image.setWord(held.element, target.address() + target.offset());
    }
}

void KernelMemory::removeAddresses() {
  for (TensorImage &image : all)
    for (const reference::Tensor::Address &held : image.tensor()->addresses())
      if (image.isUnchanged(held.element))
        image.setWord(held.element, 0);
}

std::vector<uint64_t> KernelMemory::words() {
  std::vector<uint64_t> words;
  for (const reference::Value &value : arguments) {
    if (const auto *scalar = std::get_if<TensorRef>(&value)) {
      words.push_back(reference::toBits((*scalar)->item(), (*scalar)->type()));
      continue;
    }
    const View &view = std::get<View>(value);
    TensorImage &image = imageOf(view.memory);
    words.push_back(image.address() + image.offset() +
                    view.offset * bundle::byteWidth(view.memory->type()));
    words.insert(words.end(), view.shape.begin(), view.shape.end());
    words.insert(words.end(), view.strides.begin(), view.strides.end());
  }
  return words;
}

void KernelMemory::restore() {
  auto isOnlyRead = [&](const TensorRef &tensor) {
    bool isArgument = false;
    for (const reference::Value &value : arguments) {
      const auto *view = std::get_if<View>(&value);
      if (!view || view->memory != tensor)
        continue;
      isArgument = true;
      if (view->writable)
        return false;
    }
    return isArgument;
  };
  for (TensorImage &image : all)
    if (!isOnlyRead(image.tensor()))
      image.restore();
}

llvm::Error KernelMemory::readBack(llvm::StringRef kernel) {
  for (TensorImage &image : all)
    if (image.guardsAreBroken())
      return llvm::createStringError(
          llvm::formatv("'{0}' has written outside of a view", kernel));
  for (TensorImage &image : all)
    image.readBack();
  return llvm::Error::success();
}

} // namespace tilegpt::compiler
