// Words of ops.
#include "OpText.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

/// Reads a word of an enumeration.
template <typename Enum>
static ParseResult parseWord(AsmParser &parser, StringRef what, Enum &value) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (failed(parser.parseOptionalKeyword(&word)))
    return parser.emitError(loc) << "expected " << what;
  std::optional<Enum> known = symbolizeEnum<Enum>(word);
  if (!known)
    return parser.emitError(loc)
           << "expected " << what << ", found '" << word << "'";
  value = *known;
  return success();
}

template <typename Attr, typename Enum>
static ParseResult parseWordAttr(OpAsmParser &parser, StringRef what,
                                 Attr &attribute) {
  Enum value;
  if (parseWord(parser, what, value))
    return failure();
  attribute = Attr::get(parser.getContext(), value);
  return success();
}

ParseResult parseSignedness(OpAsmParser &parser, SignednessAttr &attribute) {
  return parseWordAttr<SignednessAttr, Signedness>(
      parser, "'signed' or 'unsigned'", attribute);
}
void printSignedness(OpAsmPrinter &printer, Operation *,
                     SignednessAttr attribute) {
  printer << stringifyEnum(attribute.getValue());
}

ParseResult parsePredicate(OpAsmParser &parser,
                           ComparisonPredicateAttr &attribute) {
  return parseWordAttr<ComparisonPredicateAttr, ComparisonPredicate>(
      parser,
      "a comparison: equal, not_equal, less_than, less_than_or_equal, "
      "greater_than or greater_than_or_equal",
      attribute);
}
void printPredicate(OpAsmPrinter &printer, Operation *,
                    ComparisonPredicateAttr attribute) {
  printer << stringifyEnum(attribute.getValue());
}

ParseResult parseOrdering(OpAsmParser &parser,
                          ComparisonOrderingAttr &attribute) {
  return parseWordAttr<ComparisonOrderingAttr, ComparisonOrdering>(
      parser, "'ordered' or 'unordered'", attribute);
}
void printOrdering(OpAsmPrinter &printer, Operation *,
                   ComparisonOrderingAttr attribute) {
  printer << stringifyEnum(attribute.getValue());
}

/// Reads `rounding<…>`, if it is there.
static ParseResult parseRoundingOr(OpAsmParser &parser, Rounding usual,
                                   RoundingAttr &attribute) {
  Rounding mode = usual;
  if (succeeded(parser.parseOptionalKeyword("rounding")) &&
      (parser.parseLess() ||
       parseWord(parser,
                 "a rounding: nearest_even, zero, negative_inf, positive_inf, "
                 "approx, full, nearest_int_to_zero or nearest_away",
                 mode) ||
       parser.parseGreater()))
    return failure();
  attribute = RoundingAttr::get(parser.getContext(), mode);
  return success();
}

static void printRoundingUnless(OpAsmPrinter &printer, Rounding usual,
                                RoundingAttr attribute) {
  if (attribute.getValue() != usual)
    printer << " rounding<" << stringifyEnum(attribute.getValue()) << '>';
}

ParseResult parseRounding(OpAsmParser &parser, RoundingAttr &attribute) {
  return parseRoundingOr(parser, Rounding::NearestEven, attribute);
}
void printRounding(OpAsmPrinter &printer, Operation *, RoundingAttr attribute) {
  printRoundingUnless(printer, Rounding::NearestEven, attribute);
}
ParseResult parseFullRounding(OpAsmParser &parser, RoundingAttr &attribute) {
  return parseRoundingOr(parser, Rounding::Full, attribute);
}
void printFullRounding(OpAsmPrinter &printer, Operation *,
                       RoundingAttr attribute) {
  printRoundingUnless(printer, Rounding::Full, attribute);
}
ParseResult parseIntRounding(OpAsmParser &parser, RoundingAttr &attribute) {
  return parseRoundingOr(parser, Rounding::NearestIntToZero, attribute);
}
void printIntRounding(OpAsmPrinter &printer, Operation *,
                      RoundingAttr attribute) {
  printRoundingUnless(printer, Rounding::NearestIntToZero, attribute);
}

