// Parsers, printers and verifiers of pipes, cursors and TMA descriptors.
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace tilegpt::tilegpu;

static LogicalResult verifyStages(function_ref<InFlightDiagnostic()> emitError,
                                  int64_t stages) {
  constexpr int64_t maxStages = 32;
  if (stages < 1 || stages > maxStages)
    return emitError() << "expected 1 to " << maxStages << " stages, found "
                       << stages;
  return success();
}

LogicalResult PipeType::verify(function_ref<InFlightDiagnostic()> emitError,
                               int64_t stages, int64_t blocks) {
  constexpr int64_t mostBlocks = 8;
  if (blocks < 1 || blocks > mostBlocks)
    return emitError() << "expected 1 to " << mostBlocks
                       << " blocks of a cluster, found " << blocks;
  return verifyStages(emitError, stages);
}

LogicalResult CursorType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 int64_t stages) {
  return verifyStages(emitError, stages);
}

LogicalResult PackedType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 RankedTensorType tile) {
  Type element = tile.getElementType();
  if (element.isBF16() || element.isF16() || element.isF32())
    return success();
  return emitError() << "expected a tile of bf16, f16 or f32, found " << tile;
}

Type TensorMapType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> box;
  Type elementType;
  int64_t swizzle = 0;
  if (parser.parseLess() ||
      parser.parseDimensionList(box, /*allowDynamic=*/false) ||
      parser.parseType(elementType))
    return {};
  if (succeeded(parser.parseOptionalComma()))
    if (parser.parseKeyword("swizzle") || parser.parseEqual() ||
        parser.parseInteger(swizzle))
      return {};
  if (parser.parseGreater())
    return {};
  return TensorMapType::getChecked([&] { return parser.emitError(loc); },
                                   parser.getContext(), ArrayRef<int64_t>(box),
                                   elementType, swizzle);
}

void TensorMapType::print(AsmPrinter &printer) const {
  printer << '<';
  for (int64_t size : getBox())
    printer << size << 'x';
  printer << getElementType();
  if (getSwizzle())
    printer << ", swizzle = " << getSwizzle();
  printer << '>';
}

int64_t TensorMapType::getRowAxis() const {
  int64_t last = static_cast<int64_t>(getBox().size()) - 2;
  for (int64_t axis = last; axis >= 0; --axis)
    if (getBox()[axis] != 1)
      return axis;
  return last;
}

int64_t TensorMapType::getRows() const {
  int64_t axis = getRowAxis();
  return axis < 0 ? 1 : getBox()[axis];
}

LogicalResult
TensorMapType::verify(function_ref<InFlightDiagnostic()> emitError,
                      ArrayRef<int64_t> box, Type elementType,
                      int64_t swizzle) {
  constexpr size_t maxRank = 5;
  constexpr int64_t maxBoxSize = 256, unitBytes = 16;
  if (box.empty() || box.size() > maxRank)
    return emitError() << "expected a box of 1 to " << maxRank
                       << " axes, found " << box.size();
  for (int64_t size : box)
    if (size < 1 || size > maxBoxSize)
      return emitError() << "expected a box of 1 to " << maxBoxSize
                         << " elements along each axis, found " << size;
  if (!elementType.isIntOrFloat() ||
      elementType.getIntOrFloatBitWidth() % 8 != 0)
    return emitError() << "expected elements of whole bytes, found "
                       << elementType;
  if (swizzle != 0 && swizzle != 32 && swizzle != 64 && swizzle != 128)
    return emitError() << "expected a swizzle of 32, 64 or 128 bytes, found "
                       << swizzle;
  int64_t rowBytes = box.back() * elementType.getIntOrFloatBitWidth() / 8;
  if (rowBytes % unitBytes != 0 || (swizzle && rowBytes != swizzle))
    return emitError() << "expected rows of a box of "
                       << (swizzle ? Twine(swizzle) : Twine("16·n"))
                       << " bytes, found " << rowBytes;
  return success();
}
