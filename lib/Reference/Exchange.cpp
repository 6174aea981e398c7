// The collective ops on the tensors of all ranks.
#include "TileGPT/Reference/Exchange.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::Expected;

namespace tilegpt::reference {

/// Checks that the tensors of all ranks have the same type and shape.
static llvm::Error checkAlike(llvm::ArrayRef<TensorRef> parts) {
  const Tensor &first = *parts.front();
  for (auto [rank, part] : llvm::enumerate(parts))
    if (part->type() != first.type() || part->shape() != first.shape())
      return llvm::createStringError(
          llvm::formatv("expected {0} from all ranks, but rank {1} has {2}",
                        describe(first.type(), first.shape()), rank,
                        describe(part->type(), part->shape())));
  return llvm::Error::success();
}

Expected<Tensor> sumOf(llvm::ArrayRef<TensorRef> parts) {
  if (llvm::Error error = checkAlike(parts))
    return error;
  const Tensor &first = *parts.front();
  Expected<Tensor> sum = Tensor::zeros(first.type(), first.shape());
  if (!sum)
    return sum;
  for (int64_t i = 0; i < first.size(); ++i) {
    double value = 0;
    for (const TensorRef &part : parts)
      value += (*part)[i].f;
    sum->store(i, Element::of(value));
  }
  return sum;
}

Expected<Tensor> sideBySide(llvm::ArrayRef<TensorRef> parts, int64_t columns) {
  if (llvm::Error error = checkAlike(parts))
    return error;
  const Tensor &first = *parts.front();
  int64_t rows = first.shape()[0], width = first.shape()[1];
  if (columns > width * int64_t(parts.size()))
    return llvm::createStringError(
        llvm::formatv("expected {0} columns from {1} ranks, found {2} of each",
                      columns, parts.size(), width));
  Expected<Tensor> whole = Tensor::zeros(first.type(), {rows, columns});
  if (!whole)
    return whole;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      whole->store(i * columns + j, (*parts[j / width])[i * width + j % width]);
  return whole;
}

} // namespace tilegpt::reference
