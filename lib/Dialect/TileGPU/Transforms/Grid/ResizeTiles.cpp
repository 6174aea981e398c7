// Resizes tiles to the rows that a block has registers for, whatever the
// kernel's sizes: small blocks are merged, large ones split, and tiles end with
// the data.
#include "Grid/GrowDepth.h"
#include "Grid/GrowIterations.h"
#include "TileGPT/Dialect/Tile/Analysis/KnownGrid.h"
#include "TileGPT/Dialect/Tile/Analysis/LiveTiles.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/FreeAxis.h"
#include "TileGPT/Dialect/TileGPU/Analysis/LongRows.h"
#include "TileGPT/Dialect/TileGPU/Analysis/WarpGroups.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_RESIZETILES
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

/// The bytes of a tile per block of four warps: enough for whole accesses and
/// to amortize the block's start, few enough that a multiprocessor has blocks
/// to run while others wait. Relative to a copy on an H200, softmaxes and sums
/// of 1 to 201 columns reach 0.81, 0.87 and 0.86 with 4, 8 and 16 KB in bf16,
/// and 0.93, 0.87 and 0.80 with 8, 16 and 32 KB in f32.
static constexpr int64_t bytesOfBlock = 8192;

/// Elements that four warps hold at a time: 96 per thread, one register each,
/// whatever the type.
static constexpr int64_t threadsOfBlock = 128;
static constexpr int64_t liveElementsOfBlock = threadsOfBlock * 96;

/// Straight-line instructions of a thread: more exceed the instruction cache
/// (ten functions of 4 M elements in f32 on an H200: 385 us with 16 elements
/// per thread, 190 with eight).
static constexpr int64_t instructionsOfThread = 4096;

/// Elements of the largest tile that a kernel loads or stores.
static int64_t mostElements(tile::KernelOp kernel) {
  int64_t elements = 1;
  kernel.walk([&](tile::LoadOp load) {
    elements = std::max(elements, load.getType().getNumElements());
  });
  kernel.walk([&](tile::StoreOp store) {
    auto type = cast<RankedTensorType>(store.getValue().getType());
    elements = std::max(elements, type.getNumElements());
  });
  return elements;
}

/// Bytes that a load transfers to the multiprocessor. Short pieces of longer
/// rows transfer a whole sector each.
static int64_t bytesBrought(tile::LoadOp load) {
  constexpr int64_t sectorBytes = 32;
  RankedTensorType type = load.getType();
  int64_t bytes = memoryBytes(type.getElementType()),
          all = type.getNumElements() * bytes;
  if (load.getOrder() || type.getRank() < 2)
    return all;
  int64_t columns = type.getShape().back();
  if (load.getView().getType().getShape().back() == columns)
    return all;
  return all / (columns * bytes) * std::max(columns * bytes, sectorBytes);
}

/// The factor by which a kernel's accesses may grow.
static int64_t countTimes(tile::KernelOp kernel) {
  int64_t bytes = 0;
  kernel.walk(
      [&](tile::LoadOp load) { bytes = std::max(bytes, bytesBrought(load)); });
  constexpr int64_t leastElementBytes = 2;
  return bytesOfBlock /
         std::max(bytes, leastElementBytes * mostElements(kernel));
}

/// Instructions of all threads of a block together.
static int64_t countInstructions(tile::KernelOp kernel) {
  constexpr int64_t ofFunction = 40, ofQuotient = 8, ofExponential = 4;
  auto ofElement = [](Operation *op) -> int64_t {
    if (isa<math::AbsFOp, math::AbsIOp, math::FmaOp, math::RsqrtOp>(op))
      return 1;
    if (isa<math::ExpOp, math::Exp2Op, math::LogOp, math::SqrtOp>(op) &&
        !getElementTypeOrSelf(op->getResult(0)).isF64())
      return ofExponential;
    if (isa<math::MathDialect>(op->getDialect()))
      return ofFunction;
    return isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp,
               arith::RemUIOp>(op)
               ? ofQuotient
               : 1;
  };
  int64_t count = 0;
  kernel.walk([&](Operation *op) {
    if (op->getNumResults() == 0)
      return;
    if (auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType()))
      count += type.getNumElements() * ofElement(op);
  });
  return count;
}

