// Casts f8 operands to the type that mma.sync would widen them to.
#include "Plan/WidenF8.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// The type to which a dot's f8 operands are widened, or null. If the depth is
/// contiguous in both, they stay bytes, which wgmma multiplies, or `mma.sync`
/// widens in registers at full precision (2048 x 4096 x 4096: 160 us, and 200
/// by a main loop).
static Type wideTypeOf(tile::DotOp dot) {
  std::optional<MmaOperands> types = mmaOperands(dot);
  bool areWidened = types && types->lhs == types->rhs &&
                    (types->lhs.isF16() || types->lhs.isBF16());
  return areWidened ? types->lhs : Type();
}

SmallVector<WidenedOperand> widenF8Operands(tile::KernelOp kernel) {
  SmallVector<WidenedOperand> widened;
  kernel.walk([&](tile::DotOp dot) {
    Type wide = wideTypeOf(dot);
    if (!wide)
      return;
    tile::Precision precision = dot.getPrecision();
    dot.setPrecision(tile::Precision::IEEE);
    for (OpOperand *operand : {&dot.getLhsMutable(), &dot.getRhsMutable()}) {
      auto type = cast<RankedTensorType>(operand->get().getType());
      if (!tile::isF8(type.getElementType()))
        continue;
      OpBuilder builder(dot);
      auto made = tile::CastOp::create(builder, dot.getLoc(), type.clone(wide),
                                       operand->get());
      operand->set(made.getResult());
      widened.push_back({made, dot, precision});
    }
  });
  return widened;
}

void undo(ArrayRef<WidenedOperand> widened) {
  for (auto [cast, dot, precision] : widened) {
    cast.getResult().replaceAllUsesWith(cast.getSource());
    cast->erase();
    dot.setPrecision(precision);
  }
}

} // namespace tilegpt::tilegpu
