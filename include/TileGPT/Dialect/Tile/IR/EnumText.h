// Text form of the dialect's enums inside ops: a bare word, as in
// `pad(neg_inf)`. The attributes' own format starts with a space, which
// `#tile.pad_kind zero` needs and ops do not.
#ifndef TILEGPT_DIALECT_TILE_IR_ENUMTEXT_H
#define TILEGPT_DIALECT_TILE_IR_ENUMTEXT_H

#include "TileGPT/Dialect/Tile/IR/TileDialect.h"
#include "mlir/IR/OpImplementation.h"

namespace tilegpt::tile {

template <typename AttrT>
using EnumOf = decltype(std::declval<AttrT>().getValue());

/// `add, mul, max`: every word of an enum, whose values count from 0.
template <typename EnumT>
std::string listWords() {
  std::string text;
  for (uint32_t value = 0;; ++value) {
    llvm::StringRef word = stringifyEnum(static_cast<EnumT>(value));
    if (word.empty())
      return text;
    text += (value == 0 ? "" : ", ") + word.str();
  }
}

/// Turns a word into an attribute, or fails with the list of words at `loc`.
template <typename AttrT>
mlir::ParseResult resolveWord(mlir::OpAsmParser &parser, llvm::SMLoc loc,
                              llvm::StringRef word, AttrT &attribute) {
  using EnumT = EnumOf<AttrT>;
  std::optional<EnumT> value = symbolizeEnum<EnumT>(word);
  if (!value)
    return parser.emitError(loc, "expected one of ")
           << listWords<EnumT>() << ", found '" << word << "'";
  attribute = AttrT::get(parser.getContext(), *value);
  return mlir::success();
}

/// Parses and prints a word; for `custom<Word>` in assembly formats.
template <typename AttrT>
mlir::ParseResult parseWord(mlir::OpAsmParser &parser, AttrT &attribute) {
  llvm::StringRef word;
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOptionalKeyword(&word))
    return parser.emitError(loc, "expected one of ")
           << listWords<EnumOf<AttrT>>();
  return resolveWord(parser, loc, word, attribute);
}

template <typename AttrT>
void printWord(mlir::OpAsmPrinter &printer, mlir::Operation *,
               AttrT attribute) {
  printer << stringifyEnum(attribute.getValue());
}

} // namespace tilegpt::tile

#endif
