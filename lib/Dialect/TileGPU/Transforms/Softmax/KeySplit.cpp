// Every block runs some of the iterations. The blocks of a cluster merge their
// results in shared memory, clusters in global memory.
#include "Softmax/KeySplit.h"
#include "Softmax/MergeRows.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include "TileGPT/Dialect/Tile/Analysis/KnownGrid.h"
#include "TileGPT/Dialect/Tile/Analysis/TileOf.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "TileGPT/Dialect/TileGPU/Analysis/KeyParts.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Reproduce.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <limits>

using namespace mlir;

namespace tilegpt::tilegpu {

static bool isZero(Value value) {
  if (auto splat = value.getDefiningOp<tile::SplatOp>())
    return matchPattern(splat.getValue(), m_AnyZeroFloat());
  return matchPattern(value, m_AnyZeroFloat());
}

KeySplit::KeySplit(tile::KernelOp kernel, OnlineSoftmax softmax,
                   scf::ForOp loop)
    : kernel(kernel), softmax(std::move(softmax)), loop(loop), builder(loop),
      loc(loop.getLoc()) {
  output = cast<BlockArgument>(this->softmax.output).getArgNumber() - 1;
}

/// Whether a block has fewer rows than a warp group of `wgmma`, so that its
/// time is that of loading the keys.
static bool hasFewQueries(OnlineSoftmax &softmax) {
  constexpr int64_t groupRows = 64;
  return tileOf(softmax.dot.getResult()).getDimSize(0) < groupRows;
}

std::optional<KeySplit> KeySplit::of(tile::KernelOp kernel) {
  SmallVector<scf::ForOp> loops(kernel.getBody().getOps<scf::ForOp>());
  if (kernel->hasAttr(PlanAttr::attrName) || loops.size() != 1)
    return std::nullopt;
  std::optional<OnlineSoftmax> softmax = matchSoftmax(loops.front());
  if (!softmax || !hasFewQueries(*softmax))
    return std::nullopt;
  return KeySplit(kernel, *softmax, loops.front());
}

StringRef KeySplit::refusal() {
  constexpr unsigned carried = 3;
  RankedTensorType maximum = tileOf(loop.getResult(softmax.maximum)),
                   wide = tileOf(loop.getResult(output));
  if (loop.getNumResults() != carried || !maximum || wide.getRank() != 2 ||
      loop.getResult(softmax.sum).getType() != maximum ||
      maximum.getNumElements() != wide.getDimSize(0) ||
      maximum.getDimSize(0) != wide.getDimSize(0) ||
      !maximum.getElementType().isF32() || !wide.getElementType().isF32())
    return "the loop carries values other than a maximum, a sum and an output "
           "of each row in f32";
  if (!isZero(loop.getInits()[softmax.sum]) || !isZero(loop.getInits()[output]))
    return "the sum or the output does not start at zero";
  if (!softmax.isIncreasing)
    return "the scale of the scores is not known to be positive";
  for (Operation &op : loop.getBody()->without_terminator())
    if (!isa<tile::LoadOp>(op) && !isMemoryEffectFree(&op))
      return "the loop has ops other than loads and arithmetic";
  return effectsAround();
}

std::optional<int64_t> KeySplit::countKeys() {
  auto load = softmax.dot.getRhs().getDefiningOp<tile::LoadOp>();
  BlockArgument root = load ? rootOf(load.getView()) : BlockArgument();
  if (!root)
    return std::nullopt;
  auto whole = cast<tile::ViewType>(root.getType());
  int64_t rank = load.getView().getType().getRank(),
          keys = whole.getShape()[whole.getRank() - rank];
  if (rank != 2 || ShapedType::isDynamic(keys))
    return std::nullopt;
  return keys;
}

int64_t KeySplit::countKeyBytes() {
  int64_t bytes = 0;
  for (auto load : loop.getBody()->getOps<tile::LoadOp>())
    if (load.getType().getRank() == 2)
      bytes += load.getType().getDimSize(1) *
               memoryBytes(load.getType().getElementType());
  return bytes;
}

int64_t KeySplit::countMostParts(int64_t sharedBytes) {
  int64_t operands = 0;
  loop.walk([&](tile::DotOp dot) {
    Type acc = dot.getAcc().getType().getElementType();
    MmaOperands types =
        mmaOperands(dot).value_or(MmaOperands{acc, acc, /*depth=*/1});
    operands +=
        dot.getLhs().getType().getNumElements() * memoryBytes(types.lhs) +
        dot.getRhs().getType().getNumElements() * memoryBytes(types.rhs);
  });
  constexpr int64_t stages = 2, scalars = 2; // maximum and sum
  RankedTensorType wide = tileOf(loop.getResult(output));
  int64_t bytes = wide.getDimSize(0) * (wide.getDimSize(1) + scalars) *
                  memoryBytes(wide.getElementType());
  int64_t used =
      stages * operands + bytes <= sharedBytes ? stages * operands : operands;
  return std::max<int64_t>(1, (sharedBytes - used) / bytes);
}

/// The grid counts clusters; those that are copies of each other are adjacent.
void KeySplit::numberParts() {
  builder.setInsertionPointToStart(kernel.getEntryBlock());
  Arithmetic math(builder, loc);
  auto below = [&](Value index, int64_t count) -> Value {
    return tile::AssumeOp::create(builder, loc, index, IntegerAttr(),
                                  builder.getDenseI64ArrayAttr({0, count - 1}));
  };
  if (parts > 1) {
    ArriveClusterOp::create(builder, loc, /*relaxed=*/true);
    part = below(ClusterRankOp::create(builder, loc), parts);
    number = part;
  }
  if (copies > 1) {
    Value block = tile::BlockIdOp::create(builder, loc, 0);
    copy = below(math.rem(block, copies), copies);
    number = part ? below(math.add(math.mul(copy, parts), part), parts * copies)
                  : copy;
  }
}

/// Whether there are too few keys for a merge in global memory to pay off.
Value KeySplit::writeIsShort() {
  int64_t iterationBytes =
      countKeyBytes() * tileOf(softmax.dot.getRhs()).getDimSize(0);
  int64_t most = std::max<int64_t>(1, meetingBytes * parts * copies /
                                          (copies - 1) / iterationBytes);
  Arithmetic math(builder, loc);
  return arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::sle, loop.getUpperBound(),
      math.add(loop.getLowerBound(), math.mul(loop.getStep(), most)));
}

