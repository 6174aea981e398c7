// The conditions under which a loop can be fed by a producer.
#include "TileGPT/Dialect/TileGPU/Analysis/PipeLoops.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Reproduce.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// What one step of wgmma takes along K.
static constexpr int64_t stepBytes = 32;
static constexpr int64_t groupRows = 64, rowStep = 8, columnStep = 8,
                         maxColumns = 256;
/// The most elements a box of TMA has along an axis.
static constexpr int64_t maxBoxSize = 256;

int64_t PipeLoop::getRowBytes() {
  RankedTensorType type = lhs.getType();
  return type.getDimSize(1) * type.getElementTypeBitWidth() / 8;
}

int64_t PipeLoop::getSwizzle() {
  for (int64_t swizzle : {128, 64})
    if (getRowBytes() % swizzle == 0)
      return swizzle;
  return stepBytes;
}

int64_t PipeLoop::getStageBytes() {
  return getRowBytes() *
         (lhs.getType().getDimSize(0) + rhs.getType().getDimSize(0));
}

bool PipeLoop::hasWholeStages() {
  constexpr int64_t alignment = 1024;
  return getRowBytes() * lhs.getType().getDimSize(0) % alignment == 0 &&
         getRowBytes() * rhs.getType().getDimSize(0) % alignment == 0;
}

bool PipeLoop::addsTrips() {
  return tile::isF8(lhs.getType().getElementType());
}

int64_t PipeLoop::getAccumulators(int64_t warps) {
  constexpr int64_t laneCount = 32;
  int64_t registers =
      dot.getAcc().getType().getNumElements() / (laneCount * warps);
  return addsTrips() ? 2 * registers : registers;
}

bool PipeLoop::runsAlways() {
  std::optional<int64_t> from = getConstantIntValue(loop.getLowerBound()),
                         to = getConstantIntValue(loop.getUpperBound());
  return from && to && *from < *to;
}

int64_t PipeLoop::getColumnAxis() {
  return rhs.getIndices()[0].getDefiningOp<tile::BlockIdOp>().getAxis();
}

BlockArgument rootOf(Value view, SmallVectorImpl<Value> &indices) {
  while (auto select = view.getDefiningOp<tile::SelectOp>()) {
    indices.insert(indices.begin(), select.getIndices().begin(),
                   select.getIndices().end());
    view = select.getSource();
  }
  auto argument = dyn_cast<BlockArgument>(view);
  bool isRoot =
      argument && isa<tile::KernelOp>(argument.getOwner()->getParentOp());
  return isRoot ? argument : BlockArgument();
}

bool suitsTma(tile::ViewType view) {
  constexpr int64_t unitBytes = 16, maxRank = 5;
  if (view.getRank() < 1 || view.getRank() > maxRank ||
      !view.getElementType().isIntOrFloat())
    return false;
  int64_t elementBytes = view.getElementType().getIntOrFloatBitWidth() / 8;
  SmallVector<int64_t> strides = view.getKnownStrides();
  return elementBytes != 0 && strides.back() == 1 &&
         llvm::all_of(ArrayRef(strides).drop_back(), [&](int64_t stride) {
           return !ShapedType::isDynamic(stride) &&
                  stride * elementBytes % unitBytes == 0;
         });
}

/// Why TMA cannot do a load; empty when it can.
static StringRef whyNotTma(tile::LoadOp load) {
  SmallVector<Value> indices;
  BlockArgument root = rootOf(load.getView(), indices);
  if (!root)
    return "an operand comes from a view that is no argument of the kernel";
  if (!suitsTma(cast<tile::ViewType>(root.getType())))
    return "a view has rows that are not multiples of 16 bytes";
  if (load.getMask() || load.getOrder() || load.getPad() != tile::PadKind::Zero)
    return "a load has a mask, an order or a pad value";
  if (load.getType().getRank() != 2 ||
      load.getType().getDimSize(0) > maxBoxSize)
    return "an operand is larger than a box of 256 rows";
  if (!llvm::all_of(load.getIndices(), canReproduce) ||
      !llvm::all_of(indices, canReproduce))
    return "an index of a load depends on more than sizes and single elements";
  return {};
}

/// Why wgmma cannot compute a dot; empty when it can.
static StringRef whyNotWgmma(tile::DotOp dot) {
  RankedTensorType lhs = dot.getLhs().getType(), rhs = dot.getRhs().getType(),
                   acc = dot.getAcc().getType();
  if (acc.getRank() != 2 || dot.getTransposeA() || !dot.getTransposeB())
    return "the dot is not MxK times the transpose of NxK";
  if (!suitTensorCores(lhs.getElementType(), rhs.getElementType(),
                       dot.getPrecision()) ||
      !acc.getElementType().isF32())
    return "the tensor cores do not multiply these types";
  int64_t rows = acc.getDimSize(0), columns = acc.getDimSize(1);
  if (rows % (rows < groupRows ? rowStep : groupRows) || columns % columnStep ||
      columns > maxColumns)
    return "the sum is not a multiple of 64 rows, or of 8 below, and of 8 "
           "columns up to 256";
  if (lhs.getDimSize(1) * lhs.getElementTypeBitWidth() / 8 % stepBytes)
    return "K is not a multiple of 32 bytes";
  if (tile::isF8(lhs.getElementType()) && lhs.getDimSize(1) > mostFastTerms)
    return "K is more than f8 instructions may sum up by themselves (128)";
  return {};
}

