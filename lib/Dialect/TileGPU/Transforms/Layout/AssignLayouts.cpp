// Gives every tile a layout. Dots decide first, then the largest tiles that are
// loaded or stored; each decision is carried through reductions, broadcasts and
// permutations before the next is made. What still disagrees is converted (see
// ReconcileLayouts.cpp).
#include "Layout/CutLayout.h"
#include "Layout/LayoutClasses.h"
#include "Layout/LayoutRelations.h"
#include "Layout/ReshapeAxes.h"
#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include "TileGPT/Dialect/Tile/Analysis/TileOf.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/AsyncCopy.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Mainloop.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Relabel.h"
#include "TileGPT/Dialect/TileGPU/Analysis/SharedRows.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "TileGPT/Target/NVVM/FindTarget.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_ASSIGNLAYOUTS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

/// Tiles that cost nothing to make: every reader gets one of its own, in the
/// layout it likes.
static bool isCheap(Operation *op) {
  return isa<tile::SplatOp, tile::IotaOp>(op) ||
         (isa<arith::ConstantOp>(op) &&
          isa<RankedTensorType>(op->getResult(0).getType()));
}

static void cloneCheapTiles(tile::KernelOp kernel) {
  SmallVector<Operation *> cheap;
  kernel.walk([&](Operation *op) {
    if (isCheap(op) && !op->use_empty())
      cheap.push_back(op);
  });
  for (Operation *op : cheap) {
    OpBuilder builder(op);
    for (OpOperand &use :
         llvm::make_early_inc_range(llvm::drop_begin(op->getUses())))
      use.set(builder.clone(*op)->getResult(0));
  }
}

/// The tile that a loaded tile is used as: where all its readers want is it cut
/// apart, what it is cut into.
static Value usedAs(Value loaded) {
  if (!loaded.hasOneUse())
    return loaded;
  auto reshape = dyn_cast<tile::ReshapeOp>(*loaded.getUsers().begin());
  return reshape && cutAxes(reshape) ? reshape.getResult() : loaded;
}

/// Whether kernels of a plan start while the launch before is running.
static bool overlap(PlanAttr plan) {
  const target::GpuTarget *target = target::lookUpTarget(plan.getTarget());
  return target && target->hasTma && plan.getOverlap();
}

namespace {
/// What a class is loaded or stored as.
struct MemoryAnchor {
  int64_t elements = 0; ///< of the tile; 0: none
  int64_t fastest = 0;  ///< axis
  int64_t vector = 1;   ///< most neighbours along it that one access may move
  int64_t direct = 0;   ///< of accesses that do not go through shared memory
};

class Assignment {
public:
  explicit Assignment(tile::KernelOp kernel)
      : kernel(kernel), plan(PlanAttr::of(kernel)), overlaps(overlap(plan)),
        classes(kernel), sharedRows(findSharedRows(kernel)) {}

  void run() {
    assignDots();
    collectMemoryAnchors();
    propagate();
    while (Value next = largestOpenClass()) {
      // What nobody loads nor stores has no wish of its own: what it repeats
      // stays where it is, so that nothing moves.
      if (isAnchored(next) || !(reduceOneInThreads() || repeatOneBroadcast()))
        assign(next, blocked(next));
      propagate();
    }
    for (Value tile : classes.getTiles())
      tile.setType(tileOf(tile).cloneWithEncoding(layoutOf(tile)));
  }

private:
  LayoutAttr layoutOf(Value tile) const {
    return layouts.lookup(classes.leaderOf(tile));
  }
  bool isOpen(Value tile) const { return !layoutOf(tile); }
  /// Whether the class of a tile is loaded or stored.
  bool isAnchored(Value tile) const {
    return anchors.contains(classes.leaderOf(tile));
  }
  void assign(Value tile, LayoutAttr layout) {
    layouts[classes.leaderOf(tile)] = layout;
  }

