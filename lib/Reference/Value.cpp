// Errors at ops, the element types of MLIR types, and padding.
#include "TileGPT/Reference/Value.h"
#include <limits>

using namespace mlir;

namespace tilegpt::reference {

llvm::Error fail(Operation *op, const Twine &message) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto loc = op->getLoc()->findInstanceOf<FileLineColLoc>())
    os << loc.getFilename().getValue() << ':' << loc.getLine() << ':'
       << loc.getColumn() << ": ";
  os << '\'' << op->getName() << "' op " << message;
  return llvm::createStringError(text);
}

std::optional<ElementType> elementTypeOf(Type type) {
  if (type.isIndex())
    return ElementType::I64;
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return bundle::parseElementType(text);
}

Element padElement(tile::PadKind pad, ElementType type) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  switch (pad) {
  case tile::PadKind::Zero:
    return isFloat(type) ? Element::of(0.0) : Element::of(int64_t(0));
  case tile::PadKind::NegInf:
    return Element::of(-infinity);
  case tile::PadKind::PosInf:
    return Element::of(infinity);
  case tile::PadKind::NaN:
    return Element::of(std::numeric_limits<double>::quiet_NaN());
  case tile::PadKind::NegZero:
    return Element::of(-0.0);
  case tile::PadKind::MinusOne:
    return Element::of(int64_t(-1));
  }
  llvm_unreachable("all pad kinds are handled");
}

} // namespace tilegpt::reference
