// Sizes of exchanges through the scratch area.
#include "TileGPT/Dialect/TileGPU/Analysis/Scratch.h"
#include "TileGPT/Conversion/TileToArith/ReduceCombiner.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Relabel.h"
#include "TileGPT/Dialect/TileGPU/Analysis/SpreadReduction.h"
#include "TileGPT/Dialect/TileGPU/Analysis/WarpExchange.h"
#include "TileGPT/Dialect/TileGPU/IR/SharedAccess.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilegpt::tilegpu {

SmallVector<Type> accumulatorTypes(tile::CombinerOpInterface op) {
  SmallVector<Type> types;
  for (Value source : op.getSources())
    types.push_back(getElementTypeOrSelf(source.getType()));
  if (tile::isArgReduction(op))
    types.push_back(IntegerType::get(op->getContext(), 32));
  else if (op.getKind())
    types.front() = tile::accumulatorType(*op.getKind(), types.front());
  return types;
}

/// Digits of the modes along `axis`, and of all others except replication.
static std::pair<int64_t, int64_t> countModes(ArrayRef<LayoutMode> modes,
                                              int64_t axis) {
  int64_t along = 1, beside = 1;
  for (const LayoutMode &mode : modes)
    if (mode.axis == axis)
      along *= mode.extent;
    else if (!mode.isReplicated())
      beside *= mode.extent;
  return {along, beside};
}

ReduceExchange::ReduceExchange(tile::ReduceOp op) {
  LayoutAttr layout = LayoutAttr::of(op.getSources().front().getType());
  int64_t axis = op.getAxis();
  registers = layout.collapseAxis(axis).getNumRegisters();
  lanesBeside = countModes(layout.getLanes(), axis).second;
  warpsAlong = countModes(layout.getWarps(), axis).first;
  warpsBeside = layout.getNumWarps() / warpsAlong;
  // The lanes of a warp then write with a stride of warpsAlong, without bank
  // conflicts as long as all of them fit in one row of banks.
  constexpr int64_t numBanks = 32;
  warpsFirst = lanesBeside * warpsAlong <= numBanks;
}

SharedType ReduceExchange::getBuffer(Type accumulator) const {
  int64_t shape[] = {registers, warpsBeside, lanesBeside, warpsAlong};
  if (!warpsFirst)
    std::swap(shape[2], shape[3]);
  return SharedType::get(accumulator.getContext(), shape, accumulator,
                         /*swizzle=*/0, /*padding=*/0);
}

SmallVector<ScanDigit> scanDigits(LayoutAttr layout, int64_t axis) {
  SmallVector<ScanDigit> digits;
  auto collect = [&](ArrayRef<LayoutMode> modes, ScanDigit::Place place) {
    int64_t weight = 1;
    for (const LayoutMode &mode : modes) {
      if (mode.axis == axis && mode.extent > 1)
        digits.push_back({place, mode.stride, mode.extent, weight});
      weight *= mode.extent;
    }
  };
  collect(layout.getRegisters(), ScanDigit::Place::Register);
  collect(layout.getLanes(), ScanDigit::Place::Lane);
  collect(layout.getWarps(), ScanDigit::Place::Warp);
  llvm::sort(digits, [](const ScanDigit &a, const ScanDigit &b) {
    return a.stride < b.stride;
  });
  return digits;
}

bool ScanExchange::isApart(const LayoutMode &lanes, int64_t axis,
                           const ScanDigit &digit) {
  return !lanes.isReplicated() &&
         (lanes.axis != axis || lanes.stride > digit.stride);
}

ScanExchange::ScanExchange(LayoutAttr layout, int64_t axis,
                           const ScanDigit &digit)
    : parts(layout.getNumRegisters()),
      warpsElse(layout.getNumWarps() / digit.extent), lanesApart(1),
      warps(digit.extent) {
  for (const LayoutMode &mode : layout.getRegisters())
    if (mode.axis == axis && mode.stride < digit.stride)
      parts /= mode.extent;
  for (const LayoutMode &mode : layout.getLanes())
    if (isApart(mode, axis, digit))
      lanesApart *= mode.extent;
}

