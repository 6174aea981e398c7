// The toy kernels as the bytes stored in a bundle.
#ifndef TILEGPT_TEST_UNIT_RUNTIME_TOY_KERNELIMAGE_H
#define TILEGPT_TEST_UNIT_RUNTIME_TOY_KERNELIMAGE_H

#include <cstddef>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

namespace tilegpt::test {

inline std::vector<std::byte> toyKernels() {
  std::ifstream file(TOY_KERNELS, std::ios::binary);
  const std::vector<char> content{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::byte> image(content.size());
  std::memcpy(image.data(), content.data(), content.size());
  return image;
}

} // namespace tilegpt::test

#endif // TILEGPT_TEST_UNIT_RUNTIME_TOY_KERNELIMAGE_H
