// Splits a block's loop across several blocks if a launch has too few for the
// device: sums of columns or long rows. The last block of a group to finish
// combines the partial results.
#include "Grid/BlockGroups.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Conversion/TileToArith/ReduceCombiner.h"
#include "TileGPT/Dialect/Tile/Analysis/CarriedReductions.h"
#include "TileGPT/Dialect/Tile/Analysis/KnownGrid.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/LoopShares.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_SPLITLOOPS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

/// Whether a kernel without dots or loops stores a tile with work for many
/// blocks.
static bool hasLargeTile(tile::KernelOp kernel) {
  constexpr int64_t leastElements = 16384;
  bool isLarge = false;
  WalkResult walk = kernel.walk([&](Operation *op) {
    if (isa<tile::DotOp, LoopLikeOpInterface>(op))
      return WalkResult::interrupt();
    if (auto store = dyn_cast<tile::StoreOp>(op))
      isLarge |=
          cast<RankedTensorType>(store.getValue().getType()).getNumElements() >=
          leastElements;
    return WalkResult::advance();
  });
  return isLarge && !walk.wasInterrupted();
}

namespace {
/// One of the results that blocks combine.
struct Partial {
  CarriedReduction reduction;
  Value own;       ///< this block's partial result
  Value all;       ///< used after the loop instead
  int64_t atOnce;  ///< parts that are read as one tile
  Value workspace; ///< [groups * parts, …]
  RankedTensorType type() const {
    return cast<RankedTensorType>(own.getType());
  }
};

class LoopSplit {
public:
  LoopSplit(tile::KernelOp kernel, scf::ForOp loop)
      : kernel(kernel), loop(loop), builder(loop), loc(loop.getLoc()),
        reductions(*findCarriedReductions(loop)) {}

  void run(int64_t groups, int64_t count) {
    parts = count;
    this->groups = groups;
    BlockGroup own = multiplyGrid(kernel, /*axis=*/0, parts);
    part = own.part;
    group = own.group;
    shareIterations();
    for (auto [number, reduction] : llvm::enumerate(reductions))
      partials.push_back(makePartial(reduction, loop.getResult(number)));
    meet();
  }

private:
  Value identity(const CarriedReduction &reduction, RankedTensorType type) {
    return arith::ConstantOp::create(
        builder, loc,
        SplatElementsAttr::get(type,
                               tile::identityOf(reduction.kind, reduction.nan,
                                                type.getElementType())));
  }

  /// Runs every `parts`-th iteration; only the first part starts with the
  /// loop's initial values.
  void shareIterations() {
    builder.setInsertionPoint(loop);
    Arithmetic math(builder, loc);
    Value isFirst = math.isEqual(part, 0);
    for (auto [operand, reduction] :
         llvm::zip_equal(loop.getInitsMutable(), reductions)) {
      auto type = cast<RankedTensorType>(operand.get().getType());
      operand.set(arith::SelectOp::create(builder, loc, isFirst, operand.get(),
                                          identity(reduction, type)));
    }
    loop.setLowerBound(
        math.add(loop.getLowerBound(), math.mul(part, loop.getStep())));
    loop.setStep(math.mul(loop.getStep(), parts));
  }

  /// If the same op reduces a result after the loop, each block reduces its own
  /// part.
  Partial makePartial(const CarriedReduction &reduction, Value result) {
    Partial partial = {reduction, result, result, 1, {}};
    if (result.hasOneUse())
      if (auto reduce = dyn_cast<tile::ReduceOp>(*result.user_begin());
          reduce && reduce->getBlock() == kernel.getEntryBlock() &&
          reduce.getKind() == reduction.kind &&
          reduce.getNanPolicy() == reduction.nan) {
        builder.setInsertionPointAfter(loop);
        Operation *own = builder.clone(*reduce);
        partial.own = own->getResult(0);
        partial.all = reduce.getResult(0);
      }
    partial.atOnce =
        LoopShares::partsAtOnce(parts, partial.type().getNumElements());
    return partial;
  }

  /// The type of a workspace tile of `count` parts.
  RankedTensorType typeOf(const Partial &partial, int64_t count) {
    SmallVector<int64_t> shape = {count};
    llvm::append_range(shape, partial.type().getShape());
    return RankedTensorType::get(shape, partial.type().getElementType());
  }
  SmallVector<Value> placeOf(const Partial &partial, Value first) {
    SmallVector<Value> place(partial.type().getRank() + 1, zero);
    place[0] = first;
    return place;
  }