SharedType ScanExchange::getBuffer(Type accumulator) const {
  // Lanes last: those of a warp access adjacent elements.
  int64_t shape[] = {parts, warpsElse, warps, lanesApart};
  return SharedType::get(accumulator.getContext(), shape, accumulator,
                         /*swizzle=*/0, /*padding=*/0);
}

SharedType getCopiesBuffer(RankedTensorType tile) {
  LayoutAttr layout = LayoutAttr::of(tile);
  if (llvm::none_of(layout.getWarps(),
                    [](const LayoutMode &mode) { return mode.isReplicated(); }))
    return {};
  int64_t warps = 1;
  for (const LayoutMode &mode : layout.getWarps())
    if (!mode.isReplicated())
      warps *= mode.extent;
  int64_t shape[] = {layout.getNumRegisters(), warps, warpLanes};
  return SharedType::get(tile.getContext(), shape, tile.getElementType(),
                         /*swizzle=*/0, /*padding=*/0);
}

bool isHeldByAll(Type type) {
  LayoutAttr layout = LayoutAttr::of(type);
  auto isCopy = [](const LayoutMode &mode) { return mode.isReplicated(); };
  return llvm::all_of(layout.getLanes(), isCopy) &&
         llvm::all_of(layout.getWarps(), isCopy);
}

/// The digits of a layout of a tile as those of a matrix with the same elements
/// in row-major order, in rows of `columns`; false if a digit neither stays in
/// a row nor moves by whole rows.
static bool foldDigits(ArrayRef<LayoutMode> digits, ArrayRef<int64_t> strides,
                       int64_t columns, SmallVectorImpl<LayoutMode> &folded) {
  constexpr int64_t rowAxis = 0, columnAxis = 1;
  for (const LayoutMode &digit : digits) {
    if (digit.isReplicated() || digit.extent == 1) {
      folded.push_back(digit.isReplicated()
                           ? digit
                           : LayoutMode{1, columnAxis, /*stride=*/1});
      continue;
    }
    const int64_t step = digit.stride * strides[digit.axis];
    if (step % columns == 0) {
      folded.push_back({digit.extent, rowAxis, step / columns});
    } else if (columns % step != 0) {
      return false;
    } else if (const int64_t inRow = std::min(columns / step, digit.extent);
               digit.extent % inRow == 0) {
      folded.push_back({inRow, columnAxis, step});
      if (inRow != digit.extent)
        folded.push_back({digit.extent / inRow, rowAxis, /*stride=*/1});
    } else {
      return false;
    }
  }
  return true;
}

/// A tile as a matrix with the same elements in row-major order; null if the
/// layout does not cover exactly its elements or cannot be folded.
static RankedTensorType foldTile(RankedTensorType type, int64_t columns) {
  LayoutAttr layout = LayoutAttr::of(type);
  SmallVector<int64_t> strides(type.getRank());
  int64_t stride = 1;
  for (int64_t axis = type.getRank(); axis-- > 0;) {
    strides[axis] = stride;
    stride *= type.getDimSize(axis);
    if (layout.getCoveredSize(axis) != type.getDimSize(axis))
      return {};
  }
  SmallVector<LayoutMode> registers, lanes, warps;
  if (!foldDigits(layout.getRegisters(), strides, columns, registers) ||
      !foldDigits(layout.getLanes(), strides, columns, lanes) ||
      !foldDigits(layout.getWarps(), strides, columns, warps))
    return {};
  int64_t shape[] = {type.getNumElements() / columns, columns};
  return RankedTensorType::get(
      shape, type.getElementType(),
      LayoutAttr::get(type.getContext(), registers, lanes, warps));
}

/// Wavefronts and instructions of one warp that writes or reads a tile.
static int64_t costOfAccess(RankedTensorType type, SharedType buffer) {
  LayoutAttr layout = LayoutAttr::of(type);
  const int64_t vector =
      getAccessVector(layout, buffer, type.getShape().back());
  return (countPasses(layout, buffer, vector) + 1) *
         (layout.getNumRegisters() / vector);
}

