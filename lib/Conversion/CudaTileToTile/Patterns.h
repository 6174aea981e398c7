// The patterns of the conversion, by group, and helpers to define a pattern as
// a function of an op and its converted operands.
#ifndef TILEGPT_LIB_CONVERSION_CUDATILETOTILE_PATTERNS_H
#define TILEGPT_LIB_CONVERSION_CUDATILETOTILE_PATTERNS_H

#include "TileTypes.h"

namespace tilegpt::cuda_tile {

void populateIntegerPatterns(const TileTypes &types,
                             mlir::RewritePatternSet &patterns);
void populateFloatPatterns(const TileTypes &types,
                           mlir::RewritePatternSet &patterns);
void populateCastPatterns(const TileTypes &types,
                          mlir::RewritePatternSet &patterns);
void populateShapePatterns(const TileTypes &types,
                           mlir::RewritePatternSet &patterns);
void populateProductPatterns(const TileTypes &types,
                             mlir::RewritePatternSet &patterns);
void populateReductionPatterns(const TileTypes &types,
                               mlir::RewritePatternSet &patterns);
void populateViewPatterns(const TileTypes &types,
                          mlir::RewritePatternSet &patterns);
void populatePointerPatterns(const TileTypes &types,
                             mlir::RewritePatternSet &patterns);
void populateAtomicPatterns(const TileTypes &types,
                            mlir::RewritePatternSet &patterns);
/// Ops around the computation: the grid, assumptions, assertions, tokens.
void populateKernelPatterns(const TileTypes &types,
                            mlir::RewritePatternSet &patterns);
void populatePrintPatterns(const TileTypes &types,
                           mlir::RewritePatternSet &patterns);

/// A pattern that calls `make(op, operands, builder)`, where `operands` has a
/// range of converted values for each operand. `make` replaces the op and
/// succeeds, or emits an error and fails.
template <typename Op, typename Make>
class MakePattern final : public mlir::OpConversionPattern<Op> {
public:
  using Base = mlir::OpConversionPattern<Op>;
  using Operands = typename Base::OneToNOpAdaptor;

  MakePattern(const mlir::TypeConverter &types, mlir::MLIRContext *context,
              Make make)
      : Base(types, context), make(std::move(make)) {}

  mlir::LogicalResult
  matchAndRewrite(Op op, Operands operands,
                  mlir::ConversionPatternRewriter &rewriter) const override {
    return make(op, operands, rewriter);
  }

private:
  Make make;
};

template <typename Op>
using OperandsOf = typename mlir::OpConversionPattern<Op>::OneToNOpAdaptor;

template <typename Op, typename Make>
void addPattern(const TileTypes &types, mlir::RewritePatternSet &patterns,
                Make make) {
  patterns.add<MakePattern<Op, Make>>(types, patterns.getContext(),
                                      std::move(make));
}

/// The same for ops with one result and one converted value per operand:
/// `make(op, operands, builder)` returns the result, or null after an error.
template <typename Op, typename Make>
void addValuePattern(const TileTypes &types, mlir::RewritePatternSet &patterns,
                     Make make) {
  addPattern<Op>(
      types, patterns,
      [make](Op op, OperandsOf<Op> operands,
             mlir::ConversionPatternRewriter &rewriter) -> mlir::LogicalResult {
        llvm::SmallVector<mlir::Value> values;
        for (mlir::ValueRange range : operands.getOperands())
          values.push_back(range.front());
        mlir::ImplicitLocOpBuilder builder(op.getLoc(), rewriter);
        mlir::Value result = make(op, values, builder);
        if (!result)
          return mlir::failure();
        rewriter.replaceOp(op, result);
        return mlir::success();
      });
}

/// Converts an op to one of another dialect with the same operands.
template <typename Op, typename Target>
void addRenaming(const TileTypes &types, mlir::RewritePatternSet &patterns) {
  addValuePattern<Op>(types, patterns,
                      [](Op, llvm::ArrayRef<mlir::Value> operands,
                         mlir::ImplicitLocOpBuilder &builder) -> mlir::Value {
                        return Target::create(builder,
                                              mlir::ValueRange(operands))
                            ->getResult(0);
                      });
}

} // namespace tilegpt::cuda_tile

#endif
