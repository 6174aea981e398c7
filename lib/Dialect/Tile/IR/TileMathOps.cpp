// Text form, checks, result types and folders of cast, rounded, dot, print and
// assume. Reductions are in TileReduceOps.cpp.
#include "TileGPT/Dialect/Tile/IR/EnumText.h"
#include "TileGPT/Dialect/Tile/IR/PrintFormat.h"
#include "TileGPT/Dialect/Tile/IR/RoundedArithmetic.h"
#include "TypeChecks.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilegpt::tile;
using namespace tilegpt::tile::detail;

//===------------------------------------------------------------------------------===//
// cast
//===------------------------------------------------------------------------------===//

LogicalResult CastOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  types.push_back(getSource().getType().clone(getType().getElementType()));
  return success();
}

LogicalResult CastOp::verify() {
  auto variable = dyn_cast<EltType>(getType().getElementType());
  auto kernel = (*this)->getParentOfType<KernelOp>();
  if (!variable || !kernel)
    return success();
  ParamAttr param = kernel.lookupParam(variable.getName());
  if (param && param.isType())
    return success();
  return emitOpError("names the type variable '")
         << variable.getName()
         << "', which the kernel does not declare; add it to params";
}

/// True when every value of one float type is a value of the other.
static bool isExact(Type from, Type to) {
  auto source = dyn_cast<FloatType>(from), target = dyn_cast<FloatType>(to);
  return source && target &&
         APFloat::isRepresentableBy(source.getFloatSemantics(),
                                    target.getFloatSemantics());
}

