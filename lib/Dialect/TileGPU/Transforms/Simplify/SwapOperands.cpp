// wgmma takes its lhs from registers or shared memory, but its rhs only from
// shared memory; it takes rows in units of a warp group, columns in units of 8.
// Products with a computed rhs, or with rows that warp groups cannot divide,
// are computed transposed.
#include "Simplify/DotPatterns.h"
#include "TileGPT/Dialect/Tile/Analysis/Elementwise.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Streams.h"
#include "TileGPT/Dialect/TileGPU/Analysis/WarpGroups.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_SWAPOPERANDS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

/// Transposes a tile. The transpose of a splat is a splat.
static Value turn(OpBuilder &builder, Location loc, Value tile) {
  auto type = cast<RankedTensorType>(tile.getType());
  RankedTensorType turned =
      type.clone({type.getDimSize(1), type.getDimSize(0)});
  if (auto splat = tile.getDefiningOp<tile::SplatOp>())
    return tile::SplatOp::create(builder, loc, turned, splat.getValue(),
                                 builder.getI64ArrayAttr(turned.getShape()));
  DenseElementsAttr elements;
  if (matchPattern(tile, m_Constant(&elements)) && elements.isSplat())
    return arith::ConstantOp::create(builder, loc,
                                     elements.resizeSplat(turned));
  return tile::PermuteOp::create(builder, loc, turned, tile,
                                 ArrayRef<int64_t>({1, 0}));
}

scf::ForOp tilegpu::swapOperands(scf::ForOp loop) {
  Location loc = loop.getLoc();
  OpBuilder builder(loop);
  auto inits = llvm::map_to_vector(
      loop.getInitArgs(), [&](Value init) { return turn(builder, loc, init); });
  auto turned = scf::ForOp::create(builder, loc, loop.getLowerBound(),
                                   loop.getUpperBound(), loop.getStep(), inits);
  builder.setInsertionPointToStart(turned.getBody());
  IRMapping known;
  known.map(loop.getBody()->getArguments(), turned.getBody()->getArguments());
  for (Operation &op : loop.getBody()->without_terminator()) {
    auto dot = dyn_cast<tile::DotOp>(op);
    if (!dot) {
      builder.clone(op, known);
      continue;
    }
    // (x·w)ᵀ = wᵀ·xᵀ: transposes flip.
    Value acc = known.lookup(dot.getAcc());
    known.map(dot.getResult(),
              tile::DotOp::create(
                  builder, dot.getLoc(), acc.getType(),
                  known.lookup(dot.getRhs()), known.lookup(dot.getLhs()), acc,
                  /*transpose_a=*/!dot.getTransposeB(),
                  /*transpose_b=*/!dot.getTransposeA(), dot.getUnsignedRhs(),
                  dot.getUnsignedLhs(), dot.getPrecision())
                  .getResult());
  }
  scf::YieldOp::create(
      builder, loc,
      llvm::map_to_vector(loop.getYieldedValues(), [&](Value yielded) {
        return known.lookup(yielded);
      }));
  builder.setInsertionPointAfter(turned);
  for (auto [sum, result] :
       llvm::zip_equal(loop.getResults(), turned.getResults()))
    sum.replaceAllUsesWith(turn(builder, loc, result));
  loop.erase();
  return turned;
}

/// Whether a dot adds to a carried accumulator, directly or through other
/// dots, and the next dot or iteration continues it.
static bool isPartOfSum(scf::ForOp loop, tile::DotOp dot) {
  auto carried = dyn_cast<BlockArgument>(dot.getAcc());
  bool begins = carried && carried.getOwner() == loop.getBody() &&
                carried != loop.getInductionVar() && carried.hasOneUse();
  auto before = dot.getAcc().getDefiningOp<tile::DotOp>();
  if ((!begins && !before) || !dot->hasOneUse())
    return false;
  OpOperand &use = *dot->use_begin();
  if (auto next = dyn_cast<tile::DotOp>(use.getOwner()))
    return next->getBlock() == loop.getBody() && &use == &next.getAccMutable();
  Value start = dot.getAcc();
  while (auto previous = start.getDefiningOp<tile::DotOp>())
    start = previous.getAcc();
  return isa<scf::YieldOp>(use.getOwner()) &&
         loop.getRegionIterArgs()[use.getOperandNumber()] == start;
}

