// What arithmetic, functions and casts check.
#include "TileGPT/Dialect/CudaTile/IR/CudaTileOps.h"

using namespace mlir;
using namespace tilegpt::cuda_tile;

static Type getElement(Value tile) {
  return cast<TileType>(tile.getType()).getElementType();
}

/// Whether a rounding is one of several; else an error.
static LogicalResult verifyRounding(Operation *op, Rounding rounding,
                                    ArrayRef<Rounding> allowed) {
  if (llvm::is_contained(allowed, rounding))
    return success();
  InFlightDiagnostic error = op->emitOpError("expected rounding ");
  llvm::interleaveComma(allowed, error,
                        [&](Rounding mode) { error << stringifyEnum(mode); });
  return error << ", found " << stringifyEnum(rounding);
}

/// Modes of f32 only are not for other types.
static LogicalResult verifyForF32(Operation *op, bool isSet, StringRef what,
                                  Type type) {
  if (!isSet || type.isF32())
    return success();
  return op->emitOpError("expected ") << what << " on f32 only, found " << type;
}

static constexpr Rounding ieeeModes[] = {Rounding::NearestEven, Rounding::Zero,
                                         Rounding::NegativeInf,
                                         Rounding::PositiveInf};

/// A correctly rounded operation that may also have the modes `approximate`.
template <typename Op>
static LogicalResult verifyRounded(Op op, ArrayRef<Rounding> approximate = {}) {
  SmallVector<Rounding> allowed(std::begin(ieeeModes), std::end(ieeeModes));
  llvm::append_range(allowed, approximate);
  Rounding mode = op.getRoundingMode();
  Type type = getElement(op.getResult());
  return success(
      succeeded(verifyRounding(op, mode, allowed)) &&
      succeeded(verifyForF32(op, llvm::is_contained(approximate, mode),
                             stringifyEnum(mode), type)) &&
      succeeded(verifyForF32(op, op.getFlushToZero(), "flush_to_zero", type)));
}

LogicalResult AddFOp::verify() { return verifyRounded(*this); }
LogicalResult SubFOp::verify() { return verifyRounded(*this); }
LogicalResult MulFOp::verify() { return verifyRounded(*this); }
LogicalResult FmaOp::verify() { return verifyRounded(*this); }
LogicalResult DivFOp::verify() {
  return verifyRounded(*this, {Rounding::Approx, Rounding::Full});
}
LogicalResult SqrtOp::verify() {
  return verifyRounded(*this, Rounding::Approx);
}

template <typename Op>
static LogicalResult verifyFlush(Op op) {
  return verifyForF32(op, op.getFlushToZero(), "flush_to_zero",
                      getElement(op.getResult()));
}
LogicalResult MaxFOp::verify() { return verifyFlush(*this); }
LogicalResult MinFOp::verify() { return verifyFlush(*this); }
LogicalResult Exp2Op::verify() { return verifyFlush(*this); }
LogicalResult RsqrtOp::verify() { return verifyFlush(*this); }

/// A function that is `full` unless it is `approx`.
template <typename Op>
static LogicalResult verifyFunction(Op op) {
  Rounding mode = op.getRoundingMode();
  return success(
      succeeded(verifyRounding(op, mode, {Rounding::Approx, Rounding::Full})) &&
      succeeded(verifyForF32(op, mode == Rounding::Approx, "approx",
                             getElement(op.getResult()))));
}
LogicalResult ExpOp::verify() { return verifyFunction(*this); }
LogicalResult TanHOp::verify() { return verifyFunction(*this); }

LogicalResult DivIOp::verify() {
  if (failed(verifyRounding(
          *this, getRounding(),
          {Rounding::Zero, Rounding::NegativeInf, Rounding::PositiveInf})))
    return failure();
  if (getRounding() == Rounding::NegativeInf &&
      getSignedness() == Signedness::Unsigned)
    return emitOpError("expected rounding zero or positive_inf of unsigned "
                       "integers, found negative_inf");
  return success();
}