OpFoldResult CastOp::fold(FoldAdaptor adaptor) {
  RankedTensorType type = getType();
  if (getSource().getType() == type)
    return getSource();
  auto inner = getSource().getDefiningOp<CastOp>();
  if (inner && isExact(inner.getSource().getType().getElementType(),
                       inner.getType().getElementType())) {
    getSourceMutable().assign(inner.getSource());
    return getResult();
  }
  auto splat = dyn_cast_if_present<SplatElementsAttr>(adaptor.getSource());
  auto element = dyn_cast<FloatType>(type.getElementType());
  if (!splat || !element || !type.hasStaticShape())
    return {};
  auto value = splat.getSplatValue<APFloat>();
  bool losesInfo;
  value.convert(element.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return SplatElementsAttr::get(type, value);
}

//===------------------------------------------------------------------------------===//
// rounded
//===------------------------------------------------------------------------------===//

ParseResult RoundedOp::parse(OpAsmParser &parser, OperationState &result) {
  RoundedKindAttr kind;
  RoundingModeAttr mode;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  Type type;
  if (parseWord(parser, kind) || parser.parseOperandList(operands) ||
      parser.parseKeyword("mode") || parser.parseLParen() ||
      parseWord(parser, mode) || parser.parseRParen())
    return failure();
  result.addAttribute(getKindAttrName(result.name), kind);
  result.addAttribute(getModeAttrName(result.name), mode);
  if (succeeded(parser.parseOptionalKeyword("ftz")))
    result.addAttribute(getFtzAttrName(result.name),
                        parser.getBuilder().getUnitAttr());
  if (parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperands(operands, type, result.operands))
    return failure();
  result.addTypes(type);
  return success();
}

void RoundedOp::print(OpAsmPrinter &printer) {
  printer << ' ' << stringifyEnum(getKind()) << ' ' << getOperands() << " mode("
          << stringifyEnum(getMode()) << ')';
  if (getFtz())
    printer << " ftz";
  printer.printOptionalAttrDict((*this)->getAttrs(), {"kind", "mode", "ftz"});
  printer << " : " << getType();
}

LogicalResult RoundedOp::verify() {
  unsigned expected = numRoundedOperands(getKind());
  if (getOperands().size() != expected)
    return emitOpError("expected ")
           << expected << (expected == 1 ? " operand of " : " operands of ")
           << stringifyEnum(getKind()) << ", found " << getOperands().size();
  Type element = getElementTypeOrSelf(getType());
  if (getFtz() && !element.isF32())
    return emitOpError("flushes subnormal numbers of f32 only, found ")
           << element << "; drop ftz";
  return success();
}

OpFoldResult RoundedOp::fold(FoldAdaptor adaptor) {
  SmallVector<APFloat> values;
  for (Attribute operand : adaptor.getOperands()) {
    if (auto splat = dyn_cast_if_present<SplatElementsAttr>(operand))
      operand = splat.getSplatValue<Attribute>();
    auto value = dyn_cast_if_present<FloatAttr>(operand);
    if (!value)
      return {};
    values.push_back(value.getValue());
  }
  auto shaped = dyn_cast<ShapedType>(getType());
  if (shaped && !shaped.hasStaticShape())
    return {};
  APFloat result = evaluateRounded(getKind(), getMode(), getFtz(), values);
  if (shaped)
    return DenseElementsAttr::get(shaped, result);
  return FloatAttr::get(getType(), result);
}

//===------------------------------------------------------------------------------===//
// dot
//===------------------------------------------------------------------------------===//

/// Checks that elements of type `operand` may be multiplied and added in type
/// `acc`.
static LogicalResult verifyDotOperand(DotOp op, StringRef name, Type operand,
                                      Type acc, bool isUnsigned) {
  bool isInteger = operand.isInteger();
  if (isUnsigned && !isInteger)
    return op.emitOpError("unsigned_")
           << name << " needs integer operands, found " << operand;
  bool legal;
  if (isInteger)
    legal =
        acc.isInteger(32) && !operand.isInteger(1) && !operand.isInteger(64);
  else if (acc.isF64())
    legal = isa<EltType, Float32Type, Float64Type>(operand);
  else
    legal = acc.isF32() && !operand.isF64();
  if (legal)
    return success();
  return op.emitOpError("cannot accumulate ")
         << name << " elements of type " << operand << " in " << acc
         << "; use f32 for f8E4M3FN, f8E5M2, f16, bf16 and f32, f64 for f32 "
            "and f64, i32 for i8, i16 and i32";
}

static LogicalResult verifyPrecision(DotOp op, Type lhs, Type rhs, Type acc) {
  auto isOpenOr = [](Type type, bool isOne) {
    return isOne || isa<EltType>(type);
  };
  auto emit = [&](StringRef needs) {
    return op.emitOpError("precision(")
           << stringifyPrecision(op.getPrecision()) << ") needs " << needs
           << " and an f32 accumulator, found " << lhs << ", " << rhs << " and "
           << acc << "; drop it";
  };
  switch (op.getPrecision()) {
  case Precision::IEEE:
    return success();
  case Precision::TF32:
    if (acc.isF32() &&
        (isOpenOr(lhs, lhs.isF32()) || isOpenOr(rhs, rhs.isF32())))
      return success();
    return emit("an f32 operand");
  case Precision::Fast:
    if (acc.isF32() && isOpenOr(lhs, isF8(lhs)) && isOpenOr(rhs, isF8(rhs)))
      return success();
    return emit("two f8 operands");
  }
  llvm_unreachable("unknown precision");
}

LogicalResult DotOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  RankedTensorType lhs = getLhs().getType(), rhs = getRhs().getType(),
                   acc = getAcc().getType();
  int64_t rank = acc.getRank();
  if ((rank != 2 && rank != 3) || lhs.getRank() != rank ||
      rhs.getRank() != rank)
    return emitOpError(
               "expected lhs, rhs and acc to be all 2-D or all 3-D, found ")
           << lhs << ", " << rhs << " and " << acc;

  auto match = [&](StringRef symbol, StringRef leftName, int64_t left,
                   StringRef rightName, int64_t right,
                   StringRef hint = "") -> LogicalResult {
    if (mayBeEqual(left, right))
      return success();
    return emitOpError("expected ")
           << symbol << " of " << leftName << " (" << left << ") to match "
           << symbol << " of " << rightName << " (" << right << "): lhs " << lhs
           << " is " << (rank == 3 ? "[B, " : "[")
           << (getTransposeA() ? "K, M]" : "M, K]") << ", rhs " << rhs << " is "
           << (rank == 3 ? "[B, " : "[")
           << (getTransposeB() ? "N, K]" : "K, N]") << ", acc " << acc << " is "
           << (rank == 3 ? "[B, " : "[") << "M, N]" << hint;
  };
  if (rank == 3) {
    int64_t left = lhs.getDimSize(0), right = rhs.getDimSize(0);
    int64_t sum = acc.getDimSize(0);
    if (failed(match("batch", "lhs", left, "rhs", right)) ||
        failed(match("batch", "lhs", left, "acc", sum)) ||
        failed(match("batch", "rhs", right, "acc", sum)))
      return failure();
  }
  int64_t row = rank - 2, column = rank - 1;
  int64_t m = lhs.getDimSize(getTransposeA() ? column : row);
  int64_t lhsK = lhs.getDimSize(getTransposeA() ? row : column);
  int64_t rhsK = rhs.getDimSize(getTransposeB() ? column : row);
  int64_t n = rhs.getDimSize(getTransposeB() ? row : column);
  StringRef hint;
  if (mayBeEqual(lhsK, n) && mayBeEqual(rhsK, acc.getDimSize(column)))
    hint = getTransposeB() ? "; drop transpose_b" : "; add transpose_b";
  if (failed(match("K", "lhs", lhsK, "rhs", rhsK, hint)) ||
      failed(match("M", "lhs", m, "acc", acc.getDimSize(row))) ||
      failed(match("N", "rhs", n, "acc", acc.getDimSize(column))))
    return failure();
  SmallVector<int64_t> shape = llvm::to_vector(acc.getShape());
  auto refine = [&](int64_t axis, int64_t size) {
    if (ShapedType::isDynamic(shape[axis]))
      shape[axis] = size;
  };
  if (rank == 3) {
    refine(0, lhs.getDimSize(0));
    refine(0, rhs.getDimSize(0));
  }
  refine(row, m);
  refine(column, n);
  types.push_back(acc.clone(shape));
  return success();
}

