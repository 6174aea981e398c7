// Lets blocks of the grid share out the depth of a product (split-K) where it
// has few tiles. The last block of a group adds up what all of them have.
#include "Grid/BlockGroups.h"
#include "Plan/ProductPlan.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/Tile/Analysis/KnownGrid.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/SplitProduct.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_SPLITDEPTH
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
class Split {
public:
  /// \param groups  blocks of the kernel.
  /// \param steps   of its loop.
  Split(tile::KernelOp kernel, const SplitProduct &product, int64_t groups,
        int64_t steps, int64_t parts)
      : kernel(kernel), product(product), builder(kernel),
        loc(product.dot->getLoc()), groups(groups), steps(steps), parts(parts) {
  }

  void run() {
    ArrayRef<int64_t> tile = product.dot.getAcc().getType().getShape();
    own = multiplyGrid(kernel, product.partAxis(tile[0], tile[1]), parts);
    shareSteps();
    meet();
  }

private:
  /// Every `parts`-th step. All have as many: behind the end of the depth there
  /// are zeros.
  void shareSteps() {
    scf::ForOp loop = product.loop;
    builder.setInsertionPoint(loop);
    loop.setUpperBound(arith::ConstantIndexOp::create(
        builder, loc, llvm::divideCeil(steps, parts)));
    builder.setInsertionPointToStart(loop.getBody());
    Arithmetic math(builder, loc);
    Value step = loop.getInductionVar(), multiple = math.mul(step, parts);
    step.replaceAllUsesExcept(math.add(multiple, own.part),
                              multiple.getDefiningOp());
  }

  void meet() {
    constexpr int64_t groupRows = 64;
    scf::ForOp loop = product.loop;
    SmallVector<Operation *> behind;
    for (Operation *op = loop->getNextNode();
         op != kernel.getEntryBlock()->getTerminator(); op = op->getNextNode())
      behind.push_back(op);

    builder.setInsertionPointAfter(loop);
    Arithmetic math(builder, loc);
    RankedTensorType tile = product.dot.getAcc().getType();
    auto view = tile::ViewType::get(
        builder.getContext(),
        {groups * parts,
         std::max(tile.getDimSize(0), groupRows) * tile.getDimSize(1)},
        tile.getElementType(), {});
    Value workspace = WorkspaceOp::create(builder, loc, view, /*number=*/0),
          first = math.mul(own.group, parts);
    PutPartOp::create(builder, loc, loop.getResult(0), workspace,
                      math.add(first, own.part));
    Value isLast =
        MeetBlocksOp::create(builder, loc, own.group, groups, parts, workspace);
    auto branch = scf::IfOp::create(builder, loc, isLast);
    for (Operation *op : behind)
      op->moveBefore(branch.thenBlock()->getTerminator());
    builder.setInsertionPointToStart(branch.thenBlock());
    Value sum = AddPartsOp::create(builder, loc, tile, workspace, first, parts,
                                   loop.getResult(0));
    loop.getResult(0).replaceUsesWithIf(sum, [&](OpOperand &use) {
      return use.getOwner() != sum.getDefiningOp() &&
             branch->isAncestor(use.getOwner());
    });
  }

  tile::KernelOp kernel;
  SplitProduct product;
  OpBuilder builder;
  Location loc;
  int64_t groups, steps, parts;
  BlockGroup own;
};

struct SplitDepth : tilegpu::impl::SplitDepthBase<SplitDepth> {
  using SplitDepthBase::SplitDepthBase;

  void runOnOperation() override {
    tile::KernelOp kernel = getOperation();
    llvm::Expected<const target::GpuTarget &> known =
        target::GpuTarget::find(target);
    if (!known) {
      kernel.emitOpError() << llvm::toString(known.takeError());
      return signalPassFailure();
    }
    std::optional<SplitProduct> product = findSplitProduct(kernel);
    if (!known->hasTma || !known->hasWgmma || !product)
      return;
    std::optional<int64_t> blocks = knownBlocks(kernel),
                           steps = getConstantIntValue(
                               product->loop.getUpperBound());
    if (!blocks || !steps)
      return;
    std::optional<Mainloop> match = analyzeMainloop(product->loop);
    if (!match)
      return;
    std::optional<TiledProduct> tiles = describeProduct(kernel, *match);
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
    Split(kernel, *product, *blocks, *steps, shares).run();
    ++numSplit;
  }

private:
  /// The blocks that a record wants to share out the depth, which the plan does
  /// not know; 1 if it says nothing of them. What they cannot is left to
  /// `--tile-gpu-make-plan`, which says so.
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
