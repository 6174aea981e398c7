// Anonymous mappings: zero-initialized, returned to the system immediately, and
// backed by huge pages where useful.
#include "TileGPT/Runtime/Cpu/Memory.h"
#include <cerrno>
#include <cstring>
#include <sys/mman.h>

using namespace tilegpt;
using cpu::Memory;

void cpu::Unmapper::operator()(std::byte *data) const { ::munmap(data, bytes); }

runtime::Result<Memory> Memory::allocate(size_t bytes, std::string_view what,
                                         Pages pages) {
  Memory memory;
  if (bytes == 0)
    return memory;
  void *data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED)
    return runtime::makeError(runtime::ErrorCode::Device,
                              "cpu: cannot allocate ", bytes, " bytes for ",
                              what, ": ", std::strerror(errno));
  // Only advice: small pages work as well.
  constexpr size_t hugePage = size_t(2) << 20;
  if (bytes >= hugePage)
    ::madvise(data, bytes,
              pages == Pages::Huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  memory.mapping = {static_cast<std::byte *>(data), Unmapper{bytes}};
  return memory;
}