/// Registers of a block that sums of dots may take: those of two warp groups
/// with the most that each thread may have. Smaller tiles of products are
/// chosen as they are.
static constexpr int64_t mostSumRegisters = 2 * groupThreads * mostSumsOf(2);

/// Registers of the sums of dots that a block holds at a time: those that a
/// loop carries, or of a single dot.
static int64_t countSumRegisters(tile::KernelOp kernel) {
  auto registersOf = [](Type type) {
    auto tile = cast<RankedTensorType>(type);
    return tile.getNumElements() *
           llvm::divideCeil(tile.getElementTypeBitWidth(), 32);
  };
  int64_t most = 0;
  kernel.walk([&](scf::ForOp loop) {
    llvm::SmallPtrSet<Type, 4> sums;
    for (auto dot : loop.getOps<tile::DotOp>())
      sums.insert(dot.getType());
    int64_t carried = 0;
    for (Type type : loop.getResultTypes())
      if (sums.contains(type))
        carried += registersOf(type);
    most = std::max(most, carried);
  });
  kernel.walk([&](tile::DotOp dot) {
    most = std::max(most, registersOf(dot.getType()));
  });
  return most;
}

namespace {
struct ResizeTiles : tilegpu::impl::ResizeTilesBase<ResizeTiles> {
  using ResizeTilesBase::ResizeTilesBase;

  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    tile::KernelOp kernel = getOperation();
    if (!kernel.isRaw())
      separateBatches();
    kernel.walk([&](scf::ForOp loop) {
      int64_t times = growDepth(loop);
      if (times == 1)
        return;
      explainPassed(loop, "tile") << remark::add(
          "one iteration does the work of {0}, whose K together is a multiple "
          "of the MMA instruction's",
          times);
      ++numDepthsGrown;
    });
    if (kernel.isRaw())
      return;
    cutRows();
    for (int64_t axis = 0; axis < int64_t(kernel.getGridRank()); ++axis) {
      cut(axis);
      shrink(axis);
    }
    shrinkSums();
    grow();
    if (int64_t times =
            growIterations(kernel, multiprocessors, liveElementsOfBlock);
        times > 1) {
      explainPassed(kernel, "tile") << remark::add(
          "one iteration does the work of {0}, which had little work each",
          times);
      ++numIterationsGrown;
    }
  }

private:
  /// The first batched dot of a loop that loads tiles, if its matrices have the
  /// rows of an MMA instruction and elements that a producer can feed to
  /// `wgmma`; null if there is none.
  static tile::DotOp findBatchedDot(tile::KernelOp kernel) {
    constexpr int64_t leastRows = 16;
    constexpr unsigned mostBits = 16;
    tile::DotOp found;
    kernel.walk([&](tile::DotOp dot) {
      ArrayRef<int64_t> shape = dot.getType().getShape();
      bool isBatched = llvm::any_of(shape.drop_back(2),
                                    [](int64_t size) { return size != 1; });
      auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
      if (!found && isBatched && loop &&
          !loop.getBody()->getOps<tile::LoadOp>().empty() &&
          shape[shape.size() - 2] >= leastRows &&
          dot.getLhs().getType().getElementTypeBitWidth() <= mostBits)
        found = dot;
    });
    return found;
  }

  /// The axes of the grid that are free, also through dots.
  /// \param why  why the last one of the others is not.
  SmallVector<FreeAxis> findAxesOfDots(FreeAxisRefusal &why) {
    tile::KernelOp kernel = getOperation();
    SmallVector<FreeAxis> found;
    for (int64_t gridAxis = 0; gridAxis < int64_t(kernel.getGridRank());
         ++gridAxis) {
      FreeAxisRefusal refusal;
      if (std::optional<FreeAxis> axis =
              findFreeAxis(kernel, gridAxis, &refusal, /*followsDots=*/true))
        found.push_back(std::move(*axis));
      else
        why = refusal;
    }
    return found;
  }

