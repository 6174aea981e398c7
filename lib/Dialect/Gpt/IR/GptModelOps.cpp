// The ops that hold a model together: gpt.model and gpt.layers, their text
// forms and their checks.
#include "TileGPT/Dialect/Gpt/IR/GptOps.h"
#include "TileGPT/Dialect/Gpt/IR/Settings.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tilegpt::gpt;

ModelOp tilegpt::gpt::getModel(Operation *op) {
  if (auto model = dyn_cast<ModelOp>(op))
    return model;
  return op->getParentOfType<ModelOp>();
}

//===----------------------------------------------------------------------===//
// gpt.model
//===----------------------------------------------------------------------===//

ParseResult ModelOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  if (parser.parseSymbolName(name, getSymNameAttrName(result.name),
                             result.attributes))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("like"))) {
    StringAttr base;
    if (parser.parseAttribute(base, getBaseAttrName(result.name),
                              result.attributes))
      return failure();
  }
  if (parser.parseOptionalAttrDict(result.attributes))
    return failure();
  Region *body = result.addRegion();
  OptionalParseResult parsed = parser.parseOptionalRegion(*body);
  if (parsed.has_value() && failed(*parsed))
    return failure();
  if (body->empty())
    body->emplaceBlock();
  return success();
}

/// Prints an attribute, without the type if it is the parser's default.
static void printSetting(OpAsmPrinter &printer, Attribute value) {
  auto number = dyn_cast<TypedAttr>(value);
  if (number && (number.getType().isInteger(64) || number.getType().isF64()))
    printer.printAttributeWithoutType(value);
  else
    printer.printAttribute(value);
}

void ModelOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  if (StringAttr base = getBaseAttr())
    printer << " like " << base;
  printer << " {layers = " << getLayers() << ", heads = " << getHeads()
          << ", width = " << getWidth() << ", context = " << getContext()
          << ", vocab = " << getVocab();
  if (std::optional<int64_t> inner = getInner())
    printer << ", inner = " << *inner;
  if (std::optional<int64_t> heads = getKvHeads())
    printer << ", kv_heads = " << *heads;
  if (std::optional<int64_t> width = getHeadDim())
    printer << ", head_dim = " << *width;
  // An epsilon that is not the default's value, settings, and attributes of
  // others.
  SmallVector<StringRef> printed = {getSymNameAttrName(), getBaseAttrName(),
                                    getLayersAttrName(),  getHeadsAttrName(),
                                    getWidthAttrName(),   getContextAttrName(),
                                    getVocabAttrName(),   getInnerAttrName(),
                                    getKvHeadsAttrName(), getHeadDimAttrName()};
  if (getEps().convertToDouble() == 1.0e-5)
    printed.push_back(getEpsAttrName());
  auto print = [&](NamedAttribute attribute) {
    printer.printKeywordOrString(attribute.getName());
    printer << " = ";
    printSetting(printer, attribute.getValue());
  };
  SmallVector<NamedAttribute> tables;
  for (NamedAttribute attribute : (*this)->getAttrs()) {
    if (llvm::is_contained(printed, attribute.getName().getValue()))
      continue;
    if (isa<DictionaryAttr>(attribute.getValue())) {
      tables.push_back(attribute);
      continue;
    }
    printer << ", ";
    print(attribute);
  }
  // Tables are long.
  for (NamedAttribute table : tables) {
    printer << ',';
    printer.printNewline();
    print(table);
  }
  printer << '}';
  if (!getBody().front().empty()) {
    printer << ' ';
    printer.printRegion(getBody());
  }
}

LogicalResult ModelOp::verify() {
  // Sizes beyond these are mistakes; within them, no product computed later can
  // overflow.
  constexpr int64_t maxLayers = 4096;
  constexpr int64_t maxSize = std::numeric_limits<int32_t>::max();
  auto check = [&](StringRef name, int64_t value,
                   int64_t limit) -> LogicalResult {
    if (value >= 1 && value <= limit)
      return success();
    return emitOpError("expected ")
           << name << " between 1 and " << limit << ", found " << value;
  };
  if (failed(check("layers", getLayers(), maxLayers)) ||
      failed(check("heads", getHeads(), maxSize)) ||
      failed(check("width", getWidth(), maxSize / 4)) ||
      failed(check("context", getContext(), maxSize)) ||
      failed(check("vocab", getVocab(), maxSize)) ||
      failed(check("inner", getInnerWidth(), maxSize)) ||
      failed(check("kv_heads", getKvHeadCount(), maxSize)))
    return failure();
  if (!getHeadDim() && getWidth() % getHeads() != 0)
    return emitOpError("expected width (")
           << getWidth() << ") to be divisible by heads (" << getHeads() << ")";
  if (failed(check("head_dim", getHeadWidth(), maxSize / getHeads() / 4)))
    return failure();
  if (getHeads() % getKvHeadCount() != 0)
    return emitOpError("expected heads (")
           << getHeads() << ") to be divisible by kv_heads ("
           << getKvHeadCount() << ")";
  double eps = getEps().convertToDouble();
  if (!(eps > 0 && eps < 1))
    return emitOpError("expected eps between 0 and 1, found ") << eps;
  if (failed(verifySettings(*this)))
    return failure();
  if (getBaseAttr() && !getBody().front().empty())
    return emitOpError("has a body and also takes the one of \"")
           << *getBase() << "\"; remove one of them";
  return success();
}

//===----------------------------------------------------------------------===//
// gpt.layers
//===----------------------------------------------------------------------===//

ParseResult LayersOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> inits;
  SmallVector<Type> types;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword("iter") ||
      parser.parseAssignmentList(arguments, inits) ||
      parser.parseColonTypeList(types))
    return failure();
  if (types.size() != arguments.size())
    return parser.emitError(loc)
           << "expected one type for each of the " << arguments.size()
           << " iter values, found " << types.size();
  for (auto [argument, type] : llvm::zip(arguments, types))
    argument.type = type;
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, arguments) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.resolveOperands(inits, types, loc, result.operands))
    return failure();
  result.addTypes(types);
  return success();
}

void LayersOp::print(OpAsmPrinter &printer) {
  printer << " iter(";
  llvm::interleaveComma(
      llvm::zip(getIterArgs(), getInits()), printer, [&](auto pair) {
        printer << std::get<0>(pair) << " = " << std::get<1>(pair);
      });
  printer << ") : ";
  llvm::interleaveComma(getResultTypes(), printer);
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
  printer.printOptionalAttrDict((*this)->getAttrs());
}

YieldOp LayersOp::getYield() {
  return cast<YieldOp>(getBody().front().getTerminator());
}

LogicalResult LayersOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  llvm::append_range(types, getInits().getTypes());
  return success();
}

LogicalResult LayersOp::verify() {
  if (!getModel(*this))
    return emitOpError(
        "expected to be nested in a gpt.model, which defines how many "
        "layers there are");
  if ((*this)->getParentOfType<LayersOp>())
    return emitOpError("is not allowed within another gpt.layers");
  if (getBody().getArgumentTypes() != getInits().getTypes())
    return emitOpError("expected one argument of the body for each of the ")
           << getInits().size() << " initial values, of the same type";
  return success();
}

LogicalResult LayersOp::verifyRegions() {
  auto yield = dyn_cast<YieldOp>(getBody().front().getTerminator());
  if (!yield)
    return emitOpError("expected the body to end with gpt.yield");
  if (yield.getValues().getTypes() != getResultTypes())
    return yield.emitOpError("expected the types of the iter values (")
           << getResultTypes() << "), found (" << yield.getValues().getTypes()
           << ')';
  return success();
}
