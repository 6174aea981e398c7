// Identifies this build of the compiler, for cache invalidation.
#ifndef TILEGPT_TARGET_CACHE_BUILDID_H
#define TILEGPT_TARGET_CACHE_BUILDID_H

#include <string>

namespace tilegpt::target {

/// The build ids of the files that contain TileGPT's and LLVM's code, in
/// hexadecimal, which change with every build. Empty if one of them has none.
const std::string &compilerBuildId();

} // namespace tilegpt::target

#endif // TILEGPT_TARGET_CACHE_BUILDID_H
