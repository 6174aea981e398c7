// Evaluates grid expressions, on a stack machine with eleven operations, and
// linear sizes.
#include "TileGPT/Runtime/Engine/Evaluate.h"
#include <algorithm>
#include <limits>

using namespace tilegpt;
using namespace tilegpt::bundle;

std::optional<int64_t> runtime::evaluate(const Extent &extent, int64_t rows,
                                         int64_t sequences) {
  int64_t byRow, bySequence, sum;
  if (__builtin_mul_overflow(extent.perRow, rows, &byRow) ||
      __builtin_mul_overflow(extent.perSequence, sequences, &bySequence) ||
      __builtin_add_overflow(extent.constant, byRow, &sum) ||
      __builtin_add_overflow(sum, bySequence, &sum))
    return std::nullopt;
  return sum;
}

/// The integer value of the word of a scalar argument; i1 is 0 or 1.
static int64_t signExtend(uint64_t bits, ElementType type) {
  if (type == ElementType::I1)
    return int64_t(bits & 1);
  const int64_t unused = 64 - 8 * byteWidth(type);
  return int64_t(bits << unused) >> unused;
}

/// A binary operation; nothing on overflow or division by zero.
static std::optional<int64_t> apply(ExpressionOp op, int64_t a, int64_t b) {
  int64_t result;
  bool overflows = false;
  switch (op) {
  case ExpressionOp::Add:
    overflows = __builtin_add_overflow(a, b, &result);
    break;
  case ExpressionOp::Sub:
    overflows = __builtin_sub_overflow(a, b, &result);
    break;
  case ExpressionOp::Mul:
    overflows = __builtin_mul_overflow(a, b, &result);
    break;
  case ExpressionOp::Min:
    return std::min(a, b);
  case ExpressionOp::Max:
    return std::max(a, b);
  default: {
    if (b == 0 || (a == std::numeric_limits<int64_t>::min() && b == -1))
      return std::nullopt;
    // C++ rounds towards zero; `exact` is false if floor and ceiling differ
    // from that.
    const bool exact = a % b == 0;
    const bool positive = (a < 0) == (b < 0);
    const int64_t floor = a / b - (!exact && !positive);
    if (op == ExpressionOp::CeilDiv)
      return a / b + (!exact && positive);
    return op == ExpressionOp::FloorDiv ? floor : a - floor * b;
  }
  }
  return overflows ? std::nullopt : std::optional(result);
}

std::optional<int64_t> runtime::evaluate(std::span<const Expression> postfix,
                                         const LaunchWords &launch) {
  int64_t stack[maxExpressionDepth];
  unsigned depth = 0;
  for (const Expression &node : postfix) {
    switch (node.op) {
    case ExpressionOp::Constant:
      stack[depth++] = node.value;
      break;
    case ExpressionOp::Dim: // a view's first word is its address, its sizes
                            // follow
      stack[depth++] = int64_t(
          launch.words[launch.firstWord[node.argument] + 1 + node.axis]);
      break;
    case ExpressionOp::Scalar:
      stack[depth++] = signExtend(launch.words[launch.firstWord[node.argument]],
                                  launch.arguments[node.argument].type);
      break;
    default: {
      --depth;
      const auto result = apply(node.op, stack[depth - 1], stack[depth]);
      if (!result)
        return std::nullopt;
      stack[depth - 1] = *result;
    }
    }
  }
  return stack[0];
}