  void assignDots() {
    kernel.walk([&](tile::DotOp dot) {
      if (isOpen(dot.getResult()))
        assign(dot.getResult(), accumulatorLayout(dot, plan));
    });
    // Left operands that are computed in a main loop, or in front of it, are
    // read from registers, or written by those who multiply them.
    kernel.walk([&](tile::DotOp dot) {
      if (readsRegisters(dot) && isOpen(dot.getLhs()))
        assign(dot.getLhs(),
               leftOperandLayout(tileOf(dot.getLhs()), plan.getWarps()));
    });
    kernel.walk([&](Operation *op) {
      if (isa<SumPartsOp, SumShareOp>(op) && isOpen(op->getResult(0)))
        assign(op->getResult(0), shareLayout(tileOf(op->getResult(0)), plan));
    });
  }

  /// Whether the lhs of a dot of a main loop is not copied by the producer.
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

  void addAnchor(Value tile, int64_t fastest, int64_t vector, bool isCopied) {
    MemoryAnchor &anchor = anchors[classes.leaderOf(tile)];
    int64_t elements = tileOf(tile).getNumElements(),
            bytes = memoryBytes(tileOf(tile).getElementType());
    if (vector * bytes == unitBytes) {
      auto [whole, _] =
          wholeAccesses.try_emplace(tileOf(tile).getDimSize(fastest), vector);
      whole->second = std::min(whole->second, vector);
    }
    if (elements > anchor.elements)
      anchor = {elements, fastest, vector, /*direct=*/0};
    else if (fastest == anchor.fastest)
      anchor.vector = std::max(anchor.vector, vector);
    if (!isCopied && fastest == anchor.fastest)
      anchor.direct = std::max(anchor.direct, vector);
  }

  /// Whether `--tile-gpu-overlap-launches` makes a load a copy to shared
  /// memory.
  bool isCopiedEarly(Operation *op, IndexFacts &facts) const {
    auto load = dyn_cast<tile::LoadOp>(op);
    if (!load || !overlaps || !isWorthCopying(load, facts))
      return false;
    BlockArgument root = facts.ofView(load.getView()).root;
    return root && isLaunchInvariant(root);
  }

  void collectMemoryAnchors() {
    IndexFacts facts;
    kernel.walk([&](Operation *op) {
      if (auto read = dyn_cast<ReadOp>(op)) {
        RankedTensorType type = tileOf(read.getResult());
        addAnchor(read.getResult(), type.getRank() - 1,
                  8 * unitBytes / type.getElementTypeBitWidth(),
                  /*isCopied=*/false);
      }
      if (!isAccess(op))
        return;
      AccessOperands access(op);
      AccessFacts found = analyzeAccess(op, facts);
      int64_t rank = access.tile.getRank();
      int64_t fastest = found.vectorAxis < 0 ? rank - 1 : found.vectorAxis;
      Value used = isa<tile::LoadOp>(op) ? usedAs(access.value) : access.value;
      addAnchor(used, tileOf(used).getRank() - rank + fastest,
                access.mask ? found.vectorSize : found.alignedSize,
                isCopiedEarly(op, facts));
    });
  }

  /// The class to decide next: the largest that is loaded or stored, else the
  /// largest.
  Value largestOpenClass() const {
    Value best;
    auto rank = [&](Value tile) {
      return std::pair(isAnchored(tile), tileOf(tile).getNumElements());
    };
    for (Value tile : classes.getTiles())
      if (isOpen(tile) && (!best || rank(tile) > rank(best)))
        best = tile;
    return best;
  }

