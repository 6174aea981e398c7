// Casts f8 operands as the tensor cores of mma.sync would get them.
#include "Plan/WidenF8.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// The type in which a dot multiplies f8 operands, or null.
static Type wideTypeOf(tile::DotOp dot) {
  Type lhs = dot.getLhs().getType().getElementType(),
       rhs = dot.getRhs().getType().getElementType();
  if (!dot.getAcc().getType().getElementType().isF32() ||
      dot.getPrecision() != tile::Precision::IEEE)
    return {};
  // f16 and bf16 hold all values of the f8 types.
  if (tile::isF8(lhs) && tile::isF8(rhs))
    return Float16Type::get(dot.getContext());
  Type other = tile::isF8(lhs) ? rhs : lhs;
  bool isMixed = tile::isF8(lhs) != tile::isF8(rhs);
  return isMixed && (other.isF16() || other.isBF16()) ? other : Type();
}

SmallVector<tile::CastOp> widenF8Operands(tile::KernelOp kernel) {
  SmallVector<tile::CastOp> casts;
  kernel.walk([&](tile::DotOp dot) {
    Type wide = wideTypeOf(dot);
    if (!wide)
      return;
    for (OpOperand *operand : {&dot.getLhsMutable(), &dot.getRhsMutable()}) {
      auto type = cast<RankedTensorType>(operand->get().getType());
      if (!tile::isF8(type.getElementType()))
        continue;
      OpBuilder builder(dot);
      auto made = tile::CastOp::create(builder, dot.getLoc(), type.clone(wide),
                                       operand->get());
      operand->set(made.getResult());
      casts.push_back(made);
    }
  });
  return casts;
}

void undo(ArrayRef<tile::CastOp> casts) {
  for (tile::CastOp made : casts) {
    made.getResult().replaceAllUsesWith(made.getSource());
    made->erase();
  }
}

} // namespace tilegpt::tilegpu
