// Where the sections of an image lie and how it is summed: the rules Builder
// writes by and Bundle checks.
#ifndef TILEGPT_LIB_BUNDLE_LAYOUT_H
#define TILEGPT_LIB_BUNDLE_LAYOUT_H

#include "TileGPT/Bundle/Format.h"
#include <cstddef>
#include <span>

namespace tilegpt::bundle {

/// First byte of a section when the one before it ends at `end`: sections
/// follow each other without gaps other than the zero bytes of their alignment.
constexpr uint64_t sectionOffset(SectionKind kind, uint64_t end) {
  const uint64_t alignment = kind == SectionKind::HostCode ? hostCodeAlignment
                             : kind == SectionKind::DeviceCode
                                 ? deviceCodeAlignment
                                 : 8;
  return (end + alignment - 1) / alignment * alignment;
}

/// Checksum of an image of at least checksummedFrom bytes.
uint64_t checksum(std::span<const std::byte> image);

} // namespace tilegpt::bundle

#endif // TILEGPT_LIB_BUNDLE_LAYOUT_H
