// Processes tiles that exceed a block in pieces if every element is needed
// once: sums of whole columns, cumulative sums of long rows.
#include "TileGPT/Conversion/TileToArith/ReduceCombiner.h"
#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include "TileGPT/Dialect/Tile/Analysis/KeepsZero.h"
#include "TileGPT/Dialect/Tile/Analysis/TileOf.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/FreeAxis.h"
#include "TileGPT/Dialect/TileGPU/Analysis/LongRows.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "TileGPT/Target/NVVM/FindTarget.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/MathExtras.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_STREAMAXES
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

/// Elements that fit the registers of four warps, beside accumulators of the
/// same size; and the most elements that a block reduces or scans at once: a
/// scan synchronizes its warps in every piece.
static constexpr int64_t elementsOfPiece = 4096, mostReduced = 8192,
                         mostScanned = 32768;

namespace {
class Streaming {
public:
  Streaming(tile::KernelOp kernel, StreamedAxis &axis, int64_t piece)
      : axis(axis), piece(piece),
        count(llvm::divideCeil(axis.size, uint64_t(piece))),
        loc(kernel.getLoc()), builder(kernel.getContext()) {
    for (Operation &op : *kernel.getEntryBlock())
      if (llvm::any_of(op.getOperands(), isLong()) ||
          llvm::any_of(op.getResults(), isLong()))
        body.push_back(&op);
  }

  void run() {
    moveUsesBehind();
    builder.setInsertionPointAfter(body.back());
    SmallVector<Value> inits;
    for (tile::ReduceOp reduce : axis.reductions)
      inits.push_back(identity(*reduce.getKind(), reduce.getNanPolicy(),
                               tileOf(reduce.getResult(0))));
    for (tile::ScanOp scan : axis.scans)
      inits.push_back(
          identity(*scan.getKind(), scan.getNanPolicy(), carriedBy(scan)));
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0),
          one = arith::ConstantIndexOp::create(builder, loc, 1),
          end = arith::ConstantIndexOp::create(builder, loc, count);
    auto loop = scf::ForOp::create(builder, loc, zero, end, one, inits);
    builder.setInsertionPointToStart(loop.getBody());
    number = loop.getInductionVar();
    next.assign(inits.size(), Value());
    for (Operation *op : body)
      cloneForPiece(op, loop.getRegionIterArgs());
    scf::YieldOp::create(builder, loc, next);
    for (auto [reduce, result] : llvm::zip(axis.reductions, loop.getResults()))
      reduce.getResult(0).replaceAllUsesWith(result);
    for (Operation *op : llvm::reverse(body))
      op->erase();
  }

private:
  std::function<bool(Value)> isLong() {
    return [this](Value value) { return axis.axes.contains(value); };
  }

  /// Moves ops that depend on the reductions after everything these depend on.
  void moveUsesBehind() {
    SetVector<Operation *> behind;
    for (tile::ReduceOp reduce : axis.reductions)
      getForwardSlice(reduce.getOperation(), &behind);
    Operation *last = body.back();
    SmallVector<Operation *> early;
    for (Operation &op : *last->getBlock())
      if (op.isBeforeInBlock(last) && behind.contains(&op))
        early.push_back(&op);
    for (Operation *op : early) {
      op->moveAfter(last);
      last = op;
    }
  }

  Value identity(tile::ReduceKind kind, tile::NaNPolicy nan,
                 RankedTensorType type) {
    return arith::ConstantOp::create(
        builder, loc,
        SplatElementsAttr::get(
            type, tile::identityOf(kind, nan, type.getElementType())));
  }

  RankedTensorType shaped(Value tile, int64_t size) const {
    SmallVector<int64_t> shape(tileOf(tile).getShape());
    shape[axis.axes.lookup(tile)] = size;
    return tileOf(tile).clone(shape);
  }
  RankedTensorType carriedBy(tile::ScanOp scan) const {
    return shaped(scan.getResult(0), 1);
  }

  void cloneForPiece(Operation *op, ValueRange carried) {
    if (auto reduce = dyn_cast<tile::ReduceOp>(op);
        reduce && llvm::is_contained(axis.reductions, reduce))
      return joinReduction(reduce, carried);
    Operation *clone = builder.clone(*op, made);
    for (auto [before, after] :
         llvm::zip_equal(op->getResults(), clone->getResults()))
      if (isLong()(before))
        retypeTile(after, shaped(before, piece));
    if (isAccess(op))
      place(op, clone);
    else if (isa<tile::IotaOp>(op))
      made.map(op->getResult(0), moved(clone->getResult(0)));
    else if (auto scan = dyn_cast<tile::ScanOp>(op);
             scan && llvm::is_contained(axis.scans, scan))
      joinScan(scan, clone, carried);
  }

