// Finds rows that are too long for registers.
#include "LongRows.h"
#include "AccessFacts.h"
#include "AsyncCopy.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;

namespace tilegpt::tilegpu {

/// Half of the registers of a multiprocessor, less what else a thread needs.
static constexpr int64_t mostInRegisters = 32768;
static constexpr int64_t unitBytes = 16;

int64_t LongRows::getColumnsOfPart() const {
  return parts == 1 ? columns
                    : llvm::alignTo(llvm::divideCeil(columns, parts), unit);
}

int64_t LongRows::getWidth() const {
  return llvm::alignTo(getColumnsOfPart() + mostBefore, unit);
}

namespace {
class Search {
public:
  Search(tile::KernelOp kernel, const target::GpuTarget &target)
      : kernel(kernel), target(target) {}

  std::optional<LongRows> run() {
    for (Operation &op : kernel.getEntryBlock()->without_terminator())
      if (!accept(op))
        return std::nullopt;
    if (!hasReductions || rows.loads.empty() || !findPlaces() || !fits())
      return std::nullopt;
    return rows;
  }

private:
  static RankedTensorType tileOf(Value value) {
    return dyn_cast<RankedTensorType>(value.getType());
  }

  /// Whether a value is a whole row. The first long tile says how long.
  bool isRow(Value value) {
    RankedTensorType type = tileOf(value);
    if (!type || type.getRank() != 2 || type.getDimSize(0) != 1)
      return false;
    if (rows.columns == 0 && type.getDimSize(1) > mostInRegisters)
      rows.columns = type.getDimSize(1);
    return type.getDimSize(1) == rows.columns;
  }

  /// Whether a value is as long as a row, but one for all of them.
  bool isVector(Value value) {
    RankedTensorType type = tileOf(value);
    if (!type || type.getRank() != 1)
      return false;
    if (rows.columns == 0 && type.getDimSize(0) > mostInRegisters)
      rows.columns = type.getDimSize(0);
    return type.getDimSize(0) == rows.columns;
  }

  /// Whether a vector is loaded from its start.
  static bool isFromStart(tile::LoadOp load) {
    auto view = load.getView().getType();
    return isa<BlockArgument>(load.getView()) && view.isDense() &&
           view.getRank() == 1 && isConstantIntValue(load.getIndices()[0], 0) &&
           !load.getMask() && load.getPad() == tile::PadKind::Zero;
  }

  /// Whether an op has nothing to do with rows, or is one that can read them
  /// piece by piece.
  bool accept(Operation &op) {
    if (op.getNumRegions() != 0 && !isa<tile::ReduceOp>(op))
      return false;
    auto isLong = [&](Value value) { return isRow(value) || isVector(value); };
    bool touchesRows = llvm::any_of(op.getOperands(), isLong);
    for (Value result : op.getResults()) {
      touchesRows |= isLong(result);
      RankedTensorType type = tileOf(result);
      if (type && !isLong(result) && type.getNumElements() > mostInRegisters)
        return false;
    }
    if (!touchesRows)
      return true;
    return llvm::TypeSwitch<Operation *, bool>(&op)
        .Case([&](tile::LoadOp load) {
          if (isVector(load)) {
            rows.vectors.push_back(load);
            return isFromStart(load);
          }
          rows.loads.push_back(load);
          return !load.getMask() && !load.getOrder() &&
                 load.getPad() == tile::PadKind::Zero;
        })
        .Case([&](tile::StoreOp store) {
          rows.stores.push_back(store);
          return isRow(store.getValue()) && !store.getMask() &&
                 !store.getOrder();
        })
        .Case([&](tile::ReduceOp reduce) {
          hasReductions = true;
          return isRow(reduce.getSources()[0]) && reduce.getAxis() == 1 &&
                 reduce.getKind() &&
                 *reduce.getKind() != tile::ReduceKind::ArgMax &&
                 *reduce.getKind() != tile::ReduceKind::ArgMin;
        })
        .Case([&](tile::BroadcastOp broadcast) {
          RankedTensorType source = tileOf(broadcast.getSource());
          return isVector(broadcast.getSource()) ||
                 (source.getRank() == 2 && source.getNumElements() == 1);
        })
        .Case([&](arith::ConstantOp constant) {
          return isa<SplatElementsAttr>(constant.getValue());
        })
        .Case<tile::SplatOp, tile::CastOp>([](auto) { return true; })
        .Default([](Operation *op) {
          return OpTrait::hasElementwiseMappableTraits(op);
        });
  }

