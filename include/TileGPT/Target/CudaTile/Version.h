// Versions of CUDA Tile IR bytecode.
#ifndef TILEGPT_TARGET_CUDATILE_VERSION_H
#define TILEGPT_TARGET_CUDATILE_VERSION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <compare>
#include <cstdint>
#include <optional>
#include <string>

namespace tilegpt::target::cudatile {

/// A version: 13.3 is the one of CUDA 13.3.
struct Version {
  uint8_t major = 13;
  uint8_t minor = 1;

  auto operator<=>(const Version &) const = default;
  std::string str() const;

  /// All known versions, oldest first.
  static llvm::ArrayRef<Version> all();
  /// Parses text like `13.3`; nothing if unknown.
  static std::optional<Version> parse(llvm::StringRef text);
  /// The default version for writing: the newest final one.
  static Version usual() { return {13, 3}; }
};

} // namespace tilegpt::target::cudatile

#endif
