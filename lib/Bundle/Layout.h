// The section layout and checksum of an image: the rules by which Builder
// writes and Bundle checks.
#ifndef TILEGPT_LIB_BUNDLE_LAYOUT_H
#define TILEGPT_LIB_BUNDLE_LAYOUT_H

#include "TileGPT/Bundle/Format.h"
#include <cstddef>
#include <span>

namespace tilegpt::bundle {

/// The offset of a section if the preceding one ends at `end`: sections are
/// contiguous except for zero bytes for alignment.
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
