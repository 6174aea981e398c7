// Chooses the plan of a kernel: its warps, stages and roles.
#include "Cost/MultiplyAddCost.h"
#include "Grid/GrowDepth.h"
#include "Grid/TileWarps.h"
#include "Layout/PadDepth.h"
#include "Plan/ComputePlan.h"
#include "Plan/ProductPlan.h"
#include "Plan/RoundTF32.h"
#include "Plan/RowPlan.h"
#include "Plan/StageBytes.h"
#include "Plan/WarpGroupDots.h"
#include "Plan/WidenF8.h"
#include "Shared/BatchIterations.h"
#include "Simplify/FewRows.h"
#include "TileGPT/Dialect/Tile/Analysis/BlockCopies.h"
#include "TileGPT/Dialect/Tile/Analysis/KnownGrid.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "TileGPT/Dialect/TileGPU/Analysis/LoopShares.h"
#include "TileGPT/Dialect/TileGPU/Analysis/SharedRows.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/IR/LeastResidents.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "TileGPT/Target/NVVM/FindTarget.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_MAKEPLAN
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

/// Warps for products in a loop whose rows fit one matrix instruction, with
/// operands that arrive as fast as they are multiplied: one per 32 columns,
/// since all warps synchronize in every iteration (1 x 32 x 8 x 32768 x 64:
/// 26.7 us with 8 warps for 256 keys, 41 for 128). 0 for other products.
static int64_t warpsForFewRows(ArrayRef<tile::DotOp> dots, PlanAttr plan) {
  constexpr int64_t instructionRows = 16, columns = 32, fewest = 4, most = 8;
  int64_t widest = 0;
  for (tile::DotOp dot : dots) {
    RankedTensorType acc = dot.getAcc().getType();
    if (acc.getRank() != 2 || acc.getDimSize(0) > instructionRows ||
        !isa<scf::ForOp>(dot->getParentOp()) ||
        chooseDot(dot, plan) != DotKind::MmaSync)
      return 0;
    if (dot.getTransposeB())
      widest = std::max(widest, acc.getDimSize(1));
  }
  return widest == 0 ? 0 : std::clamp(widest / columns, fewest, most);
}

/// Whether a dot is computed by f32 fused multiply-adds of f32 operands.
static bool isMultiplyAdd(tile::DotOp dot, PlanAttr plan) {
  return dot.getLhs().getType().getElementType().isF32() &&
         dot.getRhs().getType().getElementType().isF32() &&
         dot.getAcc().getType().getElementType().isF32() &&
         chooseDot(dot, plan) == DotKind::FusedMultiplyAdd;
}

/// Buffers of a ring of copies: one being multiplied and two in flight, which
/// leaves room for a second block per multiprocessor.
static constexpr int64_t stagesOfProduct = 3;

/// The same for the only block of a multiprocessor: nothing else hides the
/// latency of its copies.
static int64_t stagesOfOnlyBlock(tile::DotOp dot) {
  constexpr int64_t most = 8;
  int64_t stageBytes = 0;
  for (auto tile : {dot.getLhs(), dot.getRhs()})
    stageBytes += tile.getType().getNumElements() *
                  tile.getType().getElementTypeBitWidth() / 8;
  return stagesForLatency(stageBytes, stagesOfProduct, most);
}

/// Buffers of a ring that feeds a loop of loads: one being read and three in
/// flight, since an iteration is shorter than the memory latency.
static constexpr int64_t stagesOfLoads = 4;

/// Warps for a tile that is loaded, modified and stored: about 32 elements per
/// thread, so that enough loads are in flight without spills; half of that for
/// loop-carried scans, whose elements wait for earlier ones.
static int64_t warpsForTile(int64_t elements, int64_t most, bool carriesScans) {
  constexpr int64_t lanes = 32, fewest = 4;
  const int64_t perWarp = lanes * (carriesScans ? 16 : 32);
  return std::clamp<int64_t>(
      llvm::bit_floor(uint64_t(std::max<int64_t>(1, elements / perWarp))),
      fewest, most);
}

/// Whether a plan without a producer may have this number of warps. Matrix
/// instructions need a warp group; more than two have too few registers for
/// large accumulators.
static bool fitsWarps(int64_t warps, bool hasProducts) {
  return llvm::isPowerOf2_64(uint64_t(warps)) &&
         (hasProducts ? warps >= 4 && warps <= 8 : warps <= 32);
}

