// Converts stored elements to the type and layout that kernels expect: between
// floating-point types, optionally with transposition.
#ifndef TILEGPT_LIB_RUNTIME_WEIGHTS_CONVERT_H
#define TILEGPT_LIB_RUNTIME_WEIGHTS_CONVERT_H

#include "TileGPT/Bundle/ElementType.h"
#include "TileGPT/Runtime/Cpu/ThreadPool.h"
#include "TileGPT/Runtime/Data/StoredType.h"
#include <cstddef>
#include <cstdint>

namespace tilegpt::runtime {

/// Whether convert() supports the pair: both of f16, bf16, f32, f64, or the
/// first one an f8.
bool canConvert(StoredType from, bundle::ElementType to);

/// Whether an element has the same bits in both types.
bool isSameType(StoredType from, bundle::ElementType to);

/// Converts `count` elements, rounding to nearest even. NaN stays NaN.
/// \param from  of any alignment.
/// \param to    aligned to its type.
void convert(StoredType fromType, const std::byte *from,
             bundle::ElementType toType, std::byte *to, int64_t count,
             cpu::ThreadPool &pool);

/// The same for a row-major [rows, columns] matrix, which becomes
/// [columns, rows].
void convertTransposed(StoredType fromType, const std::byte *from,
                       bundle::ElementType toType, std::byte *to, int64_t rows,
                       int64_t columns, cpu::ThreadPool &pool);

/// Numbers of MXFP4 that share a scale.
inline constexpr int64_t mxfp4Block = 32;

/// Numbers of MXFP4, of 4 bits each: the lower ones of a byte come first.
/// \param scales  an exponent of 2, plus 127, for each block.
/// \param count   a multiple of a block.
void expandMxfp4(const std::byte *from, const std::byte *scales, float *to,
                 int64_t count);

} // namespace tilegpt::runtime

#endif // TILEGPT_LIB_RUNTIME_WEIGHTS_CONVERT_H
