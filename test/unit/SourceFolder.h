// Finds the files of the source tree: models, kernels, numeric cases. A packed
// test binary runs on machines without the tree it was built from.
#ifndef TILEGPT_TEST_UNIT_SOURCEFOLDER_H
#define TILEGPT_TEST_UNIT_SOURCEFOLDER_H

#include <cstdlib>
#include <filesystem>

namespace tilegpt::test {

/// $TILEGPT_TEST_ROOT, or else the tree this was built from.
inline std::filesystem::path sourceFolder() {
  const char *moved = std::getenv("TILEGPT_TEST_ROOT");
  return moved ? moved : TILEGPT_SOURCE_DIR;
}

} // namespace tilegpt::test

#endif // TILEGPT_TEST_UNIT_SOURCEFOLDER_H
