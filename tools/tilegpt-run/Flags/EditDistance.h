// How much two words differ, to suggest the one that was meant.
#ifndef TILEGPT_TOOLS_RUN_FLAGS_EDITDISTANCE_H
#define TILEGPT_TOOLS_RUN_FLAGS_EDITDISTANCE_H

#include <cstddef>
#include <string_view>

namespace tilegpt::run {

/// The least number of characters to insert, remove or replace that makes `to`
/// of `from`.
size_t editDistance(std::string_view from, std::string_view to);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_FLAGS_EDITDISTANCE_H
