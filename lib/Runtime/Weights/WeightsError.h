// The prefix of messages about the files of a checkpoint.
#ifndef TILEGPT_LIB_RUNTIME_WEIGHTS_WEIGHTSERROR_H
#define TILEGPT_LIB_RUNTIME_WEIGHTS_WEIGHTSERROR_H

#include "TileGPT/Runtime/Error.h"
#include <string_view>

namespace tilegpt::runtime {

inline constexpr std::string_view weightsRoom = "weights";

template <typename... Parts>
tl::unexpected<Error> badWeights(const Parts &...problem) {
  return makeError(ErrorCode::BadInput, weightsRoom, ": ", problem...);
}

} // namespace tilegpt::runtime

#endif // TILEGPT_LIB_RUNTIME_WEIGHTS_WEIGHTSERROR_H