/// Every block runs every n-th iteration; with few keys, the first cluster
/// among the copies runs all of them.
void KeySplit::shareIterations() {
  Arithmetic math(builder, loc);
  auto select = [&](Value whole, Value few) -> Value {
    return isShort ? arith::SelectOp::create(builder, loc, isShort, few, whole)
                         .getResult()
                   : whole;
  };
  Value begin = loop.getLowerBound(), step = loop.getStep();
  Value first = math.add(begin, math.mul(number, step)), alone = first;
  if (copies > 1)
    alone = arith::SelectOp::create(builder, loc, math.isEqual(copy, 0), first,
                                    loop.getUpperBound());
  loop.setLowerBound(select(first, alone));
  loop.setStep(select(math.mul(step, parts * copies), math.mul(step, parts)));
}

void KeySplit::run(int64_t parts, int64_t copies) {
  this->parts = parts;
  this->copies = copies;
  numberParts();
  builder.setInsertionPoint(loop);
  if (softmax.subtracted == softmax.newMaximum)
    guardMaximum();
  if (copies > 1)
    isShort = writeIsShort();
  shareIterations();
  builder.setInsertionPointAfter(loop);
  for (unsigned result : {softmax.maximum, softmax.sum, output})
    results.push_back(loop.getResult(result));
  if (parts > 1) {
    meetInCluster();
    kernel->setAttr(clusterName,
                    builder.getDenseI32ArrayAttr({int32_t(parts), 1, 1}));
    kernel->setAttr(gridOfClustersName, builder.getUnitAttr());
  }
  if (copies > 1)
    meetInMemory();
}

/// All blocks of a cluster execute the ops around the loop: these must have no
/// observable effect, and no block may read what another has stored.
StringRef KeySplit::effectsAround() {
  StringRef reason;
  kernel.walk([&](Operation *op) {
    if (op == kernel || op->getParentOp() != kernel ||
        op->hasTrait<OpTrait::IsTerminator>() || op == loop ||
        isMemoryEffectFree(op) || isa<tile::AssertOp>(op))
      return;
    if (!isAccess(op) ||
        AccessOperands(op).isWrite != loop->isBeforeInBlock(op))
      reason =
          "the kernel does more than load before the loop and store after it";
  });
  return reason;
}

