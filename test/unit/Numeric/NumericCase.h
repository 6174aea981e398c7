// Parses the files of test/Numeric: kernels, the element types to run them
// with, and cases with their expected results.
//
//  // TYPES: f32:bf16 f16:f32
//      run everything once with !T = f32 and !U = bf16, and once with !T = f16
//      and !U = f32
//  // CASE @kernel [f32:bf16] BM=4 K=70: 2x3xT=1,2,3,4,5,6 index=1 -> 2xU=6,15
//      the arguments of a run in order, and the expected outs. Optional: the
//      types the case applies to, `rounded` if factors of the sums are rounded
//      to !T first, kernel parameters, and K, the length of the longest sum.
//      `2xT=EXPECTED|BEFORE` gives an out initial values (otherwise it starts
//      unwritten); `2xT` without values is only compared between devices;
//      `-> error "text"` expects the interpreter to fail with an error that
//      contains the text.
//  // CASE @raw grid=8x2x1: out0 2xT=1,2 i32=2 -> 2xT=2,4
//      a raw kernel: a tensor argument is a pointer to memory, and `out0`
//      points to the first expected result. `list:2` is a list of the next two
//      arguments as cuTile passes it: a pointer to address, sizes and strides
//      of each, and the length; `ptr:list:2` is a pointer to their addresses,
//      or values if they are i64 scalars.
#ifndef TILEGPT_TEST_UNIT_NUMERIC_NUMERICCASE_H
#define TILEGPT_TEST_UNIT_NUMERIC_NUMERICCASE_H

#include "Compare.h"
#include "TileGPT/Reference/KernelBinding.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace tilegpt::numeric {

struct NumericCase {
  std::string file;   ///< base name
  unsigned line = 0;  ///< of the CASE comment; 0 of a random kernel
  std::string types;  ///< "f32" or "f32:bf16"
  std::string source; ///< the file's text with !T and !U defined
  std::string kernel;
  std::vector<std::pair<std::string, int64_t>> parameters;
  std::optional<reference::Grid> grid; ///< of a raw kernel
  Arithmetic arithmetic;               ///< `depth` is K
  std::vector<std::string> ins;        ///< "2x3xf32=1,2,3,4,5,6"
  std::vector<std::string> expected;   ///< the same for the outs
  std::vector<std::string> before;     ///< "" where nothing is written yet
  std::string error;                   ///< empty unless an error is expected

  /// A name for GoogleTest: letters, digits and underscores.
  std::string name() const;

  /// The kernel and its arguments if they come from no file; otherwise empty.
  std::string textOfRandom() const;

  /// How GoogleTest prints a case.
  friend void PrintTo(const NumericCase &test, std::ostream *os) {
    *os << test.file << ':' << test.line;
  }
};

/// All cases of all files of test/Numeric, for all their types. Ends the
/// program with a message if one cannot be parsed.
std::vector<NumericCase> readCases();

} // namespace tilegpt::numeric

#endif // TILEGPT_TEST_UNIT_NUMERIC_NUMERICCASE_H
