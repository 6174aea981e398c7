// Versions and number types.
#include "Format.h"
#include "TileGPT/Dialect/CudaTile/IR/CudaTileOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tilegpt::target::cudatile {

std::string Version::str() const {
  return std::to_string(major) + "." + std::to_string(minor);
}

ArrayRef<Version> Version::all() {
  static constexpr Version versions[] = {
      {13, 1}, {13, 2}, {13, 3}, {13, 4}, {13, 5}};
  return versions;
}

std::optional<Version> Version::parse(StringRef text) {
  for (Version version : all())
    if (version.str() == text)
      return version;
  return std::nullopt;
}

Version sinceOfRounding(StringRef op, uint64_t rounding, Type result) {
  auto tile = dyn_cast_or_null<cuda_tile::TileType>(result);
  const bool isOld = op != cuda_tile::FToFOp::getOperationName() ||
                     rounding == uint64_t(cuda_tile::Rounding::NearestEven) ||
                     (tile && isa<Float8E8M0FNUType>(tile.getElementType()));
  return isOld ? Version::all().front() : Version{13, 4};
}

Version sinceOf(cuda_tile::PointerClass pointerClass) {
  return pointerClass == cuda_tile::PointerClass::None ? Version{13, 4}
                                                       : Version{13, 5};
}

template <unsigned width>
static Type getInteger(MLIRContext *context) {
  return IntegerType::get(context, width);
}
template <typename T>
static Type getFloat(MLIRContext *context) {
  return T::get(context);
}

ArrayRef<NumberType> numberTypes() {
  static constexpr NumberType types[] = {
      {0, {13, 1}, getInteger<1>},
      {1, {13, 1}, getInteger<8>},
      {2, {13, 1}, getInteger<16>},
      {3, {13, 1}, getInteger<32>},
      {4, {13, 1}, getInteger<64>},
      {5, {13, 1}, getFloat<Float16Type>},
      {6, {13, 1}, getFloat<BFloat16Type>},
      {7, {13, 1}, getFloat<Float32Type>},
      {8, {13, 1}, getFloat<FloatTF32Type>},
      {9, {13, 1}, getFloat<Float64Type>},
      {10, {13, 1}, getFloat<Float8E4M3FNType>},
      {11, {13, 1}, getFloat<Float8E5M2Type>},
      {18, {13, 2}, getFloat<Float8E8M0FNUType>},
      {19, {13, 3}, getFloat<Float4E2M1FNType>},
      {22, {13, 3}, getInteger<4>},
      {130, {13, 4}, getFloat<cuda_tile::Float8E5M3FNUType>},
  };
  return types;
}

} // namespace tilegpt::target::cudatile