/// In the original kernel the first iteration sees a key of each row, or makes
/// the row NaN: now the first block does. The others start later, where all
/// keys may be hidden, and must then contribute nothing: as long as their
/// maximum is minus infinity, they subtract zero instead.
void KeySplit::guardMaximum() {
  Type f32 = builder.getF32Type();
  auto scalar = [&](double number) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getFloatAttr(f32, number));
  };
  RankedTensorType type = tileOf(softmax.newMaximum);
  ArrayAttr sizes = builder.getI64ArrayAttr(type.getShape());
  Value low = scalar(-std::numeric_limits<double>::infinity());
  Value isFirst = Arithmetic(builder, loc).isEqual(number, 0);
  Value number = arith::SelectOp::create(builder, loc, isFirst, low, scalar(0));
  Value lows = tile::SplatOp::create(builder, loc, type, low, sizes),
        numbers = tile::SplatOp::create(builder, loc, type, number, sizes);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(softmax.newMaximum);
  auto isLow = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ,
                                     softmax.newMaximum, lows);
  auto guarded =
      arith::SelectOp::create(builder, loc, isLow, numbers, softmax.newMaximum);
  SmallPtrSet<Operation *, 4> others = {isLow, guarded,
                                        loop.getBody()->getTerminator()};
  softmax.newMaximum.replaceAllUsesExcept(guarded, others);
}

static int64_t columnsOf(RankedTensorType type) {
  return type.getRank() == 1 ? 1 : type.getDimSize(1);
}

/// A buffer in which each block collects the rows of all.
Value KeySplit::share(Value tile) {
  RankedTensorType type = tileOf(tile);
  auto shared = SharedType::get(
      builder.getContext(), {parts * type.getDimSize(0), columnsOf(type)},
      type.getElementType(), /*swizzle=*/0, /*padding=*/0);
  return AllocOp::create(builder, loc, shared, IntegerAttr());
}

/// A tile as a matrix.
Value KeySplit::asMatrix(Value tile) {
  RankedTensorType type = tileOf(tile);
  if (type.getRank() == 2)
    return tile;
  return tile::ExpandDimsOp::create(
      builder, loc,
      RankedTensorType::get({type.getDimSize(0), 1}, type.getElementType()),
      tile, 1);
}

/// The inverse of asMatrix.
Value KeySplit::asTile(Value matrix, Type type) {
  if (matrix.getType() == type)
    return matrix;
  return tile::ReshapeOp::create(
      builder, loc, type, matrix,
      builder.getI64ArrayAttr(cast<RankedTensorType>(type).getShape()));
}

/// The matrix of block `number` in a buffer.
Value KeySplit::readPart(Value buffer, int64_t number) {
  auto whole = cast<SharedType>(buffer.getType());
  SmallVector<int64_t> shape(whole.getShape());
  shape[0] /= parts;
  auto rows = SharedType::get(builder.getContext(), shape,
                              whole.getElementType(), 0, 0);
  Value first = arith::ConstantIndexOp::create(builder, loc,
                                               number * shape[0] * shape[1]);
  return ReadOp::create(builder, loc,
                        RankedTensorType::get(shape, whole.getElementType()),
                        RowsOp::create(builder, loc, rows, buffer, first));
}

void KeySplit::meetInCluster() {
  SmallVector<Value> buffers;
  for (Value result : results)
    buffers.push_back(share(result));
  AwaitClusterOp::create(builder, loc);
  SmallPtrSet<Operation *, 4> own;
  for (auto [result, buffer] : llvm::zip_equal(results, buffers)) {
    Value matrix = asMatrix(result);
    Operation *write = WritePartOp::create(builder, loc, matrix, buffer, part);
    own.insert(matrix == result ? write : matrix.getDefiningOp());
  }
  ArriveClusterOp::create(builder, loc);
  AwaitClusterOp::create(builder, loc);
  SoftmaxRows all = mergeRows(builder, softmax, loop, parts,
                              [&](unsigned number, int64_t part) {
                                return readPart(buffers[number], part);
                              });
  Value wholes[] = {all.maximum, all.sum, all.output};
  for (auto [result, whole] : llvm::zip_equal(results, wholes)) {
    Value same = asTile(whole, result.getType());
    result.replaceAllUsesExcept(same, own);
    result = same;
  }
}