  /// Where rows begin: all accesses are to the same row, at the same distance
  /// from the start of a unit.
  bool findPlaces() {
    IndexFacts facts;
    SmallVector<Operation *> accesses;
    llvm::append_range(accesses, rows.loads);
    llvm::append_range(accesses, rows.stores);
    for (Operation *op : accesses) {
      AccessOperands access(op);
      int64_t bytes = elementBytes(access.tile.getElementType());
      rows.unit = std::max(rows.unit, unitBytes / bytes);
    }
    for (Operation *op : accesses) {
      AccessOperands access(op);
      ViewFacts view = facts.ofView(access.view);
      auto type = cast<tile::ViewType>(access.view.getType());
      tile::Interval pitch = view.strides[0].range,
                     stride = view.strides[1].range;
      if (type.getShape()[1] != rows.columns || stride.lo != 1 ||
          stride.hi != 1 || pitch.lo != pitch.hi || !view.root ||
          view.alignment % unitBytes != 0 ||
          !isConstantIntValue(access.indices[1], 0) ||
          facts.of(access.indices[0]).range.lo < 0)
        return false;
      if (auto load = dyn_cast<tile::LoadOp>(op);
          load && !readsWhatStays(load, facts))
        return false;
      int64_t rest = pitch.lo % rows.unit;
      if (rows.row &&
          (rest != rows.pitch || (rest && rows.row != access.indices[0])))
        return false;
      rows.row = access.indices[0];
      rows.pitch = rest;
    }
    if (rows.pitch != 0)
      rows.mostBefore = rows.unit - std::gcd(rows.unit, rows.pitch);
    return true;
  }

  /// Whether shared memory has room for the rows of a block, or of two; or that
  /// of a cluster for a part each, two blocks to a multiprocessor.
  bool fits() {
    bool isShared = canShare();
    for (tile::LoadOp vector : rows.vectors) {
      IndexFacts facts;
      isShared &= readsWhatStays(vector, facts);
    }
    if (hasRoom())
      return rows.vectors.empty() || isShared;
    if (!target.hasTma || !isShared)
      return false;
    constexpr int64_t mostParts = 8;
    for (rows.parts = 2; rows.parts <= mostParts; rows.parts *= 2)
      if (hasRoom() && (rows.blocks == 2 || rows.parts == mostParts))
        return true;
    return false;
  }

  bool hasRoom() {
    // What a block takes besides: exchanges of the reductions, and what the
    // driver keeps for itself.
    constexpr int64_t scratch = 1024, reserved = 1024;
    int64_t bytes = scratch;
    for (tile::LoadOp load : rows.loads)
      bytes += rows.getWidth() * elementBytes(load.getType().getElementType());
    // The results of a part leave through shared memory, where rows have been
    // if they are not read again.
    if (rows.parts > 1 || !rows.vectors.empty()) {
      int64_t results = 0;
      for (tile::StoreOp store : rows.stores)
        results +=
            rows.getWidth() *
            elementBytes(getElementTypeOrSelf(store.getValue().getType()));
      bytes = rows.stores.size() == 1 ? std::max(bytes, results + scratch)
                                      : bytes + results;
    }
    rows.blocks =
        2 * (bytes + reserved) <= target.sharedBytesPerMultiprocessor ? 2 : 1;
    return bytes <= target.sharedBytesPerBlock;
  }

  /// Whether blocks can make a row together: dense ones, numbered by the block,
  /// and what they reduce may be reduced in parts.
  bool canShare() {
    auto block = rows.row.getDefiningOp<tile::BlockIdOp>();
    if (!block || block.getAxis() != 0)
      return false;
    for (tile::LoadOp load : rows.loads)
      if (!load.getView().getType().isDense() || load.getIndices()[0] != block)
        return false;
    for (tile::StoreOp store : rows.stores)
      if (!store.getView().getType().isDense() ||
          store.getIndices()[0] != block)
        return false;
    return llvm::all_of(
        kernel.getEntryBlock()->getOps<tile::ReduceOp>(), [&](auto reduce) {
          Type element = getElementTypeOrSelf(reduce.getSources()[0].getType());
          bool isExact = *reduce.getKind() == tile::ReduceKind::Max ||
                         *reduce.getKind() == tile::ReduceKind::Min;
          return !isRow(reduce.getSources()[0]) || isExact || element.isF32() ||
                 element.isF64() || element.isInteger();
        });
  }

  tile::KernelOp kernel;
  const target::GpuTarget &target;
  LongRows rows;
  bool hasReductions = false;
};
} // namespace

std::optional<LongRows> findLongRows(tile::KernelOp kernel,
                                     const target::GpuTarget &target) {
  return Search(kernel, target).run();
}

} // namespace tilegpt::tilegpu
