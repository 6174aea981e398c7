// Pad values of every element type.
#include "TileGPT/Conversion/TileToArith/PadValue.h"

using namespace mlir;

namespace tilegpt::tile {

TypedAttr padValue(PadKind pad, Type type) {
  auto floatType = dyn_cast<FloatType>(type);
  if (!floatType)
    return IntegerAttr::get(type, pad == PadKind::MinusOne ? -1 : 0);
  const llvm::fltSemantics &semantics = floatType.getFloatSemantics();
  switch (pad) {
  case PadKind::Zero:
    return FloatAttr::get(floatType, APFloat::getZero(semantics));
  case PadKind::NegInf:
    return FloatAttr::get(floatType,
                          APFloat::getInf(semantics, /*Negative=*/true));
  case PadKind::PosInf:
    return FloatAttr::get(floatType, APFloat::getInf(semantics));
  case PadKind::NaN:
    return FloatAttr::get(floatType, APFloat::getQNaN(semantics));
  case PadKind::NegZero:
    return FloatAttr::get(floatType,
                          APFloat::getZero(semantics, /*Negative=*/true));
  case PadKind::MinusOne:
    break;
  }
  llvm_unreachable("unknown pad");
}

} // namespace tilegpt::tile