  void place(Operation *op, Operation *clone) {
    AccessOperands access(op);
    int64_t along = access.viewAxis[axis.axes.lookup(access.value)];
    if (auto load = dyn_cast<tile::LoadOp>(clone))
      load.getIndicesMutable()[along].assign(number);
    else
      cast<tile::StoreOp>(clone).getIndicesMutable()[along].assign(number);
  }

  /// The indices of a piece within the whole axis.
  Value moved(Value numbers) {
    RankedTensorType type = tileOf(numbers);
    Value size = arith::ConstantIndexOp::create(builder, loc, piece),
          first = arith::MulIOp::create(builder, loc, number, size);
    first =
        arith::IndexCastOp::create(builder, loc, type.getElementType(), first);
    Value start = tile::SplatOp::create(
        builder, loc, type, first, builder.getI64ArrayAttr(type.getShape()));
    return arith::AddIOp::create(builder, loc, numbers, start);
  }

  /// Combines the reduction of a piece with that of the preceding ones.
  void joinReduction(tile::ReduceOp reduce, ValueRange carried) {
    auto kind = *reduce.getKind();
    Value source = reduce.getSources()[0];
    if (count * piece > axis.size &&
        (kind != tile::ReduceKind::Add || !keepsZero(source)))
      made.map(source, inside(reduce));
    Value own = builder.clone(*reduce, made)->getResult(0);
    int64_t position =
        llvm::find(axis.reductions, reduce) - axis.reductions.begin();
    next[position] = tile::combine(builder, loc, kind, reduce.getNanPolicy(),
                                   carried[position], own);
  }

  /// The source of a reduction of the last piece, masked past the end of the
  /// axis.
  Value inside(tile::ReduceOp reduce) {
    Value whole = reduce.getSources()[0], source = made.lookup(whole);
    RankedTensorType type = tileOf(source);
    int64_t along = axis.axes.lookup(whole);
    auto of = [&](Type element, int64_t rankBehind) {
      SmallVector<int64_t> shape(rankBehind + 1, 1);
      shape[0] = piece;
      return RankedTensorType::get(shape, element);
    };
    Type i32 = builder.getI32Type();
    Value numbers = moved(tile::IotaOp::create(
        builder, loc, of(i32, 0), builder.getI64ArrayAttr({piece})));
    Value end = arith::ConstantOp::create(
        builder, loc,
        SplatElementsAttr::get(of(i32, 0),
                               builder.getI32IntegerAttr(axis.size)));
    Value is = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                     numbers, end);
    for (int64_t behind = 1; behind < type.getRank() - along; ++behind)
      is = tile::ExpandDimsOp::create(
          builder, loc, of(builder.getI1Type(), behind), is, behind);
    is =
        tile::BroadcastOp::create(builder, loc, type.clone(builder.getI1Type()),
                                  is, builder.getI64ArrayAttr(type.getShape()));
    return arith::SelectOp::create(
        builder, loc, is, source,
        identity(*reduce.getKind(), reduce.getNanPolicy(), type));
  }

  /// Continues the scan of the preceding pieces.
  void joinScan(tile::ScanOp scan, Operation *clone, ValueRange carried) {
    size_t position = axis.reductions.size() +
                      (llvm::find(axis.scans, scan) - axis.scans.begin());
    auto kind = *scan.getKind();
    tile::NaNPolicy nan = scan.getNanPolicy();
    Value before = carried[position], own = clone->getResult(0);
    Value befores = tile::BroadcastOp::create(
        builder, loc, tileOf(own), before,
        builder.getI64ArrayAttr(tileOf(own).getShape()));
    made.map(scan.getResult(0),
             tile::combine(builder, loc, kind, nan, befores, own));
    Value all = tile::ReduceOp::create(
                    builder, loc, TypeRange{before.getType()},
                    clone->getOperands(), scan.getAxis(),
                    tile::ReduceKindAttr::get(builder.getContext(), kind),
                    /*identities=*/ArrayAttr(), /*keepdims=*/true, nan)
                    .getResult(0);
    next[position] = tile::combine(builder, loc, kind, nan, before, all);
  }

  StreamedAxis &axis;
  int64_t piece, count;
  Location loc;
  OpBuilder builder;
  SmallVector<Operation *> body;
  IRMapping made;
  Value number;            ///< of a piece
  SmallVector<Value> next; ///< loop-carried results
};

