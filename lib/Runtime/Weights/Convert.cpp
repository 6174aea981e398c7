// Conversion loops, one instance per pair of types. Transposition is tiled for
// the L1 cache, so both sides are accessed in whole cache lines, and uses
// vector registers within a tile.
#include "Convert.h"
#include "TileGPT/Runtime/FloatBits.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>

using namespace tilegpt;
using namespace tilegpt::runtime;
using bundle::ElementType;

namespace {

/// Eight bits: a sign, exponent and mantissa.
struct F8E4M3 {
  uint8_t bits;
};
struct F8E5M2 {
  uint8_t bits;
};

/// Without infinities; all ones are NaN. As the conversion of f16: branch-free,
/// and correct for subnormals.
float toFloat(F8E4M3 value) {
  constexpr float rebias = 0x1p120f;
  const uint32_t magnitude = value.bits & 0x7F;
  auto bits =
      std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude << 20) * rebias);
  bits |= magnitude == 0x7F ? 0x7FC00000u : 0u;
  return std::bit_cast<float>(bits | uint32_t(value.bits & 0x80) << 24);
}

/// The upper half of f16.
float toFloat(F8E5M2 value) {
  return tilegpt::runtime::toFloat(Half{uint16_t(value.bits << 8)});
}

template <typename To, typename From>
To convertOne(From value) {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (std::is_same_v<From, double>) {
    if constexpr (std::is_same_v<To, float>)
      return float(value);
    else
      return convertOne<To>(toOddFloat(value));
  } else if constexpr (!std::is_same_v<From, float>) {
    return convertOne<To>(toFloat(value));
  } else if constexpr (std::is_same_v<To, BFloat>) {
    return toBFloat(value);
  } else if constexpr (std::is_same_v<To, Half>) {
    return toHalf(value);
  } else {
    return To(value);
  }
}

template <typename T>
T load(const std::byte *bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(value));
  return value;
}

/// Calls `body` with a null pointer of the C++ type; returns false for
/// unsupported types.
template <typename Body>
bool withType(StoredType type, const Body &body) {
  switch (type) {
  case StoredType::F16:
    return body(static_cast<Half *>(nullptr));
  case StoredType::BF16:
    return body(static_cast<BFloat *>(nullptr));
  case StoredType::F32:
    return body(static_cast<float *>(nullptr));
  case StoredType::F64:
    return body(static_cast<double *>(nullptr));
  default:
    return false;
  }
}

/// The same for the types of files.
template <typename Body>
bool withStoredType(StoredType type, const Body &body) {
  switch (type) {
  case StoredType::F8E4M3:
    return body(static_cast<F8E4M3 *>(nullptr));
  case StoredType::F8E5M2:
    return body(static_cast<F8E5M2 *>(nullptr));
  default:
    return withType(type, body);
  }
}

std::optional<StoredType> storedTypeOf(ElementType type) {
  switch (type) {
  case ElementType::F16:
    return StoredType::F16;
  case ElementType::BF16:
    return StoredType::BF16;
  case ElementType::F32:
    return StoredType::F32;
  case ElementType::F64:
    return StoredType::F64;
  default:
    return std::nullopt;
  }
}

template <typename Body>
bool withTypes(StoredType from, ElementType to, const Body &body) {
  const auto stored = storedTypeOf(to);
  return stored && withStoredType(from, [&](auto *fromTag) {
           return withType(*stored, [&](auto *toTag) {
             body(fromTag, toTag);
             return true;
           });
         });
}

/// Elements per unit of work of a thread, and the size of a transposed tile. A
/// tile of 64 x 64 floats takes 16 KiB.
constexpr int64_t chunk = int64_t(1) << 16;
constexpr int64_t side = 64;

template <typename From, typename To>
void convertRange(const std::byte *from, To *to, int64_t count) {
  if constexpr (std::is_same_v<From, To>) {
    std::memcpy(to, from, size_t(count) * sizeof(To));
  } else {
    for (int64_t i = 0; i < count; ++i)
      to[i] = convertOne<To>(load<From>(from + i * int64_t(sizeof(From))));
  }
}

/// Transposes a square of `lanes` x `lanes` elements in as many vectors, in
/// log2(lanes) rounds that interleave each vector of the first half with its
/// partner in the second. Plain vector extensions: two shuffles per step on any
/// target.
template <typename Bits>
struct Square {
  static constexpr size_t lanes = 16 / sizeof(Bits);
  typedef Bits Vector __attribute__((vector_size(16)));
  Vector rows[lanes];

