// Lets the blocks of a cluster share out the keys of an online softmax, where a
// launch has too few blocks for the device: decode attention of few sequences.
#include "Mainloop/OnlineSoftmax.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include "TileGPT/Dialect/Tile/Analysis/KnownGrid.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "TileGPT/Dialect/TileGPU/Analysis/KeyParts.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Reproduce.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "TileGPT/Target/NVVM/GpuTarget.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <limits>

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_SPLITKEYS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

static RankedTensorType tileOf(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

static bool isZero(Value value) {
  if (auto splat = value.getDefiningOp<tile::SplatOp>())
    return matchPattern(splat.getValue(), m_AnyZeroFloat());
  return matchPattern(value, m_AnyZeroFloat());
}

namespace {
/// What the rows of a part are: maximum, sum and output.
struct Rows {
  Value maximum, sum, output;
};

class Split {
public:
  Split(tile::KernelOp kernel, OnlineSoftmax softmax, scf::ForOp loop)
      : kernel(kernel), softmax(std::move(softmax)), loop(loop), builder(loop),
        loc(loop.getLoc()) {
    output = cast<BlockArgument>(this->softmax.output).getArgNumber() - 1;
  }

  /// Why the blocks of a cluster cannot share the loop out; empty where they
  /// can.
  StringRef refusal() {
    constexpr unsigned carried = 3;
    RankedTensorType maximum = tileOf(loop.getResult(softmax.maximum)),
                     wide = tileOf(loop.getResult(output));
    if (loop.getNumResults() != carried || !maximum || wide.getRank() != 2 ||
        loop.getResult(softmax.sum).getType() != maximum ||
        maximum.getNumElements() != wide.getDimSize(0) ||
        maximum.getDimSize(0) != wide.getDimSize(0) ||
        !maximum.getElementType().isF32() || !wide.getElementType().isF32())
      return "the loop carries other things than a maximum, a sum and an "
             "output of each row in f32";
    if (!isZero(loop.getInits()[softmax.sum]) ||
        !isZero(loop.getInits()[output]))
      return "the sum or the output does not begin with zero";
    if (!softmax.isIncreasing)
      return "the factor of the scores is not known to be greater than zero";
    for (Operation &op : loop.getBody()->without_terminator())
      if (!isa<tile::LoadOp>(op) && !isMemoryEffectFree(&op))
        return "the loop does more than load and compute";
    return effectsAround();
  }

  /// Keys that a block walks at most; nothing where that is not known.
  std::optional<int64_t> countKeys() {
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

  /// Blocks for whose rows shared memory has room beside the operands of the
  /// loop, two stages of them if it can.
  int64_t mostParts(int64_t sharedBytes) {
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

  void run(int64_t count) {
    builder.setInsertionPointToStart(kernel.getEntryBlock());
    ArriveClusterOp::create(builder, loc);
    part = tile::AssumeOp::create(
        builder, loc, ClusterRankOp::create(builder, loc), IntegerAttr(),
        builder.getDenseI64ArrayAttr({0, count - 1}));
    builder.setInsertionPoint(loop);
    if (softmax.subtracted == softmax.newMaximum)
      guardMaximum();
    // Every `count`-th iteration.
    Arithmetic math(builder, loc);
    loop.setLowerBound(
        math.add(loop.getLowerBound(), math.mul(part, loop.getStep())));
    loop.setStep(math.mul(loop.getStep(), count));
    builder.setInsertionPointAfter(loop);
    parts = count;
    meet();
    kernel->setAttr(clusterName,
                    builder.getDenseI32ArrayAttr({int32_t(count), 1, 1}));
    kernel->setAttr(gridOfClustersName, builder.getUnitAttr());
  }

private:
  /// All blocks of a cluster do what stands around the loop: that must not be
  /// seen, nor may one of them read what another has stored.
  StringRef effectsAround() {
    StringRef reason;
    kernel.walk([&](Operation *op) {
      if (op == kernel || op->getParentOp() != kernel ||
          op->hasTrait<OpTrait::IsTerminator>() || op == loop ||
          isMemoryEffectFree(op) || isa<tile::AssertOp>(op))
        return;
      if (!isAccess(op) ||
          AccessOperands(op).isWrite != loop->isBeforeInBlock(op))
        reason = "the kernel does more than load in front of the loop and "
                 "store behind it";
    });
    return reason;
  }

  /// In the text the first iteration sees a key of each row, or makes NaN of
  /// the row: then the first block does. The others begin further on, where all
  /// may be hidden, which must count nothing: as long as their maximum is minus
  /// infinity, zero is subtracted instead.
  void guardMaximum() {
    Type f32 = builder.getF32Type();
    auto scalar = [&](double number) {
      return arith::ConstantOp::create(builder, loc,
                                       builder.getFloatAttr(f32, number));
    };
    RankedTensorType type = tileOf(softmax.newMaximum);
    ArrayAttr sizes = builder.getI64ArrayAttr(type.getShape());
    Value low = scalar(-std::numeric_limits<double>::infinity());
    Value isFirst = Arithmetic(builder, loc).isEqual(part, 0);
    Value number =
        arith::SelectOp::create(builder, loc, isFirst, low, scalar(0));
    Value lows = tile::SplatOp::create(builder, loc, type, low, sizes),
          numbers = tile::SplatOp::create(builder, loc, type, number, sizes);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfterValue(softmax.newMaximum);
    auto isLow = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ,
                                       softmax.newMaximum, lows);
    auto guarded = arith::SelectOp::create(builder, loc, isLow, numbers,
                                           softmax.newMaximum);
    SmallPtrSet<Operation *, 4> others = {isLow, guarded,
                                          loop.getBody()->getTerminator()};
    softmax.newMaximum.replaceAllUsesExcept(guarded, others);
  }

  /// A buffer in which each block has the rows of all.
  Value share(Value tile) {
    RankedTensorType type = tileOf(tile);
    auto shared = SharedType::get(
        builder.getContext(), {parts * type.getDimSize(0), columnsOf(type)},
        type.getElementType(), /*swizzle=*/0, /*padding=*/0);
    return AllocOp::create(builder, loc, shared, IntegerAttr());
  }

  static int64_t columnsOf(RankedTensorType type) {
    return type.getRank() == 1 ? 1 : type.getDimSize(1);
  }

  /// A tile as a matrix.
  Value asMatrix(Value tile) {
    RankedTensorType type = tileOf(tile);
    if (type.getRank() == 2)
      return tile;
    return tile::ExpandDimsOp::create(
        builder, loc,
        RankedTensorType::get({type.getDimSize(0), 1}, type.getElementType()),
        tile, 1);
  }

  /// The matrix of block `number` in a buffer.
  Value readPart(Value buffer, int64_t number) {
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

  /// b^(c·x), x of one column.
  Value power(Value exponent) {
    RankedTensorType type = tileOf(exponent);
    Value factor = tile::SplatOp::create(
        builder, loc, type,
        scalarFactor(builder, loop, softmax.scale, /*number=*/1.0),
        builder.getI64ArrayAttr(type.getShape()));
    Value scaled = arith::MulFOp::create(builder, loc, exponent, factor);
    if (softmax.isBinary)
      return math::Exp2Op::create(builder, loc, scaled);
    return math::ExpOp::create(builder, loc, scaled);
  }

  /// What the rows of a part count beside the largest maximum: exactly 1 where
  /// theirs is the largest, be it minus infinity.
  Value weigh(Value maximum, Value largest) {
    RankedTensorType type = tileOf(maximum);
    Value one = arith::ConstantOp::create(
        builder, loc,
        SplatElementsAttr::get(type, builder.getF32FloatAttr(1.0)));
    Value isLargest = arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::OEQ, maximum, largest);
    Value less = arith::SubFOp::create(builder, loc, maximum, largest);
    return arith::SelectOp::create(builder, loc, isLargest, one, power(less));
  }

  Value multiplyRows(Value tile, Value weight) {
    RankedTensorType type = tileOf(tile);
    Value wide = tile::BroadcastOp::create(
        builder, loc, type, weight, builder.getI64ArrayAttr(type.getShape()));
    return arith::MulFOp::create(builder, loc, tile, wide);
  }

  /// All parts under one maximum, in the same order in every block.
  Rows merge(Value maxima, Value sums, Value outputs) {
    SmallVector<Value> maximum;
    for (int64_t number = 0; number < parts; ++number)
      maximum.push_back(readPart(maxima, number));
    Rows all = {maximum.front(), {}, {}};
    for (Value other : ArrayRef(maximum).drop_front())
      all.maximum = arith::MaximumFOp::create(builder, loc, all.maximum, other);
    for (int64_t number = 0; number < parts; ++number) {
      Value weight = weigh(maximum[number], all.maximum);
      Value sum = arith::MulFOp::create(builder, loc, readPart(sums, number),
                                        weight),
            wide = multiplyRows(readPart(outputs, number), weight);
      all.sum =
          all.sum
              ? arith::AddFOp::create(builder, loc, all.sum, sum).getResult()
              : sum;
      all.output = all.output
                       ? arith::AddFOp::create(builder, loc, all.output, wide)
                             .getResult()
                       : wide;
    }
    return all;
  }

  void meet() {
    unsigned numbers[] = {softmax.maximum, softmax.sum, output};
    SmallVector<Value> buffers;
    for (unsigned number : numbers)
      buffers.push_back(share(loop.getResult(number)));
    AwaitClusterOp::create(builder, loc);
    SmallPtrSet<Operation *, 4> own;
    for (auto [number, buffer] : llvm::zip_equal(numbers, buffers)) {
      Value matrix = asMatrix(loop.getResult(number));
      Operation *write =
          WritePartOp::create(builder, loc, matrix, buffer, part);
      own.insert(matrix == loop.getResult(number) ? write
                                                  : matrix.getDefiningOp());
    }
    ArriveClusterOp::create(builder, loc);
    AwaitClusterOp::create(builder, loc);
    Rows all = merge(buffers[0], buffers[1], buffers[2]);
    Value wholes[] = {all.maximum, all.sum, all.output};
    for (auto [number, whole] : llvm::zip_equal(numbers, wholes)) {
      Value result = loop.getResult(number);
      Value same = whole;
      if (whole.getType() != result.getType())
        same = tile::ReshapeOp::create(
            builder, loc, result.getType(), whole,
            builder.getI64ArrayAttr(tileOf(result).getShape()));
      result.replaceAllUsesExcept(same, own);
    }
  }

  tile::KernelOp kernel;
  OnlineSoftmax softmax;
  scf::ForOp loop;
  OpBuilder builder;
  Location loc;
  unsigned output;
  int64_t parts = 1;
  Value part;
};

struct SplitKeys : tilegpu::impl::SplitKeysBase<SplitKeys> {
  using SplitKeysBase::SplitKeysBase;

  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    tile::KernelOp kernel = getOperation();
    llvm::Expected<const target::GpuTarget &> known =
        target::GpuTarget::find(target);
    if (!known) {
      kernel.emitOpError() << llvm::toString(known.takeError());
      return signalPassFailure();
    }
    SmallVector<scf::ForOp> loops(kernel.getBody().getOps<scf::ForOp>());
    if (!known->hasTma || kernel->hasAttr(PlanAttr::attrName) ||
        loops.size() != 1)
      return;
    std::optional<OnlineSoftmax> softmax = matchSoftmax(loops.front());
    if (!softmax || !hasFewQueries(*softmax))
      return;
    Split split(kernel, *softmax, loops.front());
    int64_t parts = chooseParts(kernel, split);
    if (parts == 1)
      return;
    if (StringRef reason = split.refusal(); !reason.empty()) {
      explainMissed(loops.front(), "cluster")
          << "few blocks, each walks all of its keys: " << reason;
      return;
    }
    parts = std::min(parts, split.mostParts(known->sharedBytesPerBlock));
    if (parts == 1)
      return;
    split.run(parts);
    ++numSplit;
    explainPassed(loops.front(), "cluster")
        << remark::add("{0} blocks share out the keys", parts);
  }

private:
  /// Whether a block has fewer rows than a warp group of `wgmma`, so that what
  /// it takes is the time of its keys.
  static bool hasFewQueries(OnlineSoftmax &softmax) {
    constexpr int64_t groupRows = 64;
    return tileOf(softmax.dot.getResult()).getDimSize(0) < groupRows;
  }

  int64_t chooseParts(tile::KernelOp kernel, Split &split) {
    std::optional<int64_t> blocks = mostBlocks(kernel),
                           keys = split.countKeys();
    return blocks && keys ? countKeyParts(*blocks, *keys, multiprocessors) : 1;
  }
};
} // namespace
