// Vector widths and bounds checks of accesses, from facts about their indices
// and views.
#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"
#include <numeric>

using namespace mlir;

namespace tilegpt::tilegpu {

bool isAccess(Operation *op) {
  return isa<tile::LoadOp, tile::StoreOp, tile::GatherOp, tile::ScatterOp>(op);
}

AccessOperands::AccessOperands(Operation *op) {
  SmallVector<Value> tileIndices;
  auto take = [&](auto access, Value accessed) {
    view = access.getView();
    mask = access.getMask();
    value = accessed;
    tile = cast<RankedTensorType>(value.getType());
    tileIndices = access.getIndices();
  };
  std::optional<ArrayRef<int64_t>> order;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](tile::LoadOp load) {
        take(load, load.getResult());
        order = load.getOrder();
      })
      .Case([&](tile::StoreOp store) {
        take(store, store.getValue());
        order = store.getOrder();
        isWrite = true;
      })
      .Case([&](tile::GatherOp gather) {
        take(gather, gather.getResult());
        indexedAxis = gather.getAxis();
        indexTile = gather.getIndex();
      })
      .Case([&](tile::ScatterOp scatter) {
        take(scatter, scatter.getValue());
        indexedAxis = scatter.getAxis();
        indexTile = scatter.getIndex();
        isWrite = true;
      });
  if (indexedAxis)
    tileIndices.insert(tileIndices.begin() + *indexedAxis, Value());
  for (int64_t axis = 0; axis < tile.getRank(); ++axis) {
    viewAxis.push_back(order ? (*order)[axis] : axis);
    indices.push_back(tileIndices[viewAxis.back()]);
  }
}

/// The largest power of two up to `limit`, a power of two, that divides all
/// these numbers; any divides 0.
static int64_t commonPowerOfTwo(ArrayRef<int64_t> numbers, int64_t limit) {
  for (int64_t number : numbers)
    limit = std::gcd(limit, number);
  return limit;
}

/// Whether `end` is `offset + size`.
static bool isEnd(OpFoldResult end, OpFoldResult offset, OpFoldResult size) {
  if (isConstantIntValue(offset, 0) && size == end)
    return true;
  auto length = dyn_cast<Value>(size);
  auto difference =
      length ? length.getDefiningOp<arith::SubIOp>() : arith::SubIOp();
  return difference && OpFoldResult(difference.getLhs()) == end &&
         OpFoldResult(difference.getRhs()) == offset;
}

/// Whether one window starts where the other ends, along some axis.
static bool endsBefore(tile::SubviewOp window, tile::SubviewOp other) {
  Builder builder(window.getContext());
  auto offsets = getMixedValues(window.getStaticOffsets(), window.getOffsets(),
                                builder),
       sizes =
           getMixedValues(window.getStaticSizes(), window.getSizes(), builder),
       begins = getMixedValues(other.getStaticOffsets(), other.getOffsets(),
                               builder);
  return llvm::any_of(llvm::zip_equal(offsets, sizes, begins), [](auto axis) {
    auto [offset, size, begin] = axis;
    return isEnd(begin, offset, size);
  });
}

bool areApart(Value view, Value other) {
  auto window = view.getDefiningOp<tile::SubviewOp>(),
       otherWindow = other.getDefiningOp<tile::SubviewOp>();
  return window && otherWindow &&
         window.getSource() == otherWindow.getSource() &&
         (endsBefore(window, otherWindow) || endsBefore(otherWindow, window));
}

bool isLaunchInvariant(BlockArgument argument) {
  auto kernel =
      argument ? dyn_cast<tile::KernelOp>(argument.getOwner()->getParentOp())
               : tile::KernelOp();
  auto invariant =
      kernel
          ? kernel->getAttrOfType<DenseI64ArrayAttr>(tile::launchInvariantAttr)
          : DenseI64ArrayAttr();
  return invariant && llvm::is_contained(invariant.asArrayRef(),
                                         int64_t(argument.getArgNumber()));
}

