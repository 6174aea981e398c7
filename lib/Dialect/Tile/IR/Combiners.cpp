// Syntax and verification of the combiners of tile.reduce and tile.scan.
#include "Combiners.h"
#include "TileGPT/Dialect/Tile/IR/EnumText.h"
#include "TypeChecks.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilegpt::tile::detail {

//===------------------------------------------------------------------------------===//
// Syntax
//===------------------------------------------------------------------------------===//

static constexpr StringLiteral kindName = "kind", axisName = "axis",
                               nanName = "nan_policy", nanWord = "nan",
                               identitiesName = "identities";

/// Parses one of the clauses behind the axis; false if there is none.
static FailureOr<bool> parseClause(OpAsmParser &parser, OperationState &result,
                                   ArrayRef<StringRef> flags) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<StringRef> words(flags);
  words.append({nanWord, identitiesName});
  StringRef word;
  if (failed(parser.parseOptionalKeyword(&word, words)))
    return false;
  StringRef name = word == nanWord ? StringRef(nanName) : word;
  if (result.attributes.get(name))
    return parser.emitError(loc, "'") << word << "' is given twice";
  if (llvm::is_contained(flags, word)) {
    result.addAttribute(name, parser.getBuilder().getUnitAttr());
  } else if (word == nanWord) {
    NaNPolicyAttr policy;
    if (parser.parseLParen() || parseWord(parser, policy) ||
        parser.parseRParen())
      return failure();
    result.addAttribute(name, policy);
  } else {
    ArrayAttr identities;
    if (parser.parseAttribute(identities))
      return failure();
    result.addAttribute(name, identities);
  }
  return true;
}

ParseResult parseCombiner(OpAsmParser &parser, OperationState &result,
                          ArrayRef<StringRef> flags, bool statesResults) {
  Builder &builder = parser.getBuilder();
  SMLoc kindLoc = parser.getCurrentLocation();
  StringRef kindWord;
  ReduceKindAttr kind;
  if (succeeded(parser.parseOptionalKeyword(&kindWord))) {
    if (resolveWord(parser, kindLoc, kindWord, kind))
      return failure();
    result.addAttribute(kindName, kind);
  }
  SmallVector<OpAsmParser::UnresolvedOperand> sources;
  SMLoc sourcesLoc = parser.getCurrentLocation();
  int64_t axis;
  if (parser.parseOperandList(sources) || parser.parseKeyword("axis") ||
      parser.parseInteger(axis))
    return failure();
  result.addAttribute(axisName, builder.getI64IntegerAttr(axis));
  FailureOr<bool> more = true;
  while (*more) {
    more = parseClause(parser, result, flags);
    if (failed(more))
      return failure();
  }
  Region *combiner = result.addRegion();
  // A named reduction has no region, so that `{` opens its attributes.
  if (!kind && parser.parseRegion(*combiner))
    return failure();
  SmallVector<Type> sourceTypes;
  if (parser.parseOptionalAttrDict(result.attributes) || parser.parseColon() ||
      parser.parseTypeList(sourceTypes))
    return failure();
  if (!statesResults)
    result.addTypes(sourceTypes);
  else if (parser.parseArrowTypeList(result.types))
    return failure();
  return parser.resolveOperands(sources, sourceTypes, sourcesLoc,
                                result.operands);
}

void printCombiner(OpAsmPrinter &printer, CombinerOpInterface op,
                   ArrayRef<StringRef> flags, bool statesResults) {
  printer << ' ';
  if (op.getKind())
    printer << stringifyReduceKind(*op.getKind()) << ' ';
  printer << op.getSources() << " axis " << op.getAxis();
  for (StringRef flag : flags)
    if (op->hasAttr(flag))
      printer << ' ' << flag;
  if (op.getNanPolicy() != NaNPolicy::Propagate)
    printer << " nan(" << stringifyNaNPolicy(op.getNanPolicy()) << ')';
  if (op.getIdentities())
    printer << " identities " << *op.getIdentities();
  if (!op.getKind()) {
    printer << ' ';
    printer.printRegion(op.getCombiner());
  }
  SmallVector<StringRef> printed = {kindName, axisName, nanName,
                                    identitiesName};
  printed.append(flags.begin(), flags.end());
  printer.printOptionalAttrDict(op->getAttrs(), printed);
  printer << " : " << op.getSources().getTypes();
  if (statesResults)
    printer.printArrowTypeList(op->getResultTypes());
}

//===------------------------------------------------------------------------------===//
// Verification
//===------------------------------------------------------------------------------===//

LogicalResult inferSourceShape(CombinerOpInterface op,
                               SmallVectorImpl<int64_t> &shape) {
  if (op.getSources().empty())
    return op->emitOpError("expected at least one source");
  auto first = cast<RankedTensorType>(op.getSources().front().getType());
  if (failed(verifyAxis(op, op.getAxis(), first.getRank(), first)))
    return failure();
  shape = llvm::to_vector(first.getShape());
  for (auto [number, value] : llvm::enumerate(op.getSources())) {
    auto type = cast<RankedTensorType>(value.getType());
    if (!mayBeEqual(first.getShape(), type.getShape()))
      return op->emitOpError("expected sources of one shape, found ")
             << first << " as source 0 and " << type << " as source " << number;
    for (auto [size, other] : llvm::zip_equal(shape, type.getShape()))
      size = ShapedType::isDynamic(size) ? other : size;
  }
  return success();
}

