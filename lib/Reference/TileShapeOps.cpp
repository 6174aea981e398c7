// Evaluators of the ops that create and reshape tiles: each maps elements of
// the result to elements of the source.
#include "TileGPT/Reference/Frame.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using llvm::Expected;
using llvm::formatv;

namespace tilegpt::reference {

/// The row-major index of an element that is in bounds.
static int64_t linearize(ArrayRef<int64_t> index, ArrayRef<int64_t> shape) {
  int64_t position = 0;
  for (auto [i, size] : llvm::zip_equal(index, shape))
    position = position * size + i;
  return position;
}

/// Defines the result of `op` as a tile of which element `index` is
/// `element(index)`.
static llvm::Error
defineTile(Operation *op, Frame &frame, ElementType type,
           ArrayRef<int64_t> shape,
           llvm::function_ref<Element(ArrayRef<int64_t>)> element) {
  Expected<Tensor> result = Tensor::zeros(type, shape);
  if (!result)
    return fail(op, llvm::toString(result.takeError()));
  int64_t i = 0;
  forEachIndex(
      shape, [&](ArrayRef<int64_t> index) { (*result)[i++] = element(index); });
  frame.define(op->getResult(0), std::move(*result));
  return llvm::Error::success();
}

static llvm::Error evaluateTileSplat(tile::SplatOp op, Frame &frame) {
  const Tensor &scalar = frame.tensor(op.getValue());
  return defineTile(op, frame, scalar.type(), frame.sizes(op.getSizes()),
                    [&](ArrayRef<int64_t>) { return scalar.item(); });
}

static llvm::Error evaluateIota(tile::IotaOp op, Frame &frame) {
  ElementType type = frame.elementType(op.getType());
  Shape shape = frame.sizes(op.getSizes());
  if (shape.front() > 0 && wrapTo(shape.front() - 1, type) != shape.front() - 1)
    return fail(op, formatv("last value {0} does not fit {1}",
                            shape.front() - 1, bundle::name(type)));
  return defineTile(op, frame, type, shape, [](ArrayRef<int64_t> index) {
    return Element::of(index.front());
  });
}

static llvm::Error evaluateReshape(tile::ReshapeOp op, Frame &frame) {
  const Tensor &source = frame.tensor(op.getSource());
  Shape shape = frame.sizes(op.getSizes());
  if (llvm::product_of(shape) != source.size())
    return fail(op, formatv("expected as many elements as {0} has, found {1}",
                            describe(source.type(), source.shape()),
                            describe(source.type(), shape)));
  frame.define(op, source.reshaped(shape));
  return llvm::Error::success();
}

static llvm::Error evaluateBroadcast(tile::BroadcastOp op, Frame &frame) {
  const Tensor &source = frame.tensor(op.getSource());
  Shape shape = frame.sizes(op.getSizes());
  ArrayRef<int64_t> from = source.shape();
  if (from.size() > shape.size())
    return fail(op, formatv("cannot broadcast {0} to {1}: it has more axes",
                            describe(source.type(), from),
                            describe(source.type(), shape)));
  size_t added = shape.size() - from.size();
  for (auto [axis, size] : llvm::enumerate(from))
    if (size != 1 && size != shape[added + axis])
      return fail(op, formatv("cannot broadcast {0} to {1} along axis {2} of "
                              "the source",
                              size, shape[added + axis], axis));
  return defineTile(op, frame, source.type(), shape,
                    [&](ArrayRef<int64_t> index) {
                      Shape at(index.drop_front(added));
                      for (auto [i, size] : llvm::zip_equal(at, from))
                        i = size == 1 ? 0 : i;
                      return source[linearize(at, from)];
                    });
}

static llvm::Error evaluateExpandDims(tile::ExpandDimsOp op, Frame &frame) {
  const Tensor &source = frame.tensor(op.getSource());
  Shape shape(source.shape());
  shape.insert(shape.begin() + op.getAxis(), 1);
  frame.define(op, source.reshaped(shape));
  return llvm::Error::success();
}

static llvm::Error evaluatePermute(tile::PermuteOp op, Frame &frame) {
  const Tensor &source = frame.tensor(op.getSource());
  ArrayRef<int64_t> permutation = op.getPermutation();
  Shape shape;
  for (int64_t axis : permutation)
    shape.push_back(source.shape()[axis]);
  return defineTile(op, frame, source.type(), shape,
                    [&](ArrayRef<int64_t> index) {
                      Shape at(index.size());
                      for (auto [axis, from] : llvm::enumerate(permutation))
                        at[from] = index[axis];
                      return source[linearize(at, source.shape())];
                    });
}

static llvm::Error evaluateBytes(tile::BytesOp op, Frame &frame) {
  const Tensor &source = frame.tensor(op.getSource());
  ElementType type = frame.elementType(op.getType());
  bool unpacks = type == ElementType::I8;
  int64_t bytes = bitWidth(unpacks ? source.type() : type) / 8;
  if (!unpacks && source.size() % bytes != 0)
    return fail(op, formatv("expected a multiple of {0} bytes, found {1}",
                            bytes, source.size()));
  int64_t size = unpacks ? source.size() * bytes : source.size() / bytes;
  return defineTile(op, frame, type, Shape{size}, [&](ArrayRef<int64_t> at) {
    if (unpacks) {
      uint64_t bits = toBits(source[at[0] / bytes], source.type());
      return fromBits((bits >> (8 * (at[0] % bytes))) & 0xFF, type);
    }
    uint64_t bits = 0;
    for (int64_t byte = bytes; byte-- > 0;)
      bits = bits << 8 | toBits(source[at[0] * bytes + byte], source.type());
    return fromBits(bits, type);
  });
}

static llvm::Error evaluateCat(tile::CatOp op, Frame &frame) {
  const Tensor &lhs = frame.tensor(op.getLhs());
  const Tensor &rhs = frame.tensor(op.getRhs());
  auto axis = static_cast<int64_t>(op.getAxis());
  for (int64_t other = 0; other < lhs.rank(); ++other)
    if (other != axis && lhs.shape()[other] != rhs.shape()[other])
      return fail(op, formatv("expected one size along axis {0}, found {1} and "
                              "{2}",
                              other, lhs.shape()[other], rhs.shape()[other]));
  int64_t seam = lhs.shape()[axis];
  Shape shape(lhs.shape());
  shape[axis] += rhs.shape()[axis];
  return defineTile(op, frame, lhs.type(), shape, [&](ArrayRef<int64_t> index) {
    Shape at(index);
    if (at[axis] < seam)
      return lhs[linearize(at, lhs.shape())];
    at[axis] -= seam;
    return rhs[linearize(at, rhs.shape())];
  });
}

/// The first element of piece `indices` of a tile, or an error if the piece is
/// out of bounds.
static Expected<Shape> pieceOrigin(Operation *op, const Tensor &whole,
                                   ArrayRef<int64_t> indices,
                                   ArrayRef<int64_t> sizes) {
  Shape origin;
  for (auto [axis, index, size] : llvm::enumerate(indices, sizes)) {
    int64_t available = whole.shape()[axis];
    if (index < 0 || size > available || index > (available - size) / size)
      return fail(op, formatv("piece {0} of size {1} is outside axis {2} of "
                              "size {3}",
                              index, size, axis, available));
    origin.push_back(index * size);
  }
  return origin;
}

static llvm::Error evaluateTileExtract(tile::ExtractOp op, Frame &frame) {
  const Tensor &source = frame.tensor(op.getSource());
  Shape sizes = frame.sizes(op.getSizes());
  Expected<Shape> origin =
      pieceOrigin(op, source, frame.integers(op.getIndices()), sizes);
  if (!origin)
    return origin.takeError();
  return defineTile(op, frame, source.type(), sizes,
                    [&](ArrayRef<int64_t> index) {
                      Shape at(index);
                      for (auto [i, first] : llvm::zip_equal(at, *origin))
                        i += first;
                      return source[linearize(at, source.shape())];
                    });
}

static llvm::Error evaluateTileInsert(tile::InsertOp op, Frame &frame) {
  const Tensor &source = frame.tensor(op.getSource());
  Tensor result = frame.tensor(op.getDest());
  Expected<Shape> origin =
      pieceOrigin(op, result, frame.integers(op.getIndices()), source.shape());
  if (!origin)
    return origin.takeError();
  int64_t i = 0;
  forEachIndex(source.shape(), [&](ArrayRef<int64_t> index) {
    Shape at(index);
    for (auto [coordinate, first] : llvm::zip_equal(at, *origin))
      coordinate += first;
    result[linearize(at, result.shape())] = source[i++];
  });
  frame.define(op, std::move(result));
  return llvm::Error::success();
}

void populateTileShapeEvaluators(Registry &registry) {
  registry.add<tile::SplatOp>(evaluateTileSplat);
  registry.add<tile::IotaOp>(evaluateIota);
  registry.add<tile::ReshapeOp>(evaluateReshape);
  registry.add<tile::BroadcastOp>(evaluateBroadcast);
  registry.add<tile::ExpandDimsOp>(evaluateExpandDims);
  registry.add<tile::PermuteOp>(evaluatePermute);
  registry.add<tile::BytesOp>(evaluateBytes);
  registry.add<tile::CatOp>(evaluateCat);
  registry.add<tile::ExtractOp>(evaluateTileExtract);
  registry.add<tile::InsertOp>(evaluateTileInsert);
}

} // namespace tilegpt::reference
