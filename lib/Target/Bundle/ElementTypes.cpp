// Element types of a bundle by their name in MLIR.
#include "TileGPT/Target/Bundle/ElementTypes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using tilegpt::bundle::ElementType;

namespace tilegpt::target {

std::optional<ElementType> elementTypeOf(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return bundle::parseElementType(text);
}

FailureOr<ElementType> requireElementType(Location loc, Type type) {
  // An index is a 64-bit integer in the words of a launch.
  Type element = getElementTypeOrSelf(type);
  if (element.isIndex())
    return ElementType::I64;
  if (std::optional<ElementType> known = elementTypeOf(element))
    return *known;
  return emitError(loc) << "bundles have no element type " << element;
}

} // namespace tilegpt::target
