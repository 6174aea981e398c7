// Operands of dots that concatenate two tiles: the tiles are converted and
// multiplied separately.
#include "Simplify/DotPatterns.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
/// Rounds two tiles before concatenating them: less data is concatenated.
struct NarrowedParts : OpRewritePattern<tile::CastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tile::CastOp cast,
                                PatternRewriter &rewriter) const override {
    auto cat = cast.getSource().getDefiningOp<tile::CatOp>();
    auto type = dyn_cast<RankedTensorType>(cast.getType());
    if (!cat || !cat->hasOneUse() || !type ||
        type.getElementTypeBitWidth() >=
            cat.getResult().getType().getElementTypeBitWidth())
      return rewriter.notifyMatchFailure(cast,
                                         "does not narrow a concatenation");
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

/// Splits a dot with an operand concatenated along the depth into two dots:
/// computed halves need not be concatenated. The other operand is loaded in
/// halves.
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
      return rewriter.notifyMatchFailure(
          dot, "has no operand concatenated from two halves");
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
  /// Whether the depth of a half is a multiple of the matrix instruction's.
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
