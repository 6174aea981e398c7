// Parser, printer and verifier of `!tile_gpu.shared`, and the addresses of its
// elements.
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilegpt::tilegpu;

#define GET_TYPEDEF_CLASSES
#include "TileGPT/Dialect/TileGPU/IR/TileGPUTypes.cpp.inc"

void TileGPUDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "TileGPT/Dialect/TileGPU/IR/TileGPUTypes.cpp.inc"
      >();
}

Type SharedType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  Type elementType;
  int64_t swizzle = 0, padding = 0;
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(elementType))
    return {};
  if (succeeded(parser.parseOptionalComma())) {
    if (succeeded(parser.parseOptionalKeyword("swizzle"))) {
      if (parser.parseEqual() || parser.parseInteger(swizzle))
        return {};
    } else if (parser.parseKeyword("padding") || parser.parseEqual() ||
               parser.parseInteger(padding)) {
      return {};
    }
  }
  if (parser.parseGreater())
    return {};
  return SharedType::getChecked([&] { return parser.emitError(loc); },
                                parser.getContext(), shape, elementType,
                                swizzle, padding);
}

void SharedType::print(AsmPrinter &printer) const {
  printer << '<';
  for (int64_t size : getShape())
    printer << size << 'x';
  printer << getElementType();
  if (getSwizzle())
    printer << ", swizzle = " << getSwizzle();
  if (getPadding())
    printer << ", padding = " << getPadding();
  printer << '>';
}

LogicalResult SharedType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> shape, Type elementType,
                                 int64_t swizzle, int64_t padding) {
  if (!elementType.isIntOrFloat())
    return emitError() << "expected an integer or a float as element of a "
                          "buffer, found "
                       << elementType;
  if (llvm::any_of(shape, [](int64_t size) { return size < 1; }))
    return emitError() << "expected positive sizes of a buffer";
  if (swizzle != 0 && swizzle != 32 && swizzle != 64 && swizzle != 128)
    return emitError() << "expected a swizzle of 32, 64 or 128 bytes, found "
                       << swizzle;
  if (padding < 0 || (padding && swizzle))
    return emitError() << "expected a padding of at least 0, and none with a "
                          "swizzle, found "
                       << padding;
  if (!swizzle)
    return success();
  int64_t bytes = elementType.getIntOrFloatBitWidth() / 8;
  if (shape.size() < 2 || bytes == 0 || shape.back() * bytes % swizzle)
    return emitError() << "expected rows of a multiple of " << swizzle
                       << " bytes for a swizzle of " << swizzle;
  return success();
}

int64_t SharedType::getNumBytes() const {
  int64_t elements = getShape().empty() ? 1 : getShape().back() + getPadding();
  for (int64_t size : getShape().drop_back(getShape().empty() ? 0 : 1))
    elements *= size;
  constexpr int64_t alignment = 16, swizzledAlignment = 1024;
  return llvm::alignTo(elements * tilegpt::memoryBytes(getElementType()),
                       getSwizzle() ? swizzledAlignment : alignment);
}

int64_t SharedType::getStride(int64_t axis) const {
  int64_t stride = 1;
  for (int64_t behind = getRank() - 1; behind > axis; --behind)
    stride *= getShape()[behind] + (behind == getRank() - 1 ? getPadding() : 0);
  return stride;
}

SharedType SharedType::getStageType() const {
  if (getRank() < (getSwizzle() ? 3 : 1))
    return *this;
  return get(getContext(), getShape().drop_front(), getElementType(),
             getSwizzle(), getPadding());
}

CursorType SharedType::getCursorType() const {
  return CursorType::get(getContext(),
                         getShape().empty() ? 1 : getShape().front());
}
