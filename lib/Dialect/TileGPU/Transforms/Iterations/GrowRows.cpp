// Blocks of attention with up to 64 rows keep one warp group busy, which cannot
// compute while it multiplies.
#include "Iterations/PieceIterations.h"
#include "Mainloop/OnlineSoftmax.h"
#include "Masks/HiddenEnds.h"
#include "Plan/ComputePlan.h"
#include "Simplify/DotPatterns.h"
#include "TileGPT/Dialect/Tile/Analysis/KnownGrid.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/FreeAxis/AxisPlaces.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Reproduce.h"
#include "TileGPT/Dialect/TileGPU/Analysis/WarpGroups.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "TileGPT/Target/NVVM/FindTarget.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/MathExtras.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_GROWROWS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

static SmallVector<scf::ForOp> loopsOf(tile::KernelOp kernel) {
  SmallVector<scf::ForOp> loops;
  kernel.walk<WalkOrder::PreOrder>(
      [&](scf::ForOp loop) { loops.push_back(loop); });
  return loops;
}

/// A copy in the form in which main loops are matched; null if there is none.
static OwningOpRef<tile::KernelOp> copyNormalized(tile::KernelOp kernel) {
  OwningOpRef<tile::KernelOp> copy(kernel.clone());
  RewritePatternSet patterns(copy->getContext());
  populateDropUnitAxesPatterns(patterns);
  populateNormalizeDotsPatterns(patterns);
  if (failed(applyPatternsGreedily(*copy, std::move(patterns))))
    return {};
  return copy;
}

/// The warp groups that share the rows of a kernel's main loops, if these
/// compute between their dots and fit a block; 0 otherwise.
static int64_t countComputingGroups(tile::KernelOp normalized,
                                    const target::GpuTarget &target) {
  SmallVector<Mainloop> loops = findComputeLoops(normalized, target);
  if (loops.empty())
    return 0;
  std::optional<ComputeFit> fit = fitComputeLoops(normalized, loops, target);
  const bool isBeside = llvm::any_of(
      loops, [](const Mainloop &loop) { return !loop.copyable.empty(); });
  return fit && fit->copiesAll && (!isBeside || fit->mostStages >= stagesBeside)
             ? fit->groups
             : 0;
}

/// Whether the warps of a block can compute with 64 rows of attention that no
/// producer can feed: all loops with dots are online softmaxes of 16-bit tiles,
/// 256 threads have registers for the sums, and two stages of the tiles fit
/// shared memory.
static bool suitsWarps(tile::KernelOp normalized,
                       const target::GpuTarget &target) {
  constexpr int64_t mostSums = groupRows * 512, stages = 2, reserve = 4096;
  int64_t bytes = reserve;
  bool suits = true;
  normalized.walk([&](scf::ForOp loop) {
    auto dots = loop.getBody()->getOps<tile::DotOp>();
    if (dots.empty())
      return;
    suits &= !matchSoftmaxes(loop).empty();
    int64_t sums = 0;
    for (tile::DotOp dot : dots) {
      Type element = dot.getLhs().getType().getElementType();
      suits &= element.isF16() || element.isBF16();
      if (llvm::is_contained(loop.getResultTypes(), dot.getType()))
        sums += dot.getType().getNumElements();
    }
    suits &= sums <= mostSums;
  });
  normalized.walk([&](tile::LoadOp load) {
    bytes += tileBytes(load.getType()) *
             (load->getParentOfType<scf::ForOp>() ? stages : 1);
  });
  return suits && bytes <= int64_t(target.sharedBytesPerBlock);
}

/// Whether warp groups of one block would wait for each other to write an
/// operand that the loop computes, where two blocks that wait for nobody share
/// a multiprocessor: attention that normalizes its keys, 64 heads of 2048 x 64,
/// takes 265 us on an H200 in blocks of 64 rows, 280 in blocks of 128.
static bool stagesInTwoBlocks(tile::KernelOp kernel,
                              const target::GpuTarget &target,
                              int64_t multiprocessors) {
  OwningOpRef<tile::KernelOp> normalized = copyNormalized(kernel);
  if (!normalized)
    return false;
  SmallVector<Mainloop> loops = analyzeMainloops(*normalized);
  return !loops.empty() && llvm::any_of(loops, [](const Mainloop &loop) {
    return !loop.staged.empty();
  }) && fitsTwoBlocks(*normalized, loops, target, multiprocessors);
}

namespace {
struct GrowRows : tilegpu::impl::GrowRowsBase<GrowRows> {
  using GrowRowsBase::GrowRowsBase;

  void runOnOperation() override {
    tile::KernelOp kernel = getOperation();
    if (failed(tile::verifySpecialized(kernel)))
      return signalPassFailure();
    const target::GpuTarget *known = target::findTarget(kernel, target);
    if (!known)
      return signalPassFailure();
    if (kernel.isRaw() || !known->hasTma || !known->hasWgmma ||
        !hasLoopOfDots(kernel))
      return;
    if (stagesInTwoBlocks(kernel, *known, multiprocessors)) {
      explainMissed(kernel, "tile")
          << "blocks keep their rows: warp groups of larger ones would wait "
             "for each other to write an operand that the loop computes";
      return;
    }
    for (int64_t axis = 0; axis < int64_t(kernel.getGridRank()); ++axis)
      for (int64_t rows : {2 * groupRows, groupRows})
        if (tryGrow(axis, rows, *known))
          return;
  }

private:
  static bool hasLoopOfDots(tile::KernelOp kernel) {
    return kernel
        .walk([](scf::ForOp loop) {
          return loop.getBody()->getOps<tile::DotOp>().empty()
                     ? WalkResult::advance()
                     : WalkResult::interrupt();
        })
        .wasInterrupted();
  }

