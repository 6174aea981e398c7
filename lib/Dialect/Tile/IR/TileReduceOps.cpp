// Text form, checks and result types of tile.reduce and its terminator
// tile.yield.
#include "TileGPT/Dialect/Tile/IR/EnumText.h"
#include "TypeChecks.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tilegpt::tile;
using namespace tilegpt::tile::detail;

//===------------------------------------------------------------------------------===//
// Text form
//===------------------------------------------------------------------------------===//

ParseResult ReduceOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  SMLoc kindLoc = parser.getCurrentLocation();
  StringRef kindWord;
  ReduceKindAttr kind;
  if (succeeded(parser.parseOptionalKeyword(&kindWord))) {
    if (resolveWord(parser, kindLoc, kindWord, kind))
      return failure();
    result.addAttribute(getKindAttrName(result.name), kind);
  }
  SmallVector<OpAsmParser::UnresolvedOperand> sources;
  SMLoc sourcesLoc = parser.getCurrentLocation();
  int64_t axis;
  if (parser.parseOperandList(sources) || parser.parseKeyword("axis") ||
      parser.parseInteger(axis))
    return failure();
  result.addAttribute(getAxisAttrName(result.name),
                      builder.getI64IntegerAttr(axis));
  if (succeeded(parser.parseOptionalKeyword("keepdims")))
    result.addAttribute(getKeepdimsAttrName(result.name),
                        builder.getUnitAttr());
  if (succeeded(parser.parseOptionalKeyword("nan"))) {
    NaNPolicyAttr policy;
    if (parser.parseLParen() || parseWord(parser, policy) ||
        parser.parseRParen())
      return failure();
    result.addAttribute(getNanPolicyAttrName(result.name), policy);
  }
  if (succeeded(parser.parseOptionalKeyword("identities"))) {
    ArrayAttr identities;
    if (parser.parseAttribute(identities))
      return failure();
    result.addAttribute(getIdentitiesAttrName(result.name), identities);
  }
  Region *combiner = result.addRegion();
  // A named reduction has no region, so that `{` opens its attributes.
  if (!kind && parser.parseRegion(*combiner))
    return failure();
  SmallVector<Type> sourceTypes;
  if (parser.parseOptionalAttrDict(result.attributes) || parser.parseColon() ||
      parser.parseTypeList(sourceTypes) ||
      parser.parseArrowTypeList(result.types))
    return failure();
  return parser.resolveOperands(sources, sourceTypes, sourcesLoc,
                                result.operands);
}

void ReduceOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  if (getKind())
    printer << stringifyReduceKind(*getKind()) << ' ';
  printer << getSources() << " axis " << getAxis();
  if (getKeepdims())
    printer << " keepdims";
  if (getNanPolicy() != NaNPolicy::Propagate)
    printer << " nan(" << stringifyNaNPolicy(getNanPolicy()) << ')';
  if (getIdentities())
    printer << " identities " << *getIdentities();
  if (!getKind()) {
    printer << ' ';
    printer.printRegion(getCombiner());
  }
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {getKindAttrName(), getAxisAttrName(),
                                 getKeepdimsAttrName(), getNanPolicyAttrName(),
                                 getIdentitiesAttrName()});
  printer << " : " << getSources().getTypes();
  printer.printArrowTypeList(getResultTypes());
}

//===------------------------------------------------------------------------------===//
// Types
//===------------------------------------------------------------------------------===//

static bool isArg(std::optional<ReduceKind> kind) {
  return kind == ReduceKind::ArgMax || kind == ReduceKind::ArgMin;
}

LogicalResult ReduceOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  if (getSources().empty())
    return emitOpError("expected at least one source");
  auto first = cast<RankedTensorType>(getSources().front().getType());
  if (failed(verifyAxis(*this, getAxis(), first.getRank(), first)))
    return failure();
  SmallVector<int64_t> shape = llvm::to_vector(first.getShape());
  for (auto [number, value] : llvm::enumerate(getSources())) {
    auto type = cast<RankedTensorType>(value.getType());
    if (!mayBeEqual(first.getShape(), type.getShape()))
      return emitOpError("expected sources of one shape, found ")
             << first << " as source 0 and " << type << " as source " << number;
    for (auto [size, other] : llvm::zip_equal(shape, type.getShape()))
      size = ShapedType::isDynamic(size) ? other : size;
  }
  if (getKeepdims())
    shape[getAxis()] = 1;
  else
    shape.erase(shape.begin() + getAxis());
  for (Value value : getSources()) {
    Type element = isArg(getKind()) ? IntegerType::get(getContext(), 32)
                                    : getElementTypeOrSelf(value.getType());
    types.push_back(RankedTensorType::get(shape, element));
  }
  return success();
}

//===------------------------------------------------------------------------------===//
// Checks
//===------------------------------------------------------------------------------===//