LogicalResult DotOp::verify() {
  Type lhs = getLhs().getType().getElementType();
  Type rhs = getRhs().getType().getElementType();
  Type acc = getAcc().getType().getElementType();
  if (failed(verifyDotOperand(*this, "lhs", lhs, acc, getUnsignedLhs())) ||
      failed(verifyDotOperand(*this, "rhs", rhs, acc, getUnsignedRhs())))
    return failure();
  return verifyPrecision(*this, lhs, rhs, acc);
}

//===------------------------------------------------------------------------------===//
// print
//===------------------------------------------------------------------------------===//

LogicalResult PrintOp::verify() {
  // The limit of the GPU's printf, including the coordinates.
  constexpr size_t maxArguments = 32;
  std::string message;
  auto conversions = parsePrintFormat(getFormat(), message);
  if (failed(conversions))
    return emitOpError("format ") << message;
  if (conversions->size() != getValues().size())
    return emitOpError("expected a value for each of ")
           << conversions->size() << " conversions, found "
           << getValues().size();
  std::optional<RankedTensorType> shaped;
  for (auto [number, value] : llvm::enumerate(getValues())) {
    const PrintConversion &conversion = (*conversions)[number];
    Type element = getElementTypeOrSelf(value.getType());
    if (isa<FloatType>(element) != conversion.isFloat())
      return emitOpError("conversion '%")
             << conversion.options << StringRef(&conversion.kind, 1)
             << "' is of " << (conversion.isFloat() ? "floats" : "integers")
             << ", value " << number << " is " << value.getType();
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type)
      continue;
    if (!shaped)
      shaped = type;
    else if (shaped->getRank() != type.getRank() ||
             !mayBeEqual(shaped->getShape(), type.getShape()))
      return emitOpError("expected tiles of one shape, found ")
             << *shaped << " and " << type << "; print them one by one";
  }
  size_t rank = shaped ? shaped->getRank() : 0;
  if (rank + getValues().size() > maxArguments)
    return emitOpError("prints ")
           << getValues().size() << " values and " << rank
           << " coordinates in a line, of at most " << maxArguments;
  return success();
}

//===------------------------------------------------------------------------------===//
// assume
//===------------------------------------------------------------------------------===//

LogicalResult AssumeOp::verify() {
  if (!getDivBy() && !getBounded())
    return emitOpError("assumes nothing; add div_by or bounded");
  int64_t divisor = getDivBy().value_or(1);
  if (divisor <= 0 || !llvm::isPowerOf2_64(divisor))
    return emitOpError("expected div_by to be a power of two, found ")
           << divisor;
  if (!getBounded())
    return success();
  if (isa<PtrType>(getType()))
    return emitOpError("cannot bound an address; bound the offsets from it");
  ArrayRef<int64_t> bounds = *getBounded();
  if (bounds.size() != 2)
    return emitOpError("expected bounded to hold a lower and an upper bound, "
                       "found ")
           << listText(bounds);
  if (bounds[0] > bounds[1])
    return emitOpError("expected the lower bound (")
           << bounds[0] << ") not to exceed the upper bound (" << bounds[1]
           << ")";
  if (auto integer = dyn_cast<IntegerType>(getType()))
    for (int64_t bound : bounds)
      if (integer.getWidth() < 64 && !llvm::isIntN(integer.getWidth(), bound))
        return emitOpError("bound ") << bound << " does not fit " << integer;
  return success();
}
