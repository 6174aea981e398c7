// The rows of the table of docs/dialects/cuda-tile-matrix.md: an op of CUDA
// Tile IR, and an entry that uses it on tiles of an element type.
#ifndef TILEGPT_TEST_UNIT_NUMERIC_CUDATILEROWS_H
#define TILEGPT_TEST_UNIT_NUMERIC_CUDATILEROWS_H

#include "NumericCase.h"
#include "OpRows.h"

namespace tilegpt::numeric {

/// All rows, in the order of the table. Bodies define `%r` from the tiles `%x`,
/// `%u` and `%v` of eight elements `!T`, the flags `%p`, the numbers `%n` (i32,
/// 0 to 7), the scalar `%zero`, the view `%av` of `%x` in tiles of four, the
/// pointers `%ps` to its elements and the pointer `%y` to the result's.
std::vector<OpRow> cudaTileRows();

/// The module that uses a row's op on a type.
NumericCase makeCudaTileCase(const OpRow &row, const std::string &type);

} // namespace tilegpt::numeric

#endif // TILEGPT_TEST_UNIT_NUMERIC_CUDATILEROWS_H
