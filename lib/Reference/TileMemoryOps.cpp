// Evaluators of loads, stores, gathers and scatters: map elements of a tile to
// elements of a view, and handle those out of bounds.
#include "TileGPT/Reference/Frame.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using llvm::Expected;
using llvm::formatv;

namespace tilegpt::reference {

namespace {
/// Maps an element of a tile to the index of an element of a view.
struct Window {
  Shape sizes;             ///< of the tile
  Shape tileIndices;       ///< along each axis of the view; a gather's own
                           ///< axis has none and holds 0
  Shape order;             ///< axis i of the tile runs along order[i]
  int64_t gatherAxis = -1; ///< of the view, -1 when there is none
  const Tensor *index = nullptr; ///< entries along gatherAxis

  /// The number of the element in the view's memory, or nothing outside the
  /// view.
  std::optional<int64_t> locate(const View &view,
                                ArrayRef<int64_t> element) const;
};
} // namespace

std::optional<int64_t> Window::locate(const View &view,
                                      ArrayRef<int64_t> element) const {
  Shape place(view.shape.size());
  for (auto [axis, along] : llvm::enumerate(order)) {
    int64_t i = element[axis];
    if (along == gatherAxis) {
      place[along] = (*index)[i].i;
      continue;
    }
    // An index so large that the product overflows is outside like any other.
    int64_t first;
    if (llvm::MulOverflow(tileIndices[along], sizes[axis], first) ||
        llvm::AddOverflow(first, i, place[along]))
      return std::nullopt;
  }
  return view.locate(place);
}

static Shape identityOrder(int64_t rank) {
  return llvm::to_vector<4>(llvm::seq<int64_t>(0, rank));
}

/// The window of a load or store.
static Window tileWindow(ArrayRef<int64_t> sizes, ValueRange indices,
                         std::optional<ArrayRef<int64_t>> order, Frame &frame) {
  Window window;
  window.sizes = Shape(sizes);
  window.tileIndices = frame.integers(indices);
  window.order = order ? Shape(*order) : identityOrder(sizes.size());
  return window;
}

/// The window of a gather or scatter along `axis`.
static Window indexedWindow(ArrayRef<int64_t> sizes, ValueRange indices,
                            const Tensor &index, int64_t axis, Frame &frame) {
  Window window = tileWindow(sizes, indices, std::nullopt, frame);
  window.tileIndices.insert(window.tileIndices.begin() + axis, 0);
  window.gatherAxis = axis;
  window.index = &index;
  return window;
}

static llvm::Error checkMask(Operation *op, const Tensor *mask,
                             ArrayRef<int64_t> sizes) {
  if (!mask || mask->shape() == sizes)
    return llvm::Error::success();
  return fail(op, formatv("expected a mask of {0}, found {1}",
                          describe(ElementType::I1, sizes),
                          describe(mask->type(), mask->shape())));
}

/// A gather's index has one entry for each element of the tile along its axis.
static llvm::Error checkIndex(Operation *op, const Window &window) {
  if (window.gatherAxis < 0 ||
      window.index->size() == window.sizes[window.gatherAxis])
    return llvm::Error::success();
  return fail(op, formatv("expected {0} indices along axis {1} of the tile, "
                          "found {2}",
                          window.sizes[window.gatherAxis], window.gatherAxis,
                          window.index->size()));
}

/// Calls `visit(element, i, at)` for each element of a window: its index, its
/// number in the tile, and its number in the view's memory, or nothing if it is
/// out of bounds or masked off. Fails if the view exceeds its memory there.
static llvm::Error visit(
    Operation *op, const View &view, const Window &window, const Tensor *mask,
    llvm::function_ref<void(ArrayRef<int64_t>, int64_t, std::optional<int64_t>)>
        visit) {
  if (llvm::Error error = checkMask(op, mask, window.sizes))
    return error;
  if (llvm::Error error = checkIndex(op, window))
    return error;
  const int64_t size = view.memory->size();
  std::optional<int64_t> beyond;
  int64_t i = 0;
  forEachIndex(window.sizes, [&](ArrayRef<int64_t> element) {
    std::optional<int64_t> at;
    if (!mask || (*mask)[i].i)
      at = window.locate(view, element);
    if (at && (*at < 0 || *at >= size)) {
      beyond = beyond.value_or(*at);
      at.reset();
    }
    visit(element, i++, at);
  });
  if (beyond)
    return fail(
        op, formatv("reaches element {0} of a memory of {1}", *beyond, size));
  return llvm::Error::success();
}

/// Reads the elements of a window. Elements that are out of bounds or masked
/// off get the pad value.
static llvm::Error read(Operation *op, const View &view, const Window &window,
                        const Tensor *mask, tile::PadKind pad, Frame &frame) {
  ElementType type = view.memory->type();
  Expected<Tensor> result = Tensor::zeros(type, window.sizes);
  if (!result)
    return fail(op, llvm::toString(result.takeError()));
  Element outside = padElement(pad, type);
  Shape unwritten;
  if (llvm::Error error = visit(
          op, view, window, mask,
          [&](ArrayRef<int64_t> element, int64_t i, std::optional<int64_t> at) {
            if (at && !view.memory->isWritten(*at) && unwritten.empty())
              unwritten.assign(element.begin(), element.end());
            (*result)[i] = at ? (*view.memory)[*at] : outside;
          }))
    return error;
  if (!unwritten.empty())
    return fail(op,
                formatv("reads an element that has not been written: "
                        "[{0:$[, ]}] of the tile",
                        llvm::make_range(unwritten.begin(), unwritten.end())));
  frame.define(op->getResult(0), std::move(*result));
  return llvm::Error::success();
}

/// Writes the elements of a window that are in bounds and not masked off,
/// rounded to the memory's type.
static llvm::Error write(Operation *op, const Tensor &value, const View &view,
                         const Window &window, const Tensor *mask) {
  if (!view.writable)
    return fail(op, "writes a view of an argument that is not in outs");
  return visit(op, view, window, mask,
               [&](ArrayRef<int64_t>, int64_t i, std::optional<int64_t> at) {
                 if (at)
                   view.memory->store(*at, value[i]);
               });
}

static const Tensor *maskOf(mlir::Value mask, Frame &frame) {
  return mask ? &frame.tensor(mask) : nullptr;
}

static llvm::Error evaluateLoad(tile::LoadOp op, Frame &frame) {
  Window window = tileWindow(frame.sizes(op.getSizes()), op.getIndices(),
                             op.getOrder(), frame);
  return read(op, frame.view(op.getView()), window, maskOf(op.getMask(), frame),
              op.getPad(), frame);
}

static llvm::Error evaluateGather(tile::GatherOp op, Frame &frame) {
  Window window =
      indexedWindow(frame.sizes(op.getSizes()), op.getIndices(),
                    frame.tensor(op.getIndex()), op.getAxis(), frame);
  return read(op, frame.view(op.getView()), window, maskOf(op.getMask(), frame),
              op.getPad(), frame);
}

static llvm::Error evaluateStore(tile::StoreOp op, Frame &frame) {
  const Tensor &value = frame.tensor(op.getValue());
  Window window =
      tileWindow(value.shape(), op.getIndices(), op.getOrder(), frame);
  return write(op, value, frame.view(op.getView()), window,
               maskOf(op.getMask(), frame));
}

static llvm::Error evaluateScatter(tile::ScatterOp op, Frame &frame) {
  const Tensor &value = frame.tensor(op.getValue());
  Window window =
      indexedWindow(value.shape(), op.getIndices(), frame.tensor(op.getIndex()),
                    op.getAxis(), frame);
  return write(op, value, frame.view(op.getView()), window,
               maskOf(op.getMask(), frame));
}

void populateTileMemoryEvaluators(Registry &registry) {
  registry.add<tile::LoadOp>(evaluateLoad);
  registry.add<tile::StoreOp>(evaluateStore);
  registry.add<tile::GatherOp>(evaluateGather);
  registry.add<tile::ScatterOp>(evaluateScatter);
}

} // namespace tilegpt::reference