  /// As many neighbours a thread as one access may move, fewer when the tile is
  /// too small for all threads to get that much.
  LayoutAttr blocked(Value tile) const {
    ArrayRef<int64_t> shape = tileOf(tile).getShape();
    if (shape.empty())
      return LayoutAttr::getBlocked(plan.getContext(), shape, 1,
                                    plan.getWarps());
    auto it = anchors.find(classes.leaderOf(tile));
    MemoryAnchor anchor =
        it != anchors.end() ? it->second
                            : MemoryAnchor{1, int64_t(shape.size()) - 1, 4, 4};
    int64_t perThread = llvm::divideCeil(tileOf(tile).getNumElements(),
                                         plan.getComputeThreads());
    // What comes through shared memory is read there as fast by narrow accesses
    // as by wide ones: it makes way for wider types that meet it, whose
    // accesses should be side by side.
    int64_t mostVector = anchor.vector;
    if (auto whole = wholeAccesses.find(shape[anchor.fastest]);
        anchor.direct < anchor.vector && whole != wholeAccesses.end())
      mostVector = std::max(anchor.direct, std::min(mostVector, whole->second));
    int64_t vector = std::min<int64_t>(
        {mostVector, int64_t(llvm::bit_ceil(uint64_t(perThread))),
         int64_t(llvm::bit_floor(uint64_t(shape[anchor.fastest])))});
    if (isSharedRows(shape)) {
      int64_t row[] = {1, shape[1]};
      return LayoutAttr::getBlocked(plan.getContext(), row, vector,
                                    plan.getWarps())
          .broadcast(row, shape);
    }
    if (LayoutAttr rows = shortRows(tile, anchor, vector))
      return rows;
    // getBlocked fills the last axis first: bring the fastest one there.
    SmallVector<int64_t> permutation =
        llvm::to_vector(llvm::seq<int64_t>(0, shape.size()));
    std::swap(permutation[anchor.fastest], permutation.back());
    SmallVector<int64_t> permuted = llvm::map_to_vector(
        permutation, [&](int64_t axis) { return shape[axis]; });
    return LayoutAttr::getBlocked(plan.getContext(), permuted, vector,
                                  plan.getWarps())
        .permute(permutation);
  }

  /// Rows that are reduced, and that threads read element by element, go to as
  /// few lanes as leave each thread as much as the tile gives it: what meets in
  /// a thread needs no shuffles. Null for other tiles: whole accesses should be
  /// side by side (softmax of 32 columns in f32: 13.5 us, and 17.4 by 2 lanes).
  LayoutAttr shortRows(Value tile, const MemoryAnchor &anchor,
                       int64_t vector) const {
    RankedTensorType type = tileOf(tile);
    if (type.getRank() != 2 || anchor.fastest != 1 ||
        vector * memoryBytes(type.getElementType()) >= unitBytes ||
        !isReducedAlong(tile, 1))
      return {};
    int64_t columns = type.getDimSize(1), rows = type.getDimSize(0),
            warps = plan.getWarps();
    int64_t perThread =
        std::max<int64_t>(vector, llvm::divideCeil(type.getNumElements(),
                                                   plan.getComputeThreads()));
    int64_t lanes = llvm::PowerOf2Ceil(llvm::divideCeil(columns, perThread));
    if (lanes >= warpLanes)
      return {};
    int64_t beside = warpLanes / lanes,
            pieces = llvm::divideCeil(columns, lanes * vector),
            each = llvm::divideCeil(rows, beside * warps);
    return LayoutAttr::getCanonical(plan.getContext(),
                                    {{vector, 1, 1},
                                     {pieces, 1, lanes * vector},
                                     {each, 0, beside * warps}},
                                    {{lanes, 1, vector}, {beside, 0, 1}},
                                    {{warps, 0, beside}});
  }

