// Assigns a layout to every tile. Dots decide first, then the largest tiles
// that are loaded or stored; each decision is propagated through reductions,
// broadcasts and permutations before the next. Remaining conflicts are resolved
// by conversions (see ReconcileLayouts.cpp).
#include "Layout/BlockedLayouts.h"
#include "Layout/CheapTiles.h"
#include "Layout/LayoutRelations.h"
#include "Layout/PropagateLayouts.h"
#include "Layout/RealignLoads.h"
#include "Layout/ReshapeAxes.h"
#include "TileGPT/Dialect/Tile/Analysis/TileOf.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotSchedule.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_ASSIGNLAYOUTS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
class Assignment {
public:
  explicit Assignment(tile::KernelOp kernel)
      : kernel(kernel), plan(PlanAttr::of(kernel)), classes(kernel),
        anchors(kernel, classes), blocked(kernel, classes, anchors),
        layouts(classes) {}

  void run() {
    findFollowers();
    kernel.walk([&](Operation *op) {
      if (isLongFunction(op) && isa<RankedTensorType>(op->getResultTypes()[0]))
        ++longFunctions[classes.leaderOf(op->getResult(0))];
    });
    assignDots();
    kernel.walk([&](ConvertLayoutOp convert) {
      if (layouts.isOpen(convert.getResult()))
        layouts.assign(
            convert.getResult(),
            separateLayout(convert, layouts.of(convert.getSource())));
    });
    propagateLayouts(kernel, layouts, anchors);
    while (Value next = largestOpenClass()) {
      // Tiles that are neither loaded nor stored have no preference: they
      // follow the source of a broadcast, so that no data moves.
      if (anchors.lookUp(next) ||
          !(reduceOneInThreads() || repeatOneBroadcast()))
        layouts.assign(next, blocked.of(next));
      propagateLayouts(kernel, layouts, anchors);
    }
    for (Value tile : classes.getTiles())
      tile.setType(tileOf(tile).cloneWithEncoding(layouts.of(tile)));
    kernel.walk([](ConvertLayoutOp convert) {
      if (convert.getSource().getType() != convert.getType())
        return;
      convert.replaceAllUsesWith(convert.getSource());
      convert.erase();
    });
  }

private:
  void assignDots() {
    kernel.walk([&](tile::DotOp dot) {
      if (layouts.isOpen(dot.getResult()))
        layouts.assign(dot.getResult(), accumulatorLayout(dot, plan));
    });
    // Lhs operands computed in or before a main loop are read from registers,
    // or written by the warps that multiply them.
    kernel.walk([&](tile::DotOp dot) {
      if (readsRegisters(dot) && layouts.isOpen(dot.getLhs()))
        layouts.assign(dot.getLhs(), leftOperandLayout(tileOf(dot.getLhs()),
                                                       plan.getWarps()));
    });
    kernel.walk([&](tile::DotOp dot) {
      for (OpOperand *operand : {&dot.getLhsMutable(), &dot.getRhsMutable()})
        if (isTransposedInLoop(dot, *operand) && layouts.isOpen(operand->get()))
          layouts.assign(operand->get(), transposingLayout(operand->get()));
    });
    kernel.walk([&](Operation *op) {
      if (isa<SumPartsOp, SumShareOp>(op) && layouts.isOpen(op->getResult(0)))
        layouts.assign(op->getResult(0),
                       shareLayout(tileOf(op->getResult(0)), plan));
    });
  }

  /// Whether the lhs of a main loop's dot is not copied by the producer.
  static bool readsRegisters(tile::DotOp dot) {
    auto loop = dyn_cast<MainloopOp>(dot->getParentOp());
    if (!loop)
      return false;
    if (isStaged(dot.getLhsMutable(), *loop.getConsumeBlock(),
                 loop.getRegionIterArgs()))
      return false;
    auto argument = dyn_cast<BlockArgument>(dot.getLhs());
    if (!argument)
      return true;
    for (auto [number, resident] : llvm::enumerate(loop.getResidents()))
      if (loop.getResidentArgs()[number] == argument)
        return !resident.getDefiningOp<tile::LoadOp>();
    return false;
  }

  /// Whether a main loop transposes an operand of a dot between two buffers of
  /// shared memory.
  static bool isTransposedInLoop(tile::DotOp dot, OpOperand &operand) {
    auto loop = dyn_cast<MainloopOp>(dot->getParentOp());
    auto permute = operand.get().getDefiningOp<tile::PermuteOp>();
    return loop && permute && permute->getParentOp() == loop &&
           permute.getPermutation() == ArrayRef<int64_t>({1, 0}) &&
           isStaged(operand, *loop.getConsumeBlock(), loop.getRegionIterArgs());
  }