namespace {
struct MakePlan : tilegpu::impl::MakePlanBase<MakePlan> {
  using MakePlanBase::MakePlanBase;

  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    tile::KernelOp kernel = getOperation();
    if (kernel->hasAttr(PlanAttr::attrName))
      return;
    const target::GpuTarget *known = target::findTarget(kernel, target);
    if (!known)
      return signalPassFailure();
    const WantedPlan wanted(kernel);
    kernel->removeAttr(tile::wantedPlanAttr);
    PlanAttr plan = wanted.adjust(choosePlan(kernel, *known, wanted));
    if (std::string missing = wanted.findMissing(plan); !missing.empty()) {
      kernel.emitWarning("a plan with ")
          << missing << " does not fit '" << kernel.getSymName()
          << "'; the default plan is used";
      plan = choosePlan(kernel, *known, WantedPlan());
    }
    kernel->setAttr(PlanAttr::attrName, plan);
    if (known->hasWgmma && !plan.getProducer())
      markWarpGroupDots(kernel, plan);
  }

private:
  PlanAttr choosePlan(tile::KernelOp kernel, const target::GpuTarget &known,
                      const WantedPlan &wanted) {
    if (kernel->hasAttr(packedBlocksName))
      return planTiles(kernel, known, wanted);
    if (PlanAttr plan = planMainloops(kernel, known, wanted))
      return plan;
    if (PlanAttr plan = planLongRows(kernel, known, multiprocessors, wanted))
      return plan;
    // As ordinary tiles, rows that no number of warps holds would get code of
    // megabytes: whoever asks for that says `blocks = 0`.
    if (wanted.get("warps") && !wanted.get("blocks"))
      if (PlanAttr plan =
              planLongRows(kernel, known, multiprocessors, WantedPlan()))
        return plan;
    SmallVector<tile::DotOp> dots;
    kernel.walk([&](tile::DotOp dot) {
      if (!hasFewRows(dot))
        dots.push_back(dot);
    });
    padDepths(dots);
    return planTiles(kernel, known, wanted);
  }

  /// A plan without a producer, which every kernel can have.
  PlanAttr planTiles(tile::KernelOp kernel, const target::GpuTarget &known,
                     const WantedPlan &wanted) {
    // Accumulators take more registers than threads of 32 warps have.
    constexpr int64_t mostWarps = 32, mostWarpsOfSum = 16;
    int64_t product = 0, largest = 0, warps = mostWarps;
    bool hasLoops = false, multipliesAndAdds = true, carriesScans = false;
    SmallVector<tile::DotOp> dots;
    auto packed = kernel->getAttrOfType<IntegerAttr>(packedBlocksName);
    // Blocks that wait for each other must not fill the device before all of a
    // group have started.
    const std::optional<int64_t> rasterOfMeeting = rasterOfGroups(kernel);
    constexpr int64_t usualRaster = 8;
    const int64_t teams = packed ? packed.getInt() : 1;
    auto makePlan = [&](int64_t warps, int64_t stages, int64_t parts,
                        int64_t blocks) {
      return PlanAttr::get(
          &getContext(), StringAttr::get(&getContext(), target), warps, stages,
          /*producer=*/false, /*persistent=*/rasterOfMeeting.has_value(),
          rasterOfMeeting.value_or(usualRaster), teams, parts, blocks,
          /*residentStages=*/2, /*multicast=*/1,
          /*multicastAxis=*/0, /*overlap=*/true, /*inRegisters=*/false,
          /*throughMemory=*/false);
    };
    if (packed)
      return makePlan(/*warps=*/1, /*stages=*/0, /*parts=*/1, /*blocks=*/0);
    PlanAttr plain = makePlan(mostWarps, /*stages=*/0, /*parts=*/1,
                              /*blocks=*/0);
    kernel.walk([&](Operation *op) {
      hasLoops |= isa<scf::ForOp>(op);
      carriesScans |=
          isa<tile::ScanOp>(op) && isa<scf::ForOp>(op->getParentOp());
      if (auto dot = dyn_cast<tile::DotOp>(op)) {
        if (hasFewRows(dot)) {
          warps = mostWarpsOfSum;
          hasLoops = true; // over pieces of the depth
        } else {
          product = std::max(
              product, cast<RankedTensorType>(dot.getType()).getNumElements());
          multipliesAndAdds &= isMultiplyAdd(dot, plain);
          dots.push_back(dot);
        }
      }
      for (Type type : op->getResultTypes())
        if (auto tile = dyn_cast<RankedTensorType>(type))
          largest = std::max(largest, tile.getNumElements());
    });
    int64_t parts = known.hasTma && hasLoops ? countBlockCopies(kernel) : 1;
    // Blocks of a cluster are not scheduled one by one.
    if (product && parts == 1 && !kernel->hasAttr(clusterName))
      limitResidents(kernel, known,
                     multipliesAndAdds ? ArrayRef(dots)
                                       : ArrayRef<tile::DotOp>());
    std::optional<SharedRows> rows = findSharedRows(kernel);
    int64_t fewRows = warpsForFewRows(dots, plain);
    std::optional<int64_t> reductions = warpsForReductions(kernel);
    int64_t warpsOfAll =
        fewRows      ? fewRows
        : product    ? warpsForProduct(product, multipliesAndAdds)
        : rows       ? rows->getWarps()
        : reductions ? *reductions
                     : warpsForTile(largest / parts, warps, carriesScans);
    if (!product && !rows && parts == 1 && hasManyBlocks(kernel))
      warpsOfAll = std::min(warpsOfAll, mostWarpsForTile(kernel, largest));
    // Rows in shared memory and dots of few rows determine their warps.
    if (std::optional<int64_t> number = wanted.get("warps");
        number && !rows && !fewRows && fitsWarps(*number, product > 0))
      warpsOfAll = *number;
    if (dots.empty() && !product && !rows &&
        (!hasLoops || (reductions && loadsWholeRows(kernel))))
      kernel->setAttr(leastResidentsName,
                      Builder(&getContext())
                          .getI64IntegerAttr(
                              residentsForLoads(kernel, warpsOfAll, hasLoops)));
    std::optional<int64_t> blocks = mostBlocks(kernel);
    // The cost model of multiply-adds assumes the usual number.
    bool isOnlyBlock = dots.size() == 1 && !multipliesAndAdds &&
                       isSumOfLoads(dots.front()) && blocks.value_or(0) > 0 &&
                       *blocks <= multiprocessors;
    return makePlan(warpsOfAll,
                    isOnlyBlock ? stagesOfOnlyBlock(dots.front())
                    : product   ? stagesOfProduct
                    : hasLoops  ? stagesOfLoads
                                : 0,
                    parts, rows ? rows->getBlocks() : 0);
  }