  /// Whether each multiprocessor keeps a block, and most rows exist.
  bool hasBlocksFor(int64_t gridAxis, int64_t times) {
    tile::KernelOp kernel = getOperation();
    std::optional<int64_t> all = knownBlocks(kernel),
                           along = knownBlocks(kernel, gridAxis);
    return all && along && *along > times / 2 &&
           *all / *along * llvm::divideCeil(*along, times) >=
               uint64_t(multiprocessors);
  }

  /// Gives blocks `rows` rows along an axis of the grid if as many warp groups
  /// as that takes can compute with them.
  bool tryGrow(int64_t gridAxis, int64_t rows,
               const target::GpuTarget &target) {
    tile::KernelOp kernel = getOperation();
    OwningOpRef<tile::KernelOp> copy(kernel.clone());
    separateConstants(*copy);
    std::optional<FreeAxis> axis = findPlacedAxis(*copy, gridAxis);
    // Products of fewer rows, as of a decode step, have forms of their own.
    constexpr int64_t fewest = 8;
    if (!axis || axis->size < fewest || axis->size >= rows ||
        rows % axis->size != 0)
      return false;
    const int64_t size = axis->size, times = rows / size;
    if (!hasBlocksFor(gridAxis, times))
      return false;
    SmallVector<Value> numbers;
    copy->walk([&](tile::BlockIdOp id) {
      if (int64_t(id.getAxis()) == gridAxis)
        numbers.push_back(id);
    });
    FreeAxisRefusal why;
    std::optional<AxisPlaces> places = findAxisPlaces(*axis, numbers, &why);
    if (!places) {
      explain(rows, size, why);
      return false;
    }
    if (!places->bounded.empty() && !mayRunOn(*copy, *places, gridAxis)) {
      explain(rows, size,
              {places->bounded.front(),
               "the bounds of the loop depend on it, and no mask is known to "
               "hide what other rows would see"});
      return false;
    }
    for (scf::ForOp loop : places->bounded)
      runForAll(loop, numbers, times);
    for (arith::MulIOp start : places->starts)
      setSize(start, size, rows);
    resize(*copy, *axis, rows);
    OwningOpRef<tile::KernelOp> normalized = copyNormalized(*copy);
    if (!normalized)
      return false;
    if (countComputingGroups(*normalized, target) == rows / groupRows)
      explainPassed(kernel, "tile") << remark::add(
          "a block has {0} rows instead of {1}, one warp group for every {2}",
          rows, size, groupRows);
    else if (rows == groupRows && suitsWarps(*normalized, target))
      explainPassed(kernel, "tile") << remark::add(
          "a block has {0} rows instead of {1}, for which it loads keys once",
          rows, size);
    else
      return false;
    kernel.getBody().takeBody(copy->getBody());
    kernel.setGridAttr(copy->getGridAttr());
    ++numGrown;
    return true;
  }

  static void explain(int64_t rows, int64_t size, FreeAxisRefusal why) {
    explainMissed(why.op, "tile")
        << remark::add("a block has {0} rows instead of {1}: ", size, rows)
        << why.reason;
  }

  /// Whether loops may run as long as those of all blocks that become one.
  static bool mayRunOn(tile::KernelOp kernel, const AxisPlaces &places,
                       int64_t gridAxis) {
    OwningOpRef<tile::KernelOp> normalized = copyNormalized(kernel);
    if (!normalized)
      return false;
    SmallVector<scf::ForOp> loops = loopsOf(kernel),
                            same = loopsOf(*normalized);
    return loops.size() == same.size() &&
           llvm::all_of(llvm::zip_equal(loops, same), [&](auto pair) {
             auto [loop, copy] = pair;
             return !places.bounded.contains(loop) ||
                    hidesOutsideBounds(copy, gridAxis);
           });
  }

  /// Begins a loop with the first of `times` blocks and ends with the last.
  static void runForAll(scf::ForOp loop, ArrayRef<Value> numbers,
                        int64_t times) {
    OpBuilder builder(loop);
    Location loc = loop.getLoc();
    auto constant = [&](int64_t number) -> Value {
      return arith::ConstantIndexOp::create(builder, loc, number);
    };
    IRMapping first, last;
    for (Value number : numbers) {
      Value begin =
          arith::MulIOp::create(builder, loc, number, constant(times));
      first.map(number, begin);
      last.map(number,
               arith::AddIOp::create(builder, loc, begin, constant(times - 1)));
    }
    if (!getConstantIntValue(loop.getLowerBound()))
      loop.setLowerBound(reproduceScalar(builder, loop.getLowerBound(), first));
    if (!getConstantIntValue(loop.getUpperBound()))
      loop.setUpperBound(reproduceScalar(builder, loop.getUpperBound(), last));
  }

  /// Multiplies the block id by another size of tiles.
  static void setSize(arith::MulIOp start, int64_t from, int64_t to) {
    OpBuilder builder(start);
    unsigned place = isConstantIntValue(start.getRhs(), from) ? 1 : 0;
    start.setOperand(place, arith::ConstantOp::create(
                                builder, start.getLoc(),
                                builder.getIntegerAttr(start.getType(), to)));
  }
};
} // namespace
