// Kinds of elements, and which tiles there are.
#include "TileGPT/Dialect/CudaTile/IR/TypeChecks.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

bool isBool(Type type) { return type.isInteger(1); }
bool isByte(Type type) { return type.isInteger(8); }
bool isInt32(Type type) { return type.isInteger(32); }
bool isAddress(Type type) { return type.isInteger(64); }

static bool isSignless(Type type, ArrayRef<unsigned> widths) {
  return type.isSignlessInteger() &&
         llvm::is_contained(widths, type.getIntOrFloatBitWidth());
}
bool isInteger(Type type) { return isSignless(type, {1, 8, 16, 32, 64}); }
bool isCastInteger(Type type) {
  return isSignless(type, {1, 4, 8, 16, 32, 64});
}
bool isPower(Type type) { return isSignless(type, {1, 8, 16, 32}); }

bool isBaseFloat(Type type) {
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type);
}
bool isFloat(Type type) {
  return isBaseFloat(type) ||
         isa<FloatTF32Type, Float8E4M3FNType, Float8E5M2Type, Float8E8M0FNUType,
             Float4E2M1FNType, Float8E5M3FNUType>(type);
}
bool isNumber(Type type) { return isInteger(type) || isFloat(type); }
bool isLiteral(Type type) {
  return isNumber(type) && !isa<Float8E5M3FNUType>(type);
}
unsigned widthOf(Type number) {
  return isa<Float8E5M3FNUType>(number) ? 8 : number.getIntOrFloatBitWidth();
}
bool isPackable(Type type) { return isNumber(type) || type.isInteger(4); }
bool isPointer(Type type) { return isa<PointerType>(type); }
bool isElement(Type type) { return isPackable(type) || isPointer(type); }

bool isValue(Type type) {
  return isNumber(type) || isa<CudaTileDialect>(type.getDialect());
}
bool isView(Type type) { return isa<TensorViewType, TileView>(type); }

bool isTileOf(Type type, llvm::function_ref<bool(Type)> holds) {
  auto tile = dyn_cast<TileType>(type);
  return tile && holds(tile.getElementType());
}
bool isScalarOf(Type type, llvm::function_ref<bool(Type)> holds) {
  return isTileOf(type, holds) && cast<TileType>(type).getRank() == 0;
}

LogicalResult verifyTile(llvm::function_ref<InFlightDiagnostic()> emitError,
                         ArrayRef<int64_t> shape, Type elementType) {
  constexpr int64_t mostElements = int64_t(1) << 24;
  int64_t elements = 1;
  for (auto [axis, size] : llvm::enumerate(shape)) {
    if (size <= 0 || !llvm::isPowerOf2_64(size))
      return emitError() << "expected sizes of a tile that are powers of two, "
                            "found "
                         << size << " along axis " << axis;
    if (size > mostElements / elements)
      return emitError() << "expected a tile of at most " << mostElements
                         << " elements, found shape [" << shape << "]";
    elements *= size;
  }
  if (isa<Float4E2M1FNType>(elementType) && elements % 2 != 0)
    return emitError() << "expected an even number of elements in a tile of "
                       << elementType << ", which are two to a byte";
  return success();
}

} // namespace tilegpt::cuda_tile