  void load(const Bits *from, size_t stride) {
    for (size_t i = 0; i < lanes; ++i)
      std::memcpy(&rows[i], from + i * stride, sizeof(Vector));
  }
  void store(Bits *to, size_t stride) const {
    for (size_t i = 0; i < lanes; ++i)
      std::memcpy(to + i * stride, &rows[i], sizeof(Vector));
  }
  void transpose() {
    for (size_t round = 1; round < lanes; round *= 2) {
      Vector next[lanes];
      for (size_t i = 0; i < lanes / 2; ++i) {
        next[2 * i] = interleave<0>(rows[i], rows[i + lanes / 2],
                                    std::make_index_sequence<lanes>());
        next[2 * i + 1] = interleave<lanes / 2>(
            rows[i], rows[i + lanes / 2], std::make_index_sequence<lanes>());
      }
      std::ranges::copy(next, rows);
    }
  }
  template <size_t first, size_t... i>
  static Vector interleave(Vector a, Vector b, std::index_sequence<i...>) {
    return __builtin_shufflevector(a, b, (first + i / 2 + i % 2 * lanes)...);
  }
};

/// Buffers for a source and a destination tile.
template <typename T>
class Tile {
public:
  /// Transposes `height` rows of `width` elements; the unused part of a partial
  /// tile contains stale data.
  template <typename From>
  void transpose(const std::byte *from, int64_t fromStride, T *to,
                 int64_t toStride, int64_t height, int64_t width) {
    for (int64_t row = 0; row < height; ++row)
      convertRange<From>(from + row * fromStride * int64_t(sizeof(From)),
                         read[row], width);
    using Bits = std::conditional_t<
        sizeof(T) == 2, uint16_t,
        std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>;
    using Block = Square<Bits>;
    for (size_t row = 0; row < size_t(height); row += Block::lanes)
      for (size_t column = 0; column < size_t(width); column += Block::lanes) {
        Block block;
        block.load(reinterpret_cast<const Bits *>(&read[row][column]), side);
        block.transpose();
        block.store(reinterpret_cast<Bits *>(&written[column][row]), side);
      }
    for (int64_t column = 0; column < width; ++column)
      std::memcpy(to + column * toStride, written[column],
                  size_t(height) * sizeof(T));
  }

private:
  alignas(64) T read[side][side] = {};
  alignas(64) T written[side][side] = {};
};

} // namespace

bool tilegpt::runtime::canConvert(StoredType from, ElementType to) {
  return withTypes(from, to, [](auto *, auto *) {});
}

bool tilegpt::runtime::isSameType(StoredType from, ElementType to) {
  return storedTypeOf(to) == from;
}

void tilegpt::runtime::convert(StoredType fromType, const std::byte *from,
                               ElementType toType, std::byte *to, int64_t count,
                               cpu::ThreadPool &pool) {
  withTypes(fromType, toType, [&]<typename From, typename To>(From *, To *) {
    const int64_t chunks = (count + chunk - 1) / chunk;
    pool.run(chunks, [&](int64_t begin, int64_t end) {
      const int64_t first = begin * chunk;
      convertRange<From>(from + first * int64_t(sizeof(From)),
                         reinterpret_cast<To *>(to) + first,
                         std::min(end * chunk, count) - first);
    });
  });
}

void tilegpt::runtime::convertTransposed(StoredType fromType,
                                         const std::byte *from,
                                         ElementType toType, std::byte *to,
                                         int64_t rows, int64_t columns,
                                         cpu::ThreadPool &pool) {
  withTypes(fromType, toType, [&]<typename From, typename To>(From *, To *) {
    const int64_t strips = (columns + side - 1) / side;
    pool.run(strips, [&](int64_t begin, int64_t end) {
      Tile<To> tile;
      for (int64_t column = begin * side;
           column < std::min(end * side, columns); column += side)
        for (int64_t row = 0; row < rows; row += side)
          tile.template transpose<From>(
              from + (row * columns + column) * int64_t(sizeof(From)), columns,
              reinterpret_cast<To *>(to) + column * rows + row, rows,
              std::min(side, rows - row), std::min(side, columns - column));
    });
  });
}

void tilegpt::runtime::expandMxfp4(const std::byte *from,
                                   const std::byte *scales, float *to,
                                   int64_t count) {
  constexpr float magnitudes[] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};
  const auto valueOf = [&](unsigned bits) {
    return bits & 8 ? -magnitudes[bits & 7] : magnitudes[bits & 7];
  };
  for (int64_t first = 0; first < count; first += mxfp4Block) {
    const int exponent = int(scales[first / mxfp4Block]) - 127;
    for (int64_t i = first; i < first + mxfp4Block; i += 2) {
      const auto pair = unsigned(from[i / 2]);
      to[i] = std::ldexp(valueOf(pair & 15), exponent);
      to[i + 1] = std::ldexp(valueOf(pair >> 4), exponent);
    }
  }
}
