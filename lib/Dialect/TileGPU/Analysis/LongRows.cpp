// Finds rows that can be kept in shared memory.
#include "TileGPT/Dialect/TileGPU/Analysis/LongRows.h"
#include "TileGPT/Conversion/TileToArith/ReduceCombiner.h"
#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include "TileGPT/Dialect/Tile/Analysis/Elementwise.h"
#include "TileGPT/Dialect/Tile/Analysis/TileOf.h"
#include "TileGPT/Dialect/TileGPU/Analysis/AsyncCopy.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;

namespace tilegpt::tilegpu {

static constexpr int64_t unitBytes = 16;
static constexpr int64_t fewestColumns = LongRows::fewestColumns;

static int64_t storedElementBytes(tile::StoreOp store) {
  return memoryBytes(getElementTypeOrSelf(store.getValue().getType()));
}

static int64_t columnBytesOf(ArrayRef<tile::LoadOp> loads) {
  int64_t bytes = 0;
  for (tile::LoadOp load : loads)
    bytes += memoryBytes(load.getType().getElementType());
  return bytes;
}

int64_t LongRows::bytesOfRows() const {
  int64_t bytes = columnBytesOf(loads);
  for (tile::StoreOp store : stores)
    bytes += storedElementBytes(store);
  return bytes;
}

int64_t LongRows::bytesOfVectors() const { return columnBytesOf(vectors); }

int64_t LongRows::bytesOfLoads() const {
  return columnBytesOf(loads) + columnBytesOf(vectors);
}

int64_t LongRows::getPeriod() const { return unit / std::gcd(unit, pitch); }

int64_t LongRows::getColumnsOfPart() const {
  return parts == 1 ? columns
                    : llvm::alignTo(llvm::divideCeil(columns, parts), unit);
}

int64_t LongRows::getColumnsOfLast() const {
  return columns - (parts - 1) * getColumnsOfPart();
}

int64_t LongRows::getWidth() const {
  return llvm::alignTo(getColumnsOfPart() + mostBefore, unit);
}

int64_t LongRows::getPieces(int64_t warps) const {
  // Small enough for a thread's registers, vectors included; large enough to
  // hide the cost of an access.
  constexpr int64_t ofThread = 16;
  return inRegisters ? 1
                     : std::max<int64_t>(
                           1, llvm::divideCeil(getWidth(),
                                               warps * warpLanes * ofThread));
}

int64_t LongRows::getWidthOfPiece(int64_t warps) const {
  return llvm::alignTo(llvm::divideCeil(getWidth(), getPieces(warps)), unit);
}

int64_t LongRows::getAdjacent() const {
  int64_t adjacent = unit;
  for (tile::LoadOp vector : vectors)
    adjacent = std::min(
        adjacent, unitBytes / memoryBytes(vector.getType().getElementType()));
  return adjacent;
}

int64_t LongRows::getBusyWarps(int64_t warps) const {
  const int64_t columns = getWidthOfPiece(warps),
                step = warpLanes * getAdjacent(),
                steps = llvm::divideCeil(columns, warps * step);
  return llvm::divideCeil(columns, steps * step);
}

bool LongRows::fillsParts() const { return getColumnsOfLast() > 0; }

bool LongRows::isUpdate(Operation *op) {
  return hasEffect<MemoryEffects::Write>(op) && !isa<tile::AssertOp>(op);
}

bool LongRows::leavesThroughShared(tile::StoreOp store) const {
  constexpr int64_t wordBytes = 4;
  return mostBefore != 0 && !vectors.empty() && !vectorsAreAligned &&
         storedElementBytes(store) < wordBytes;
}

tile::LoadOp LongRows::loadInPlaceOfStore() const {
  // Data read after the store must still be there.
  if (stores.size() != 1 ||
      llvm::any_of(reductions, [&](tile::ReduceOp reduce) {
        tile::StoreOp store = stores.front();
        return store->isBeforeInBlock(reduce);
      }))
    return {};
  tile::StoreOp store = stores.front();
  Type element = getElementTypeOrSelf(store.getValue().getType());
  const auto *load = llvm::find_if(loads, [&](tile::LoadOp load) {
    return load.getType().getElementType() == element;
  });
  return load == loads.end() ? tile::LoadOp() : *load;
}

int64_t LongRows::getSharedBytes() const {
  // Exchanges of the reductions. A cluster processes its rows in pieces of one
  // size.
  constexpr int64_t scratch = 1024, piecesOf = 128;
  int64_t width = getWidth(), bytes = scratch;
  if (inRegisters)
    return bytes;
  if (isInCluster())
    width += llvm::divideCeil(width, piecesOf);
  for (tile::LoadOp load : loads)
    bytes += width * memoryBytes(load.getType().getElementType());
  // Results are assembled one after the other.
  int64_t ofResult = 0;
  if (isInCluster() && !loadInPlaceOfStore())
    for (tile::StoreOp store : stores)
      if (leavesThroughShared(store))
        ofResult = std::max(ofResult, storedElementBytes(store));
  return bytes + width * ofResult;
}

bool LongRows::fitParts(const target::GpuTarget &target) const {
  return (!isInCluster() || canShare) &&
         (parts == 1 || throughMemory || target.hasTma) && fillsParts() &&
         getSharedBytes() <= target.sharedBytesPerBlock;
}

bool LongRows::fit(const target::GpuTarget &target) const {
  LongRows rows = *this;
  for (rows.parts = 1; rows.parts <= mostParts; rows.parts *= 2)
    if (rows.fitParts(target))
      return true;
  return false;
}

namespace {
class LongRowsSearch {
public:
  explicit LongRowsSearch(tile::KernelOp kernel) : kernel(kernel) {}

