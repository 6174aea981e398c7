// A file of test/Numeric: kernels in the text of the dialect, the element types
// they are run with, and cases with the results they must give.
//
//   // TYPES: f32:bf16 f16:f32
//       run everything once with !T = f32 and !U = bf16, once with !T = f16 and
//       !U = f32
//   // CASE @kernel [f32:bf16] BM=4 K=70: 2x3xT=1,2,3,4,5,6 index=1 -> 2xU=6,15
//       the arguments of a run in order and what the outs must hold afterwards.
//       Optional: the types the case is for, `rounded` where factors of the
//       sums are rounded to !T on the way, parameters of the kernel, and K,
//       the length of its longest sum. `2xT=EXPECTED|BEFORE` is an out that
//       starts with values (without, nothing is written yet); `2xT` without
//       values is an out only compared between devices;
//       `-> error "text"` is a run the interpreter refuses with an error that
//       contains the text.
//   // CASE @raw grid=8x2x1: out0 2xT=1,2 i32=2 -> 2xT=2,4
//       a raw kernel: a tensor is memory to point to, and `out0` points to the
//       first of what the run must leave.
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
  std::string error;                   ///< empty unless the run must fail

  /// A name for GoogleTest: letters, digits and underscores.
  std::string name() const;

  /// The kernel and its arguments where no file has them; empty otherwise.
  std::string textOfRandom() const;

  /// How GoogleTest prints a case.
  friend void PrintTo(const NumericCase &test, std::ostream *os) {
    *os << test.file << ':' << test.line;
  }
};

/// All cases of all files of test/Numeric, for all their types. Ends the
/// program with a message if one cannot be read.
std::vector<NumericCase> readCases();

} // namespace tilegpt::numeric

#endif // TILEGPT_TEST_UNIT_NUMERIC_NUMERICCASE_H
