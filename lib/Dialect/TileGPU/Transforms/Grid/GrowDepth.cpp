// Merges iterations, which load adjacent tiles whose products go to the same
// sum. Dots of 24 elements along K are no whole MMA instructions, two of them
// are. A step of a small tile is shorter than its synchronization.
#include "Grid/GrowDepth.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
/// A loop that accumulates dots of tiles that it loads.
struct SumLoop {
  int64_t trips = 0;
  SmallVector<tile::DotOp> dots;
  llvm::MapVector<tile::LoadOp, int64_t> loads; ///< and their axis along K
};
} // namespace

/// The axis of an operand along which a dot of matrices sums.
static int64_t summedAxisOf(tile::DotOp dot, bool isLhs) {
  bool isLast = isLhs ? !dot.getTransposeA() : dot.getTransposeB();
  return isLast ? 1 : 0;
}

/// Adds the load of an operand, if the induction variable is its index along K
/// and of no other axis.
static bool addLoad(SumLoop &sum, scf::ForOp loop, Value operand,
                    int64_t axis) {
  auto load = operand.getDefiningOp<tile::LoadOp>();
  if (!load || load->getBlock() != loop.getBody() || load.getMask() ||
      load.getOrder() || load.getPad() != tile::PadKind::Zero)
    return false;
  for (auto [number, index] : llvm::enumerate(load.getIndices()))
    if (int64_t(number) == axis ? index != loop.getInductionVar()
                                : !loop.isDefinedOutsideOfLoop(index))
      return false;
  return sum.loads.insert({load, axis}).first->second == axis;
}

/// Whether every carried value is only accumulated, in a chain of dots.
static bool onlyAccumulates(scf::ForOp loop) {
  for (auto [carried, yielded] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues())) {
    Value sum = carried;
    while (sum.hasOneUse()) {
      auto dot = dyn_cast<tile::DotOp>(*sum.getUsers().begin());
      if (!dot || dot.getAcc() != sum || dot->getBlock() != loop.getBody())
        break;
      sum = dot.getResult();
    }
    if (sum != yielded || !sum.hasOneUse())
      return false;
  }
  return loop.getNumResults() > 0;
}

static std::optional<SumLoop> matchSumLoop(scf::ForOp loop) {
  std::optional<APInt> trips = loop.getStaticTripCount();
  if (!trips || !isConstantIntValue(loop.getLowerBound(), 0) ||
      !isConstantIntValue(loop.getStep(), 1) || !onlyAccumulates(loop))
    return std::nullopt;
  SumLoop sum;
  sum.trips = trips->getSExtValue();
  for (Operation &op : loop.getBody()->without_terminator()) {
    auto dot = dyn_cast<tile::DotOp>(op);
    if (!dot) {
      if (isa<tile::LoadOp>(op) ||
          (isMemoryEffectFree(&op) && op.getNumRegions() == 0))
        continue;
      return std::nullopt;
    }
    constexpr int64_t matrixRank = 2;
    if (dot.getAcc().getType().getRank() != matrixRank ||
        !addLoad(sum, loop, dot.getLhs(), summedAxisOf(dot, /*isLhs=*/true)) ||
        !addLoad(sum, loop, dot.getRhs(), summedAxisOf(dot, /*isLhs=*/false)))
      return std::nullopt;
    sum.dots.push_back(dot);
  }
  // Nothing else reads the tiles or the number of the iteration.
  for (auto [load, axis] : sum.loads)
    if (!llvm::all_of(load->getUsers(), llvm::IsaPred<tile::DotOp>))
      return std::nullopt;
  bool isIndex =
      llvm::all_of(loop.getInductionVar().getUsers(), [&](Operation *user) {
        auto load = dyn_cast<tile::LoadOp>(user);
        return load && sum.loads.contains(load);
      });
  return isIndex && !sum.dots.empty() ? std::optional(sum) : std::nullopt;
}

/// Whether the last merged tile has no data that the loop does not sum: what
/// extends past the end of the views is zero.
static bool endsWithData(const SumLoop &sum, int64_t times) {
  return sum.trips % times == 0 ||
         llvm::all_of(sum.loads, [&](const auto &entry) {
           auto [load, axis] = entry;
           int64_t extent = load.getView().getType().getShape()[axis];
           return !ShapedType::isDynamic(extent) &&
                  sum.trips * load.getType().getDimSize(axis) >= extent;
         });
}

/// The least number of iterations that have whole instructions together; 1 if
/// their tiles would leave no shared memory for several stages.
static int64_t countMerged(const SumLoop &sum) {
  constexpr int64_t mostRowBytes = 512;
  int64_t times = 1, rowBytes = 0, fastTerms = 0;
  for (tile::DotOp dot : sum.dots) {
    std::optional<MmaOperands> operands = mmaOperands(dot);
    if (!operands)
      continue;
    int64_t depth = depthOf(dot);
    times = std::lcm(times, operands->depth / std::gcd(depth, operands->depth));
    rowBytes = std::max(rowBytes, depth * memoryBytes(operands->lhs));
    if (dot.getPrecision() == tile::Precision::Fast)
      fastTerms = std::max(fastTerms, depth);
  }
  bool fits = times <= sum.trips && times * rowBytes <= mostRowBytes &&
              times * fastTerms <= mostFastTerms;
  return fits ? times : 1;
}

static bool mergeSteps(scf::ForOp loop, const SumLoop &sum, int64_t times) {
  if (!endsWithData(sum, times))
    return false;
  OpBuilder builder(loop);
  loop.setUpperBound(arith::ConstantIndexOp::create(
      builder, loop.getLoc(), llvm::divideCeil(sum.trips, times)));
  for (auto [load, axis] : sum.loads) {
    SmallVector<int64_t> shape(load.getType().getShape());
    shape[axis] *= times;
    load.getResult().setType(load.getType().clone(shape));
    load.setSizesAttr(builder.getI64ArrayAttr(shape));
  }
  return true;
}

int64_t growDepth(scf::ForOp loop) {
  std::optional<SumLoop> sum = matchSumLoop(loop);
  int64_t times = sum ? countMerged(*sum) : 1;
  return times > 1 && mergeSteps(loop, *sum, times) ? times : 1;
}

bool growShortSteps(scf::ForOp loop, PlanAttr plan,
                    const target::GpuTarget &target) {
  constexpr int64_t times = 2, shortBytes = 7 << 10;
  std::optional<SumLoop> sum = matchSumLoop(loop);
  if (!sum || sum->dots.size() != 1 || plan.getMulticast() > 1 ||
      plan.getTeams() > 1)
    return false;
  auto bytesOf = [](TypedValue<RankedTensorType> operand) {
    RankedTensorType type = operand.getType();
    return type.getNumElements() * memoryBytes(type.getElementType());
  };
  // Blocks that split K copy the columns of each other, too.
  tile::DotOp dot = sum->dots.front();
  int64_t parts = plan.getParts(),
          bytes = bytesOf(dot.getLhs()) + parts * bytesOf(dot.getRhs());
  return bytes <= shortBytes &&
         int64_t(llvm::divideCeil(sum->trips, parts)) >=
             times * plan.getStages() &&
         times * plan.getStages() * bytes <=
             int64_t(target.sharedBytesPerBlock) * 3 / 4 &&
         mergeSteps(loop, *sum, times);
}

} // namespace tilegpt::tilegpu
