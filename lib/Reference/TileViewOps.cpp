// Evaluators of the ops on views: sizes, and windows that share the memory of
// their source.
#include "TileGPT/Reference/Frame.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using llvm::Expected;
using llvm::formatv;

namespace tilegpt::reference {

static llvm::Error evaluateViewDim(tile::DimOp op, Frame &frame) {
  frame.defineIndex(op, frame.view(op.getView()).shape[op.getAxis()]);
  return llvm::Error::success();
}

static llvm::Error evaluateNumTiles(tile::NumTilesOp op, Frame &frame) {
  int64_t size = frame.view(op.getView()).shape[op.getAxis()];
  frame.defineIndex(
      op, llvm::divideCeilSigned(size, frame.sizes(op.getSizes()).front()));
  return llvm::Error::success();
}

/// Offsets or sizes, some of them integers in the text.
static Shape mixed(ArrayRef<int64_t> known, ValueRange open, Frame &frame) {
  Shape result(known);
  Shape values = frame.integers(open);
  auto next = values.begin();
  for (int64_t &entry : result)
    if (ShapedType::isDynamic(entry))
      entry = *next++;
  return result;
}

/// Holds a view against the type it is declared with.
static llvm::Error defineView(Operation *op, Frame &frame, View view) {
  auto declared = cast<tile::ViewType>(op->getResult(0).getType());
  if (failed(verifyCompatibleShape(declared.getShape(), view.shape)))
    return fail(op,
                formatv("result is declared as {0}, but its sizes are {1}",
                        declared, describe(view.memory->type(), view.shape)));
  Shape promised = declared.isDense() ? denseStrides(view.shape)
                                      : Shape(declared.getStrides());
  for (auto [axis, stride] : llvm::enumerate(promised))
    if (!ShapedType::isDynamic(stride) && stride != view.strides[axis] &&
        view.shape[axis] > 1)
      return fail(op, formatv("result is declared with stride {0} along axis "
                              "{1}, but it is {2}",
                              stride, axis, view.strides[axis]));
  frame.define(op->getResult(0), std::move(view));
  return llvm::Error::success();
}

/// Whether a view only serves to advance a pointer: `tile.base` of a window of
/// it. Such a view is never accessed, so its size does not matter, and the
/// pointer may move backward.
static bool isOnlyAddress(mlir::Value view) {
  auto isAddress = [](Operation *user) {
    auto window = dyn_cast<tile::SubviewOp>(user);
    return isa<tile::BaseOp>(user) ||
           (window && isOnlyAddress(window.getResult()));
  };
  return !view.use_empty() && llvm::all_of(view.getUsers(), isAddress);
}

static llvm::Error evaluateSubview(tile::SubviewOp op, Frame &frame) {
  View view = frame.view(op.getSource());
  Shape offsets = mixed(op.getStaticOffsets(), op.getOffsets(), frame);
  Shape sizes = mixed(op.getStaticSizes(), op.getSizes(), frame);
  const bool isAddress = isOnlyAddress(op.getResult());
  for (auto [axis, offset, size] : llvm::enumerate(offsets, sizes)) {
    // Compared in this order nothing overflows.
    if (!isAddress && (offset < 0 || size < 0 || offset > view.shape[axis] ||
                       size > view.shape[axis] - offset))
      return fail(op, formatv("window of {0} from {1} is outside axis {2} of "
                              "size {3}",
                              size, offset, axis, view.shape[axis]));
    view.offset += offset * view.strides[axis];
  }
  view.shape = sizes;
  return defineView(op, frame, std::move(view));
}

static llvm::Error evaluateViewSelect(tile::SelectOp op, Frame &frame) {
  View view = frame.view(op.getSource());
  Shape indices = frame.integers(op.getIndices());
  for (auto [axis, index] : llvm::enumerate(indices)) {
    if (index < 0 || index >= view.shape[axis])
      return fail(op, formatv("index {0} is outside axis {1} of size {2}",
                              index, axis, view.shape[axis]));
    view.offset += index * view.strides[axis];
  }
  view.shape.erase(view.shape.begin(), view.shape.begin() + indices.size());
  view.strides.erase(view.strides.begin(),
                     view.strides.begin() + indices.size());
  return defineView(op, frame, std::move(view));
}

static llvm::Error evaluateTranspose(tile::TransposeOp op, Frame &frame) {
  const View &source = frame.view(op.getSource());
  View view = source;
  for (auto [axis, from] : llvm::enumerate(op.getPermutation())) {
    view.shape[axis] = source.shape[from];
    view.strides[axis] = source.strides[from];
  }
  return defineView(op, frame, std::move(view));
}

static llvm::Error evaluateBase(tile::BaseOp op, Frame &frame) {
  View pointer = frame.view(op.getView());
  pointer.shape.clear();
  pointer.strides.clear();
  frame.define(op, std::move(pointer));
  return llvm::Error::success();
}

/// Accesses check that the elements they use are in memory: a view may exceed
/// it where the kernel does not access it.
static llvm::Error evaluateViewAt(tile::ViewAtOp op, Frame &frame) {
  View view = frame.view(op.getBase());
  const ElementType type = frame.elementType(op.getType());
  if (!view.memory) {
    // An address, in bytes, far from all memory: that of an absent argument.
    Expected<Tensor> nothing = Tensor::zeros(type, {0});
    if (!nothing)
      return fail(op, llvm::toString(nothing.takeError()));
    view.memory = std::make_shared<Tensor>(std::move(*nothing));
    view.writable = true;
    view.offset /= byteWidth(type);
  }
  if (view.memory->type() != type)
    return fail(op,
                formatv("is a view of {0} of memory that holds {1}; access "
                        "it through pointers instead",
                        bundle::name(type), bundle::name(view.memory->type())));
  view.shape = mixed(op.getStaticSizes(), op.getSizes(), frame);
  view.strides = op.getStaticStrides()
                     ? mixed(*op.getStaticStrides(), op.getStrides(), frame)
                     : denseStrides(view.shape);
  if (isOnlyAddress(op.getResult()))
    return defineView(op, frame, std::move(view));
  int64_t last = view.offset;
  for (auto [axis, size, stride] : llvm::enumerate(view.shape, view.strides)) {
    int64_t reach;
    if (size < 0 || stride < 0 || llvm::MulOverflow(size - 1, stride, reach) ||
        llvm::AddOverflow(last, reach, last))
      return fail(op, formatv("expected a size and a stride of axis {0} that "
                              "are not negative, found {1} and {2}",
                              axis, size, stride));
  }
  return defineView(op, frame, std::move(view));
}

void populateTileViewEvaluators(Registry &registry) {
  registry.add<tile::BaseOp>(evaluateBase);
  registry.add<tile::ViewAtOp>(evaluateViewAt);
  registry.add<tile::DimOp>(evaluateViewDim);
  registry.add<tile::NumTilesOp>(evaluateNumTiles);
  registry.add<tile::SubviewOp>(evaluateSubview);
  registry.add<tile::SelectOp>(evaluateViewSelect);
  registry.add<tile::TransposeOp>(evaluateTranspose);
}

} // namespace tilegpt::reference