  /// A layout that writes 16 bytes of a row per thread. Adjacent lanes have
  /// adjacent rows: those of a swizzled buffer are in different banks, and in
  /// the source they are adjacent elements.
  LayoutAttr transposingLayout(Value tile) const {
    RankedTensorType type = tileOf(tile);
    int64_t rows = type.getDimSize(0), columns = type.getDimSize(1),
            vector = std::gcd(columns, maxAccessBytes /
                                           memoryBytes(type.getElementType())),
            lanesDown = std::gcd(rows, int64_t(warpLanes)),
            lanesAcross = warpLanes / lanesDown,
            pieces = llvm::divideCeil(columns, vector * lanesAcross),
            warpsAcross = std::gcd(pieces, plan.getWarps()),
            warpsDown = plan.getWarps() / warpsAcross,
            width = vector * lanesAcross * warpsAcross,
            height = lanesDown * warpsDown;
    return LayoutAttr::getCanonical(
        plan.getContext(),
        {{vector, 1, 1},
         {int64_t(llvm::divideCeil(columns, width)), 1, width},
         {int64_t(llvm::divideCeil(rows, height)), 0, height}},
        {{lanesDown, 0, 1}, {lanesAcross, 1, vector}},
        {{warpsAcross, 1, vector * lanesAcross}, {warpsDown, 0, lanesDown}});
  }

  /// The class to decide next: the largest that is loaded or stored, else the
  /// largest.
  Value largestOpenClass() const {
    Value best;
    auto rank = [&](Value tile) {
      return std::pair(anchors.lookUp(tile) && !followsOther(tile),
                       tileOf(tile).getNumElements());
    };
    for (Value tile : classes.getTiles())
      if (layouts.isOpen(tile) && (!best || rank(tile) > rank(best)))
        best = tile;
    return best;
  }

  /// Whether a tile with fewer elements than threads follows the tile that it
  /// is broadcast or reshaped to or from, since any layout accesses it with few
  /// instructions.
  bool followsOther(Value tile) const {
    return tileOf(tile).getNumElements() < plan.getComputeThreads() &&
           followers.contains(classes.leaderOf(tile));
  }

  /// Finds the classes that are broadcast to tiles with a stronger preference:
  /// those reduced along the axis of the class, which its own layout would
  /// spread over all threads, and those computed from other tiles as well. Also
  /// finds small classes that are loaded or stored, but computed in another
  /// class with other unit axes.
  void findFollowers() {
    llvm::DenseSet<Value> derived;
    kernel.walk([&](Operation *op) {
      if (isa<tile::ReshapeOp, tile::PermuteOp, tile::CatOp, tile::ExtractOp>(
              op))
        derived.insert(classes.leaderOf(op->getResult(0)));
    });
    kernel.walk([&](tile::BroadcastOp op) {
      RankedTensorType source = tileOf(op.getSource());
      int64_t added = tileOf(op.getResult()).getRank() - source.getRank();
      bool isReduced = llvm::any_of(
          llvm::seq<int64_t>(0, source.getRank()), [&](int64_t axis) {
            return source.getDimSize(axis) > 1 &&
                   blocked.isReducedAlong(op.getResult(), added + axis);
          });
      if (isReduced || derived.contains(classes.leaderOf(op.getResult())))
        followers.insert(classes.leaderOf(op.getSource()));
    });
    kernel.walk([&](tile::ReshapeOp op) {
      bool readsMemory = anchors.lookUp(op.getSource()),
           writesMemory = anchors.lookUp(op.getResult());
      if (dropsUnitAxes(op) && readsMemory != writesMemory)
        followers.insert(
            classes.leaderOf(readsMemory ? op.getSource() : op.getResult()));
    });
  }

  /// Whether a tile is a cheap one up to its shape, which takes no registers.
  static bool isPosition(Value tile) {
    Operation *op = tile.getDefiningOp();
    while (
        isa_and_nonnull<tile::ExpandDimsOp, tile::ReshapeOp, tile::BroadcastOp>(
            op))
      op = op->getOperand(0).getDefiningOp();
    return op && isCheap(op);
  }

  /// Whether threads would run out of registers for the elements of a tile in
  /// this layout, those beyond their share, and the tiles that are broadcast to
  /// its class: a thread with a whole row holds as much of every row vector.
  bool holdsTooManyVectors(LayoutAttr layout, Value tile) const {
    constexpr int64_t mostRegisters = 144;
    Value leader = classes.leaderOf(tile);
    const int64_t held = layout.getNumRegisters();
    int64_t registers = 2 * held - blocked.of(tile).getNumRegisters();
    llvm::SmallDenseSet<Value> vectors;
    tile::KernelOp within = kernel;
    within.walk([&](tile::BroadcastOp op) {
      if (classes.leaderOf(op.getResult()) == leader &&
          !isPosition(op.getSource()) && vectors.insert(op.getSource()).second)
        registers += sourceLayout(op, layout).getNumRegisters();
    });
    return registers > mostRegisters;
  }

