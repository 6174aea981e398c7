// Batches the iterations of a reduction loop. A warp that waits for one small
// tile after another leaves most of the memory bandwidth unused: by Little's
// law an H200 needs some 40 KB in flight per multiprocessor.
#include "Shared/BatchIterations.h"
#include "TileGPT/Conversion/TileToArith/ReduceCombiner.h"
#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include "TileGPT/Dialect/Tile/Analysis/CarriedReductions.h"
#include "TileGPT/Dialect/Tile/Analysis/KeepsZero.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/TileGPU/IR/LeastResidents.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// The maximum trip count of the loop, from its constant bounds; it may start
/// at a block index.
static std::optional<int64_t> mostIterations(scf::ForOp loop) {
  std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound()),
                         upper = getConstantIntValue(loop.getUpperBound()),
                         step = getConstantIntValue(loop.getStep());
  if (!upper || !step || *upper <= lower.value_or(0))
    return std::nullopt;
  return llvm::divideCeil(*upper - lower.value_or(0), *step);
}

/// Registers per thread for its part of tiles, in their types in memory.
static int64_t registersFor(TypeRange types, PlanAttr plan) {
  int64_t bytes = 0;
  for (auto type : types)
    if (auto tile = dyn_cast<RankedTensorType>(type))
      bytes += tileBytes(tile);
  return llvm::divideCeil(bytes, 4 * plan.getComputeThreads());
}

bool readsWholeRows(Operation *load) {
  constexpr int64_t wideBytes = 8;
  IndexFacts facts;
  AccessFacts access = analyzeAccess(load, facts);
  auto tile = cast<RankedTensorType>(load->getResult(0).getType());
  int64_t last = tile.getRank() - 1;
  return access.vectorAxis == last &&
         (access.vectorSize * memoryBytes(tile.getElementType()) >= wideBytes ||
          tile.getDimSize(last) <= warpLanes * access.vectorSize);
}

/// Elements that a thread computes in an iteration.
static int64_t elementsComputed(scf::ForOp loop, PlanAttr plan) {
  int64_t elements = 0;
  for (Operation &op : *loop.getBody())
    if (OpTrait::hasElementwiseMappableTraits(&op))
      for (Type type : op.getResultTypes())
        if (auto tile = dyn_cast<RankedTensorType>(type))
          elements +=
              llvm::divideCeil(tile.getNumElements(), plan.getComputeThreads());
  return elements;
}

static int64_t countBatch(scf::ForOp loop, ArrayRef<Operation *> loads,
                          PlanAttr plan) {
  // Bytes in flight per block, of registers that a thread has beside addresses
  // and loop-carried values.
  constexpr int64_t bytesUnderWay = 16384, registersOfThreads = 65536,
                    others = 30, fewest = 8;
  // An iteration that computes this much hides the latency of its loads, and
  // several of them would compete for registers.
  constexpr int64_t mostComputed = 1024;
  auto residents =
      loop->getParentOfType<tile::KernelOp>()->getAttrOfType<IntegerAttr>(
          leastResidentsName);
  int64_t registers =
      residents
          ? registersOfThreads / (residents.getInt() * plan.getThreads()) -
                others
          : fewest;
  std::optional<int64_t> iterations = mostIterations(loop);
  if (!iterations)
    return 1;
  int64_t bytes = 0;
  SmallVector<Type> types;
  for (Operation *load : loads) {
    auto tile = cast<RankedTensorType>(load->getResult(0).getType());
    bytes += tileBytes(tile);
    types.push_back(tile);
    if (!readsWholeRows(load))
      return 1;
  }
  int64_t room =
      std::max(fewest, registers - registersFor(loop.getResultTypes(), plan));
  int64_t most = std::min(
      {bytesUnderWay / bytes,
       room / std::max<int64_t>(1, registersFor(types, plan)), *iterations,
       mostComputed / std::max<int64_t>(1, elementsComputed(loop, plan))});
  if (most < 2)
    return 1;
  // Even out the sizes of the batches.
  return llvm::divideCeil(*iterations, llvm::divideCeil(*iterations, most));
}

/// Whether the loads of iterations past the last one are out of bounds of the
/// view.
static bool walksWholeAxis(scf::ForOp loop, tile::LoadOp load) {
  std::optional<int64_t> upper = getConstantIntValue(loop.getUpperBound());
  AccessOperands access(load);
  for (auto [axis, size] : llvm::enumerate(load.getType().getShape())) {
    int64_t along = access.viewAxis[axis],
            extent =
                cast<tile::ViewType>(access.view.getType()).getShape()[along];
    if (upper && access.indices[along] == loop.getInductionVar() &&
        !ShapedType::isDynamic(extent) && *upper * size >= extent)
      return true;
  }
  return false;
}