/// One block of each cluster writes the cluster's result; the block that
/// arrives last merges them and runs the ops after the loop.
void KeySplit::meetInMemory() {
  SmallVector<Operation *> behind;
  for (Operation &op :
       llvm::make_range(builder.getInsertionPoint(),
                        kernel.getEntryBlock()->getTerminator()->getIterator()))
    behind.push_back(&op);

  Arithmetic math(builder, loc);
  int64_t groups = *mostBlocks(kernel) / copies;
  Value group, before;
  for (int64_t axis = 0; axis < int64_t(kernel.getGridRank()); ++axis) {
    Value block = tile::BlockIdOp::create(builder, loc, axis),
          count = tile::NumBlocksOp::create(builder, loc, axis);
    if (axis == 0) {
      group = math.div(block, copies);
      before = math.div(count, copies);
    } else {
      group = math.add(group, math.mul(block, before));
      before = math.mul(before, count);
    }
  }
  group = tile::AssumeOp::create(builder, loc, group, IntegerAttr(),
                                 builder.getDenseI64ArrayAttr({0, groups - 1}));
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0),
        first = math.mul(group, copies);

  SmallVector<Value> matrices, views;
  for (auto [place, result] : llvm::enumerate(results)) {
    matrices.push_back(asMatrix(result));
    RankedTensorType type = tileOf(matrices.back());
    auto view = tile::ViewType::get(
        builder.getContext(),
        {groups * copies * type.getDimSize(0), type.getDimSize(1)},
        type.getElementType(), {});
    views.push_back(WorkspaceOp::create(builder, loc, view, int64_t(place)));
  }
  auto store = [&] {
    for (auto [matrix, view] : llvm::zip_equal(matrices, views))
      tile::StoreOp::create(builder, loc, matrix, view,
                            ValueRange{math.add(first, copy), zero},
                            /*mask=*/Value(), /*order=*/DenseI64ArrayAttr());
  };
  auto meeting = scf::IfOp::create(builder, loc, builder.getI1Type(), isShort,
                                   /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(meeting.thenBlock());
    scf::YieldOp::create(builder, loc, math.isEqual(copy, 0));
    builder.setInsertionPointToStart(meeting.elseBlock());
    if (part) {
      auto isFirst = scf::IfOp::create(builder, loc, math.isEqual(part, 0));
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(isFirst.thenBlock()->getTerminator());
      store();
    } else {
      store();
    }
    Value isLast = MeetBlocksOp::create(builder, loc, group, groups,
                                        parts * copies, views);
    scf::YieldOp::create(builder, loc, isLast);
  }
  auto branch = scf::IfOp::create(builder, loc, meeting.getResult(0));
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  auto wholes = scf::IfOp::create(builder, loc, TypeRange(results), isShort,
                                  /*withElseRegion=*/true);
  for (auto [result, whole] : llvm::zip_equal(results, wholes.getResults()))
    result.replaceUsesWithIf(whole, [&](OpOperand &use) {
      return llvm::any_of(behind, [&](Operation *op) {
        return op->isAncestor(use.getOwner());
      });
    });
  builder.setInsertionPointToStart(wholes.thenBlock());
  scf::YieldOp::create(builder, loc, results);
  builder.setInsertionPointToStart(wholes.elseBlock());
  SoftmaxRows all = mergeRows(
      builder, softmax, loop, copies,
      [&](unsigned number, int64_t part) -> Value {
        RankedTensorType type = tileOf(matrices[number]);
        return tile::LoadOp::create(
            builder, loc, type, views[number],
            ValueRange{math.add(first, part), zero}, /*mask=*/Value(),
            builder.getI64ArrayAttr(type.getShape()), tile::PadKind::Zero,
            /*order=*/DenseI64ArrayAttr());
      });
  SmallVector<Value> gathered = {all.maximum, all.sum, all.output};
  for (auto [result, whole] : llvm::zip_equal(results, gathered))
    whole = asTile(whole, result.getType());
  scf::YieldOp::create(builder, loc, gathered);
  for (Operation *op : behind)
    op->moveBefore(branch.thenBlock()->getTerminator());
}

} // namespace tilegpt::tilegpu
