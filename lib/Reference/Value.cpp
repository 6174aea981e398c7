// Errors at ops, the element types of MLIR types, and padding.
#include "TileGPT/Reference/Value.h"
#include "llvm/ADT/TypeSwitch.h"
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

static std::optional<ElementType> integerTypeOf(unsigned bits) {
  switch (bits) {
  case 1:
    return ElementType::I1;
  case 8:
    return ElementType::I8;
  case 16:
    return ElementType::I16;
  case 32:
    return ElementType::I32;
  case 64:
    return ElementType::I64;
  default:
    return std::nullopt;
  }
}

/// Asked for every result of every op that runs.
std::optional<ElementType> elementTypeOf(Type type) {
  using Found = std::optional<ElementType>;
  return llvm::TypeSwitch<Type, Found>(type)
      .Case([](IntegerType integer) {
        return integer.isSignless() ? integerTypeOf(integer.getWidth())
                                    : Found();
      })
      .Case([](IndexType) { return Found(ElementType::I64); })
      .Case([](Float16Type) { return Found(ElementType::F16); })
      .Case([](BFloat16Type) { return Found(ElementType::BF16); })
      .Case([](Float32Type) { return Found(ElementType::F32); })
      .Case([](Float64Type) { return Found(ElementType::F64); })
      .Case([](Float8E4M3FNType) { return Found(ElementType::F8E4M3FN); })
      .Case([](Float8E5M2Type) { return Found(ElementType::F8E5M2); })
      .Default([](Type) { return Found(); });
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