/// Whether a tile is zero everywhere.
static bool isZero(Value tile) {
  if (auto splat = tile.getDefiningOp<tile::SplatOp>())
    tile = splat.getValue();
  return matchPattern(tile, m_PosZeroFloat());
}

/// Whether a value is made from the number of a block along an axis.
static bool dependsOnBlock(Value value, int64_t axis) {
  Operation *op = value.getDefiningOp();
  if (auto id = dyn_cast_or_null<tile::BlockIdOp>(op))
    return int64_t(id.getAxis()) == axis;
  return op && llvm::any_of(op->getOperands(), [&](Value operand) {
           return dependsOnBlock(operand, axis);
         });
}

std::optional<PipeLoop> findSharedLoop(tile::KernelOp kernel) {
  SmallVector<PipeLoop> pipes;
  kernel.walk([&](scf::ForOp loop) {
    if (std::optional<PipeLoop> pipe = matchPipeLoop(loop))
      pipes.push_back(*pipe);
  });
  if (pipes.size() != 1)
    return std::nullopt;
  PipeLoop pipe = pipes.front();
  auto column = pipe.rhs.getIndices()[0].getDefiningOp<tile::BlockIdOp>();
  bool isShared = column && pipe.runsAlways() &&
                  isConstantIntValue(pipe.loop.getLowerBound(), 0) &&
                  isConstantIntValue(pipe.loop.getStep(), 1) &&
                  pipe.loop->getParentOp() == kernel &&
                  isZero(pipe.loop.getInitArgs().front());
  if (!isShared)
    return std::nullopt;
  // Blocks beside each other load for each other: all but the columns must be
  // the same for them.
  SmallVector<Value> alike(pipe.lhs.getIndices());
  alike.append({pipe.lhs.getView(), pipe.rhs.getView()});
  llvm::append_range(alike, pipe.rhs.getIndices().drop_front());
  bool areAlike = llvm::none_of(alike, [&](Value value) {
    return dependsOnBlock(value, pipe.getColumnAxis());
  });
  return areAlike ? std::optional(pipe) : std::nullopt;
}

std::optional<PipeLoop> matchPipeLoop(scf::ForOp loop, std::string *reason) {
  auto no = [&](StringRef why) {
    if (reason)
      *reason = why.str();
    return std::nullopt;
  };
  if (loop.getNumResults() != 1)
    return no("the loop carries more or less than one accumulator");
  auto dot = loop.getYieldedValues().front().getDefiningOp<tile::DotOp>();
  BlockArgument acc = loop.getRegionIterArg(0);
  if (!dot || dot->getBlock() != loop.getBody() || dot.getAcc() != acc ||
      !acc.hasOneUse() || !dot.getResult().hasOneUse())
    return no("the loop does not only sum up the results of a dot");
  auto lhs = dot.getLhs().getDefiningOp<tile::LoadOp>(),
       rhs = dot.getRhs().getDefiningOp<tile::LoadOp>();
  if (!lhs || !rhs || lhs == rhs || lhs->getBlock() != loop.getBody() ||
      rhs->getBlock() != loop.getBody() || !lhs->hasOneUse() ||
      !rhs->hasOneUse())
    return no("the operands of the dot are not loaded in the loop, each for "
              "this dot alone");
  for (Operation &op : loop.getBody()->without_terminator())
    if (&op != dot && &op != lhs && &op != rhs && !isMemoryEffectFree(&op))
      return no("the loop does more than load and multiply");
  for (Operation *around = loop->getParentOp(); !isa<tile::KernelOp>(around);
       around = around->getParentOp()) {
    auto outer = dyn_cast<scf::ForOp>(around);
    if (!outer)
      return no("the loop stands in something that is no loop");
    if (!canReproduce(outer.getLowerBound()) ||
        !canReproduce(outer.getUpperBound()) || !canReproduce(outer.getStep()))
      return no(
          "a bound of a loop depends on more than sizes and single elements");
  }
  if (!canReproduce(loop.getLowerBound()) ||
      !canReproduce(loop.getUpperBound()) || !canReproduce(loop.getStep()))
    return no(
        "a bound of a loop depends on more than sizes and single elements");
  if (StringRef why = whyNotWgmma(dot); !why.empty())
    return no(why);
  for (tile::LoadOp load : {lhs, rhs})
    if (StringRef why = whyNotTma(load); !why.empty())
      return no(why);
  return PipeLoop{loop, dot, lhs, rhs};
}

} // namespace tilegpt::tilegpu
