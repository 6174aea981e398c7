// Operands of dots that join two tiles: the tiles are converted and multiplied
// one by one.
#include "Simplify/DotPatterns.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
/// Two tiles beside each other that are rounded to fewer bits are rounded
/// first: what meets is smaller.
struct NarrowedParts : OpRewritePattern<tile::CastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tile::CastOp cast,
                                PatternRewriter &rewriter) const override {
    auto cat = cast.getSource().getDefiningOp<tile::CatOp>();
    auto type = dyn_cast<RankedTensorType>(cast.getType());
    if (!cat || !cat->hasOneUse() || !type ||
        type.getElementTypeBitWidth() >=
            cat.getResult().getType().getElementTypeBitWidth())
      return rewriter.notifyMatchFailure(cast, "narrows no two tiles");
    auto narrow = [&](Value part) -> Value {
      auto narrowed = mlir::cast<RankedTensorType>(part.getType())
                          .clone(type.getElementType());
      return tile::CastOp::create(rewriter, cast.getLoc(), narrowed, part);
    };
    Value lhs = narrow(cat.getLhs()), rhs = narrow(cat.getRhs());
    rewriter.replaceOpWithNewOp<tile::CatOp>(cast, type, lhs, rhs,
                                             cat.getAxis());
    return success();
  }
};

/// A dot with an operand that joins two halves along the sum is two dots, one
/// of each: halves that are computed need not meet. The other operand is loaded
/// in halves.
struct DotOfHalves : OpRewritePattern<tile::DotOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tile::DotOp dot,
                                PatternRewriter &rewriter) const override {
    auto cat = dot.getRhs().getDefiningOp<tile::CatOp>();
    auto load = dot.getLhs().getDefiningOp<tile::LoadOp>();
    unsigned axis = dot.getTransposeB() ? 1 : 0;
    if (!cat || cat.getAxis() != axis || !load || load.getMask() ||
        load.getOrder() || load.getType().getRank() != 2 ||
        cat.getLhs().getType() != cat.getRhs().getType() ||
        !isWholeSteps(mlir::cast<RankedTensorType>(cat.getLhs().getType()),
                      axis) ||
        !isa<scf::ForOp>(dot->getParentOp()))
      return rewriter.notifyMatchFailure(dot, "has no operand of two halves");
    Value sum = dot.getAcc();
    for (auto [number, part] : llvm::enumerate(cat->getOperands())) {
      auto half = mlir::cast<tile::DotOp>(rewriter.clone(*dot));
      half.getLhsMutable().assign(
          loadHalf(rewriter, load, dot.getTransposeA() ? 0 : 1, number));
      half.getRhsMutable().assign(part);
      half.getAccMutable().assign(sum);
      sum = half.getResult();
    }
    rewriter.replaceOp(dot, sum);
    return success();
  }

private:
  /// Whether a half is as deep as some matrix instructions together.
  static bool isWholeSteps(RankedTensorType half, unsigned axis) {
    constexpr int64_t stepBits = 8 * AsyncDotOp::stepBytes;
    return half.getDimSize(axis) * half.getElementTypeBitWidth() % stepBits ==
           0;
  }

  static Value loadHalf(PatternRewriter &rewriter, tile::LoadOp load,
                        unsigned axis, unsigned number) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(load);
    Location loc = load.getLoc();
    RankedTensorType type = load.getType();
    SmallVector<int64_t> shape(type.getShape());
    shape[axis] /= 2;
    SmallVector<Value> indices(load.getIndices());
    Value two = arith::ConstantIndexOp::create(rewriter, loc, 2),
          within = arith::ConstantIndexOp::create(rewriter, loc, number);
    indices[axis] = rewriter.createOrFold<arith::AddIOp>(
        loc, rewriter.createOrFold<arith::MulIOp>(loc, indices[axis], two),
        within);
    return tile::LoadOp::create(rewriter, loc, type.clone(shape),
                                load.getView(), indices, /*mask=*/Value(),
                                rewriter.getI64ArrayAttr(shape), load.getPad(),
                                /*order=*/DenseI64ArrayAttr());
  }
};
} // namespace

void tilegpu::populateConcatenationPatterns(RewritePatternSet &patterns) {
  patterns.add<NarrowedParts, DotOfHalves>(patterns.getContext());
}