  /// Whether a dot accumulates, in a loop, products of tiles that it loads.
  static bool isSumOfLoads(tile::DotOp dot) {
    auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
    auto isLoaded = [&](Value operand) {
      Operation *load = operand.getDefiningOp();
      return isa_and_present<tile::LoadOp, tile::GatherOp>(load) &&
             load->getBlock() == loop.getBody();
    };
    return loop && isLoaded(dot.getLhs()) && isLoaded(dot.getRhs()) &&
           yieldedAs(dot.getResult()).has_value();
  }

  /// Whether every multiprocessor is known to get several blocks.
  bool hasManyBlocks(tile::KernelOp kernel) const {
    constexpr int64_t several = 8;
    std::optional<int64_t> blocks = knownBlocks(kernel);
    return blocks && *blocks >= several * multiprocessors;
  }

  /// A plan with a producer, if the target has TMA and wgmma and the kernel's
  /// loops are main loops that fit; null otherwise.
  PlanAttr planMainloops(tile::KernelOp kernel, const target::GpuTarget &known,
                         const WantedPlan &wanted) {
    // Blocks that reduce across a cluster have no other roles.
    if (!known.hasTma || !known.hasWgmma || kernel->hasAttr(clusterName) ||
        wanted.get("producer") == 0)
      return {};
    Refusal refusal;
    SmallVector<Mainloop> matches = analyzeMainloops(kernel, &refusal);
    if (!matches.empty())
      return planMainloops(kernel, matches, known, wanted);
    if (PlanAttr plan = planWidenedF8(kernel, refusal, known, wanted))
      return plan;
    if (PlanAttr plan = planRoundedTF32(kernel, known, wanted))
      return plan;
    if (refusal.op != kernel)
      explainMissed(refusal.op, "main-loop") << refusal.reason;
    return {};
  }

  /// Plans the kernel with widened f8 operands if a producer can copy them all;
  /// otherwise restores the operands.
  PlanAttr planWidenedF8(tile::KernelOp kernel, const Refusal &refusal,
                         const target::GpuTarget &known,
                         const WantedPlan &wanted) {
    SmallVector<WidenedOperand> widened = widenF8Operands(kernel);
    if (widened.empty())
      return {};
    SmallVector<Mainloop> matches = analyzeMainloops(kernel);
    auto isCopied = [&](WidenedOperand made) {
      return llvm::any_of(matches, [&](const Mainloop &match) {
        return llvm::any_of(match.streams, [&](const StreamLoad &stream) {
          return stream.load == made.cast.getSource().getDefiningOp();
        });
      });
    };
    if (llvm::all_of(widened, isCopied))
      if (PlanAttr plan = planMainloops(kernel, matches, known, wanted)) {
        explainMissed(refusal.op, "dot")
            << "f8 operands are widened: " << refusal.reason;
        return plan;
      }
    undo(widened);
    return {};
  }

