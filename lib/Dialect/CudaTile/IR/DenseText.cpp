// Text of literal tiles.
#include "OpText.h"
#include "TileGPT/Dialect/CudaTile/IR/TypeChecks.h"
#include "llvm/ADT/APSInt.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

namespace {
/// Reads `1`, or `[[1, 2], [3, 4]]` with the shape of the lists.
class LiteralParser {
public:
  LiteralParser(OpAsmParser &parser, Type elementType)
      : parser(parser), elementType(elementType) {}

  ParseResult parse(SmallVector<int64_t> &shape);
  /// The numbers read, as a tile. One number fills it.
  DenseElementsAttr get(TileType type) const {
    if (isa<IntegerType>(elementType))
      return DenseElementsAttr::get(type, integers);
    return DenseElementsAttr::get(type, floats);
  }

private:
  ParseResult parseNumber();
  ParseResult parseInteger();

  /// Deeper lists would be of more elements than a tile has.
  static constexpr unsigned deepest = 64;

  OpAsmParser &parser;
  Type elementType;
  SmallVector<APInt> integers;
  SmallVector<APFloat> floats;
  unsigned depth = 0;
};
} // namespace

ParseResult LiteralParser::parse(SmallVector<int64_t> &shape) {
  if (failed(parser.parseOptionalLSquare()))
    return parseNumber();
  SMLoc loc = parser.getCurrentLocation();
  if (++depth > deepest)
    return parser.emitError(loc)
           << "expected lists of at most " << deepest << " levels";
  int64_t count = 0;
  SmallVector<int64_t> first;
  auto parseElement = [&]() -> ParseResult {
    SMLoc at = parser.getCurrentLocation();
    SmallVector<int64_t> inner;
    if (parse(inner))
      return failure();
    if (count++ == 0)
      first = inner;
    else if (inner != first)
      return parser.emitError(at) << "expected lists of one shape, found ["
                                  << inner << "] behind [" << first << "]";
    return success();
  };
  if (parser.parseCommaSeparatedList(parseElement) || parser.parseRSquare())
    return failure();
  --depth;
  shape.push_back(count);
  shape.append(first);
  return success();
}

ParseResult LiteralParser::parseNumber() {
  if (isa<IntegerType>(elementType))
    return parseInteger();
  const llvm::fltSemantics &semantics =
      cast<FloatType>(elementType).getFloatSemantics();
  APFloat value(semantics);
  if (parser.parseFloat(semantics, value))
    return failure();
  floats.push_back(value);
  return success();
}

ParseResult LiteralParser::parseInteger() {
  SMLoc loc = parser.getCurrentLocation();
  unsigned width = elementType.getIntOrFloatBitWidth();
  StringRef word;
  if (succeeded(parser.parseOptionalKeyword(&word, {"true", "false"}))) {
    if (width != 1)
      return parser.emitError(loc)
             << "expected a number of type " << elementType << ", found '"
             << word << "', which is of i1";
    integers.emplace_back(1, word == "true");
    return success();
  }
  APInt value;
  OptionalParseResult parsed = parser.parseOptionalInteger(value);
  if (!parsed.has_value())
    return parser.emitError(loc) << "expected a number of type " << elementType;
  if (failed(*parsed))
    return failure();
  // Either range of the width: i1 is -1, 0 or 1. Of i64 only the signed range.
  const bool isUnsigned =
      width < 64 && !value.isNegative() && value.isIntN(width);
  if (!value.isSignedIntN(width) && !isUnsigned)
    return parser.emitError(loc)
           << "expected a number in the signed "
           << (width < 64 ? "or unsigned " : "") << "range of " << elementType;
  integers.push_back(value.sextOrTrunc(width));
  return success();
}

ParseResult parseDense(OpAsmParser &parser, DenseIntOrFPElementsAttr &value,
                       Type &type) {
  SMLoc elementLoc;
  Type elementType;
  if (parser.parseLess() || parser.getCurrentLocation(&elementLoc) ||
      parseCudaTileType(parser, elementType))
    return failure();
  if (!isLiteral(elementType))
    return parser.emitError(elementLoc)
           << "expected numbers as literals, found " << elementType;
  LiteralParser literal(parser, elementType);
  SmallVector<int64_t> shape;
  SMLoc typeLoc;
  if (parser.parseColon() || literal.parse(shape) || parser.parseGreater() ||
      parser.parseColon() || parser.getCurrentLocation(&typeLoc) ||
      parseCudaTileType(parser, type))
    return failure();
  auto tile = dyn_cast<TileType>(type);
  if (!tile || tile.getElementType() != elementType)
    return parser.emitError(typeLoc)
           << "expected a tile of " << elementType << ", found " << type;
  if (!shape.empty() && tile.getShape() != ArrayRef<int64_t>(shape))
    return parser.emitError(typeLoc)
           << "expected a tile of the literal's shape, [" << shape
           << "], found " << type;
  value = cast<DenseIntOrFPElementsAttr>(literal.get(tile));
  return success();
}

ParseResult parseDenseOnly(OpAsmParser &parser,
                           DenseIntOrFPElementsAttr &value) {
  Type type;
  return parseDense(parser, value, type);
}

/// Prints the elements from `index` on that make up axes of sizes `shape`.
template <typename Iterator>
static void printElements(ArrayRef<int64_t> shape, Iterator &next,
                          raw_ostream &os,
                          llvm::function_ref<void(Iterator &)> printNext) {
  if (shape.empty())
    return printNext(next);
  os << '[';
  for (int64_t i = 0; i < shape.front(); ++i) {
    if (i > 0)
      os << ", ";
    printElements(shape.drop_front(), next, os, printNext);
  }
  os << ']';
}

/// Prints `[[1, 2], [3, 4]]`, or one number that fills all.
template <typename T>
static void printValues(raw_ostream &os, DenseElementsAttr value,
                        llvm::function_ref<void(const T &)> print) {
  auto next = value.value_begin<T>();
  using Iterator = decltype(next);
  ArrayRef<int64_t> shape;
  if (!value.isSplat())
    shape = value.getType().getShape();
  printElements<Iterator>(shape, next, os, [&](Iterator &it) {
    print(*it);
    ++it;
  });
}

void printDense(OpAsmPrinter &printer, Operation *,
                DenseIntOrFPElementsAttr value, Type type) {
  Type elementType = value.getElementType();
  raw_ostream &os = printer.getStream();
  os << '<' << elementType << ": ";
  if (isBool(elementType))
    printValues<APInt>(os, value, [&](const APInt &number) {
      os << (number.isZero() ? "false" : "true");
    });
  else if (isa<IntegerType>(elementType))
    printValues<APInt>(os, value, [&](const APInt &number) {
      number.print(os, /*isSigned=*/true);
    });
  else
    printValues<APFloat>(
        os, value, [&](const APFloat &number) { printer.printFloat(number); });
  os << "> : ";
  printCudaTileType(printer, type);
}

void printDenseOnly(OpAsmPrinter &printer, Operation *op,
                    DenseIntOrFPElementsAttr value) {
  printDense(printer, op, value, value.getType());
}

} // namespace tilegpt::cuda_tile
