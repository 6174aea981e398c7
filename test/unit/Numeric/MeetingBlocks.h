// Kernels whose blocks communicate through memory, at sizes where they run
// concurrently. Results are checked by plain arithmetic, because the
// interpreter runs one block at a time.
#ifndef TILEGPT_TEST_UNIT_NUMERIC_MEETINGBLOCKS_H
#define TILEGPT_TEST_UNIT_NUMERIC_MEETINGBLOCKS_H

#include "NumericRun.h"
#include <functional>

namespace tilegpt::numeric {

struct MeetingCase {
  std::string name;
  NumericCase test; ///< a kernel of test/Numeric with larger arguments
  /// Describes what is wrong with the outs of a run; "" if they are right.
  std::function<std::string(NumericRun &run)> check;

  friend void PrintTo(const MeetingCase &test, std::ostream *os) {
    *os << test.name;
  }
};

/// Sizes of the cases.
struct MeetingSizes {
  int64_t lockBlocks, lockRounds;
  int64_t numbers; ///< of the histogram and of the cumulative sum
  int64_t rows;    ///< of the embedding's gradient
  int64_t depth;   ///< of the split-K product
};

std::vector<MeetingCase> meetingCases(const MeetingSizes &sizes);

} // namespace tilegpt::numeric

#endif // TILEGPT_TEST_UNIT_NUMERIC_MEETINGBLOCKS_H
