// Reads, writes and compares the tensors of the kernel command.
#include "KernelValues.h"
#include "TileGPT/Runtime/Data/Npy.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <limits>

using llvm::formatv;
using tilegpt::reference::ElementType;
using tilegpt::reference::Tensor;
using tilegpt::runtime::ErrorCode;
using tilegpt::runtime::makeError;
using tilegpt::runtime::Result;
using tilegpt::runtime::StoredType;

namespace tilegpt::compiler {

/// Element types supported by both files and tensors.
static constexpr std::pair<StoredType, ElementType> sharedTypes[] = {
    {StoredType::Bool, ElementType::I1}, {StoredType::I8, ElementType::I8},
    {StoredType::I16, ElementType::I16}, {StoredType::I32, ElementType::I32},
    {StoredType::I64, ElementType::I64}, {StoredType::F16, ElementType::F16},
    {StoredType::F32, ElementType::F32}, {StoredType::F64, ElementType::F64},
};

/// The type of a tensor with the elements of a file. Integers of tensors are
/// signless, so unsigned ones keep their bits; nothing for f8, which .npy files
/// do not hold.
static std::optional<ElementType> elementTypeOf(StoredType stored) {
  switch (stored) {
  case StoredType::U8:
    return ElementType::I8;
  case StoredType::U16:
    return ElementType::I16;
  case StoredType::U32:
    return ElementType::I32;
  case StoredType::U64:
    return ElementType::I64;
  case StoredType::BF16:
    return ElementType::BF16;
  default:
    break;
  }
  for (auto [shared, type] : sharedTypes)
    if (shared == stored)
      return type;
  return std::nullopt;
}

static Result<Tensor> readNpy(llvm::StringRef path) {
  Result<runtime::NpyArray> array = runtime::readNpy(path.str());
  if (!array)
    return tl::unexpected(array.error());
  std::optional<ElementType> type = elementTypeOf(array->type);
  if (!type)
    return makeError(ErrorCode::BadInput,
                     formatv("'{0}' holds {1}, which kernels do not compute "
                             "with",
                             path, std::string(runtime::name(array->type))));
  llvm::Expected<Tensor> tensor =
      Tensor::fromBytes(*type, array->shape, array->bytes);
  if (!tensor)
    return makeError(ErrorCode::BadInput, llvm::toString(tensor.takeError()));
  return *tensor;
}

/// Converts to another float type.
static Result<Tensor> convert(const Tensor &tensor, ElementType type) {
  if (!tensor.isFloat() || !reference::isFloat(type))
    return makeError(ErrorCode::Usage,
                     formatv("cannot convert {0} to {1}: only floats are "
                             "rounded on the way in",
                             std::string(bundle::name(tensor.type())),
                             std::string(bundle::name(type))));
  Tensor result = llvm::cantFail(Tensor::zeros(type, tensor.shape()));
  for (int64_t i = 0; i < tensor.size(); ++i)
    result.store(i, tensor[i]);
  return result;
}

Result<Tensor> readValue(llvm::StringRef text) {
  if (text.consume_front("@"))
    return readNpy(text);
  auto [shape, values] = text.split('=');
  if (values.consume_front("@")) {
    std::optional<ElementType> type = bundle::parseElementType(shape);
    if (!type)
      return makeError(ErrorCode::Usage,
                       formatv("expected an element type in front of '=@', "
                               "found '{0}'; the file has the shape",
                               shape));
    Result<Tensor> tensor = readNpy(values);
    if (!tensor || tensor->type() == *type)
      return tensor;
    return convert(*tensor, *type);
  }
  if (text.ends_with(".npy") && !text.contains('='))
    return makeError(
        ErrorCode::Usage,
        formatv("'{0}' is a file name; write '@{0}' to read it", text));
  llvm::Expected<Tensor> tensor = reference::parseTensor(text);
  if (!tensor)
    return makeError(ErrorCode::Usage, llvm::toString(tensor.takeError()));
  return *tensor;
}

Result<void> writeValue(const Tensor &tensor, const std::string &path) {
  for (auto [stored, type] : sharedTypes) {
    if (type != tensor.type())
      continue;
    return runtime::writeNpy(
        path, stored,
        std::span<const int64_t>(tensor.shape().data(), tensor.shape().size()),
        tensor.toBytes());
  }
  Result<Tensor> wide = convert(tensor, ElementType::F32);
  if (!wide)
    return tl::unexpected(wide.error());
  return writeValue(*wide, path);
}

/// Four ulps of 1: a few roundings and one function.
static double defaultTolerance(ElementType type) {
  double step = 1;
  while (reference::roundTo(1 + step / 2, type) > 1)
    step /= 2;
  return 4 * step;
}

/// Nine digits, which distinguish all f32 values.
static std::string print(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.9g", value);
  return text;
}

std::string firstDifference(const Tensor &expected, const Tensor &found,
                            std::optional<double> tolerance) {
  if (expected.type() != found.type() || expected.shape() != found.shape())
    return formatv("expected {0}, found {1}",
                   reference::describe(expected.type(), expected.shape()),
                   reference::describe(found.type(), found.shape()));
  double allowed = tolerance            ? *tolerance
                   : expected.isFloat() ? defaultTolerance(expected.type())
                                        : 0;
  for (int64_t i = 0; i < expected.size(); ++i) {
    double want = expected.isFloat() ? expected[i].f : double(expected[i].i);
    double have = found.isFloat() ? found[i].f : double(found[i].i);
    bool isSame = want == have || (std::isnan(want) && std::isnan(have));
    double distance = std::fabs(want - have);
    double limit = allowed * std::max(1.0, std::fabs(want));
    // Written so that NaN is a difference.
    if (!isSame && !(distance <= limit && std::isfinite(want)))
      return formatv("element {0}: expected {1}, found {2}, tolerance {3}", i,
                     print(want), print(have), print(limit));
  }
  return "";
}

} // namespace tilegpt::compiler
