// Hints and promises: their text, and which values promises are about.
#include "TileGPT/Dialect/CudaTile/IR/CudaTileDialect.h"
#include "TileGPT/Dialect/CudaTile/IR/TypeChecks.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilegpt::cuda_tile;

#include "TileGPT/Dialect/CudaTile/IR/CudaTileEnums.cpp.inc"
#include "TileGPT/Dialect/CudaTile/IR/CudaTileInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "TileGPT/Dialect/CudaTile/IR/CudaTileAttributes.cpp.inc"

void CudaTileDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "TileGPT/Dialect/CudaTile/IR/CudaTileAttributes.cpp.inc"
      >();
}

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

//===----------------------------------------------------------------------===//
// Hints
//===----------------------------------------------------------------------===//

LogicalResult OptimizationHintsAttr::verify(EmitError emitError,
                                            DictionaryAttr value) {
  for (NamedAttribute target : value)
    if (!isa<DictionaryAttr>(target.getValue()))
      return emitError() << "expected a dictionary of hints for "
                         << target.getName() << ", found " << target.getValue();
  return success();
}

Attribute OptimizationHintsAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  NamedAttrList targets;
  auto parseTarget = [&]() -> ParseResult {
    SMLoc at = parser.getCurrentLocation();
    std::string name;
    Attribute hints;
    if (parser.parseKeywordOrString(&name) || parser.parseEqual() ||
        parser.parseAttribute(hints))
      return failure();
    if (targets.get(name))
      return parser.emitError(at) << "expected each target of "
                                     "optimization_hints once, found '"
                                  << name << "' again";
    targets.append(name, hints);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseTarget))
    return {};
  MLIRContext *context = parser.getContext();
  return parser.getChecked<OptimizationHintsAttr>(
      loc, context, targets.getDictionary(context));
}

/// Prints `name = value`, without i64, the type of integers that state none.
static void printHint(AsmPrinter &printer, NamedAttribute hint) {
  printer.printKeywordOrString(hint.getName());
  if (isa<UnitAttr>(hint.getValue()))
    return;
  printer << " = ";
  if (auto number = dyn_cast<IntegerAttr>(hint.getValue());
      number && number.getType().isInteger(64))
    printer.printAttributeWithoutType(number);
  else
    printer << hint.getValue();
}

void OptimizationHintsAttr::print(AsmPrinter &printer) const {
  raw_ostream &os = printer.getStream();
  printer << '<';
  llvm::interleaveComma(getValue(), os, [&](NamedAttribute target) {
    printer.printKeywordOrString(target.getName());
    printer << " = {";
    llvm::interleaveComma(
        cast<DictionaryAttr>(target.getValue()), os,
        [&](NamedAttribute hint) { printHint(printer, hint); });
    printer << '}';
  });
  printer << '>';
}

//===----------------------------------------------------------------------===//
// Divisors
//===----------------------------------------------------------------------===//

Attribute DivByAttr::parse(AsmParser &parser, Type) {
  uint64_t divisor = 0;
  int64_t every = 0, along = 0;
  if (parser.parseLess() || parser.parseInteger(divisor))
    return {};
  bool inSteps = succeeded(parser.parseOptionalComma());
  if (inSteps && (parser.parseKeyword("every") || parser.parseInteger(every) ||
                  parser.parseKeyword("along") || parser.parseInteger(along)))
    return {};
  if (parser.parseGreater())
    return {};
  if (inSteps)
    return get(parser.getContext(), divisor, every, along);
  return get(parser.getContext(), divisor, std::nullopt, std::nullopt);
}

void DivByAttr::print(AsmPrinter &printer) const {
  printer << '<' << getDivisor();
  if (getEvery() && getAlong())
    printer << ", every " << *getEvery() << " along " << *getAlong();
  printer << '>';
}

