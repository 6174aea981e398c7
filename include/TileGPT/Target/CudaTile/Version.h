// Versions of the bytecode of CUDA Tile IR.
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

  /// All that are known, oldest first.
  static llvm::ArrayRef<Version> all();
  /// Of text like `13.3`, or nothing when it is none of them.
  static std::optional<Version> parse(llvm::StringRef text);
  /// The one written when none is asked for: the newest that is final.
  static Version usual() { return {13, 3}; }
};

} // namespace tilegpt::target::cudatile

#endif