ReshapeExchange::ReshapeExchange(tile::ReshapeOp op)
    : source(op.getSource().getType()), result(op.getType()) {
  auto plain = [](RankedTensorType type) {
    return SharedType::get(type.getContext(), type.getShape(),
                           type.getElementType(), /*swizzle=*/0,
                           /*padding=*/0);
  };
  written = plain(source);
  read = plain(result);
  const RankedTensorType from = source, to = result;
  // Shorter rows would need more memory for their padding.
  constexpr int64_t shortestRow = 128, longestRow = 2048;
  std::optional<int64_t> least;
  const int64_t bytes = memoryBytes(source.getElementType());
  for (int64_t columns = shortestRow / bytes; columns * bytes <= longestRow;
       columns *= 2) {
    if (from.getNumElements() % columns != 0)
      break;
    RankedTensorType writer = foldTile(from, columns),
                     reader = foldTile(to, columns);
    if (!writer || !reader)
      continue;
    SharedType buffer = getExchangeBuffer(writer, LayoutAttr::of(writer),
                                          LayoutAttr::of(reader));
    const int64_t cost =
        costOfAccess(writer, buffer) + costOfAccess(reader, buffer);
    if (least && cost > *least)
      continue;
    least = cost;
    source = writer;
    result = reader;
    written = read = buffer;
  }
}

/// The buffer for a tile like `tile` that is written in one value's layout and
/// read in another's.
static SharedType bufferBetween(Value tile, Value writer, Value reader) {
  return getExchangeBuffer(cast<RankedTensorType>(tile.getType()),
                           LayoutAttr::of(writer.getType()),
                           LayoutAttr::of(reader.getType()));
}

SharedType getExchangeBuffer(Operation *op) {
  using Buffer = SharedType;
  return llvm::TypeSwitch<Operation *, SharedType>(op)
      .Case([](ConvertLayoutOp op) {
        return findRelabeling(op)
                   ? Buffer()
                   : bufferBetween(op.getSource(), op.getSource(),
                                   op.getResult());
      })
      .Case([](tile::ReshapeOp op) {
        return findRelabeling(op) ? Buffer() : ReshapeExchange(op).written;
      })
      .Case([](tile::CatOp op) {
        if (findRelabeling(op))
          return Buffer();
        return bufferBetween(op.getResult(), op.getLhs(), op.getResult());
      })
      .Case([](tile::ExtractOp op) {
        if (findRelabeling(op))
          return Buffer();
        return bufferBetween(op.getSource(), op.getSource(), op.getResult());
      })
      .Case([](tile::InsertOp op) {
        return bufferBetween(op.getSource(), op.getSource(), op.getResult());
      })
      .Case([](SumShiftedOp op) {
        auto type = cast<RankedTensorType>(op.getValue().getType());
        return SharedType::get(op.getContext(), type.getShape(),
                               type.getElementType(), /*swizzle=*/0,
                               /*padding=*/0);
      })
      .Case([](tensor::ExtractOp op) {
        // A single element, in any thread.
        return isHeldByAll(op.getTensor().getType())
                   ? Buffer()
                   : SharedType::get(op.getContext(), {}, op.getType(),
                                     /*swizzle=*/0, /*padding=*/0);
      })
      .Default([](Operation *) { return Buffer(); });
}

/// Whether a tile depends on data read from memory.
static bool dependsOnData(Value tile) {
  SmallVector<Value> left{tile};
  llvm::SmallDenseSet<Value> seen;
  while (!left.empty()) {
    Value value = left.pop_back_val();
    if (!isa<RankedTensorType>(value.getType()) || !seen.insert(value).second)
      continue;
    Operation *op = value.getDefiningOp();
    // Loop-carried values may be anything.
    if (!op || op->getNumRegions() > 0 ||
        isa<tile::LoadOp, tile::LoadAtOp, tile::GatherOp, ReadOp>(op))
      return true;
    llvm::append_range(left, op->getOperands());
  }
  return false;
}

bool mayShareBins(tile::AtomicRMWOp op) {
  Type element = op.getValue().getType().getElementType();
  return op->use_empty() && op.getOrder() == tile::MemoryOrder::Relaxed &&
         op.getKind() != tile::AtomicKind::Xchg &&
         (element.isInteger(32) || element.isInteger(64)) &&
         dependsOnData(op.getOffsets());
}

