// Splits the depth of products with few tiles across blocks of the grid
// (split-K). Each block of a group then reduces some columns of the
// accumulators of all of them.
#include "Grid/BlockGroups.h"
#include "Plan/ComputePlan.h"
#include "Plan/DescribeProduct.h"
#include "Plan/ProductPlan.h"
#include "Plan/RoundTF32.h"
#include "Plan/WarpGroupDots.h"
#include "Simplify/DotPatterns.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include "TileGPT/Dialect/Tile/Analysis/KnownGrid.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/FreeAxis.h"
#include "TileGPT/Dialect/TileGPU/Analysis/SplitProduct.h"
#include "TileGPT/Dialect/TileGPU/Analysis/WarpGroups.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "TileGPT/Target/NVVM/FindTarget.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/MathExtras.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_SPLITDEPTH
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
class DepthSplit {
public:
  /// \param groups  the blocks of the kernel before splitting.
  /// \param steps  the iterations of its loop.
  DepthSplit(tile::KernelOp kernel, const SplitProduct &product, int64_t groups,
             int64_t steps, int64_t parts)
      : kernel(kernel), product(product), builder(kernel),
        loc(product.dot->getLoc()), groups(groups), steps(steps), parts(parts) {
  }

  void run() {
    // Columns that ops after the loop combine are left to one block.
    columns = findFreeAxis(kernel, product.columnAxis, /*refusal=*/nullptr,
                           /*followsDots=*/true);
    ArrayRef<int64_t> tile = product.dot.getAcc().getType().getShape();
    own = multiplyGrid(kernel, product.partAxis(tile[0], tile[1]), parts);
    shareSteps();
    meet();
  }

private:
  /// Gives each block consecutive steps, so that it reads whole cache lines of
  /// misaligned rows itself. All run the same number; steps past the end of the
  /// depth read zeros.
  void shareSteps() {
    scf::ForOp loop = product.loop;
    builder.setInsertionPoint(loop);
    int64_t count = int64_t(llvm::divideCeil(steps, parts));
    loop.setUpperBound(arith::ConstantIndexOp::create(builder, loc, count));
    Value first = Arithmetic(builder, loc).mul(own.part, count);
    builder.setInsertionPointToStart(loop.getBody());
    Value step = loop.getInductionVar(),
          moved = Arithmetic(builder, loc).add(first, step);
    step.replaceAllUsesExcept(moved, moved.getDefiningOp());
  }