/// Number of contiguous elements from the start of an argument for any dynamic
/// sizes, unless one of them is 0.
static int64_t countFewestElements(BlockArgument root, Type element) {
  auto type = dyn_cast_or_null<tile::ViewType>(root ? root.getType() : Type());
  if (!type || !type.isDense() || type.getElementType() != element)
    return 1;
  int64_t elements = 1;
  for (int64_t size : type.getShape())
    if (!ShapedType::isDynamic(size))
      elements = multiplyDivisors(elements, size);
  return elements;
}

AccessFacts analyzeAccess(Operation *op, IndexFacts &facts) {
  AccessOperands access(op);
  ViewFacts view = facts.ofView(access.view);
  int64_t bytes = memoryBytes(access.tile.getElementType());
  int64_t rank = access.tile.getRank();

  AccessFacts result;
  for (int64_t axis = 0; axis < rank; ++axis) {
    Value index = access.indices[axis];
    if (!index) {
      // Each of them must be bounds-checked.
      result.isInside.push_back(false);
      result.isBehindStart.push_back(false);
      continue;
    }
    int64_t tile = access.tile.getDimSize(axis),
            viewAxis = access.viewAxis[axis];
    tile::Interval range = facts.of(index).range;
    int64_t tiles = view.sizes[viewAxis].range.lo / tile;
    bool isInside = (range.lo >= 0 && range.hi < tiles) ||
                    (tile == 1 && facts.isEntry(index, access.view, viewAxis));
    result.isInside.push_back(isInside);
    result.isBehindStart.push_back(range.lo >= 0);
  }
  for (int64_t axis = 0; axis < rank; ++axis) {
    tile::Interval stride = view.strides[access.viewAxis[axis]].range;
    if (axis != access.indexedAxis && stride.lo == 1 && stride.hi == 1 &&
        access.tile.getDimSize(axis) > 1)
      result.vectorAxis = axis;
  }
  if (auto kernel = dyn_cast_or_null<tile::KernelOp>(
          view.root ? view.root.getOwner()->getParentOp() : nullptr))
    // Pointers of a raw kernel may alias memory that it writes after a load.
    result.isReadOnly =
        !kernel.isRaw() && !kernel.isOut(view.root.getArgNumber());
  result.isConstant =
      result.isReadOnly &&
      (isLaunchInvariant(view.root) ||
       !op->getParentOfType<tile::KernelOp>()->hasAttr(overlapsName));
  result.fewestElements =
      countFewestElements(view.root, access.tile.getElementType());
  if (result.vectorAxis < 0)
    return result;

  // In elements: all of these must be multiples of a vector's length, and also
  // the ends of view and tile unless the vector may be partly out of bounds.
  SmallVector<int64_t> steps = {view.alignment / bytes}, ends;
  for (int64_t axis = 0; axis < rank; ++axis) {
    int64_t tile = access.tile.getDimSize(axis);
    int64_t stride = view.strides[access.viewAxis[axis]].divisor;
    Value index = access.indices[axis];
    if (axis == result.vectorAxis) {
      steps.push_back(multiplyDivisors(facts.of(index).divisor, tile));
      ends.push_back(tile);
      if (!result.isInside[axis])
        ends.push_back(view.sizes[access.viewAxis[axis]].divisor);
    } else if (tile == 1 && index) {
      // A single row, whose index may have a larger divisor than its stride.
      int64_t row = facts.of(index).divisor, product;
      steps.push_back(llvm::MulOverflow(row, stride, product) ? stride
                                                              : product);
    } else {
      steps.push_back(stride);
    }
  }
  result.alignedSize = commonPowerOfTwo(steps, maxAccessBytes / bytes);
  result.vectorSize = commonPowerOfTwo(ends, result.alignedSize);
  return result;
}

void analyzeAccesses(Operation *root, AccessTable &table) {
  IndexFacts facts;
  root->walk([&](Operation *op) {
    if (isAccess(op))
      table[op] = analyzeAccess(op, facts);
  });
}

} // namespace tilegpt::tilegpu
