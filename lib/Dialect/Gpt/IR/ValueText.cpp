// The text form of values: `10`, `width`, `(heads + 2 * kv_heads) * head_dim`.
#include "TileGPT/Dialect/Gpt/IR/Values.h"
#include "llvm/ADT/SmallString.h"

using namespace mlir;

namespace tilegpt::gpt {

/// The shortest decimal form that reads back as `value`, with a dot.
static std::string floatText(double value) {
  SmallString<32> text;
  llvm::APFloat(value).toString(text);
  if (StringRef(text).contains('.'))
    return text.str().str();
  auto [digits, exponent] = StringRef(text).split('E');
  return (digits + ".0" + (exponent.empty() ? "" : "E" + exponent)).str();
}

namespace {

/// Reads an expression and writes it down again, in one spelling.
class ValueParser {
public:
  explicit ValueParser(OpAsmParser &parser) : parser(parser) {}

  ParseResult sum(std::string &text) {
    if (product(text))
      return failure();
    for (;;) {
      if (succeeded(parser.parseOptionalPlus()))
        text += " + ";
      else if (succeeded(parser.parseOptionalMinus()))
        text += " - ";
      else
        return success();
      if (product(text))
        return failure();
    }
  }

private:
  ParseResult product(std::string &text) {
    if (primary(text))
      return failure();
    for (;;) {
      if (succeeded(parser.parseOptionalStar()))
        text += " * ";
      else if (succeeded(parser.parseOptionalSlash()))
        text += " / ";
      else
        return success();
      if (primary(text))
        return failure();
    }
  }

  /// The arguments of a function or a parenthesized expression, after the
  /// opening parenthesis.
  ParseResult parenthesized(std::string &text) {
    text += '(';
    if (sum(text))
      return failure();
    while (succeeded(parser.parseOptionalComma())) {
      text += ", ";
      if (sum(text))
        return failure();
    }
    text += ')';
    return parser.parseRParen();
  }

  ParseResult primary(std::string &text) {
    if (succeeded(parser.parseOptionalLParen()))
      return parenthesized(text);
    StringRef keyword;
    SMLoc loc = parser.getCurrentLocation();
    if (succeeded(parser.parseOptionalKeyword(&keyword))) {
      text += keyword;
      return succeeded(parser.parseOptionalLParen()) ? parenthesized(text)
                                                     : success();
    }
    // The parser of integers takes a sign for that of an integer.
    if (succeeded(parser.parseOptionalMinus()))
      text += '-';
    int64_t integer;
    OptionalParseResult parsed = parser.parseOptionalInteger(integer);
    if (parsed.has_value()) {
      text += std::to_string(integer);
      return *parsed;
    }
    double number;
    if (parser.parseFloat(number))
      return parser.emitError(loc, "expected a number, a setting of the model "
                                   "or an expression of them");
    text += floatText(number);
    return success();
  }

  OpAsmParser &parser;
};

} // namespace

/// A literal where `text` is nothing but a number.
static Attribute attributeOf(MLIRContext *context, StringRef text) {
  int64_t integer;
  if (!text.getAsInteger(10, integer))
    return IntegerAttr::get(IntegerType::get(context, 64), integer);
  double number;
  if (!llvm::isAlpha(text.front()) && !text.getAsDouble(number))
    return FloatAttr::get(Float64Type::get(context), number);
  return ExprAttr::get(context, text);
}

ParseResult parseValue(OpAsmParser &parser, Attribute &attribute) {
  std::string word;
  if (succeeded(parser.parseOptionalString(&word))) {
    attribute = StringAttr::get(parser.getContext(), word);
    return success();
  }
  std::string text;
  if (ValueParser(parser).sum(text))
    return failure();
  attribute = attributeOf(parser.getContext(), text);
  return success();
}

void printValue(OpAsmPrinter &printer, Operation *, Attribute attribute) {
  if (auto expr = dyn_cast<ExprAttr>(attribute))
    printer << expr.getText();
  else if (auto integer = dyn_cast<IntegerAttr>(attribute))
    printer << integer.getInt();
  else if (auto real = dyn_cast<FloatAttr>(attribute))
    printer << floatText(real.getValueAsDouble());
  else
    printer.printAttributeWithoutType(attribute);
}

} // namespace tilegpt::gpt
