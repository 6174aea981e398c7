// Parsing, printing and checks of `!tile.view`, `!tile.ptr` and `!tile.elt`.
#include "TileGPT/Dialect/Tile/IR/TileDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilegpt::tile;

#define GET_TYPEDEF_CLASSES
#include "TileGPT/Dialect/Tile/IR/TileTypes.cpp.inc"

void TileDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "TileGPT/Dialect/Tile/IR/TileTypes.cpp.inc"
      >();
}

/// Parses `?` or a non-negative integer.
static ParseResult parseDynamicInt(AsmParser &parser, int64_t &value) {
  if (succeeded(parser.parseOptionalQuestion())) {
    value = ShapedType::kDynamic;
    return success();
  }
  return parser.parseInteger(value);
}

static void printDynamicInt(AsmPrinter &printer, int64_t value) {
  if (ShapedType::isDynamic(value))
    printer << '?';
  else
    printer << value;
}

Type ViewType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape, strides;
  Type elementType;
  if (parser.parseLess() || parser.parseDimensionList(shape) ||
      parser.parseType(elementType))
    return {};
  if (succeeded(parser.parseOptionalComma())) {
    auto parseStride = [&] {
      return parseDynamicInt(parser, strides.emplace_back());
    };
    if (parser.parseKeyword("strides") || parser.parseEqual() ||
        parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                       parseStride))
      return {};
  }
  if (parser.parseGreater())
    return {};
  return ViewType::getChecked([&] { return parser.emitError(loc); },
                              parser.getContext(), shape, elementType, strides);
}

void ViewType::print(AsmPrinter &printer) const {
  printer << '<';
  for (int64_t size : getShape()) {
    printDynamicInt(printer, size);
    printer << 'x';
  }
  printer << getElementType();
  if (!isDense()) {
    printer << ", strides=[";
    llvm::interleaveComma(getStrides(), printer, [&](int64_t stride) {
      printDynamicInt(printer, stride);
    });
    printer << ']';
  }
  printer << '>';
}

LogicalResult ViewType::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<int64_t> shape, Type elementType,
                               ArrayRef<int64_t> strides) {
  if (!elementType.isSignlessInteger() && !isa<FloatType, EltType>(elementType))
    return emitError() << "expected a signless integer, a float or a type "
                          "variable as element of a view, found "
                       << elementType;
  if (!strides.empty() && strides.size() != shape.size())
    return emitError() << "expected one stride for each of the " << shape.size()
                       << " axes of the view, found " << strides.size();
  for (auto [axis, stride] : llvm::enumerate(strides))
    if (!ShapedType::isDynamic(stride) && stride <= 0)
      return emitError() << "expected a positive stride on axis " << axis
                         << " of the view, found " << stride;
  // The size in bits must fit 63 bits, so that no offset computed later can
  // wrap.
  int64_t elements = 64;
  for (int64_t size : shape)
    if (!ShapedType::isDynamic(size) && size != 0 &&
        llvm::MulOverflow(elements, size, elements))
      return emitError() << "view has more elements than 63 bits can address";
  return success();
}

SmallVector<int64_t> ViewType::getKnownStrides() const {
  if (!isDense())
    return llvm::to_vector(getStrides());
  SmallVector<int64_t> strides(getRank(), 1);
  for (int64_t axis = getRank() - 2; axis >= 0; --axis) {
    int64_t inner = getShape()[axis + 1], stride = strides[axis + 1];
    bool known =
        !ShapedType::isDynamic(inner) && !ShapedType::isDynamic(stride);
    // Strides are positive even where an axis is empty.
    strides[axis] =
        known ? std::max<int64_t>(inner, 1) * stride : ShapedType::kDynamic;
  }
  return strides;
}

LogicalResult PtrType::verify(function_ref<InFlightDiagnostic()> emitError,
                              Type pointee) {
  if (!pointee.isSignlessInteger() && !isa<FloatType, EltType>(pointee))
    return emitError() << "expected a signless integer, a float or a type "
                          "variable to point to, found "
                       << pointee;
  return success();
}

Type EltType::parse(AsmParser &parser) {
  std::string name;
  if (parser.parseLess() || parser.parseKeywordOrString(&name) ||
      parser.parseGreater())
    return {};
  return EltType::get(parser.getContext(), name);
}

void EltType::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printKeywordOrString(getName());
  printer << '>';
}
