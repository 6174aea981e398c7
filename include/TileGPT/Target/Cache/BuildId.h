// Which compiler this is, for what must not outlive it.
#ifndef TILEGPT_TARGET_CACHE_BUILDID_H
#define TILEGPT_TARGET_CACHE_BUILDID_H

#include <string>

namespace tilegpt::target {

/// The build ids the linker gave to the files that hold TileGPT's code and
/// LLVM's, in hexadecimal: any change of either gives another text. Empty when
/// one of them was linked without.
const std::string &compilerBuildId();

} // namespace tilegpt::target

#endif // TILEGPT_TARGET_CACHE_BUILDID_H