struct StreamAxes : tilegpu::impl::StreamAxesBase<StreamAxes> {
  using StreamAxesBase::StreamAxesBase;

  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    tile::KernelOp kernel = getOperation();
    if (kernel.isRaw())
      return;
    for (Operation &op : kernel.getEntryBlock()->without_terminator())
      if (!isMemoryEffectFree(&op) && !isa<tile::LoadOp, tile::StoreOp>(op))
        return;
    // The row fits the shared memory of a cluster, whatever it is reduced to.
    constexpr int64_t mostShared = 8 * LongRows::mostInRegisters;
    const target::GpuTarget *known = target::findTarget(kernel, target);
    if (!known)
      return signalPassFailure();
    std::optional<LongRows> rows = findLongRows(kernel);
    if (rows && rows->columns <= mostShared && rows->fit(*known))
      return;
    SmallVector<tile::LoadOp> loads(
        kernel.getEntryBlock()->getOps<tile::LoadOp>());
    for (tile::LoadOp load : loads)
      if (wideElements(load) > mostReduced && stream(load))
        return;
  }

private:
  /// Splits the axis of a load that is reduced or scanned.
  bool stream(tile::LoadOp load) {
    tile::KernelOp kernel = getOperation();
    AccessOperands access(load);
    FreeAxisRefusal refusal;
    for (int64_t along = 0; along < load.getType().getRank(); ++along) {
      if (!isConstantIntValue(access.indices[along], 0) ||
          load.getType().getDimSize(along) == 1)
        continue;
      std::optional<StreamedAxis> axis =
          findStreamedAxis(load, along, &refusal);
      if (!axis || (axis->reductions.empty() && axis->scans.empty()) ||
          (!axis->scans.empty() &&
           load.getType().getNumElements() <= mostScanned))
        continue;
      widen(load);
      int64_t elements = load.getType().getNumElements(),
              others = std::max<int64_t>(1, elements / axis->size),
              piece = std::max<int64_t>(
                  1, llvm::bit_floor(uint64_t(elementsOfPiece / others)));
      axis = findStreamedAxis(load, along);
      if (piece >= axis->size)
        return false;
      explainPassed(load, "tile") << remark::add(
          "the tile is processed in pieces of {0} of {1}", piece, axis->size);
      Streaming(kernel, *axis, piece).run();
      ++numStreamed;
      return true;
    }
    if (refusal.op)
      explainMissed(refusal.op, "tile")
          << "a large tile is not processed in pieces: " << refusal.reason;
    return false;
  }

  /// The axis of contiguous columns, and the number of them that two cache
  /// lines hold: rows of pieces should be no shorter, and blocks share the
  /// pieces if that leaves few.
  std::optional<FreeAxis> findBeside(tile::LoadOp load, int64_t &wanted) {
    constexpr int64_t lineBytes = 128;
    AccessOperands access(load);
    if (access.indices.empty())
      return std::nullopt;
    auto id = access.indices.back().getDefiningOp<tile::BlockIdOp>();
    std::optional<FreeAxis> beside =
        id ? findFreeAxis(getOperation(), id.getAxis()) : std::nullopt;
    if (!beside || !beside->extent)
      return std::nullopt;
    int64_t bytes =
        std::max<int64_t>(1, memoryBytes(load.getType().getElementType()));
    wanted = std::min(*beside->extent, 2 * lineBytes / bytes);
    return wanted > beside->size ? std::move(beside) : std::nullopt;
  }

  /// Elements of the tile with that many columns.
  int64_t wideElements(tile::LoadOp load) {
    int64_t wanted = 0, elements = load.getType().getNumElements();
    std::optional<FreeAxis> beside = findBeside(load, wanted);
    return beside ? elements / beside->size * wanted : elements;
  }

  void widen(tile::LoadOp load) {
    int64_t wanted = 0;
    if (std::optional<FreeAxis> beside = findBeside(load, wanted))
      resize(getOperation(), *beside, wanted);
  }
};
} // namespace