SmallVector<tile::DotOp> tilegpu::findDotsToSwap(scf::ForOp loop) {
  auto dots = llvm::to_vector(loop.getBody()->getOps<tile::DotOp>());
  size_t sums = 0;
  bool computes = false;
  for (tile::DotOp dot : dots) {
    RankedTensorType acc = dot.getAcc().getType();
    constexpr int64_t mostColumns = 256;
    if (acc.getRank() != 2 || !dot.getLhs().getDefiningOp<tile::LoadOp>() ||
        !isPartOfSum(loop, dot))
      return {};
    int64_t rows = acc.getDimSize(0), columns = acc.getDimSize(1);
    bool isLoaded = bool(dot.getRhs().getDefiningOp<tile::LoadOp>());
    if (!isLoaded &&
        !(dot.getRhs().getDefiningOp() &&
          dot.getRhs().getDefiningOp()->getBlock() == loop.getBody()))
      return {};
    bool suitsRows = columns % groupRows == 0 && rows <= mostColumns;
    if (!suitsRows && !(isLoaded && dots.size() == 1))
      return {};
    if (isLoaded && dots.size() == 1 && !isMadeTransposed(rows, columns))
      return {};
    computes |= !isLoaded;
    sums += isa<BlockArgument>(dot.getAcc());
  }
  bool isAll = sums == loop.getNumResults();
  return isAll && (computes || dots.size() == 1) ? dots
                                                 : SmallVector<tile::DotOp>();
}

/// Whether a loop computes a tile element by element, from tiles that a
/// producer may copy.
static bool isMadeByElement(Value tile, scf::ForOp loop) {
  Operation *op = tile.getDefiningOp();
  if (!op)
    return false;
  if (loop.isDefinedOutsideOfLoop(tile))
    return isa<tile::SplatOp>(op) || op->hasTrait<OpTrait::ConstantLike>();
  if (auto load = dyn_cast<tile::LoadOp>(op))
    return matchStream(load).has_value();
  if (isa<tile::SplatOp>(op))
    return true;
  return tile::isElementwise(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return !isa<RankedTensorType>(operand.getType()) ||
                  isMadeByElement(operand, loop);
         });
}

void tilegpu::transposeComputedLeft(scf::ForOp loop) {
  constexpr unsigned elementBits = 16;
  for (auto dot : loop.getBody()->getOps<tile::DotOp>()) {
    Value lhs = dot.getLhs();
    Operation *op = lhs.getDefiningOp();
    if (!dot.getTransposeA() || !op || op->getBlock() != loop.getBody() ||
        dot.getLhs().getType().getElementTypeBitWidth() != elementBits ||
        isa<tile::LoadOp>(op) || !dot.getRhs().getDefiningOp<tile::LoadOp>() ||
        !isMadeByElement(lhs, loop))
      continue;
    OpBuilder builder(dot);
    auto type = cast<RankedTensorType>(lhs.getType());
    dot.getLhsMutable().set(tile::PermuteOp::create(
        builder, dot.getLoc(),
        type.clone({type.getDimSize(1), type.getDimSize(0)}), lhs,
        ArrayRef<int64_t>({1, 0})));
    dot.setTransposeA(false);
  }
}

namespace {
struct SwapOperands : tilegpu::impl::SwapOperandsBase<SwapOperands> {
  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops) {
      SmallVector<tile::DotOp> dots = findDotsToSwap(loop);
      if (!dots.empty())
        loop = swapOperands(loop);
      numDots += dots.size();
      transposeComputedLeft(loop);
    }
  }
};
} // namespace