  void meet() {
    // Only the last block runs the ops after the partial results.
    SmallPtrSet<Operation *, 4> kept;
    for (Partial &partial : partials)
      kept.insert(partial.own.getDefiningOp());
    Operation *last = loop;
    SmallVector<Operation *> behind;
    for (Operation *op = loop->getNextNode();
         op != kernel.getEntryBlock()->getTerminator(); op = op->getNextNode())
      if (kept.contains(op))
        last = op;
      else
        behind.push_back(op);

    builder.setInsertionPointAfter(last);
    Arithmetic math(builder, loc);
    zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value place = math.add(math.mul(group, parts), part);
    SmallVector<Value> views;
    for (Partial &partial : partials) {
      RankedTensorType whole = typeOf(partial, groups * parts);
      auto view = tile::ViewType::get(builder.getContext(), whole.getShape(),
                                      whole.getElementType(), {});
      partial.workspace = WorkspaceOp::create(builder, loc, view, views.size());
      views.push_back(partial.workspace);
      Value row = tile::ExpandDimsOp::create(builder, loc, typeOf(partial, 1),
                                             partial.own, 0);
      tile::StoreOp::create(builder, loc, row, partial.workspace,
                            placeOf(partial, place), /*mask=*/Value(),
                            /*order=*/DenseI64ArrayAttr());
    }
    Value isLast =
        MeetBlocksOp::create(builder, loc, group, groups, parts, views);
    auto branch = scf::IfOp::create(builder, loc, isLast);
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    for (Partial &partial : partials) {
      Value whole = gather(partial);
      partial.all.replaceUsesWithIf(whole, [&](OpOperand &use) {
        return llvm::any_of(behind, [&](Operation *op) {
          return op->isAncestor(use.getOwner());
        });
      });
    }
    for (Operation *op : behind)
      op->moveBefore(branch.thenBlock()->getTerminator());
  }

  /// Combines all parts of a result, always in the same order.
  Value gather(const Partial &partial) {
    RankedTensorType type = typeOf(partial, partial.atOnce);
    int64_t steps = parts / partial.atOnce;
    Arithmetic math(builder, loc);
    Value first = math.mul(group, steps), all;
    for (int64_t step = 0; step < steps; ++step) {
      Value tile = tile::LoadOp::create(
          builder, loc, type, partial.workspace,
          placeOf(partial, math.add(first, step)), /*mask=*/Value(),
          builder.getI64ArrayAttr(type.getShape()), tile::PadKind::Zero,
          /*order=*/DenseI64ArrayAttr());
      if (!all) {
        all = tile;
        continue;
      }
      IRMapping operands;
      Operation *combine = partial.reduction.combine;
      bool isSecond = combine->getOperand(0) == partial.reduction.update;
      operands.map(combine->getOperand(isSecond), all);
      operands.map(combine->getOperand(!isSecond), tile);
      Operation *next = builder.clone(*combine, operands);
      next->getResult(0).setType(type);
      all = next->getResult(0);
    }
    auto reduce = tile::ReduceOp::create(
        builder, loc, TypeRange{partial.type()}, ValueRange{all}, /*axis=*/0,
        tile::ReduceKindAttr::get(builder.getContext(), partial.reduction.kind),
        /*identities=*/ArrayAttr(), /*keepdims=*/false, partial.reduction.nan);
    return reduce.getResult(0);
  }

  tile::KernelOp kernel;
  scf::ForOp loop;
  OpBuilder builder;
  Location loc;
  SmallVector<CarriedReduction> reductions;
  SmallVector<Partial> partials;
  int64_t parts = 1, groups = 1;
  Value part, group, zero;
};

struct SplitLoops : tilegpu::impl::SplitLoopsBase<SplitLoops> {
  using SplitLoopsBase::SplitLoopsBase;

  void runOnOperation() override {
    tile::KernelOp kernel = getOperation();
    StringRef reason;
    scf::ForOp loop = findSharedLoop(kernel, &reason);
    std::optional<int64_t> blocks = knownBlocks(kernel);
    if (!loop) {
      if (reason.empty() && hasLargeTile(kernel))
        reason = "no loop to split among more; use smaller tiles and a larger "
                 "grid";
      // Kernels with enough blocks have nothing to gain.
      if (!reason.empty() && blocks && *blocks < multiprocessors)
        explainMissed(kernel, "grid")
            << remark::add("{0} for {1}: ", countOf(*blocks, "block"),
                           countOf(multiprocessors, "multiprocessor"))
            << reason;
      return;
    }
    std::optional<LoopShares> shares = LoopShares::of(loop);
    if (!shares || !blocks || kernel.getGridRank() == 0)
      return;
    int64_t parts = shares->count(*blocks, multiprocessors);
    if (parts == 1)
      return;
    explainPassed(loop, "grid")
        << remark::add("{0} blocks split the loop of each tile", parts);
    LoopSplit(kernel, loop).run(*blocks, parts);
    ++numSplit;
  }
};
} // namespace
