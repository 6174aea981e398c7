// One digit of a hardware axis in a layout: its stride, and the tile axis that
// it runs along.
#ifndef TILEGPT_DIALECT_TILEGPU_IR_LAYOUTMODE_H
#define TILEGPT_DIALECT_TILEGPU_IR_LAYOUTMODE_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/Hashing.h"
#include <cstdint>

namespace tilegpt::tilegpu {

struct LayoutMode {
  /// The axis of a digit that replicates.
  static constexpr int64_t replicated = -1;

  int64_t extent = 1; ///< the digit goes from 0 to extent - 1
  int64_t axis = replicated;
  int64_t stride = 0; ///< elements along `axis` that one step moves

  static LayoutMode replicate(int64_t extent) {
    return {extent, replicated, 0};
  }
  bool isReplicated() const { return axis == replicated; }

  friend bool operator==(const LayoutMode &, const LayoutMode &) = default;
  friend llvm::hash_code hash_value(const LayoutMode &mode) {
    return llvm::hash_combine(mode.extent, mode.axis, mode.stride);
  }
};

} // namespace tilegpt::tilegpu

#endif