LogicalResult NegIOp::verify() {
  if (getOverflow() == Overflow::None ||
      getOverflow() == Overflow::NoSignedWrap)
    return success();
  return emitOpError("expected overflow none or no_signed_wrap, found ")
         << stringifyEnum(getOverflow());
}

/// Comparisons give an i1 for each element.
template <typename Op>
static LogicalResult verifyComparison(Op op) {
  if (op.getResult().getType().getShape() == op.getLhs().getType().getShape())
    return success();
  return op.emitOpError("expected a result of the operands' shape, ")
         << op.getLhs().getType() << ", found " << op.getResult().getType();
}
LogicalResult CmpFOp::verify() { return verifyComparison(*this); }
LogicalResult CmpIOp::verify() { return verifyComparison(*this); }

LogicalResult SelectOp::verify() {
  if (!isa<Float4E2M1FNType>(getElement(getResult())))
    return success();
  return emitOpError("expected elements of at least a byte, found ")
         << getResult().getType();
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

LogicalResult ExtIOp::verify() {
  unsigned from = getFrom().getType().getElementTypeBitWidth();
  unsigned to = getTo().getType().getElementTypeBitWidth();
  if (from < to)
    return success();
  return emitOpError("expected a wider type than ")
         << getElement(getFrom()) << ", found " << getElement(getTo());
}

LogicalResult TruncIOp::verify() {
  unsigned from = getFrom().getType().getElementTypeBitWidth();
  unsigned to = getTo().getType().getElementTypeBitWidth();
  if (from > to)
    return success();
  return emitOpError("expected a narrower type than ")
         << getElement(getFrom()) << ", found " << getElement(getTo());
}

/// Whether a type of more bits contains another: f16 lacks the exponents of
/// scales.
static bool isWider(Type to, Type from) {
  return widthOf(from) < widthOf(to) &&
         !(to.isF16() && isa<Float8E8M0FNUType, Float8E5M3FNUType>(from));
}

/// Which roundings there are from one type to another. Widening loses no digits
/// and accepts all of IEEE 754.
static SmallVector<Rounding> roundingsOf(Type from, Type to) {
  if (isa<Float8E8M0FNUType>(to))
    return {Rounding::Zero, Rounding::PositiveInf};
  if (widthOf(to) <= 8)
    return {Rounding::NearestEven};
  if (isWider(to, from))
    return {Rounding::NearestEven, Rounding::NearestAway, Rounding::Zero,
            Rounding::NegativeInf, Rounding::PositiveInf};
  if (to.isF32())
    return {Rounding::NearestEven, Rounding::Zero, Rounding::NegativeInf,
            Rounding::PositiveInf};
  if (from.isF32() && isa<FloatTF32Type>(to))
    return {Rounding::NearestEven, Rounding::NearestAway, Rounding::Zero};
  return {Rounding::NearestEven, Rounding::Zero};
}

LogicalResult FToFOp::verify() {
  if (getFrom().getType() == getTo().getType())
    return emitOpError("expected another type than ") << getElement(getFrom());
  return verifyRounding(
      *this, getRoundingMode(),
      roundingsOf(getElement(getFrom()), getElement(getTo())));
}

LogicalResult FToIOp::verify() {
  return verifyRounding(*this, getRoundingMode(), Rounding::NearestIntToZero);
}

LogicalResult IToFOp::verify() {
  if (isa<Float8E8M0FNUType>(getElement(getTo())))
    return emitOpError("expected another type than f8E8M0FNU, which integers "
                       "become by way of another floating-point type");
  return verifyRounding(*this, getRoundingMode(), Rounding::NearestEven);
}

LogicalResult BitcastOp::verify() {
  unsigned from = widthOf(getElement(getSource()));
  unsigned to = widthOf(getElement(getResult()));
  if (from == to)
    return success();
  return emitOpError("expected types of one width, found ")
         << getElement(getSource()) << " of " << from << " bits and "
         << getElement(getResult()) << " of " << to;
}