static LogicalResult verifyNamed(CombinerOpInterface op, StringRef what,
                                 ReduceKind kind) {
  StringRef name = stringifyReduceKind(kind);
  if (op.getSources().size() != 1)
    return op->emitOpError()
           << name << " takes one source, found " << op.getSources().size();
  if (op.getIdentities())
    return op->emitOpError()
           << name
           << " knows its identity; drop identities or give a region "
              "instead of the name";
  if (!op.getCombiner().empty())
    return op->emitOpError() << name << " takes no region; drop one of the two";
  Type element = getElementTypeOrSelf(op.getSources().front().getType());
  if (isa<EltType>(element))
    return op->emitOpError("cannot ") << what << " elements of type " << element
                                      << "; use tile.cast first";
  bool isFloat = isa<FloatType>(element);
  switch (kind) {
  case ReduceKind::And:
  case ReduceKind::Or:
  case ReduceKind::Xor:
  case ReduceKind::UMax:
  case ReduceKind::UMin:
    if (isFloat)
      return op->emitOpError()
             << name << " needs integer elements, found " << element;
    break;
  default:
    break;
  }
  bool isBitwise = kind == ReduceKind::And || kind == ReduceKind::Or ||
                   kind == ReduceKind::Xor;
  if (element.isInteger(1) && !isBitwise)
    return op->emitOpError()
           << name << " is not defined for i1; use and, or, xor";
  bool hasNaNPolicy = kind == ReduceKind::Max || kind == ReduceKind::Min ||
                      kind == ReduceKind::ArgMax || kind == ReduceKind::ArgMin;
  if (op.getNanPolicy() != NaNPolicy::Propagate && (!isFloat || !hasNaNPolicy))
    return op->emitOpError("nan(ignore) is for max, min, argmax and argmin of "
                           "floats, found ")
           << name << " of " << element;
  return success();
}

static LogicalResult verifyByRegion(CombinerOpInterface op, StringRef what) {
  size_t count = op.getSources().size();
  if (op.getCombiner().empty())
    return op->emitOpError("expected the name of a reduction or a region");
  if (op.getNanPolicy() != NaNPolicy::Propagate)
    return op->emitOpError(
        "nan(ignore) is for named reductions; let the region "
        "decide");
  size_t identities = op.getIdentities() ? op.getIdentities()->size() : 0;
  if (identities != count)
    return op->emitOpError("expected as many identities as sources (")
           << count << "), found " << identities;
  Block &block = op.getCombiner().front();
  if (block.getNumArguments() != 2 * count)
    return op->emitOpError("expected the region to take ")
           << 2 * count << " arguments, accumulators then elements, found "
           << block.getNumArguments();
  for (size_t number = 0; number != count; ++number) {
    Type element = getElementTypeOrSelf(op.getSources()[number].getType());
    if (isa<EltType>(element))
      return op->emitOpError("cannot ") << what << " elements of type "
                                        << element << "; use tile.cast first";
    auto identity = dyn_cast<TypedAttr>((*op.getIdentities())[number]);
    if (!identity || identity.getType() != element)
      return op->emitOpError("expected identity ")
             << number << " of type " << element << " like source " << number
             << ", found " << (*op.getIdentities())[number];
    for (size_t argument : {number, number + count})
      if (block.getArgument(argument).getType() != element)
        return op->emitOpError("expected argument ")
               << argument << " of the region of type " << element
               << " like source " << number << ", found "
               << block.getArgument(argument).getType();
  }
  return success();
}

LogicalResult verifyCombiner(CombinerOpInterface op, StringRef what) {
  return op.getKind() ? verifyNamed(op, what, *op.getKind())
                      : verifyByRegion(op, what);
}

LogicalResult verifyCombinerRegion(CombinerOpInterface op) {
  if (op.getCombiner().empty())
    return success();
  auto yield = dyn_cast<YieldOp>(op.getCombiner().front().getTerminator());
  if (!yield)
    return op->emitOpError(
               "expected the region to end with 'tile.yield', found '")
           << op.getCombiner().front().getTerminator()->getName() << "'";
  for (Operation &nested : op.getCombiner().front())
    if (!isMemoryEffectFree(&nested))
      return op->emitOpError("expected a pure region, but it contains '")
             << nested.getName() << "'; combine values only";
  if (yield.getNumOperands() != op.getSources().size())
    return yield.emitOpError("expected as many values as sources (")
           << op.getSources().size() << "), found " << yield.getNumOperands();
  for (auto [number, value] : llvm::enumerate(yield.getValues())) {
    Type element = getElementTypeOrSelf(op.getSources()[number].getType());
    if (value.getType() != element)
      return yield.emitOpError("expected value ")
             << number << " of type " << element << " like source " << number
             << ", found " << value.getType();
  }
  return success();
}

} // namespace tilegpt::tile::detail