namespace {
class Batch {
public:
  Batch(scf::ForOp loop, ArrayRef<CarriedReduction> reductions, int64_t count)
      : loop(loop), reductions(reductions), count(count), loc(loop.getLoc()),
        builder(loop), mappings(count) {
    endsWithViews = llvm::all_of(
        loop.getBody()->getOps<tile::LoadOp>(),
        [&](tile::LoadOp load) { return walksWholeAxis(loop, load); });
  }

  scf::ForOp build(ArrayRef<Operation *> loads) {
    Value step =
        builder.createOrFold<arith::MulIOp>(loc, loop.getStep(), index(count));
    auto batched =
        scf::ForOp::create(builder, loc, loop.getLowerBound(),
                           loop.getUpperBound(), step, loop.getInits());
    builder.setInsertionPointToStart(batched.getBody());
    numberIterations(batched.getInductionVar());
    cloneLoads(loads);
    SmallVector<Value> carried(batched.getRegionIterArgs());
    for (int64_t number = 0; number < count; ++number)
      reduce(number, carried);
    scf::YieldOp::create(builder, loc, carried);
    loop.replaceAllUsesWith(batched.getResults());
    loop.erase();
    return batched;
  }

private:
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }

  void numberIterations(Value first) {
    for (int64_t number = 0; number < count; ++number) {
      Value distance = builder.createOrFold<arith::MulIOp>(loc, loop.getStep(),
                                                           index(number));
      numbers.push_back(
          builder.createOrFold<arith::AddIOp>(loc, first, distance));
      mappings[number].map(loop.getInductionVar(), numbers.back());
    }
  }

  /// Clones all loads first, with the ops that compute their addresses.
  void cloneLoads(ArrayRef<Operation *> loads) {
    SetVector<Operation *> early;
    BackwardSliceOptions options;
    options.inclusive = true;
    options.omitBlockArguments = true;
    options.filter = [&](Operation *op) {
      return op->getBlock() == loop.getBody();
    };
    for (Operation *load : loads)
      (void)getBackwardSlice(load, &early, options);
    for (IRMapping &mapping : mappings)
      for (Operation &op : loop.getBody()->without_terminator())
        if (early.contains(&op))
          builder.clone(op, mapping);
  }

  /// Combines an iteration's contribution with the carried values.
  void reduce(int64_t number, MutableArrayRef<Value> carried) {
    IRMapping &mapping = mappings[number];
    auto isCombine = [&](Operation &op) {
      return llvm::any_of(reductions, [&](const CarriedReduction &reduction) {
        return reduction.combine == &op;
      });
    };
    for (Operation &op : loop.getBody()->without_terminator())
      if (!isCombine(op) &&
          !(op.getNumResults() != 0 && mapping.contains(op.getResult(0))))
        builder.clone(op, mapping);
    for (auto [position, reduction] : llvm::enumerate(reductions)) {
      mask(number, reduction);
      mapping.map(loop.getRegionIterArg(position), carried[position]);
      carried[position] =
          builder.clone(*reduction.combine, mapping)->getResult(0);
    }
  }

  /// Masks the contribution of an iteration that may not exist. Out-of-bounds
  /// tiles are 0, so sums of values that preserve zeros need no mask there.
  void mask(int64_t number, const CarriedReduction &reduction) {
    if (number == 0 || isWhole() ||
        (endsWithViews && reduction.kind == tile::ReduceKind::Add &&
         keepsZero(reduction.update)))
      return;
    auto type = cast<RankedTensorType>(reduction.update.getType());
    Value exists =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                              numbers[number], loop.getUpperBound());
    Value identity = arith::ConstantOp::create(
        builder, loc,
        SplatElementsAttr::get(type,
                               tile::identityOf(reduction.kind, reduction.nan,
                                                type.getElementType())));
    Value update = mappings[number].lookupOrDefault(reduction.update);
    mappings[number].map(
        reduction.update,
        arith::SelectOp::create(builder, loc, exists, update, identity)
            .getResult());
  }

  /// Whether the trip count is a multiple of the batch size.
  bool isWhole() {
    std::optional<APInt> trips = loop.getStaticTripCount();
    return trips && trips->getZExtValue() % count == 0;
  }

  scf::ForOp loop;
  ArrayRef<CarriedReduction> reductions;
  int64_t count;
  Location loc;
  OpBuilder builder;
  bool endsWithViews; ///< iterations past the last load out of bounds
  SmallVector<IRMapping> mappings; ///< by iteration of a batch
  SmallVector<Value> numbers;      ///< induction variables by iteration
};
} // namespace

scf::ForOp batchIterations(scf::ForOp loop, ArrayRef<Operation *> loads,
                           PlanAttr plan) {
  auto reductions = findCarriedReductions(loop);
  int64_t count = reductions && plan ? countBatch(loop, loads, plan) : 1;
  return count == 1 ? scf::ForOp()
                    : Batch(loop, *reductions, count).build(loads);
}

} // namespace tilegpt::tilegpu