LogicalResult DivByAttr::verifyOn(EmitError emitError, Type type) const {
  if (!llvm::isPowerOf2_64(getDivisor()) || getDivisor() > uint64_t(1) << 62)
    return emitError() << "expected div_by of a power of two up to 2^62, found "
                       << getDivisor();
  if (getEvery().has_value() != getAlong().has_value())
    return emitError() << "expected 'every' and 'along' of div_by together";
  if (isa<TensorViewType>(type)) {
    if (getEvery())
      return emitError() << "expected div_by of a tensor_view without 'every'";
    return success();
  }
  auto tile = dyn_cast<TileType>(type);
  if (!tile || isFloat(tile.getElementType()))
    return emitError() << "expected div_by on integers, pointers or a "
                          "tensor_view, found "
                       << type;
  if (!getEvery())
    return success();
  if (tile.getRank() == 0)
    return emitError() << "expected div_by of a scalar without 'every'";
  if (*getAlong() < 0 || *getAlong() >= tile.getRank())
    return emitError() << "expected 'along' of div_by below the rank, "
                       << tile.getRank() << ", found " << *getAlong();
  int64_t size = tile.getDimSize(*getAlong());
  if (*getEvery() < 0 || *getEvery() > size)
    return emitError() << "expected 'every' of div_by from 0 to the size of "
                          "axis "
                       << *getAlong() << ", " << size << ", found "
                       << *getEvery();
  return success();
}

//===----------------------------------------------------------------------===//
// Equal elements and ranges
//===----------------------------------------------------------------------===//

LogicalResult SameElementsAttr::verifyOn(EmitError emitError, Type type) const {
  auto tile = dyn_cast<TileType>(type);
  if (!tile || isFloat(tile.getElementType()))
    return emitError()
           << "expected same_elements on integers or pointers, found " << type;
  ArrayRef<int64_t> sizes = getValues().asArrayRef();
  if (sizes.size() != size_t(tile.getRank()))
    return emitError() << "expected a number for each of the " << tile.getRank()
                       << " axes in same_elements, found " << sizes.size();
  for (auto [axis, size] : llvm::enumerate(sizes))
    if (size < 0 || size > tile.getDimSize(axis))
      return emitError() << "expected same_elements within the size of axis "
                         << axis << ", " << tile.getDimSize(axis) << ", found "
                         << size;
  return success();
}

/// Reads a number or `?`.
static ParseResult parseEnd(AsmParser &parser, std::optional<int64_t> &end) {
  if (succeeded(parser.parseOptionalQuestion()))
    return success();
  return parser.parseInteger(end.emplace());
}

Attribute BoundedAttr::parse(AsmParser &parser, Type) {
  std::optional<int64_t> lower, upper;
  if (parser.parseLess() || parseEnd(parser, lower) || parser.parseComma() ||
      parseEnd(parser, upper) || parser.parseGreater())
    return {};
  return get(parser.getContext(), lower, upper);
}

void BoundedAttr::print(AsmPrinter &printer) const {
  auto printEnd = [&](std::optional<int64_t> end) {
    if (end)
      printer << *end;
    else
      printer << '?';
  };
  printer << '<';
  printEnd(getLb());
  printer << ", ";
  printEnd(getUb());
  printer << '>';
}

LogicalResult BoundedAttr::verifyOn(EmitError emitError, Type type) const {
  auto tile = dyn_cast<TileType>(type);
  if (!tile || !isa<IntegerType>(tile.getElementType()))
    return emitError() << "expected bounded on integers, found " << type;
  unsigned width = tile.getElementTypeBitWidth();
  for (std::optional<int64_t> end : {getLb(), getUb()})
    if (end && !llvm::isIntN(width, *end))
      return emitError() << "expected bounds in the signed range of "
                         << tile.getElementType() << ", found " << *end;
  if (getLb() && getUb() && *getLb() > *getUb())
    return emitError() << "expected bounds in order, found " << *getLb()
                       << " above " << *getUb();
  return success();
}
