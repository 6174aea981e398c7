// Evaluators of tile.reduce and tile.scan: named ones by a function on two
// elements, the others by running their region.
#include "TileGPT/Reference/Frame.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <limits>

using namespace mlir;
using llvm::Expected;
using llvm::formatv;
using tilegpt::tile::ReduceKind;

namespace tilegpt::reference {

namespace {
/// A tile as [outer, axis, inner]: the reduced axis between those before and
/// after it.
struct Rows {
  Rows(ArrayRef<int64_t> shape, int64_t axis)
      : outer(llvm::product_of(shape.take_front(axis))), length(shape[axis]),
        inner(llvm::product_of(shape.drop_front(axis + 1))) {}

  /// The number of element `i` of the row that makes element `row` of the
  /// result.
  int64_t at(int64_t row, int64_t i) const {
    return (row / inner * length + i) * inner + row % inner;
  }
  int64_t count() const { return outer * inner; }

  int64_t outer, length, inner;
};
} // namespace

static Shape reducedShape(ArrayRef<int64_t> shape, int64_t axis,
                          bool keepdims) {
  Shape result(shape);
  if (keepdims)
    result[axis] = 1;
  else
    result.erase(result.begin() + axis);
  return result;
}

/// Whether `candidate` takes the place of `best` as the extreme element. NaN
/// wins where it propagates and loses where it is ignored; of equal elements
/// the first stays.
/// \param ordersZeros  +0 is more than -0, as in arith.maximumf.
static bool replaces(double candidate, double best, bool wantMax,
                     bool ordersZeros, tile::NaNPolicy policy) {
  bool propagate = policy == tile::NaNPolicy::Propagate;
  if (std::isnan(best))
    return !propagate && !std::isnan(candidate);
  if (std::isnan(candidate))
    return propagate;
  if (candidate == best)
    return ordersZeros && std::signbit(candidate) != std::signbit(best) &&
           std::signbit(best) == wantMax;
  return wantMax ? candidate > best : candidate < best;
}

static bool replaces(Element candidate, Element best, ReduceKind kind,
                     ElementType type, tile::NaNPolicy policy) {
  bool wantMax = kind == ReduceKind::Max || kind == ReduceKind::UMax ||
                 kind == ReduceKind::ArgMax;
  bool isPosition = kind == ReduceKind::ArgMax || kind == ReduceKind::ArgMin;
  if (isFloat(type))
    return replaces(candidate.f, best.f, wantMax, !isPosition, policy);
  if (kind == ReduceKind::UMax || kind == ReduceKind::UMin) {
    uint64_t a = unsignedValue(candidate.i, type);
    uint64_t b = unsignedValue(best.i, type);
    return wantMax ? a > b : a < b;
  }
  int64_t a = signedValue(candidate.i, type), b = signedValue(best.i, type);
  return wantMax ? a > b : a < b;
}

/// Combines two elements of a sum, a product or a bitwise reduction.
static Element combine(Element a, Element b, ReduceKind kind,
                       ElementType type) {
  if (isFloat(type))
    return Element::of(kind == ReduceKind::Add ? a.f + b.f : a.f * b.f);
  auto x = static_cast<uint64_t>(a.i), y = static_cast<uint64_t>(b.i);
  uint64_t result = 0;
  switch (kind) {
  case ReduceKind::Add:
    result = x + y;
    break;
  case ReduceKind::Mul:
    result = x * y;
    break;
  case ReduceKind::And:
    result = x & y;
    break;
  case ReduceKind::Or:
    result = x | y;
    break;
  case ReduceKind::Xor:
    result = x ^ y;
    break;
  default:
    llvm_unreachable("extremes are found by replaces()");
  }
  return Element::of(wrapTo(static_cast<int64_t>(result), type));
}

static llvm::Error evaluateNamed(tile::ReduceOp op, ReduceKind kind,
                                 Frame &frame) {
  const Tensor &source = frame.tensor(op.getSources().front());
  Rows rows(source.shape(), op.getAxis());
  bool isArg = kind == ReduceKind::ArgMax || kind == ReduceKind::ArgMin;
  bool isExtreme = isArg || kind == ReduceKind::Max ||
                   kind == ReduceKind::Min || kind == ReduceKind::UMax ||
                   kind == ReduceKind::UMin;
  ElementType type = source.type();
  Expected<Tensor> result = Tensor::zeros(
      isArg ? ElementType::I32 : type,
      reducedShape(source.shape(), op.getAxis(), op.getKeepdims()));
  if (!result)
    return fail(op, llvm::toString(result.takeError()));
  for (int64_t row = 0; row < rows.count(); ++row) {
    Element sum = source[rows.at(row, 0)];
    int64_t first = 0;
    for (int64_t i = 1; i < rows.length; ++i) {
      Element next = source[rows.at(row, i)];
      if (!isExtreme) {
        sum = combine(sum, next, kind, type);
      } else if (replaces(next, sum, kind, type, op.getNanPolicy())) {
        sum = next;
        first = i;
      }
    }
    (*result)[row] = isArg ? Element::of(first) : sum;
  }
  frame.define(op.getResults().front(), std::move(*result));
  return llvm::Error::success();
}

/// The identities, one scalar for each source.
static std::vector<Value> identities(tile::CombinerOpInterface op,
                                     Frame &frame) {
  std::vector<Value> values;
  for (auto [attribute, source] :
       llvm::zip_equal(*op.getIdentities(), op.getSources())) {
    ElementType type = frame.tensor(source).type();
    Element value =
        isFloat(type)
            ? Element::of(cast<FloatAttr>(attribute).getValueAsDouble())
            : Element::of(
                  wrapTo(cast<IntegerAttr>(attribute).getValue().getSExtValue(),
                         type));
    values.push_back(std::make_shared<Tensor>(type, value));
  }
  return values;
}

static llvm::Error evaluateByRegion(tile::ReduceOp op, Frame &frame) {
  SmallVector<const Tensor *> sources;
  for (mlir::Value source : op.getSources())
    sources.push_back(&frame.tensor(source));
  ArrayRef<int64_t> shape = sources.front()->shape();
  for (const Tensor *source : sources)
    if (source->shape() != shape)
      return fail(op, formatv("expected sources of one shape, found {0} and "
                              "{1}",
                              describe(sources.front()->type(), shape),
                              describe(source->type(), source->shape())));
  Rows rows(shape, op.getAxis());
  std::vector<Tensor> results;
  for (const Tensor *source : sources) {
    Expected<Tensor> result = Tensor::zeros(
        source->type(), reducedShape(shape, op.getAxis(), op.getKeepdims()));
    if (!result)
      return fail(op, llvm::toString(result.takeError()));
    results.push_back(std::move(*result));
  }
  for (int64_t row = 0; row < rows.count(); ++row) {
    std::vector<Value> accumulators = identities(op, frame);
    for (int64_t i = 0; i < rows.length; ++i) {
      std::vector<Value> arguments = std::move(accumulators);
      for (const Tensor *source : sources)
        arguments.push_back(std::make_shared<Tensor>(
            source->type(), (*source)[rows.at(row, i)]));
      Expected<std::vector<Value>> combined =
          frame.run(op.getCombiner().front(), arguments);
      if (!combined)
        return combined.takeError();
      accumulators = std::move(*combined);
    }
    for (auto [result, value] : llvm::zip_equal(results, accumulators))
      result[row] = std::get<TensorRef>(value)->item();
  }
  for (auto [result, value] : llvm::zip_equal(op.getResults(), results))
    frame.define(result, std::move(value));
  return llvm::Error::success();
}

/// The sources of a scan by region, and copies of them for its results.
static llvm::Error takeSources(tile::ScanOp op, Frame &frame,
                               std::vector<Tensor> &results) {
  for (mlir::Value source : op.getSources()) {
    results.push_back(frame.tensor(source));
    if (results.back().shape() != results.front().shape())
      return fail(
          op, formatv("expected sources of one shape, found {0} and "
                      "{1}",
                      describe(results.front().type(), results.front().shape()),
                      describe(results.back().type(), results.back().shape())));
  }
  return llvm::Error::success();
}

/// What changes nothing when it is combined.
static Element identityOf(ReduceKind kind, ElementType type,
                          tile::NaNPolicy policy) {
  bool isMax = kind == ReduceKind::Max;
  int64_t least = wrapTo(int64_t(1) << (bitWidth(type) - 1), type);
  switch (kind) {
  case ReduceKind::Mul:
    return isFloat(type) ? Element::of(1.0) : Element::of(int64_t(1));
  case ReduceKind::Max:
  case ReduceKind::Min:
    if (!isFloat(type))
      return Element::of(isMax ? least : wrapTo(~least, type));
    if (policy == tile::NaNPolicy::Ignore)
      return Element::of(std::numeric_limits<double>::quiet_NaN());
    return Element::of(isMax ? -HUGE_VAL : HUGE_VAL);
  case ReduceKind::And:
  case ReduceKind::UMin:
    return Element::of(wrapTo(-1, type));
  default:
    return isFloat(type) ? Element::of(0.0) : Element::of(int64_t(0));
  }
}

static Element combineNamed(tile::ScanOp op, ReduceKind kind, ElementType type,
                            Element before, Element next) {
  switch (kind) {
  case ReduceKind::Max:
  case ReduceKind::Min:
  case ReduceKind::UMax:
  case ReduceKind::UMin:
    return replaces(next, before, kind, type, op.getNanPolicy()) ? next
                                                                 : before;
  default:
    return combine(before, next, kind, type);
  }
}

/// One step of a scan: combines `before` with the elements at `at`.
static Expected<std::vector<Value>>
step(tile::ScanOp op, Frame &frame, std::vector<Value> before, int64_t at) {
  std::vector<Value> next;
  for (mlir::Value source : op.getSources()) {
    const Tensor &tensor = frame.tensor(source);
    next.push_back(std::make_shared<Tensor>(tensor.type(), tensor[at]));
  }
  if (std::optional<ReduceKind> kind = op.getKind()) {
    const Tensor &element = *std::get<TensorRef>(next.front());
    Element sum = combineNamed(op, *kind, element.type(),
                               std::get<TensorRef>(before.front())->item(),
                               element.item());
    return std::vector<Value>{std::make_shared<Tensor>(element.type(), sum)};
  }
  before.insert(before.end(), next.begin(), next.end());
  return frame.run(op.getCombiner().front(), before);
}

static llvm::Error evaluateScan(tile::ScanOp op, Frame &frame) {
  std::vector<Tensor> results;
  if (llvm::Error error = takeSources(op, frame, results))
    return error;
  Rows rows(results.front().shape(), op.getAxis());
  for (int64_t row = 0; row < rows.count(); ++row) {
    std::vector<Value> sums;
    if (std::optional<ReduceKind> kind = op.getKind()) {
      ElementType type = results.front().type();
      sums.push_back(std::make_shared<Tensor>(
          type, identityOf(*kind, type, op.getNanPolicy())));
    } else {
      sums = identities(op, frame);
    }
    for (int64_t i = 0; i < rows.length; ++i) {
      int64_t at = rows.at(row, op.getReverse() ? rows.length - 1 - i : i);
      Expected<std::vector<Value>> next = step(op, frame, sums, at);
      if (!next)
        return next.takeError();
      // A scan by kind returns the first element unchanged: 0 + -0 is not -0.
      if (i == 0 && op.getKind())
        next->front() = std::make_shared<Tensor>(
            results.front().type(), frame.tensor(op.getSources().front())[at]);
      for (auto [number, result] : llvm::enumerate(results))
        result[at] =
            std::get<TensorRef>((op.getExclusive() ? sums : *next)[number])
                ->item();
      sums = std::move(*next);
    }
  }
  for (auto [result, value] : llvm::zip_equal(op.getResults(), results))
    frame.define(result, std::move(value));
  return llvm::Error::success();
}

static llvm::Error evaluateReduce(tile::ReduceOp op, Frame &frame) {
  if (std::optional<ReduceKind> kind = op.getKind())
    return evaluateNamed(op, *kind, frame);
  return evaluateByRegion(op, frame);
}

void populateTileReduceEvaluators(Registry &registry) {
  registry.add<tile::ReduceOp>(evaluateReduce);
  registry.add<tile::ScanOp>(evaluateScan);
}

} // namespace tilegpt::reference
