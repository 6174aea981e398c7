// Rounds and transposes tf32 operands for wgmma.
#include "Plan/RoundTF32.h"
#include "Simplify/DotPatterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tilegpu {

static bool isTF32(tile::DotOp dot) {
  return dot.getPrecision() == tile::Precision::TF32 &&
         dot.getLhs().getType().getElementType().isF32();
}

bool isTransposedToRound(tile::DotOp dot) {
  return isTF32(dot) && !dot.getTransposeA() && !dot.getTransposeB();
}

/// The dot of a loop that only accumulates tf32 products of tiles that it
/// loads; null for other loops.
static tile::DotOp findSum(scf::ForOp loop) {
  auto dots = llvm::to_vector(loop.getBody()->getOps<tile::DotOp>());
  if (dots.size() != 1 || loop.getNumResults() != 1)
    return {};
  tile::DotOp dot = dots.front();
  auto isLoaded = [&](Value operand) {
    auto load = operand.getDefiningOp<tile::LoadOp>();
    return load && load->getBlock() == loop.getBody() && load->hasOneUse();
  };
  RankedTensorType acc = dot.getAcc().getType();
  bool isSum = acc.getRank() == 2 && dot.getAcc() == loop.getRegionIterArg(0) &&
               dot.getAcc().hasOneUse() &&
               loop.getYieldedValues().front() == dot.getResult() &&
               dot->hasOneUse();
  return isSum && isTF32(dot) && isLoaded(dot.getLhs()) &&
                 isLoaded(dot.getRhs())
             ? dot
             : tile::DotOp();
}

/// Rounds an f32 tile to the ten mantissa bits of tf32, to nearest even, in a
/// form that compiles to one instruction. NaN stays NaN.
static Value roundToTF32(OpBuilder &builder, Location loc, Value tile) {
  constexpr int64_t cutBits = 13, almostHalf = 0xfff;
  auto type = cast<RankedTensorType>(tile.getType());
  RankedTensorType bitsType = type.clone(builder.getI32Type());
  auto number = [&](int64_t value) {
    return arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(bitsType, builder.getI32IntegerAttr(value)));
  };
  Value bits = arith::BitcastOp::create(builder, loc, bitsType, tile);
  Value last = arith::AndIOp::create(
      builder, loc, arith::ShRUIOp::create(builder, loc, bits, number(cutBits)),
      number(1));
  Value half = arith::AddIOp::create(builder, loc, last, number(almostHalf));
  Value sum = arith::AddIOp::create(builder, loc, bits, half);
  Value rounded = arith::BitcastOp::create(
      builder, loc, type,
      arith::AndIOp::create(builder, loc, sum, number(-(1 << cutBits))));
  Value isNaN = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO,
                                      tile, tile);
  return arith::SelectOp::create(builder, loc, isNaN, tile, rounded);
}

bool roundTF32Operands(tile::KernelOp kernel) {
  SmallVector<scf::ForOp> loops;
  kernel.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  bool hasRounded = false;
  for (scf::ForOp loop : loops) {
    tile::DotOp dot = findSum(loop);
    bool turnsLeft = dot && dot.getTransposeA(),
         turnsRight = dot && !dot.getTransposeB();
    if (!turnsLeft && !turnsRight)
      continue;
    bool isSwapped = isTransposedToRound(dot);
    OpBuilder builder(dot);
    for (auto [operand, turns] :
         {std::pair(&dot.getLhsMutable(), turnsLeft),
          std::pair(&dot.getRhsMutable(), turnsRight)}) {
      // A K-major operand is multiplied where the producer copies it.
      if (!turns)
        continue;
      Value tile = operand->get();
      auto type = cast<RankedTensorType>(tile.getType());
      operand->set(tile::PermuteOp::create(
          builder, dot.getLoc(),
          type.clone({type.getDimSize(1), type.getDimSize(0)}),
          roundToTF32(builder, dot.getLoc(), tile), ArrayRef<int64_t>({1, 0})));
    }
    dot.setTransposeA(false);
    dot.setTransposeB(true);
    if (isSwapped)
      swapOperands(loop);
    hasRounded = true;
  }
  return hasRounded;
}

} // namespace tilegpt::tilegpu
