// Kernels whose blocks meet in memory, of sizes at which they do, and what must
// come of them by plain arithmetic: the interpreter runs one block at a time.
#ifndef TILEGPT_TEST_UNIT_NUMERIC_MEETINGBLOCKS_H
#define TILEGPT_TEST_UNIT_NUMERIC_MEETINGBLOCKS_H

#include "NumericRun.h"
#include <functional>

namespace tilegpt::numeric {

struct MeetingCase {
  std::string name;
  NumericCase test; ///< a kernel of test/Numeric with larger arguments
  /// Says how the outs of a run are wrong; "" where they are right.
  std::function<std::string(NumericRun &run)> check;

  friend void PrintTo(const MeetingCase &test, std::ostream *os) {
    *os << test.name;
  }
};

/// How large the cases are.
struct MeetingSizes {
  int64_t lockBlocks, lockRounds;
  int64_t numbers; ///< of the histogram and of the cumulative sum
  int64_t rows;    ///< of the embedding's gradient
  int64_t depth;   ///< of the product whose depth is shared out
};

std::vector<MeetingCase> meetingCases(const MeetingSizes &sizes);

} // namespace tilegpt::numeric

#endif // TILEGPT_TEST_UNIT_NUMERIC_MEETINGBLOCKS_H