static LogicalResult verifyNamed(ReduceOp op, ReduceKind kind) {
  StringRef name = stringifyReduceKind(kind);
  if (op.getSources().size() != 1)
    return op.emitOpError()
           << name << " takes one source, found " << op.getSources().size();
  if (op.getIdentities())
    return op.emitOpError()
           << name
           << " knows its identity; drop identities or give a region "
              "instead of the name";
  if (!op.getCombiner().empty())
    return op.emitOpError() << name << " takes no region; drop one of the two";
  Type element = getElementTypeOrSelf(op.getSources().front().getType());
  if (isa<EltType>(element))
    return op.emitOpError("cannot reduce elements of type ")
           << element << "; use tile.cast first";
  bool isFloat = isa<FloatType>(element);
  switch (kind) {
  case ReduceKind::And:
  case ReduceKind::Or:
  case ReduceKind::Xor:
  case ReduceKind::UMax:
  case ReduceKind::UMin:
    if (isFloat)
      return op.emitOpError()
             << name << " needs integer elements, found " << element;
    break;
  default:
    break;
  }
  bool isBitwise = kind == ReduceKind::And || kind == ReduceKind::Or ||
                   kind == ReduceKind::Xor;
  if (element.isInteger(1) && !isBitwise)
    return op.emitOpError()
           << name << " is not defined for i1; use and, or, xor";
  bool hasNaNPolicy =
      kind == ReduceKind::Max || kind == ReduceKind::Min || isArg(kind);
  if (op.getNanPolicy() != NaNPolicy::Propagate && (!isFloat || !hasNaNPolicy))
    return op.emitOpError("nan(ignore) is for max, min, argmax and argmin of "
                          "floats, found ")
           << name << " of " << element;
  return success();
}

/// Checks identities and block arguments against the sources; the body is
/// checked once its ops are known to be valid.
static LogicalResult verifyByRegion(ReduceOp op) {
  size_t count = op.getSources().size();
  if (op.getCombiner().empty())
    return op.emitOpError("expected the name of a reduction or a region");
  if (op.getNanPolicy() != NaNPolicy::Propagate)
    return op.emitOpError("nan(ignore) is for named reductions; let the region "
                          "decide");
  size_t identities = op.getIdentities() ? op.getIdentities()->size() : 0;
  if (identities != count)
    return op.emitOpError("expected as many identities as sources (")
           << count << "), found " << identities;
  Block &block = op.getCombiner().front();
  if (block.getNumArguments() != 2 * count)
    return op.emitOpError("expected the region to take ")
           << 2 * count << " arguments, accumulators then elements, found "
           << block.getNumArguments();
  for (size_t number = 0; number != count; ++number) {
    Type element = getElementTypeOrSelf(op.getSources()[number].getType());
    if (isa<EltType>(element))
      return op.emitOpError("cannot reduce elements of type ")
             << element << "; use tile.cast first";
    auto identity = dyn_cast<TypedAttr>((*op.getIdentities())[number]);
    if (!identity || identity.getType() != element)
      return op.emitOpError("expected identity ")
             << number << " of type " << element << " like source " << number
             << ", found " << (*op.getIdentities())[number];
    for (size_t argument : {number, number + count})
      if (block.getArgument(argument).getType() != element)
        return op.emitOpError("expected argument ")
               << argument << " of the region of type " << element
               << " like source " << number << ", found "
               << block.getArgument(argument).getType();
  }
  return success();
}

/// The reduced axis of a result that keeps it has the size 1 and no other axis
/// a size its source does not have: a size that is not known must not come from
/// a guess.
static LogicalResult verifyKeptAxis(ReduceOp op) {
  if (!op.getKeepdims())
    return success();
  auto source = cast<RankedTensorType>(op.getSources().front().getType());
  for (Type type : op.getResultTypes()) {
    auto result = cast<RankedTensorType>(type);
    if (result.getDimSize(op.getAxis()) != 1)
      return op.emitOpError("expected size 1 at axis ")
             << op.getAxis() << " of the result, which keepdims keeps, found "
             << result;
    for (unsigned axis = 0; axis < source.getRank(); ++axis)
      if (axis != op.getAxis() && source.isDynamicDim(axis) &&
          !result.isDynamicDim(axis))
        return op.emitOpError("expected size ? at axis ")
               << axis << " of the result like " << source
               << ", which is reduced along axis " << op.getAxis() << ", found "
               << result;
  }
  return success();
}

LogicalResult ReduceOp::verify() {
  if (failed(verifyKeptAxis(*this)))
    return failure();
  return getKind() ? verifyNamed(*this, *getKind()) : verifyByRegion(*this);
}

LogicalResult ReduceOp::verifyRegions() {
  if (getCombiner().empty())
    return success();
  auto yield = dyn_cast<YieldOp>(getCombiner().front().getTerminator());
  if (!yield)
    return emitOpError("expected the region to end with 'tile.yield', found '")
           << getCombiner().front().getTerminator()->getName() << "'";
  for (Operation &op : getCombiner().front())
    if (!isMemoryEffectFree(&op))
      return emitOpError("expected a pure region, but it contains '")
             << op.getName() << "'; combine values only";
  if (yield.getNumOperands() != getSources().size())
    return yield.emitOpError("expected as many values as sources (")
           << getSources().size() << "), found " << yield.getNumOperands();
  for (auto [number, value] : llvm::enumerate(yield.getValues())) {
    Type element = getElementTypeOrSelf(getSources()[number].getType());
    if (value.getType() != element)
      return yield.emitOpError("expected value ")
             << number << " of type " << element << " like source " << number
             << ", found " << value.getType();
  }
  return success();
}