  std::optional<LongRows> run() {
    for (Operation &op : kernel.getEntryBlock()->without_terminator())
      if (!accept(op))
        return std::nullopt;
    if ((rows.reductions.empty() && rows.scans.empty()) || rows.loads.empty() ||
        !findPlaces())
      return std::nullopt;
    rows.canShare = canShare();
    return rows;
  }

private:
  /// Whether a value is a whole row. The first long tile determines the length.
  bool isRow(Value value) {
    RankedTensorType type = tileOf(value);
    if (!type || type.getRank() != 2 || type.getDimSize(0) != 1)
      return false;
    if (rows.columns == 0 && type.getDimSize(1) >= fewestColumns)
      rows.columns = type.getDimSize(1);
    return type.getDimSize(1) == rows.columns;
  }

  /// Whether a value has the length of a row and is shared by all rows.
  bool isVector(Value value) {
    RankedTensorType type = tileOf(value);
    if (!type || type.getRank() != 1)
      return false;
    if (rows.columns == 0 && type.getDimSize(0) >= fewestColumns)
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

  /// Whether a scan can continue from the result of the preceding part of its
  /// row.
  static bool isScannedInParts(tile::ScanOp scan) {
    if (scan.getSources().size() != 1 || !scan.getKind() || scan.getReverse() ||
        tile::isArgReduction(
            cast<tile::CombinerOpInterface>(scan.getOperation())))
      return false;
    Type element = getElementTypeOrSelf(scan.getSources()[0].getType());
    return tile::accumulatorType(*scan.getKind(), element) == element;
  }

  /// Whether the reductions of parts of a row can be combined elementwise.
  static bool isReducedInParts(tile::ReduceOp reduce) {
    if (reduce.getKind())
      return !tile::isArgReduction(
          cast<tile::CombinerOpInterface>(reduce.getOperation()));
    return llvm::all_of(reduce.getCombiner().front().without_terminator(),
                        [](Operation &op) {
                          return op.hasTrait<OpTrait::ConstantLike>() ||
                                 OpTrait::hasElementwiseMappableTraits(&op);
                        });
  }

  /// Whether one block can do an update for all blocks of a row: none needs its
  /// result, and it orders no accesses of others.
  static bool isOfOneBlock(Operation &op) {
    auto isUnordered = [](tile::MemoryOrder order) {
      return order == tile::MemoryOrder::Weak ||
             order == tile::MemoryOrder::Relaxed;
    };
    return op.use_empty() &&
           llvm::TypeSwitch<Operation *, bool>(&op)
               .Case<tile::StoreAtOp, tile::AtomicRMWOp, tile::AtomicCASOp>(
                   [&](auto update) { return isUnordered(update.getOrder()); })
               .Case<tile::StoreOp, tile::ScatterOp, tile::PrintOp>(
                   [](auto) { return true; })
               .Default(false);
  }

  /// Whether an op does not use rows, or can process them piece by piece.
  bool accept(Operation &op) {
    if (op.getNumRegions() != 0 && !isa<tile::ReduceOp, tile::ScanOp>(op))
      return false;
    auto isLong = [&](Value value) { return isRow(value) || isVector(value); };
    bool touchesRows = llvm::any_of(op.getOperands(), isLong);
    for (Value result : op.getResults()) {
      touchesRows |= isLong(result);
      RankedTensorType type = tileOf(result);
      if (type && !isLong(result) && type.getNumElements() >= fewestColumns)
        return false;
    }
    isBound |= LongRows::isUpdate(&op) && !isOfOneBlock(op);
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
        .Case([&](tile::GatherOp gather) {
          rows.gathers.push_back(gather);
          rows.hasVectors = true;
          return isVector(gather.getResult()) && isVector(gather.getIndex()) &&
                 gather.getIndices().empty() && !gather.getMask() &&
                 gather.getPad() == tile::PadKind::Zero;
        })
        .Case([&](tile::StoreOp store) {
          rows.stores.push_back(store);
          return isRow(store.getValue()) && !store.getMask() &&
                 !store.getOrder();
        })
        .Case([&](tile::ReduceOp reduce) {
          rows.reductions.push_back(reduce);
          return llvm::all_of(reduce.getSources(),
                              [&](Value source) { return isRow(source); }) &&
                 reduce.getAxis() == 1 && isReducedInParts(reduce);
        })
        .Case([&](tile::ScanOp scan) {
          rows.scans.push_back(scan);
          return isRow(scan.getSources()[0]) && scan.getAxis() == 1 &&
                 isScannedInParts(scan);
        })
        .Case([&](tile::BroadcastOp broadcast) {
          RankedTensorType source = tileOf(broadcast.getSource());
          rows.hasVectors |= isVector(broadcast.getSource()) ||
                             isVector(broadcast.getResult());
          return isVector(broadcast.getSource()) ||
                 source.getNumElements() == 1;
        })
        .Case([&](tile::ExpandDimsOp expand) {
          rows.hasVectors = true;
          return isVector(expand.getSource()) && isRow(expand.getResult());
        })
        .Case([&](tile::ReshapeOp reshape) {
          rows.hasVectors = true;
          return isVector(reshape.getSource()) && isRow(reshape.getResult());
        })
        .Case([&](arith::ConstantOp constant) {
          return isa<SplatElementsAttr>(constant.getValue());
        })
        .Case([](tile::IotaOp numbers) {
          return getElementTypeOrSelf(numbers.getType()).isInteger(32);
        })
        // Recomputed values have one layout.
        .Case<tile::SplatOp, ConvertLayoutOp>([](auto) { return true; })
        .Default([](Operation *op) { return tile::isElementwise(op); });
  }

  /// The start of rows: all accesses are to the same row, at the same offset
  /// from a 16-byte boundary.
  bool findPlaces() {
    IndexFacts facts;
    SmallVector<Operation *> accesses;
    llvm::append_range(accesses, rows.loads);
    llvm::append_range(accesses, rows.stores);
    for (Operation *op : accesses) {
      AccessOperands access(op);
      int64_t bytes = memoryBytes(access.tile.getElementType());
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
      if (!rows.row)
        rows.row = access.indices[0];
      else if (rest != rows.pitch || !beginsAlike(access.indices[0], rest))
        return false;
      rows.pitch = rest;
    }
    llvm::SmallDenseSet<Value, 2> numbers;
    for (tile::LoadOp load : rows.loads)
      numbers.insert(load.getIndices().front());
    rows.together = int64_t(numbers.size());
    for (tile::LoadOp load : rows.vectors)
      rows.vectorsAreAligned &=
          facts.ofView(load.getView()).alignment % unitBytes == 0;
    if (rows.pitch != 0)
      rows.mostBefore = rows.unit - std::gcd(rows.unit, rows.pitch);
    return true;
  }

  static Value withoutBounds(Value index) {
    while (auto assume = index.getDefiningOp<tile::AssumeOp>())
      index = assume->getOperand(0);
    return index;
  }

  /// Whether a row begins at the same place of a 16-byte unit as the first one:
  /// it is that row, or one that many rows later where there is one.
  /// \param rest  the row pitch modulo the unit.
  bool beginsAlike(Value index, int64_t rest) const {
    if (rest == 0 || index == rows.row)
      return true;
    index = withoutBounds(index);
    if (auto select = index.getDefiningOp<arith::SelectOp>())
      return beginsAlike(select.getTrueValue(), rest) &&
             beginsAlike(select.getFalseValue(), rest);
    auto sum = index.getDefiningOp<arith::AddIOp>();
    std::optional<int64_t> distance =
        sum ? getConstantIntValue(sum.getRhs()) : std::nullopt;
    return distance && *distance * rest % rows.unit == 0 &&
           beginsAlike(sum.getLhs(), rest);
  }

  /// Whether an index is computed from that of the block along the first axis
  /// of the grid, or of the group of blocks that share a row.
  bool isOfBlock(Value index) {
    if (isBlockOfRow(index))
      return true;
    Operation *op = withoutBounds(index).getDefiningOp();
    return op && (op->hasTrait<OpTrait::ConstantLike>() ||
                  (isa<arith::ArithDialect>(op->getDialect()) &&
                   llvm::all_of(op->getOperands(), [&](Value operand) {
                     return isOfBlock(operand);
                   })));
  }

  /// Whether an index is that of the block along the first axis of the grid,
  /// or of the group of blocks that share a row.
  bool isBlockOfRow(Value index) {
    index = withoutBounds(index);
    const int64_t blocks = rowBlocksOf(kernel).blocks;
    if (auto quotient = index.getDefiningOp<arith::DivUIOp>();
        quotient && blocks > 1) {
      if (!isConstantIntValue(quotient.getRhs(), blocks))
        return false;
      index = quotient.getLhs();
    } else if (blocks > 1) {
      return false;
    }
    auto block = index.getDefiningOp<tile::BlockIdOp>();
    return block && block.getAxis() == 0;
  }

  /// Whether blocks can process a row together: rows are dense, indexed by the
  /// block, and their reductions can be split.
  bool canShare() {
    if (isBound)
      return false;
    for (tile::LoadOp load : rows.loads)
      if (!load.getView().getType().isDense() ||
          !isOfBlock(load.getIndices()[0]))
        return false;
    for (tile::StoreOp store : rows.stores)
      if (!store.getView().getType().isDense() ||
          !isOfBlock(store.getIndices()[0]))
        return false;
    IndexFacts facts;
    for (tile::LoadOp vector : rows.vectors)
      if (!readsWhatStays(vector, facts))
        return false;
    for (tile::GatherOp gather : rows.gathers)
      if (!readsWhatStays(gather, facts))
        return false;
    return llvm::all_of(rows.reductions, [](tile::ReduceOp reduce) {
      // Region combiners are associative, in the type of their elements.
      if (!reduce.getKind())
        return true;
      Type element = getElementTypeOrSelf(reduce.getSources()[0].getType());
      bool isExact = *reduce.getKind() == tile::ReduceKind::Max ||
                     *reduce.getKind() == tile::ReduceKind::Min;
      return isExact || element.isF32() || element.isF64() ||
             element.isInteger();
    });
  }

  tile::KernelOp kernel;
  LongRows rows;
  /// Whether an update is bound to a single block for each row.
  bool isBound = false;
};
} // namespace

RowBlocks rowBlocksOf(tile::KernelOp kernel) {
  auto blocks = kernel->getAttrOfType<DenseI64ArrayAttr>(rowBlocksName);
  return blocks ? RowBlocks{blocks[0], blocks[1]} : RowBlocks();
}

std::optional<LongRows> findLongRows(tile::KernelOp kernel) {
  return LongRowsSearch(kernel).run();
}

} // namespace tilegpt::tilegpu
