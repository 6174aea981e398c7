// Memory is zeroed and aligned; running out of it is an error with a reason.
#include "TileGPT/Runtime/Cpu/Memory.h"
#include "TileGPT/Bundle/Format.h"
#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

using namespace tilegpt;
using cpu::Memory;

namespace {

TEST(Memory, IsZeroAlignedAndAsLargeAsAsked) {
  for (const size_t bytes : {size_t(1), size_t(4097), size_t(5) << 20}) {
    const auto memory = Memory::allocate(bytes, "a test");
    ASSERT_TRUE(memory);
    EXPECT_EQ(memory->size(), bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory->data()) %
                  bundle::bufferAlignment,
              0u);
    EXPECT_TRUE(std::all_of(memory->data(), memory->data() + bytes,
                            [](std::byte b) { return b == std::byte{0}; }));
  }
}

TEST(Memory, OfSmallPagesExistsOnlyWhatIsTouched) {
  const size_t page = size_t(::sysconf(_SC_PAGESIZE)), pages = 4096;
  const auto memory =
      Memory::allocate(pages * page, "a test", cpu::Pages::Small);
  ASSERT_TRUE(memory);
  memory->data()[pages / 2 * page] = std::byte{1};
  std::vector<unsigned char> present(pages);
  ASSERT_EQ(::mincore(memory->data(), memory->size(), present.data()), 0);
  EXPECT_EQ(std::ranges::count_if(present, [](auto c) { return c & 1; }), 1);
}

TEST(Memory, NothingIsAValidSize) {
  const auto memory = Memory::allocate(0, "a test");
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->size(), 0u);
}

TEST(Memory, TooMuchIsRefusedByName) {
  const auto memory = Memory::allocate(size_t(1) << 60, "the KV cache");
  EXPECT_EQ(memory.error().code, runtime::ErrorCode::Device);
  EXPECT_EQ(memory.error().message,
            "cpu: cannot allocate 1152921504606846976 bytes for the KV cache: "
            "Cannot allocate memory");
}

} // namespace
