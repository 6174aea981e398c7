// The median of measured times.
#ifndef TILEGPT_RUNTIME_DATA_MEDIAN_H
#define TILEGPT_RUNTIME_DATA_MEDIAN_H

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tilegpt::runtime {

/// The median; 0 without numbers.
inline double medianOf(std::vector<double> numbers) {
  if (numbers.empty())
    return 0;
  const auto middle = numbers.begin() + int64_t(numbers.size() / 2);
  std::ranges::nth_element(numbers, middle);
  if (numbers.size() % 2 == 1)
    return *middle;
  return (*middle + *std::max_element(numbers.begin(), middle)) / 2;
}

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_DATA_MEDIAN_H
