// Assembly and verification of tiles, pointers and tensors.
#include "TileGPT/Dialect/CudaTile/IR/CudaTileDialect.h"
#include "TileGPT/Dialect/CudaTile/IR/TypeChecks.h"
#include "TypeText.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilegpt::cuda_tile;

#include "TileGPT/Dialect/CudaTile/IR/CudaTileTypeInterfaces.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "TileGPT/Dialect/CudaTile/IR/CudaTileTypes.cpp.inc"

void CudaTileDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "TileGPT/Dialect/CudaTile/IR/CudaTileTypes.cpp.inc"
      >();
}

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

//===----------------------------------------------------------------------===//
// Types by bare names
//===----------------------------------------------------------------------===//

namespace tilegpt::cuda_tile {

ParseResult parseCudaTileType(AsmParser &parser, Type &type) {
  // Newer versions of MLIR have a token of their own.
  if (succeeded(parser.parseOptionalKeyword(TokenType::getMnemonic()))) {
    type = TokenType::get(parser.getContext());
    return success();
  }
  if (OptionalParseResult other = parser.parseOptionalType(type);
      other.has_value())
    return *other;
  SMLoc loc = parser.getCurrentLocation();
  StringRef name;
  if (OptionalParseResult ours = generatedTypeParser(parser, &name, type);
      ours.has_value())
    return *ours;
  return parser.emitError(loc) << "expected a type, found '" << name << "'";
}

ParseResult parseCudaTileType(AsmParser &parser,
                              llvm::SmallVectorImpl<Type> &types) {
  return parser.parseCommaSeparatedList(
      [&] { return parseCudaTileType(parser, types.emplace_back()); });
}

void printCudaTileType(AsmPrinter &printer, Type type) {
  if (failed(generatedTypePrinter(type, printer)))
    printer.printType(type);
}

void printCudaTileType(AsmPrinter &printer, TypeRange types) {
  llvm::interleaveComma(types, printer.getStream(),
                        [&](Type type) { printCudaTileType(printer, type); });
}

} // namespace tilegpt::cuda_tile

//===----------------------------------------------------------------------===//
// Pointers and tiles
//===----------------------------------------------------------------------===//

LogicalResult PointerType::verify(EmitError emitError, Type pointee,
                                  PointerClassAttr) {
  if (isNumber(pointee))
    return success();
  return emitError() << "expected a pointer to a number of i1, i8, i16, i32, "
                        "i64 or a floating-point type, found "
                     << pointee;
}

/// Prints `8x16xf32`.
static void printShaped(AsmPrinter &printer, ArrayRef<int64_t> shape,
                        Type elementType) {
  printer.printDimensionList(shape);
  if (!shape.empty())
    printer << 'x';
  printCudaTileType(printer, elementType);
}

Type TileType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  Type elementType;
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parseCudaTileType(parser, elementType) || parser.parseGreater())
    return {};
  return parser.getChecked<TileType>(loc, parser.getContext(), shape,
                                     elementType);
}

void TileType::print(AsmPrinter &printer) const {
  printer << '<';
  printShaped(printer, getShape(), getElementType());
  printer << '>';
}

LogicalResult TileType::verify(EmitError emitError, ArrayRef<int64_t> shape,
                               Type elementType) {
  if (!isElement(elementType))
    return emitError() << "expected a tile of numbers or pointers, found "
                       << elementType;
  if (auto pointer = dyn_cast<PointerType>(elementType);
      pointer && isa<Float4E2M1FNType>(pointer.getPointeeType()) &&
      !shape.empty())
    return emitError() << "expected a single pointer to "
                       << pointer.getPointeeType()
                       << ", whose elements views access, found shape ["
                       << shape << "]";
  return verifyTile(emitError, shape, elementType);
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// Reads a positive number or `?`.
static ParseResult parseStride(AsmParser &parser, int64_t &stride) {
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalQuestion())) {
    stride = ShapedType::kDynamic;
    return success();
  }
  OptionalParseResult number = parser.parseOptionalInteger(stride);
  if (!number.has_value())
    return parser.emitError(loc) << "expected a stride, a number or '?'";
  if (failed(*number))
    return failure();
  if (stride <= 0)
    return parser.emitError(loc)
           << "expected a positive stride, found " << stride;
  return success();
}

Type TensorViewType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape, strides;
  Type elementType;
  if (parser.parseLess() || parser.parseDimensionList(shape) ||
      parseCudaTileType(parser, elementType))
    return {};
  if (!shape.empty() &&
      (parser.parseComma() || parser.parseKeyword("strides") ||
       parser.parseEqual() ||
       parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
         return parseStride(parser, strides.emplace_back());
       })))
    return {};
  SMLoc behind = parser.getCurrentLocation();
  PointerClassAttr pointerClass;
  if (succeeded(parser.parseOptionalComma())) {
    if (shape.empty() && succeeded(parser.parseOptionalKeyword("strides"))) {
      parser.emitError(behind) << "expected no strides in a tensor of rank 0";
      return {};
    }
    if (parser.parseCustomAttributeWithFallback(pointerClass))
      return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<TensorViewType>(
      loc, parser.getContext(), elementType, shape, strides, pointerClass);
}

void TensorViewType::print(AsmPrinter &printer) const {
  printer << '<';
  printShaped(printer, getShape(), getElementType());
  if (!getShape().empty()) {
    printer << ", strides=[";
    llvm::interleave(
        getStrides(), printer.getStream(),
        [&](int64_t stride) {
          if (ShapedType::isDynamic(stride))
            printer << '?';
          else
            printer << stride;
        },
        ",");
    printer << ']';
  }
  if (getPointerClass())
    printer << ", " << getPointerClass();
  printer << '>';
}

LogicalResult TensorViewType::verify(EmitError emitError, Type elementType,
                                     ArrayRef<int64_t> shape,
                                     ArrayRef<int64_t> strides,
                                     PointerClassAttr) {
  if (!isNumber(elementType))
    return emitError() << "expected a tensor of numbers, found " << elementType;
  if (shape.size() != strides.size())
    return emitError() << "expected as many strides as axes, " << shape.size()
                       << ", found " << strides.size();
  auto verifyPositive = [&](StringRef what,
                            ArrayRef<int64_t> values) -> LogicalResult {
    for (auto [axis, value] : llvm::enumerate(values))
      if (value <= 0 && !ShapedType::isDynamic(value))
        return emitError() << "expected a positive " << what << " or '?', "
                           << "found " << value << " along axis " << axis;
    return success();
  };
  return success(succeeded(verifyPositive("size", shape)) &&
                 succeeded(verifyPositive("stride", strides)));
}
