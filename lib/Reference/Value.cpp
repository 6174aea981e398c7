// Errors at ops, and the element types of MLIR types.
#include "TileGPT/Reference/Value.h"

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

} // namespace tilegpt::reference
