// Maps memory orders, scopes and padding to the tile dialect's.
#ifndef TILEGPT_LIB_CONVERSION_CUDATILETOTILE_MEMORYORDERS_H
#define TILEGPT_LIB_CONVERSION_CUDATILETOTILE_MEMORYORDERS_H

#include "TileGPT/Conversion/CudaTileToTile/Passes.h"

namespace tilegpt::cuda_tile {

inline tile::MemoryOrder convertOrder(MemoryOrder order) {
  switch (order) {
  case MemoryOrder::Weak:
    return tile::MemoryOrder::Weak;
  case MemoryOrder::Relaxed:
    return tile::MemoryOrder::Relaxed;
  case MemoryOrder::Acquire:
    return tile::MemoryOrder::Acquire;
  case MemoryOrder::Release:
    return tile::MemoryOrder::Release;
  case MemoryOrder::AcqRel:
    return tile::MemoryOrder::AcqRel;
  }
  llvm_unreachable("all orders are handled");
}

/// Weak accesses have no scope; they get device scope.
inline tile::MemoryScope convertScope(std::optional<MemoryScope> scope) {
  switch (scope.value_or(MemoryScope::Device)) {
  case MemoryScope::TileBlock:
    return tile::MemoryScope::Block;
  case MemoryScope::Device:
    return tile::MemoryScope::Device;
  case MemoryScope::System:
    return tile::MemoryScope::System;
  }
  llvm_unreachable("all scopes are handled");
}

/// Without padding, out-of-bounds elements are unspecified; we use zero. Of the
/// types represented by their bits (SmallTypes.h), f8E8M0FNU has no zero and
/// uses its smallest number, and f4E2M1FN has no NaN.
/// \returns nullopt if the type has no such value.
inline std::optional<tile::PadKind> convertPadding(mlir::Attribute padding,
                                                   mlir::Type element) {
  if (!padding)
    return tile::PadKind::Zero;
  if (mlir::isa<mlir::Float8E8M0FNUType, Float8E5M3FNUType,
                mlir::Float4E2M1FNType>(element)) {
    const PaddingValue value = mlir::cast<PaddingValueAttr>(padding).getValue();
    if (value == PaddingValue::Zero)
      return tile::PadKind::Zero;
    if (value == PaddingValue::Nan &&
        !mlir::isa<mlir::Float4E2M1FNType>(element))
      return tile::PadKind::MinusOne;
    return std::nullopt;
  }
  switch (mlir::cast<PaddingValueAttr>(padding).getValue()) {
  case PaddingValue::Zero:
    return tile::PadKind::Zero;
  case PaddingValue::NegZero:
    return tile::PadKind::NegZero;
  case PaddingValue::Nan:
    return tile::PadKind::NaN;
  case PaddingValue::PosInf:
    return tile::PadKind::PosInf;
  case PaddingValue::NegInf:
    return tile::PadKind::NegInf;
  }
  llvm_unreachable("all paddings are handled");
}

inline tile::AtomicKind convertMode(AtomicMode mode) {
  switch (mode) {
  case AtomicMode::And:
    return tile::AtomicKind::And;
  case AtomicMode::Or:
    return tile::AtomicKind::Or;
  case AtomicMode::Xor:
    return tile::AtomicKind::Xor;
  case AtomicMode::Add:
  case AtomicMode::AddF:
    return tile::AtomicKind::Add;
  case AtomicMode::Max:
    return tile::AtomicKind::Max;
  case AtomicMode::Min:
    return tile::AtomicKind::Min;
  case AtomicMode::UMax:
    return tile::AtomicKind::UMax;
  case AtomicMode::UMin:
    return tile::AtomicKind::UMin;
  case AtomicMode::Xchg:
    return tile::AtomicKind::Xchg;
  }
  llvm_unreachable("all modes are handled");
}

} // namespace tilegpt::cuda_tile

#endif