ParseResult parseVisibility(OpAsmParser &parser,
                            SymbolVisibilityAttr &attribute) {
  StringRef word;
  SymbolVisibility visibility = SymbolVisibility::Public;
  if (succeeded(parser.parseOptionalKeyword(&word, {"public", "private"})))
    visibility = *symbolizeEnum<SymbolVisibility>(word);
  attribute = SymbolVisibilityAttr::get(parser.getContext(), visibility);
  return success();
}
void printVisibility(OpAsmPrinter &printer, Operation *,
                     SymbolVisibilityAttr attribute) {
  if (attribute.getValue() == SymbolVisibility::Private)
    printer << " private";
}

ParseResult parseAssumption(OpAsmParser &parser,
                            PredicateInterface &attribute) {
  SMLoc loc = parser.getCurrentLocation();
  Attribute parsed;
  if (OptionalParseResult whole = parser.parseOptionalAttribute(parsed);
      whole.has_value()) {
    if (failed(*whole))
      return failure();
  } else {
    StringRef word;
    if (parser.parseKeyword(&word))
      return failure();
    if (word == DivByAttr::getMnemonic())
      parsed = DivByAttr::parse(parser, {});
    else if (word == SameElementsAttr::getMnemonic())
      parsed = SameElementsAttr::parse(parser, {});
    else if (word == BoundedAttr::getMnemonic())
      parsed = BoundedAttr::parse(parser, {});
    else
      return parser.emitError(loc)
             << "expected div_by, same_elements or bounded, found '" << word
             << "'";
    if (!parsed)
      return failure();
  }
  attribute = dyn_cast<PredicateInterface>(parsed);
  if (!attribute)
    return parser.emitError(loc)
           << "expected div_by, same_elements or bounded, found " << parsed;
  return success();
}

void printAssumption(OpAsmPrinter &printer, Operation *,
                     PredicateInterface attribute) {
  std::string text;
  llvm::raw_string_ostream(text) << attribute;
  StringRef bare = text;
  bare.consume_front("#cuda_tile.");
  printer << bare;
}

ParseResult parseHints(OpAsmParser &parser, OptimizationHintsAttr &attribute) {
  return parser.parseCustomAttributeWithFallback(attribute);
}
void printHints(OpAsmPrinter &printer, Operation *,
                OptimizationHintsAttr attribute) {
  attribute.print(printer);
}

ParseResult
parseMaskAndPadding(OpAsmParser &parser,
                    std::optional<OpAsmParser::UnresolvedOperand> &mask,
                    std::optional<OpAsmParser::UnresolvedOperand> &padding) {
  for (auto *operand : {&mask, &padding})
    if (failed(parser.parseOptionalComma()))
      return success();
    else if (parser.parseOperand(operand->emplace()))
      return failure();
  return success();
}
void printMaskAndPadding(OpAsmPrinter &printer, Operation *, Value mask,
                         Value padding) {
  if (mask)
    printer << ", " << mask;
  if (mask && padding)
    printer << ", " << padding;
}

ParseResult parseMaskAndPaddingTypes(OpAsmParser &parser, Type &mask,
                                     Type &padding) {
  for (Type *type : {&mask, &padding})
    if (failed(parser.parseOptionalComma()))
      return success();
    else if (parseCudaTileType(parser, *type))
      return failure();
  return success();
}
void printMaskAndPaddingTypes(OpAsmPrinter &printer, Operation *, Type mask,
                              Type padding) {
  if (!mask)
    return;
  for (Type type : {mask, padding})
    if (type) {
      printer << ", ";
      printCudaTileType(printer, type);
    }
}

ParseResult parseViewOf(OpAsmParser &parser, Type &view, Type &tensor) {
  SMLoc loc = parser.getCurrentLocation();
  if (parseCudaTileType(parser, view))
    return failure();
  auto tiles = dyn_cast<TileView>(view);
  if (!tiles)
    return parser.emitError(loc)
           << "expected the type of a view, found " << view;
  tensor = tiles.getTensor();
  return success();
}
void printViewOf(OpAsmPrinter &printer, Operation *, Type view, Type) {
  printCudaTileType(printer, view);
}

} // namespace tilegpt::cuda_tile