  void meet() {
    scf::ForOp loop = product.loop;
    RankedTensorType tile = product.dot.getAcc().getType();
    int64_t width = columns ? columnsOfShare(tile.getDimSize(1), parts)
                            : tile.getDimSize(1),
            shares = tile.getDimSize(1) / width;
    if (shares > 1)
      copyTilesBehind();
    SmallVector<Operation *> behind;
    for (Operation *op = loop->getNextNode();
         op != kernel.getEntryBlock()->getTerminator(); op = op->getNextNode())
      behind.push_back(op);

    builder.setInsertionPointAfter(loop);
    Arithmetic math(builder, loc);
    auto view = tile::ViewType::get(
        builder.getContext(),
        {groups * parts,
         std::max(tile.getDimSize(0), groupRows) * tile.getDimSize(1)},
        tile.getElementType(), {});
    Value workspace = WorkspaceOp::create(builder, loc, view, /*number=*/0),
          first = math.mul(own.group, parts);
    PutPartOp::create(builder, loc, loop.getResult(0), workspace,
                      math.add(first, own.part));
    AwaitBlocksOp::create(builder, loc, own.group, groups, own.part, parts,
                          workspace);
    if (shares < parts) {
      Value hasShare = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::ult, own.part,
          arith::ConstantIndexOp::create(builder, loc, shares));
      auto branch = scf::IfOp::create(builder, loc, hasShare);
      for (Operation *op : behind)
        op->moveBefore(branch.thenBlock()->getTerminator());
      builder.setInsertionPointToStart(branch.thenBlock());
    }
    Value sum = SumShareOp::create(builder, loc,
                                   tile.clone({tile.getDimSize(0), width}),
                                   own.part, workspace, first, parts);
    if (shares > 1)
      takeShare(behind, shares, width);
    loop.getResult(0).replaceUsesWithIf(
        sum, [&](OpOperand &use) { return !isa<PutPartOp>(use.getOwner()); });
  }

  /// Clones ops before the loop with columns of the tile for their users after
  /// the loop.
  void copyTilesBehind() {
    scf::ForOp loop = product.loop;
    IRMapping copies;
    builder.setInsertionPointAfter(loop);
    for (Operation &op :
         llvm::make_range(kernel.getEntryBlock()->begin(), loop->getIterator()))
      if (llvm::any_of(op.getResults(), [&](Value result) {
            return columns->axes.contains(result);
          })) {
        Operation *copy = builder.clone(op, copies);
        for (auto [result, copied] :
             llvm::zip_equal(op.getResults(), copy->getResults())) {
          if (auto it = columns->axes.find(result); it != columns->axes.end())
            columns->axes.insert({copied, it->second});
          result.replaceUsesWithIf(copied, [&](OpOperand &use) {
            Operation *user =
                kernel.getEntryBlock()->findAncestorOpInBlock(*use.getOwner());
            return copy->isBeforeInBlock(user);
          });
        }
        if (isa<tile::LoadOp>(copy))
          columns->accesses.push_back(copy);
      }
  }

  /// Restricts the ops after the loop to the block's share of the columns.
  void takeShare(ArrayRef<Operation *> behind, int64_t shares, int64_t width) {
    auto isBehind = [&](Operation *op) {
      return llvm::any_of(
          behind, [&](Operation *outer) { return outer->isAncestor(op); });
    };
    for (auto [tile, axis] : columns->axes) {
      Operation *op = tile.getDefiningOp();
      if (op && isBehind(op))
        resizeTile(tile, axis, width);
    }
    Value place;
    for (Operation *access : columns->accesses) {
      if (!isBehind(access))
        continue;
      AccessOperands operands(access);
      int64_t axis = columns->axes.lookup(operands.value);
      OpOperand *index =
          llvm::find_if(access->getOpOperands(), [&](OpOperand &operand) {
            return operand.get() == operands.indices[axis];
          });
      if (!place)
        place = placeOfShare(index->get(), shares);
      index->set(place);
    }
  }

  /// The index of a block's share in the shares of the whole result.
  Value placeOfShare(Value tile, int64_t shares) {
    Arithmetic math(builder, loc);
    int64_t most = *knownBlocks(kernel, product.columnAxis) * shares;
    ArrayRef<int64_t> shape = product.dot.getAcc().getType().getShape();
    if (product.partAxis(shape[0], shape[1]) == product.columnAxis)
      most /= parts;
    return tile::AssumeOp::create(
        builder, loc, math.add(math.mul(tile, shares), own.part), IntegerAttr(),
        builder.getDenseI64ArrayAttr({0, most - 1}));
  }

  tile::KernelOp kernel;
  SplitProduct product;
  OpBuilder builder;
  Location loc;
  int64_t groups, steps, parts;
  BlockGroup own;
  /// The column axes of the result, and of the values computed from it.
  std::optional<FreeAxis> columns;
};

struct SplitDepth : tilegpu::impl::SplitDepthBase<SplitDepth> {
  using SplitDepthBase::SplitDepthBase;

