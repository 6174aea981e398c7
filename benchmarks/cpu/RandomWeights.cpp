// Numbers from a xorshift generator, rounded to the type by cutting bits.
#include "RandomWeights.h"
#include <bit>

namespace tilegpt::bench {

using bundle::ElementType;
using runtime::ErrorCode;

runtime::Result<const void *>
RandomWeights::find(std::string_view name, ElementType type,
                    std::span<const int64_t> shape) {
  if (type != ElementType::F32 && type != ElementType::BF16 &&
      type != ElementType::F16)
    return runtime::makeError(ErrorCode::BadInput, "random weights: '", name,
                              "' expected f32, bf16 or f16, got ",
                              bundle::name(type));
  if (auto found = tensors.find(name); found != tensors.end())
    return found->second.data();
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  auto memory =
      cpu::Memory::allocate(size_t(count * bundle::byteWidth(type)), name);
  if (!memory)
    return tl::unexpected(memory.error());
  for (int64_t i = 0; i < count; ++i) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    const float value = (float(state >> 40) / float(1 << 24) - 0.5f) * 0.08f;
    if (type == ElementType::F32)
      reinterpret_cast<float *>(memory->data())[i] = value;
    else if (type == ElementType::BF16)
      reinterpret_cast<uint16_t *>(memory->data())[i] =
          uint16_t(std::bit_cast<uint32_t>(value) >> 16);
    else
      reinterpret_cast<_Float16 *>(memory->data())[i] = _Float16(value);
  }
  return tensors.emplace(name, std::move(*memory)).first->second.data();
}

} // namespace tilegpt::bench