  /// Whether a tile of the class is reduced or scanned along an axis.
  bool isReducedAlong(Value tile, int64_t axis) const {
    Value leader = classes.leaderOf(tile);
    tile::KernelOp within = kernel;
    return within
        .walk([&](Operation *op) {
          auto reduce = dyn_cast<tile::ReduceOp>(op);
          auto scan = dyn_cast<tile::ScanOp>(op);
          bool isAlong =
              (reduce && int64_t(reduce.getAxis()) == axis &&
               classes.leaderOf(reduce.getSources().front()) == leader) ||
              (scan && int64_t(scan.getAxis()) == axis &&
               classes.leaderOf(scan.getSources().front()) == leader);
          return isAlong ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// Whether this is a tile of rows that all warps share.
  bool isSharedRows(ArrayRef<int64_t> shape) const {
    return sharedRows && shape.size() == 2 && shape[0] == sharedRows->rows &&
           shape[1] == sharedRows->columns &&
           plan.getWarps() == sharedRows->getWarps();
  }

  /// Carries decisions to classes that are still open, until nothing changes.
  void propagate() {
    bool changed = true;
    auto derive = [&](Value from, Value to,
                      function_ref<LayoutAttr(LayoutAttr)> relation) {
      if (isOpen(from) || !isOpen(to))
        return;
      LayoutAttr derived = relation(layoutOf(from));
      if (!derived)
        return;
      assign(to, derived);
      changed = true;
    };
    while (std::exchange(changed, false))
      kernel.walk([&](Operation *op) { deriveThrough(op, derive); });
  }

  /// Whether threads that hold so many elements of a tile hold several times
  /// their share.
  bool isTooMuch(int64_t registers, Value tile) const {
    constexpr int64_t fewRegisters = 32, mostShares = 2;
    return registers >
           std::max(fewRegisters, mostShares * blocked(tile).getNumRegisters());
  }

  /// Decides the source of one reduction along a short axis whose result is
  /// decided: each thread reduces by itself what it holds of the result.
  bool reduceOneInThreads() {
    constexpr int64_t mostElements = 32;
    return kernel
        .walk([&](tile::ReduceOp op) {
          Value source = op.getSources().front(),
                result = op.getResults().front();
          int64_t axis = op.getAxis(), size = tileOf(source).getDimSize(axis);
          if (isOpen(result) || !isOpen(source) || isAnchored(source) ||
              size > mostElements || !llvm::isPowerOf2_64(size))
            return WalkResult::advance();
          LayoutAttr layout = layoutOf(result);
          if (!op.getKeepdims())
            layout = layout.insertAxis(axis);
          SmallVector<LayoutMode> registers = {{size, axis, 1}};
          llvm::append_range(registers, layout.getRegisters());
          layout =
              LayoutAttr::getCanonical(plan.getContext(), registers,
                                       layout.getLanes(), layout.getWarps());
          if (isTooMuch(layout.getNumRegisters(), source))
            return WalkResult::advance();
          assign(source, layout);
          return WalkResult::interrupt();
        })
        .wasInterrupted();
  }

  /// Decides the result of one broadcast whose source is decided. Not where
  /// threads that hold all repetitions hold several times their share: what
  /// they repeat is exchanged instead.
  bool repeatOneBroadcast() {
    return kernel
        .walk([&](tile::BroadcastOp op) {
          if (isOpen(op.getSource()) || !isOpen(op.getResult()) ||
              isAnchored(op.getResult()))
            return WalkResult::advance();
          LayoutAttr repeated =
              layoutOf(op.getSource())
                  .broadcast(tileOf(op.getSource()).getShape(),
                             tileOf(op.getResult()).getShape());
          if (isTooMuch(repeated.getNumRegisters(), op.getResult()))
            return WalkResult::advance();
          assign(op.getResult(), repeated);
          return WalkResult::interrupt();
        })
        .wasInterrupted();
  }

  using Derive =
      function_ref<void(Value, Value, function_ref<LayoutAttr(LayoutAttr)>)>;
  void deriveThrough(Operation *op, Derive derive) const {
    if (auto reduce = dyn_cast<tile::ReduceOp>(op)) {
      derive(reduce.getSources().front(), reduce.getResults().front(),
             [&](LayoutAttr layout) { return reducedLayout(reduce, layout); });
    } else if (auto expand = dyn_cast<tile::ExpandDimsOp>(op)) {
      derive(expand.getSource(), expand.getResult(), [&](LayoutAttr layout) {
        return layout.insertAxis(expand.getAxis());
      });
      derive(expand.getResult(), expand.getSource(), [&](LayoutAttr layout) {
        return layout.dropAxis(expand.getAxis());
      });
    } else if (auto permute = dyn_cast<tile::PermuteOp>(op)) {
      derive(permute.getSource(), permute.getResult(), [&](LayoutAttr layout) {
        return unlessScattered(permute.getResult(),
                               layout.permute(permute.getPermutation()));
      });
      derive(permute.getResult(), permute.getSource(), [&](LayoutAttr layout) {
        return unlessScattered(
            permute.getSource(),
            layout.permute(invertPermutationVector(permute.getPermutation())));
      });
    } else if (auto broadcast = dyn_cast<tile::BroadcastOp>(op)) {
      if (!isWorthExchanging(broadcast))
        derive(
            broadcast.getResult(), broadcast.getSource(),
            [&](LayoutAttr layout) { return sourceLayout(broadcast, layout); });
    } else if (auto reshape = dyn_cast<tile::ReshapeOp>(op)) {
      if (auto groups = cutAxes(reshape)) {
        ArrayRef<int64_t> shape = tileOf(reshape.getResult()).getShape();
        derive(reshape.getResult(), reshape.getSource(),
               [&](LayoutAttr layout) {
                 return layout.mergeAxes(*groups, shape);
               });
        derive(reshape.getSource(), reshape.getResult(),
               [&](LayoutAttr layout) {
                 return cutLayout(layout, *groups, shape);
               });
      } else if (auto groups = joinedAxes(reshape)) {
        ArrayRef<int64_t> shape = tileOf(reshape.getSource()).getShape();
        if (dropsUnitAxes(reshape))
          derive(reshape.getSource(), reshape.getResult(),
                 [&](LayoutAttr layout) {
                   return layout.mergeAxes(*groups, shape);
                 });
        derive(reshape.getResult(), reshape.getSource(),
               [&](LayoutAttr layout) {
                 return cutLayout(layout, *groups, shape);
               });
      }
    } else if (auto cat = dyn_cast<tile::CatOp>(op)) {
      int64_t axis = cat.getAxis(),
              size = tileOf(cat.getLhs()).getDimSize(axis);
      if (size != tileOf(cat.getRhs()).getDimSize(axis))
        return;
      for (Value part : {cat.getLhs(), cat.getRhs()}) {
        derive(cat.getResult(), part, [&](LayoutAttr layout) {
          return pieceLayout(layout, axis, size);
        });
        derive(part, cat.getResult(), [&](LayoutAttr layout) {
          return joinedLayout(layout, axis, size, /*count=*/2);
        });
      }
    } else if (auto extract = dyn_cast<tile::ExtractOp>(op)) {
      derivePiece(extract.getSource(), extract.getResult(), derive);
    } else if (auto insert = dyn_cast<tile::InsertOp>(op)) {
      derivePiece(insert.getDest(), insert.getSource(), derive);
    } else if (auto gather = dyn_cast<tile::GatherOp>(op)) {
      derive(gather.getResult(), gather.getIndex(), [&](LayoutAttr layout) {
        return layoutOfIndices(layout, tileOf(gather.getResult()).getRank(),
                               gather.getAxis());
      });
    } else if (auto scatter = dyn_cast<tile::ScatterOp>(op)) {
      derive(scatter.getValue(), scatter.getIndex(), [&](LayoutAttr layout) {
        return layoutOfIndices(layout, tileOf(scatter.getValue()).getRank(),
                               scatter.getAxis());
      });
    }
  }

  /// A piece that is cut along one axis follows the whole.
  void derivePiece(Value whole, Value piece, Derive derive) const {
    ArrayRef<int64_t> from = tileOf(whole).getShape(),
                      to = tileOf(piece).getShape();
    std::optional<int64_t> cut;
    for (auto [axis, sizes] : llvm::enumerate(llvm::zip_equal(from, to)))
      if (std::get<0>(sizes) != std::get<1>(sizes)) {
        if (cut)
          return;
        cut = axis;
      }
    if (!cut)
      return;
    derive(whole, piece, [&](LayoutAttr layout) {
      return pieceLayout(layout, *cut, to[*cut]);
    });
  }

  /// The layout, or nothing where a tile that is loaded or stored would be
  /// accessed by less than a sector of neighbours at a time: changing places in
  /// shared memory costs less.
  LayoutAttr unlessScattered(Value tile, LayoutAttr layout) const {
    constexpr int64_t sectorBytes = 32;
    auto it = anchors.find(classes.leaderOf(tile));
    if (it == anchors.end())
      return layout;
    int64_t axis = it->second.fastest,
            bytes = std::max<int64_t>(
                1, memoryBytes(tileOf(tile).getElementType())),
            wanted =
                std::min(tileOf(tile).getDimSize(axis), sectorBytes / bytes);
    return neighboursOf(layout, axis) < wanted ? LayoutAttr() : layout;
  }

  /// Elements side by side along an axis that the lanes of a warp access at
  /// once, each with its first registers.
  static int64_t neighboursOf(LayoutAttr layout, int64_t axis) {
    int64_t run = 1;
    auto extend = [&](ArrayRef<LayoutMode> modes) {
      for (const LayoutMode &mode : modes)
        if (mode.axis == axis && mode.stride == run)
          run *= mode.extent;
    };
    extend(layout.getRegisters());
    extend(layout.getLanes());
    return run;
  }

  /// Whether the source of a broadcast is better computed once, by all threads,
  /// and exchanged than by several warps alike: where it is more than a loaded
  /// tile, and large. Never in a branch, which a warp may take alone.
  bool isWorthExchanging(tile::BroadcastOp op) const {
    constexpr int64_t fewestRegisters = 32, fewestCopies = 4;
    LayoutAttr result = layoutOf(op.getResult());
    if (!result || op->getParentOfType<scf::IfOp>() ||
        !isComputed(op.getSource()))
      return false;
    LayoutAttr source = sourceLayout(op, result);
    int64_t copies = 1;
    for (const LayoutMode &mode : source.getWarps())
      if (mode.isReplicated())
        copies *= mode.extent;
    return copies >= fewestCopies &&
           source.getNumRegisters() >= fewestRegisters;
  }

  /// Whether a tile comes from more than one other that costs something.
  static bool isComputed(Value tile) {
    while (Operation *op = tile.getDefiningOp()) {
      SmallVector<Value> sources =
          llvm::filter_to_vector(op->getOperands(), [](Value value) {
            Operation *source = value.getDefiningOp();
            return isa<RankedTensorType>(value.getType()) &&
                   !(source && isCheap(source));
          });
      if (sources.size() != 1)
        return sources.size() > 1;
      tile = sources.front();
    }
    return false;
  }

  tile::KernelOp kernel;
  PlanAttr plan;
  bool overlaps;
  LayoutClasses classes;
  std::optional<SharedRows> sharedRows;
  DenseMap<Value, LayoutAttr> layouts;   // by leader
  DenseMap<Value, MemoryAnchor> anchors; // by leader
  /// The fewest elements that are a whole access, by the extent of the axis
  /// along which they are neighbours.
  DenseMap<int64_t, int64_t> wholeAccesses;
  static constexpr int64_t unitBytes = 16;
};

/// Fails when a tile is so large that the code of a thread, which grows with
/// what it holds, would take minutes to compile and run in spilled registers.
static LogicalResult verifyTileSizes(tile::KernelOp kernel) {
  constexpr int64_t mostOfThread = 1024, fewestThreads = 256;
  const int64_t threads = 32 * PlanAttr::of(kernel).getWarps();
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
    Assignment(kernel).run();
    reconcileLayouts(kernel);
  }
};
} // namespace
