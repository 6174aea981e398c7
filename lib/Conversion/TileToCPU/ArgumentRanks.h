// What `tilegpt.ranks` says of the arguments of a block's function, by which
// `--cpu-kernel-abi` finds the parts of memrefs again.
#ifndef TILEGPT_LIB_CONVERSION_TILETOCPU_ARGUMENTRANKS_H
#define TILEGPT_LIB_CONVERSION_TILETOCPU_ARGUMENTRANKS_H

#include <cstdint>

namespace tilegpt::cpu {

/// Of an argument that is no view; views have their rank.
inline constexpr int64_t scalarRank = -1;
inline constexpr int64_t pointerRank = -2;

} // namespace tilegpt::cpu

#endif
