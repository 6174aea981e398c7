// Expands dots with few rows to multiplications and sums, in pieces of the
// depth if both operands are loads.
#include "Simplify/DepthPieces.h"
#include "Simplify/FewRows.h"
#include "TileGPT/Dialect/Tile/Analysis/TileOf.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "TileGPT/Dialect/TileGPU/Analysis/ExplainPlan.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_EXPANDDOTS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
class Expansion {
public:
  Expansion(tile::DotOp dot, PlanAttr plan)
      : dot(dot), plan(plan), builder(dot), loc(dot.getLoc()) {}

  void run() {
    int64_t piece = pieceOfFewRows();
    replaceDot(dot, isLoadedWhole(dot) && piece < depthOf(dot) && !isSmall()
                        ? sumInPieces(piece)
                        : sumAtOnce());
  }

private:
  /// The depth of a piece such that partial sums and operands take about 64
  /// values per thread.
  int64_t pieceOfFewRows() {
    constexpr int64_t values = 64, smallest = 64;
    RankedTensorType type = tileOf(dot.getResult());
    int64_t m = type.getDimSize(0), n = type.getDimSize(1);
    int64_t held = m * n + m + n;
    return std::max<int64_t>(
        smallest,
        llvm::bit_floor(uint64_t(values * plan.getComputeThreads() / held)));
  }

  /// Whether a thread has only about 64 products to sum, so that all its loads
  /// can be in flight at once.
  bool isSmall() {
    constexpr int64_t products = 64;
    return tileOf(dot.getResult()).getNumElements() * depthOf(dot) <=
           products * plan.getComputeThreads();
  }

  /// Broadcasts an operand to [M, N, K] (or [M, K, N] if the rhs is not
  /// transposed), in the type of the accumulator.
  Value spread(Value operand, bool isLhs, int64_t depth) {
    RankedTensorType acc = tileOf(dot.getResult());
    bool isTransposed = isLhs ? dot.getTransposeA() : false;
    Value tile = operand;
    if (isTransposed)
      tile = tile::PermuteOp::create(builder, loc, permuted(tileOf(tile)), tile,
                                     ArrayRef<int64_t>{1, 0});
    tile = convert(tile, acc.getElementType(),
                   isLhs ? dot.getUnsignedLhs() : dot.getUnsignedRhs());
    int64_t newAxis = isLhs ? (dot.getTransposeB() ? 1 : 2) : 0;
    SmallVector<int64_t> shape(tileOf(tile).getShape());
    shape.insert(shape.begin() + newAxis, 1);
    tile = tile::ExpandDimsOp::create(
        builder, loc, RankedTensorType::get(shape, acc.getElementType()), tile,
        newAxis);
    SmallVector<int64_t> full = productShape(depth);
    if (shape == full)
      return tile;
    return tile::BroadcastOp::create(
        builder, loc, RankedTensorType::get(full, acc.getElementType()), tile,
        builder.getI64ArrayAttr(full));
  }

  static RankedTensorType permuted(RankedTensorType type) {
    return RankedTensorType::get({type.getDimSize(1), type.getDimSize(0)},
                                 type.getElementType());
  }

  Value convert(Value tile, Type element, bool isUnsigned) {
    RankedTensorType type = tileOf(tile);
    if (type.getElementType() == element)
      return tile;
    auto result = RankedTensorType::get(type.getShape(), element);
    if (isa<FloatType>(element))
      return arith::ExtFOp::create(builder, loc, result, tile);
    if (isUnsigned)
      return arith::ExtUIOp::create(builder, loc, result, tile);
    return arith::ExtSIOp::create(builder, loc, result, tile);
  }

  SmallVector<int64_t> productShape(int64_t depth) {
    RankedTensorType acc = tileOf(dot.getResult());
    int64_t m = acc.getDimSize(0), n = acc.getDimSize(1);
    return dot.getTransposeB() ? SmallVector<int64_t>{m, n, depth}
                               : SmallVector<int64_t>{m, depth, n};
  }

  /// lhs · rhs, before summation.
  Value multiply(Value lhs, Value rhs, int64_t depth) {
    Value left = spread(lhs, true, depth), right = spread(rhs, false, depth);
    if (isa<FloatType>(tileOf(left).getElementType()))
      return arith::MulFOp::create(builder, loc, left, right,
                                   arith::FastMathFlags::contract);
    return arith::MulIOp::create(builder, loc, left, right);
  }

  Value add(Value lhs, Value rhs) {
    if (isa<FloatType>(tileOf(lhs).getElementType()))
      return arith::AddFOp::create(builder, loc, lhs, rhs,
                                   arith::FastMathFlags::contract);
    return arith::AddIOp::create(builder, loc, lhs, rhs);
  }

  /// acc + the sum of `products` over the depth.
  Value sum(Value products) {
    int64_t axis = dot.getTransposeB() ? 2 : 1;
    auto reduce = tile::ReduceOp::create(
        builder, loc, TypeRange{dot.getType()}, ValueRange{products}, axis,
        tile::ReduceKindAttr::get(builder.getContext(), tile::ReduceKind::Add),
        /*identities=*/ArrayAttr(), /*keepdims=*/false);
    return add(dot.getAcc(), reduce.getResult(0));
  }

  Value sumAtOnce() {
    return sum(multiply(dot.getLhs(), dot.getRhs(), depthOf(dot)));
  }

  Value sumInPieces(int64_t piece) {
    auto type = RankedTensorType::get(productShape(piece),
                                      tileOf(dot.getResult()).getElementType());
    Value init = arith::ConstantOp::create(
        builder, loc, cast<TypedAttr>(builder.getZeroAttr(type)));
    auto addPiece = [&](Value k, ValueRange sums) -> SmallVector<Value> {
      Value left = loadPiece(builder, dot, /*isLhs=*/true, piece, k);
      Value right = loadPiece(builder, dot, /*isLhs=*/false, piece, k);
      return {add(sums.front(), multiply(left, right, piece))};
    };
    return sum(forEachPiece(builder, dot, piece, init, addPiece).front());
  }

  tile::DotOp dot;
  PlanAttr plan;
  OpBuilder builder;
  Location loc;
};

struct ExpandDots : tilegpu::impl::ExpandDotsBase<ExpandDots> {
  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    PlanAttr plan = PlanAttr::of(getOperation());
    if (!plan) {
      getOperation().emitOpError("has no plan; run --tile-gpu-make-plan first");
      return signalPassFailure();
    }
    explainPlan(getOperation());
    SmallVector<tile::DotOp> dots;
    getOperation().walk([&](tile::DotOp dot) {
      if (hasFewRows(dot))
        dots.push_back(dot);
    });
    for (tile::DotOp dot : dots) {
      explainAnalysis(dot, "dot") << remark::add(
          "{0} row{1}: FMAs in registers, since MMA instructions have 16 rows",
          rowsOf(dot), rowsOf(dot) == 1 ? "" : "s");
      Expansion(dot, plan).run();
    }
  }
};
} // namespace
