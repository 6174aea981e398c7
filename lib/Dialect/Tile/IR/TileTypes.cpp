// Parsing, printing and checks of `!tile.view`, `!tile.ptr` and `!tile.elt`.
#include "TileGPT/Dialect/Tile/IR/TileDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringSwitch.h"
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

/// The element type that other languages call `name`, or nothing.
static StringRef getElementCounterpart(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Cases({"fp32", "float", "float32"}, "f32")
      .Cases({"fp16", "half", "float16"}, "f16")
      .Cases({"bfloat16", "bfloat"}, "bf16")
      .Cases({"fp64", "double", "float64"}, "f64")
      .Cases({"fp8", "e4m3", "f8", "float8_e4m3fn", "fp8e4nv"}, "f8E4M3FN")
      .Cases({"e5m2", "float8_e5m2", "fp8e5"}, "f8E5M2")
      .Cases({"int", "int32", "uint32", "u32"}, "i32")
      .Cases({"long", "int64", "uint64", "u64"}, "i64")
      .Cases({"short", "int16", "uint16", "u16"}, "i16")
      .Cases({"char", "int8", "uint8", "u8"}, "i8")
      .Cases({"bool", "int1"}, "i1")
      .Default("");
}

/// Parses the element type of a view.
static ParseResult parseElementType(AsmParser &parser, Type &type) {
  SMLoc loc = parser.getCurrentLocation();
  OptionalParseResult parsed = parser.parseOptionalType(type);
  if (parsed.has_value())
    return *parsed;
  StringRef found;
  if (failed(parser.parseOptionalKeyword(&found)))
    return parser.emitError(
        loc, "expected sizes and an element type, as in !tile.view<?x64xf32>");
  InFlightDiagnostic error = parser.emitError(
      loc, "expected an element type such as f32, bf16 or i32, found '");
  error << found << "'";
  if (StringRef meant = getElementCounterpart(found); !meant.empty())
    error << "; did you mean '" << meant << "'?";
  return error;
}

Type ViewType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape, strides;
  Type elementType;
  if (parser.parseLess() || parser.parseDimensionList(shape) ||
      parseElementType(parser, elementType))
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
