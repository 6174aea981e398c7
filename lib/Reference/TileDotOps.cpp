// Evaluators of tile.dot, summed in double, and of tile.cast, where float tiles
// are rounded.
#include "TileGPT/Reference/Frame.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using llvm::Expected;
using llvm::formatv;

namespace tilegpt::reference {

namespace {
/// An operand of a product as matrices [batch, rows, columns], with elements
/// as the product takes them: rounded to tf32, or extended without sign.
struct Matrices {
  int64_t batch, rows, columns;
  std::vector<Element> elements;

  const Element *row(int64_t b, int64_t i) const {
    return &elements[(b * rows + i) * columns];
  }
};
} // namespace

static Matrices matrices(const Tensor &tensor, bool transpose,
                         llvm::function_ref<Element(Element)> prepare) {
  ArrayRef<int64_t> shape = tensor.shape();
  int64_t rows = shape[shape.size() - 2], columns = shape.back();
  int64_t batch = shape.size() == 3 ? shape.front() : 1;
  Matrices result{batch, rows, columns, {}};
  result.elements.resize(tensor.size());
  if (transpose)
    std::swap(result.rows, result.columns);
  for (int64_t b = 0, n = 0; b < batch; ++b)
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j, ++n) {
        int64_t at = transpose ? (b * columns + j) * rows + i : n;
        result.elements[at] = prepare(tensor[n]);
      }
  return result;
}

/// result[b] += lhs[b]·rhs[b]; the innermost loop runs along a row of all
/// three.
static void multiply(const Matrices &lhs, const Matrices &rhs, Tensor &result) {
  int64_t columns = rhs.columns;
  for (int64_t b = 0; b < lhs.batch; ++b)
    for (int64_t m = 0; m < lhs.rows; ++m) {
      Element *sum = &result[(b * lhs.rows + m) * columns];
      for (int64_t k = 0; k < lhs.columns; ++k) {
        Element factor = lhs.row(b, m)[k];
        const Element *row = rhs.row(b, k);
        if (result.isFloat())
          for (int64_t n = 0; n < columns; ++n)
            sum[n].f += factor.f * row[n].f;
        else // in unsigned numbers, where C++ defines that sums wrap
          for (int64_t n = 0; n < columns; ++n)
            sum[n].i =
                static_cast<int64_t>(static_cast<uint64_t>(sum[n].i) +
                                     static_cast<uint64_t>(factor.i) *
                                         static_cast<uint64_t>(row[n].i));
      }
    }
  if (!result.isFloat())
    for (int64_t i = 0; i < result.size(); ++i)
      result[i].i = wrapTo(result[i].i, result.type());
}

static llvm::Error evaluateDot(tile::DotOp op, Frame &frame) {
  const Tensor &lhs = frame.tensor(op.getLhs());
  const Tensor &rhs = frame.tensor(op.getRhs());
  bool tf32 = op.getPrecision() == tile::Precision::TF32;
  auto prepare = [tf32](ElementType type, bool isUnsigned) {
    return [=](Element value) {
      if (isFloat(type))
        return tf32 ? Element::of(roundToTF32(value.f)) : value;
      return Element::of(
          isUnsigned ? static_cast<int64_t>(unsignedValue(value.i, type))
                     : signedValue(value.i, type));
    };
  };
  Matrices a = matrices(lhs, op.getTransposeA(),
                        prepare(lhs.type(), op.getUnsignedLhs()));
  Matrices b = matrices(rhs, op.getTransposeB(),
                        prepare(rhs.type(), op.getUnsignedRhs()));
  Tensor result = frame.tensor(op.getAcc());
  Shape expected = {a.rows, b.columns};
  if (lhs.rank() == 3)
    expected.insert(expected.begin(), a.batch);
  if (a.columns != b.rows || a.batch != b.batch ||
      result.shape() != ArrayRef<int64_t>(expected))
    return fail(op, formatv("cannot add the product of {0} and {1} to {2}",
                            describe(lhs.type(), lhs.shape()),
                            describe(rhs.type(), rhs.shape()),
                            describe(result.type(), result.shape())));
  multiply(a, b, result);
  frame.define(op, std::move(result));
  return llvm::Error::success();
}

static llvm::Error evaluateTileCast(tile::CastOp op, Frame &frame) {
  const Tensor &source = frame.tensor(op.getSource());
  ElementType type = frame.elementType(op.getType());
  Expected<Tensor> result = Tensor::zeros(type, source.shape());
  if (!result)
    return fail(op, llvm::toString(result.takeError()));
  for (int64_t i = 0; i < source.size(); ++i)
    (*result)[i] = type == source.type()
                       ? source[i]
                       : Element::of(roundTo(source[i].f, type));
  frame.define(op, std::move(*result));
  return llvm::Error::success();
}

void populateTileDotEvaluators(Registry &registry) {
  registry.add<tile::DotOp>(evaluateDot);
  registry.add<tile::CastOp>(evaluateTileCast);
}

} // namespace tilegpt::reference
