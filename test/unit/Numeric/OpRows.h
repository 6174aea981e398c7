// Rows of the table of docs/dialects/tile-matrix.md: an op, and a kernel that
// uses it on tiles of an element type.
#ifndef TILEGPT_TEST_UNIT_NUMERIC_OPROWS_H
#define TILEGPT_TEST_UNIT_NUMERIC_OPROWS_H

#include <string>
#include <vector>

namespace tilegpt::numeric {

struct OpRow {
  std::string group, name;
  /// Computes `%r` from the tiles `%x`, `%u` and `%v` of four elements `!T`,
  /// the mask `%p`, the indices `%k` (i32) and the view `%a` of `%x`.
  std::string body;
  /// The element type of `%r`.
  std::string result = "!T";
  /// Its shape.
  std::string shape = "4";
};

/// All rows, in the order of the table.
std::vector<OpRow> opRows();

} // namespace tilegpt::numeric

#endif // TILEGPT_TEST_UNIT_NUMERIC_OPROWS_H