  /// Plans the kernel with tf32 operands that it rounds and transposes itself.
  PlanAttr planRoundedTF32(tile::KernelOp kernel,
                           const target::GpuTarget &known,
                           const WantedPlan &wanted) {
    OwningOpRef<tile::KernelOp> rounded(kernel.clone());
    if (!roundTF32Operands(*rounded))
      return {};
    SmallVector<Mainloop> matches = analyzeMainloops(*rounded);
    PlanAttr plan = matches.empty()
                        ? PlanAttr()
                        : planMainloops(*rounded, matches, known, wanted);
    if (!plan)
      return {};
    kernel->setAttrs((*rounded)->getAttrDictionary());
    kernel.getBody().takeBody(rounded->getBody());
    return plan;
  }

  PlanAttr planMainloops(tile::KernelOp kernel, ArrayRef<Mainloop> matches,
                         const target::GpuTarget &known,
                         const WantedPlan &wanted) {
    PlanAttr plan =
        llvm::all_of(matches, isProduct)
            ? planProducts(kernel, matches, known, multiprocessors, wanted)
            : planComputeLoops(kernel, matches, known, multiprocessors, wanted);
    if (plan)
      explainPassed(matches.front().loop, "main-loop")
          << "a producer copies the tiles of the loop ahead of its dots";
    else
      explainMissed(matches.front().loop, "main-loop")
          << "the tiles of the loop do not fit the registers of the warp "
             "groups, or too few stages of them fit shared memory; choose "
             "smaller tiles";
    if (plan && matches.size() == 1 && isProduct(matches.front()) &&
        matches.front().residents.empty() &&
        growShortSteps(matches.front().loop, plan, known)) {
      explainPassed(matches.front().loop, "tile")
          << "two short steps along K become one";
      ++numStepsGrown;
    }
    return plan;
  }

  /// Warps for a kernel's only loop, if it carries nothing but reductions.
  static std::optional<int64_t> warpsForReductions(tile::KernelOp kernel) {
    SmallVector<scf::ForOp> loops(kernel.getBody().getOps<scf::ForOp>());
    if (loops.size() != 1 || !findCarriedReductions(loops.front()))
      return std::nullopt;
    return LoopShares::warpsFor(LoopShares::countElements(loops.front()));
  }

  /// Whether all loads of a kernel may be in flight at once.
  static bool loadsWholeRows(tile::KernelOp kernel) {
    return !kernel
                .walk([](tile::LoadOp load) {
                  return load.getType().getRank() == 0 || readsWholeRows(load)
                             ? WalkResult::advance()
                             : WalkResult::interrupt();
                })
                .wasInterrupted();
  }

  /// Blocks per multiprocessor that leave threads enough registers for their
  /// loads. Without a bound ptxas saves registers to fit more blocks, and moves
  /// each load to its use, so that a thread has one load in flight: a norm of
  /// two bf16 tensors of 7654 x 1165 took 42 us with 64 registers, and 24 with
  /// 127. For a loop the bound is the number of blocks that run at a time, if
  /// possible.
  int64_t residentsForLoads(tile::KernelOp kernel, int64_t warps,
                            bool hasLoops) {
    constexpr int64_t warpsOfTiles = 16, warpsOfLoop = 24, mostWarps = 40;
    if (!hasLoops)
      return std::max<int64_t>(1, warpsOfTiles / warps);
    int64_t all = llvm::divideCeil(mostBlocks(kernel).value_or(0),
                                   uint64_t(multiprocessors));
    return std::clamp<int64_t>(std::max(all, warpsOfLoop / warps), 1,
                               std::max<int64_t>(1, mostWarps / warps));
  }

  /// If launches overlap, some multiprocessors are still occupied by the
  /// previous launch, and blocks pile up on the free ones. With about one block
  /// per multiprocessor no multiprocessor may get more than its share (f32 256
  /// x 1536 x 512 in tiles of 64 x 48: 15.9 us instead of 38.5). For a single
  /// product by multiply-adds the cost model knows the best number.
  void limitResidents(tile::KernelOp kernel, const target::GpuTarget &known,
                      ArrayRef<tile::DotOp> multiplyAdds) {
    std::optional<int64_t> blocks = mostBlocks(kernel);
    if (!known.hasTma || blocks.value_or(0) == 0)
      return;
    int64_t residents = llvm::divideCeil(*blocks, multiprocessors);
    if (multiplyAdds.size() == 1)
      if (auto acc = cast<RankedTensorType>(
              multiplyAdds.front()->getResult(0).getType());
          acc.getRank() == 2)
        residents = timeOfMultiplyAdd(acc.getDimSize(0), acc.getDimSize(1),
                                      *blocks, /*steps=*/1, multiprocessors,
                                      known.sharedBytesPerMultiprocessor)
                        .residents;
    kernel->setAttr(residentName,
                    Builder(&getContext()).getI64IntegerAttr(residents));
  }
};
} // namespace