  /// Gives each batch of a loop's dots, such as the heads of a block, a block
  /// of its own: neither a producer nor `wgmma` multiplies several.
  void separateBatches() {
    tile::KernelOp kernel = getOperation();
    tile::DotOp dot = findBatchedDot(kernel);
    if (!dot)
      return;
    FreeAxisRefusal why;
    for (const FreeAxis &axis : findAxesOfDots(why)) {
      auto found = axis.axes.find(dot.getResult());
      if (found == axis.axes.end() || axis.size == 1 ||
          found->second >= dot.getType().getRank() - 2)
        continue;
      explainPassed(kernel, "tile") << remark::add(
          "tiles of {0} are cut to 1: each of the matrices that a dot "
          "multiplies gets a block of its own",
          axis.size);
      resize(kernel, axis, 1);
      ++numShrunk;
      return;
    }
    if (why.op)
      explainMissed(why.op, "tile")
          << "the matrices that a dot multiplies get no blocks of their own: "
          << why.reason;
  }

  /// Whether more than a tenth of an axis would be empty.
  static bool isWorthCutting(int64_t size, int64_t extent) {
    return extent != 0 && 10 * size > 11 * extent;
  }

  /// Makes tiles that hold all of an axis end with it.
  void cutRows() {
    SmallVector<tile::LoadOp> loads;
    getOperation().walk([&](tile::LoadOp load) { loads.push_back(load); });
    for (tile::LoadOp load : loads)
      for (int64_t axis = 0; axis < load.getType().getRank(); ++axis) {
        std::optional<WideAxis> wide = findWideAxis(load, axis);
        if (!wide || !isWorthCutting(wide->size, *wide->extent))
          continue;
        explainPassed(load, "tile") << remark::add(
            "tiles of {0} are cut to the {1} elements of the axis", wide->size,
            *wide->extent);
        wide->cut();
        ++numCut;
      }
  }

  /// Makes tiles end with the views.
  void cut(int64_t gridAxis) {
    tile::KernelOp kernel = getOperation();
    std::optional<FreeAxis> axis = findFreeAxis(kernel, gridAxis);
    if (!axis || !isWorthCutting(axis->size, axis->extent.value_or(0)))
      return;
    explainPassed(kernel, "tile")
        << remark::add("tiles of {0} are cut to the {1} elements of the axis",
                       axis->size, *axis->extent);
    resize(kernel, *axis, *axis->extent);
    ++numCut;
  }

  /// Gives blocks fewer rows if no block has registers for the kernel's own
  /// size.
  void shrink(int64_t gridAxis) {
    tile::KernelOp kernel = getOperation();
    int64_t elements = mostElements(kernel);
    if (elements <= LongRows::mostInRegisters)
      return;
    std::optional<FreeAxis> axis = findFreeAxis(kernel, gridAxis);
    if (!axis || axis->size == 1)
      return;
    int64_t size = std::max<int64_t>(
        1, axis->size / llvm::divideCeil(elements, LongRows::mostInRegisters));
    explainPassed(kernel, "tile") << remark::add(
        "tiles of {0} are cut to {1}, which fits the registers of a block",
        axis->size, size);
    resize(kernel, *axis, size);
    ++numShrunk;
  }

  /// The longest axis of dots whose halves are whole instructions, rows if
  /// columns are as long.
  std::optional<FreeAxis> findLongestOfDots(FreeAxisRefusal &why) {
    constexpr int64_t leastHalf = 64; // rows of an instruction
    std::optional<FreeAxis> longest;
    for (FreeAxis &axis : findAxesOfDots(why)) {
      const bool isRows =
          llvm::any_of(axis.axes, [](const std::pair<Value, int64_t> &each) {
            auto dot = each.first.getDefiningOp<tile::DotOp>();
            return dot && each.second == dot.getType().getRank() - 2;
          });
      if (axis.size % (2 * leastHalf) == 0 &&
          (!longest || axis.size > longest->size ||
           (axis.size == longest->size && isRows)))
        longest = std::move(axis);
    }
    return longest;
  }

