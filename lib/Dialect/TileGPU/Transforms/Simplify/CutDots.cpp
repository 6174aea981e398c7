// Turns products with many rows whose operands are loaded over the full depth
// into loops over pieces of it, which a producer or pipelined copies can feed.
#include "Simplify/DepthPieces.h"
#include "Simplify/FewRows.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_CUTDOTS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
struct CutDots : tilegpu::impl::CutDotsBase<CutDots> {
  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    SmallVector<SmallVector<tile::DotOp>> groups;
    getOperation().walk([&](tile::DotOp dot) {
      if (!isCut(dot))
        return;
      if (groups.empty() || !goesWith(dot, groups.back().front()))
        groups.emplace_back();
      groups.back().push_back(dot);
    });
    for (ArrayRef<tile::DotOp> dots : groups)
      cut(dots);
  }

private:
  /// Whether a value is available before an op.
  static bool isThere(Value value, Operation *op) {
    Operation *maker = value.getDefiningOp();
    return !maker || maker->getBlock() != op->getBlock() ||
           maker->isBeforeInBlock(op);
  }

  /// Whether one loop can compute two dots, such as gate and up projection of a
  /// gated MLP, which share an operand.
  static bool goesWith(tile::DotOp dot, tile::DotOp first) {
    return dot->getBlock() == first->getBlock() &&
           depthOf(dot) == depthOf(first) &&
           llvm::all_of(dot->getOperands(),
                        [&](Value operand) { return isThere(operand, first); });
  }

  static void cut(ArrayRef<tile::DotOp> dots) {
    tile::DotOp first = dots.front();
    OpBuilder builder(first);
    SmallVector<Value> inits;
    for (tile::DotOp dot : dots)
      inits.push_back(dot.getAcc());
    auto sumPieces = [&](Value number, ValueRange sums) {
      SmallVector<Value> next;
      IRMapping pieces;
      for (auto [entry, sum] : llvm::zip_equal(dots, sums)) {
        tile::DotOp dot = entry;
        for (bool isLhs : {true, false}) {
          Value whole = isLhs ? dot.getLhs() : dot.getRhs();
          if (!pieces.contains(whole))
            pieces.map(whole,
                       loadPiece(builder, dot, isLhs, pieceDepth, number));
        }
        IRMapping mapping = pieces;
        mapping.map(dot.getAcc(), sum);
        next.push_back(builder.clone(*dot, mapping)->getResult(0));
      }
      return next;
    };
    ValueRange sums =
        forEachPiece(builder, first, pieceDepth, inits, sumPieces);
    for (auto [dot, sum] : llvm::zip_equal(dots, sums))
      replaceDot(dot, sum);
  }
};
} // namespace