  /// Whether threads with this many elements of a tile hold several times their
  /// share, or repeat too many long functions.
  bool isTooMuch(int64_t registers, Value tile) const {
    constexpr int64_t fewRegisters = 32, mostShares = 2, mostRepeated = 4;
    int64_t share = blocked.of(tile).getNumRegisters(),
            functions = longFunctions.lookup(classes.leaderOf(tile));
    return registers > std::max(fewRegisters, mostShares * share) ||
           (registers - share) * functions > mostRepeated;
  }

  /// Decides the source of one reduction along a short axis with a decided
  /// result: each thread reduces the elements for its part of the result alone.
  bool reduceOneInThreads() {
    constexpr int64_t mostElements = 32;
    return kernel
        .walk([&](tile::ReduceOp op) {
          Value source = op.getSources().front(),
                result = op.getResults().front();
          int64_t axis = op.getAxis(), size = tileOf(source).getDimSize(axis);
          if (layouts.isOpen(result) || !layouts.isOpen(source) ||
              anchors.lookUp(source) || size > mostElements ||
              !llvm::isPowerOf2_64(size))
            return WalkResult::advance();
          LayoutAttr layout = layouts.of(result);
          if (!op.getKeepdims())
            layout = layout.insertAxis(axis);
          SmallVector<LayoutMode> registers = {{size, axis, 1}};
          llvm::append_range(registers, layout.getRegisters());
          layout =
              LayoutAttr::getCanonical(plan.getContext(), registers,
                                       layout.getLanes(), layout.getWarps());
          if (isTooMuch(layout.getNumRegisters(), source))
            return WalkResult::advance();
          layouts.assign(source, layout);
          return WalkResult::interrupt();
        })
        .wasInterrupted();
  }

  /// Decides the result of one broadcast with a decided source, unless threads
  /// would hold several times their share: the source is exchanged instead.
  bool repeatOneBroadcast() {
    return kernel
        .walk([&](tile::BroadcastOp op) {
          if (layouts.isOpen(op.getSource()) ||
              !layouts.isOpen(op.getResult()) || anchors.lookUp(op.getResult()))
            return WalkResult::advance();
          LayoutAttr repeated =
              layouts.of(op.getSource())
                  .broadcast(tileOf(op.getSource()).getShape(),
                             tileOf(op.getResult()).getShape());
          if (isTooMuch(repeated.getNumRegisters(), op.getResult()) ||
              holdsTooManyVectors(repeated, op.getResult()))
            return WalkResult::advance();
          layouts.assign(op.getResult(), repeated);
          return WalkResult::interrupt();
        })
        .wasInterrupted();
  }

  tile::KernelOp kernel;
  PlanAttr plan;
  LayoutClasses classes;
  MemoryAnchors anchors;
  BlockedLayouts blocked;
  AssignedLayouts layouts;
  llvm::DenseSet<Value> followers; ///< representatives of their classes
  /// The number of long functions that compute the tiles of a class, by leader.
  llvm::DenseMap<Value, int64_t> longFunctions;
};

/// Fails if a tile is so large that the code of a thread, which grows with its
/// elements, would take minutes to compile and run from spilled registers.
static LogicalResult verifyTileSizes(tile::KernelOp kernel) {
  constexpr int64_t mostOfThread = 1024, fewestThreads = 256;
  const int64_t threads = warpLanes * PlanAttr::of(kernel).getWarps();
  const int64_t most = mostOfThread * std::max(threads, fewestThreads);
  WalkResult result = kernel.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto tile = dyn_cast<RankedTensorType>(type);
          tile && tile.getNumElements() > most) {
        op->emitOpError("makes a tile of ")
            << tile.getNumElements() << " elements, but the " << threads
            << " threads of a block can hold at most " << most
            << "; choose smaller tiles";
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

struct AssignLayouts : tilegpu::impl::AssignLayoutsBase<AssignLayouts> {
  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())) ||
        failed(tile::verifyNoLayouts(getOperation())))
      return signalPassFailure();
    tile::KernelOp kernel = getOperation();
    if (!PlanAttr::of(kernel)) {
      kernel.emitOpError("has no plan; run --tile-gpu-make-plan first");
      return signalPassFailure();
    }
    if (failed(verifyTileSizes(kernel)))
      return signalPassFailure();
    cloneCheapTiles(kernel);
    markRealignedLoads(kernel);
    separateStores(kernel);
    Assignment(kernel).run();
    reconcileLayouts(kernel);
  }
};
} // namespace