  void runOnOperation() override {
    tile::KernelOp kernel = getOperation();
    const target::GpuTarget *known = target::findTarget(kernel, target);
    if (!known)
      return signalPassFailure();
    if (!known->hasTma || !known->hasWgmma)
      return;
    Refusal refusal;
    std::optional<SplitProduct> product = findSplitProduct(kernel, &refusal);
    if (!product)
      return explainIdle(kernel, refusal);
    std::optional<int64_t> blocks = knownBlocks(kernel),
                           steps = getConstantIntValue(
                               product->loop.getUpperBound());
    if (!blocks || !steps)
      return;
    std::optional<TiledProduct> tiles = describe(kernel, *product, *known);
    if (!tiles)
      return;
    int64_t shares =
        kernel->hasAttr(tile::wantedPlanAttr)
            ? takeWanted(kernel, *tiles, *known)
            : costOfProduct(*tiles, *known, multiprocessors).shares;
    if (shares == 1)
      return;
    explainPassed(product->loop, "grid")
        << remark::add("{0} blocks split the depth of each tile", shares);
    DepthSplit(kernel, *product, *blocks, *steps, shares).run();
    ++numSplit;
  }

private:
  /// Reports why no blocks split a depth although most multiprocessors have
  /// none.
  void explainIdle(tile::KernelOp kernel, const Refusal &refusal) {
    constexpr int64_t leastSteps = 8;
    std::optional<int64_t> blocks = knownBlocks(kernel);
    if (!blocks || 2 * *blocks > multiprocessors)
      return;
    for (const Mainloop &match : analyzeMainloops(kernel)) {
      scf::ForOp loop = match.loop;
      std::optional<int64_t> steps = getConstantIntValue(loop.getUpperBound());
      if (steps && *steps >= leastSteps && isProduct(match)) {
        explainMissed(refusal.op, "grid") << remark::add(
            "{0} for {1} do not split the depth: {2}",
            countOf(*blocks, "block"),
            countOf(multiprocessors, "multiprocessor"), refusal.reason);
        return;
      }
    }
  }

  /// The product in the terms of the cost model, if `wgmma` computes it. Blocks
  /// divide the columns of what `wgmma` computes between them, so this swaps
  /// the operands where a later pass would.
  static std::optional<TiledProduct> describe(tile::KernelOp kernel,
                                              SplitProduct &product,
                                              const target::GpuTarget &known) {
    auto swap = [&] {
      swapOperands(product.loop);
      product = *findSplitProduct(kernel);
    };
    if (!findDotsToSwap(product.loop).empty())
      swap();
    transposeComputedLeft(product.loop);
    if (std::optional<Mainloop> match = analyzeMainloop(product.loop))
      return !product.computes || fitComputeLoops(kernel, *match, known)
                 ? describeProduct(kernel, *match)
                 : std::nullopt;
    if (product.computes)
      return std::nullopt;
    if (hasRoundedMainloop(kernel, known)) {
      if (isTransposedToRound(product.dot))
        swap();
      return describeProduct(kernel, product, /*rounds=*/true);
    }
    ArrayRef<int64_t> tile = product.dot.getAcc().getType().getShape();
    if (!suitsWarpGroups(product.dot, warpsForProduct(tile[0] * tile[1],
                                                      /*isMultiplyAdd=*/false)))
      return std::nullopt;
    return describeProduct(kernel, product, /*rounds=*/false);
  }

  /// Whether a producer can feed the loop with operands rounded to tf32.
  static bool hasRoundedMainloop(tile::KernelOp kernel,
                                 const target::GpuTarget &known) {
    OwningOpRef<tile::KernelOp> rounded(kernel.clone());
    if (!roundTF32Operands(*rounded))
      return false;
    SmallVector<Mainloop> matches = analyzeMainloops(*rounded);
    return !matches.empty() && fitComputeLoops(*rounded, matches, known);
  }

  /// The requested number of blocks that split the depth, which the plan does
  /// not record; 1 without a request. `--tile-gpu-make-plan` reports a request
  /// that cannot be honored.
  int64_t takeWanted(tile::KernelOp kernel, const TiledProduct &product,
                     const target::GpuTarget &known) {
    constexpr StringLiteral name = "shares";
    int64_t wanted = WantedPlan(kernel).get(name).value_or(1);
    if (wanted == 1 ||
        llvm::none_of(
            waysToShare(product, known, multiprocessors),
            [&](const ProductCost &way) { return way.shares == wanted; }))
      return 1;
    NamedAttrList rest(
        kernel->getAttrOfType<DictionaryAttr>(tile::wantedPlanAttr));
    rest.erase(name);
    kernel->setAttr(tile::wantedPlanAttr, rest.getDictionary(&getContext()));
    return wanted;
  }
};
} // namespace