/// How many elements the updated memory has; nullopt if unknown.
static std::optional<int64_t> countElements(tile::AtomicRMWOp op) {
  auto base = op.getBase().getDefiningOp<tile::BaseOp>();
  if (!base)
    return std::nullopt;
  tile::ViewType view = base.getView().getType();
  if (!view.getStrides().empty() || ShapedType::isDynamicShape(view.getShape()))
    return std::nullopt;
  return ShapedType::getNumElements(view.getShape());
}

bool hasOtherElements(tile::AtomicRMWOp op) { return !countElements(op); }

SharedType getBinsBuffer(tile::AtomicRMWOp op) {
  constexpr int64_t mostBytes = 16 << 10;
  // Of an unknown number: where there are more, few updates conflict.
  constexpr int64_t firstBytes = 4 << 10, leastUpdates = 128;
  const int64_t updates = op.getValue().getType().getNumElements();
  Type element = op.getValue().getType().getElementType();
  if (!mayShareBins(op) || op.getBase().getType().getPointee() != element)
    return {};
  auto binsOf = [&](int64_t count) {
    return SharedType::get(op.getContext(), {count}, element, /*swizzle=*/0,
                           /*padding=*/0);
  };
  if (std::optional<int64_t> count = countElements(op)) {
    const SharedType bins = binsOf(*count);
    return *count == 0 || *count > updates || bins.getNumBytes() > mostBytes
               ? SharedType()
               : bins;
  }
  if (updates < leastUpdates)
    return {};
  return binsOf(std::min<int64_t>(
      updates, firstBytes * 8 / element.getIntOrFloatBitWidth()));
}

int64_t scratchBytes(Operation *op) {
  if (auto update = dyn_cast<tile::AtomicRMWOp>(op))
    if (SharedType bins = getBinsBuffer(update))
      return llvm::alignTo(bins.getNumBytes(), /*Align=*/16);
  if (auto reduce = dyn_cast<tile::ReduceOp>(op)) {
    LayoutAttr source = LayoutAttr::of(reduce.getSources().front().getType());
    if (LayoutAttr::of(reduce.getResult(0).getType()) !=
        reducedLayout(reduce, source))
      return getSpreadBuffer(reduce, accumulatorTypes(reduce).front())
          .getNumBytes();
    ReduceExchange exchange(reduce);
    int64_t bytes = 0;
    if (exchange.isNeeded())
      for (Type type : accumulatorTypes(reduce))
        bytes += exchange.getBuffer(type).getNumBytes();
    return bytes;
  }
  if (auto scan = dyn_cast<tile::ScanOp>(op)) {
    LayoutAttr layout = LayoutAttr::of(scan.getSources().front().getType());
    int64_t largest = 0;
    for (const ScanDigit &digit : scanDigits(layout, scan.getAxis())) {
      if (digit.place != ScanDigit::Place::Warp)
        continue;
      int64_t bytes = 0;
      for (Type type : accumulatorTypes(scan))
        bytes += ScanExchange(layout, scan.getAxis(), digit)
                     .getBuffer(type)
                     .getNumBytes();
      largest = std::max(largest, bytes);
    }
    return largest;
  }
  auto load = dyn_cast<tile::LoadAtOp>(op);
  if ((load && load.getOrder() != tile::MemoryOrder::Weak) ||
      (isa<tile::AtomicRMWOp, tile::AtomicCASOp>(op) && !op->use_empty())) {
    SharedType buffer =
        getCopiesBuffer(cast<RankedTensorType>(op->getResult(0).getType()));
    return buffer ? buffer.getNumBytes() : 0;
  }
  if (auto convert = dyn_cast<ConvertLayoutOp>(op);
      convert && !findRelabeling(op))
    if (auto warps = WarpExchange::between(convert.getSource().getType(),
                                           convert.getResult().getType()))
      return warps->getBytes(PlanAttr::of(op));
  SharedType buffer = getExchangeBuffer(op);
  return buffer ? buffer.getNumBytes() : 0;
}

} // namespace tilegpt::tilegpu