  /// Halves tiles until a block has registers for its sums of dots.
  void shrinkSums() {
    tile::KernelOp kernel = getOperation();
    for (int64_t registers = countSumRegisters(kernel);
         registers > mostSumRegisters; registers = countSumRegisters(kernel)) {
      FreeAxisRefusal why;
      std::optional<FreeAxis> axis = findLongestOfDots(why);
      if (!axis) {
        explainMissed(why.op ? why.op : kernel, "tile")
            << remark::add(
                   "sums of dots take {0} registers of a block's 65536, "
                   "but its tiles are not cut: ",
                   registers)
            << (why.op ? why.reason : "their halves are no whole instructions");
        return;
      }
      explainPassed(kernel, "tile") << remark::add(
          "tiles of {0} are cut to {1}, for whose sums of dots a block has "
          "registers",
          axis->size, axis->size / 2);
      resize(kernel, *axis, axis->size / 2);
      ++numShrunk;
    }
  }

  /// Reports tiles that are too small for a block, where blocks are not merged
  /// since their number is unknown.
  static void explainIdleThreads(tile::KernelOp kernel) {
    int64_t most = 0;
    kernel.walk([&](Operation *op) {
      for (Type type : op->getOperandTypes())
        if (auto tile = dyn_cast<RankedTensorType>(type))
          most = std::max(most, tile.getNumElements());
    });
    if (most != 0 && most < threadsOfBlock)
      explainMissed(kernel, "tile") << remark::add(
          "tiles of at most {0} leave threads of a block idle, and small "
          "blocks are not merged since their number is unknown; use larger "
          "tiles, or give the sizes of the arguments with --arg",
          countOf(most, "element"));
  }

  /// Gives blocks more rows, as many as leave every multiprocessor two blocks.
  void grow() {
    constexpr int64_t fewestBlocks = 2;
    tile::KernelOp kernel = getOperation();
    std::optional<int64_t> blocks = knownBlocks(kernel);
    if (!blocks)
      return explainIdleThreads(kernel);
    int64_t times = llvm::bit_floor(uint64_t(std::min(
        countTimes(kernel), *blocks / (fewestBlocks * multiprocessors))));
    if (times < 2)
      return;
    int64_t instructions = std::max<int64_t>(1, countInstructions(kernel));
    times = std::min(
        times, int64_t(llvm::bit_floor(uint64_t(
                   threadsOfBlock * instructionsOfThread / instructions))));
    if (times < 2) {
      explainMissed(kernel, "tile") << remark::add(
          "{0} blocks load little each, but are not merged: their threads "
          "execute some {1} instructions in a row",
          *blocks, llvm::divideCeil(instructions, threadsOfBlock));
      return;
    }
    int64_t live = std::max<int64_t>(1, tile::mostLiveElements(kernel));
    times = std::min(
        times, int64_t(llvm::bit_floor(uint64_t(liveElementsOfBlock / live))));
    if (times < 2) {
      explainMissed(kernel, "tile") << remark::add(
          "{0} blocks load little each, but are not merged: a block holds {1} "
          "elements at a time and has registers for {2}",
          *blocks, live, liveElementsOfBlock);
      return;
    }
    // Grow along the axis with the most blocks.
    auto blocksAlong = [&](int64_t gridAxis) {
      return knownBlocks(kernel, gridAxis).value_or(1);
    };
    FreeAxisRefusal refusal;
    std::optional<FreeAxis> longest;
    for (int64_t gridAxis = 0; gridAxis < int64_t(kernel.getGridRank());
         ++gridAxis) {
      FreeAxisRefusal why;
      std::optional<FreeAxis> axis = findFreeAxis(kernel, gridAxis, &why);
      if (!axis)
        refusal = why;
      else if (!longest ||
               blocksAlong(gridAxis) > blocksAlong(longest->gridAxis))
        longest = std::move(axis);
    }
    if (!longest) {
      if (refusal.op)
        explainMissed(refusal.op, "tile")
            << remark::add("{0} small blocks are not merged: ", *blocks)
            << refusal.reason;
      return;
    }
    // Do not grow beyond the blocks along the axis.
    times = std::min<int64_t>(
        times, llvm::bit_ceil(uint64_t(blocksAlong(longest->gridAxis))));
    if (times < 2)
      return;
    explainPassed(kernel, "tile")
        << remark::add("one block does the work of {0} small ones", times);
    resize(kernel, *longest, times * longest->size);
    ++numGrown;
  }
};
} // namespace
