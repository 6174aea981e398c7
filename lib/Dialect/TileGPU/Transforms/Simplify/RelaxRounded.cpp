// Marks exponentials whose results are eventually rounded to 16 bits.
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_RELAXROUNDED
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;

namespace {
/// The transitive uses of a tile.
class Uses {
public:
  /// Whether all of them are rounded to 16 bits, by ops that do not amplify
  /// relative errors.
  /// \param isPositive  whether its elements are, so that sums are safe, too.
  bool areRounded(Value value, bool isPositive) {
    return llvm::all_of(value.getUses(), [&](OpOperand &use) {
      return isRounded(use, isPositive);
    });
  }

private:
  bool isRounded(OpOperand &use, bool isPositive) {
    constexpr unsigned narrowBits = 16;
    Operation *user = use.getOwner();
    if (auto cast = dyn_cast<tile::CastOp>(user))
      return getElementTypeOrSelf(cast.getType()).getIntOrFloatBitWidth() <=
             narrowBits;
    if (auto sum = dyn_cast<tile::ReduceOp>(user))
      return isPositive && sum.getKind() == tile::ReduceKind::Add &&
             areRounded(sum.getResults().front(), isPositive);
    if (isa<tile::BroadcastOp, tile::ExpandDimsOp, tile::ReshapeOp>(user))
      return areRounded(user->getResult(0), isPositive);
    if (auto sum = dyn_cast<arith::AddFOp>(user))
      return isPositive && (isCarriedSum(sum, use) || isGrown(sum, use));
    if (auto branch = dyn_cast<scf::IfOp>(user->getParentOp());
        branch && isa<scf::YieldOp>(user))
      return areRounded(branch.getResult(use.getOperandNumber()),
                        /*isPositive=*/false);
    if (isa<arith::SelectOp>(user) && use.getOperandNumber() != 0)
      return areRounded(user->getResult(0), /*isPositive=*/false);
    return isa<arith::MulFOp, arith::DivFOp>(user) &&
           areRounded(user->getResult(0), /*isPositive=*/false);
  }

  /// Whether a nonnegative constant is added, as in 1/(1 + e^-x), and the sum's
  /// uses are rounded.
  bool isGrown(arith::AddFOp sum, OpOperand &use) {
    SplatElementsAttr constant;
    return matchPattern(sum->getOperand(1 - use.getOperandNumber()),
                        m_Constant(&constant)) &&
           constant.getElementType().isF32() &&
           !constant.getSplatValue<APFloat>().isNegative() &&
           areRounded(sum, /*isPositive=*/true);
  }

  /// Whether a sum is loop-carried, starts with a nonnegative number, and is
  /// eventually rounded.
  bool isCarriedSum(arith::AddFOp sum, OpOperand &use) {
    Operation *end = sum->getBlock()->getTerminator();
    auto loop = dyn_cast<LoopLikeOpInterface>(sum->getParentOp());
    if (!loop || !sum->hasOneUse() || *sum->user_begin() != end)
      return false;
    unsigned number = sum->use_begin()->getOperandNumber();
    Value carried = loop.getRegionIterArgs()[number];
    SplatElementsAttr first;
    return sum->getOperand(1 - use.getOperandNumber()) == carried &&
           carried.hasOneUse() &&
           matchPattern(loop.getInits()[number], m_Constant(&first)) &&
           first.getElementType().isF32() &&
           !first.getSplatValue<APFloat>().isNegative() &&
           areRounded(loop->getResult(number), /*isPositive=*/true);
  }
};
} // namespace

namespace {
struct RelaxRounded : tilegpu::impl::RelaxRoundedBase<RelaxRounded> {
  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    getOperation().walk([](math::ExpOp op) {
      if (isa<RankedTensorType>(op.getType()) &&
          getElementTypeOrSelf(op.getType()).isF32() &&
          Uses().areRounded(op, /*isPositive=*/true))
        op.setFastmath(op.getFastmath() | arith::FastMathFlags::afn);
    });
  }
};
} // namespace
