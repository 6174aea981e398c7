// Converts prints. `tile.print` takes scalars and tiles of one shape, and
// infers types; `print_tko` takes any tiles, and C's length modifiers.
#include "Addresses.h"
#include "Patterns.h"
#include "SmallTypes.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

using Build = ImplicitLocOpBuilder;

namespace {
/// A conversion of a format string with the text before it.
struct FormatItem {
  std::string text; ///< without length modifiers
  char conversion;  ///< 0 for the text after the last one
};

/// One `tile.print`: its format and the indices of its arguments.
struct PrintPart {
  std::string format;
  SmallVector<unsigned> arguments;
};
} // namespace

/// Replaces a pointer conversion such as `%p` by one of its address: `%#x`.
static void convertPointerFormat(std::string &text) {
  text.back() = 'x';
  text.insert(text.rfind('%') + 1, "#");
}

/// Splits a verified format string after each conversion, which ends at the
/// first of these characters, as in the verifier of print_tko.
static SmallVector<FormatItem> splitFormat(StringRef format) {
  constexpr StringLiteral ends = "diuoxXeEfFgGaAcsSpn%";
  SmallVector<FormatItem> items;
  std::string text;
  for (;;) {
    const size_t percent = format.find('%');
    text += format.take_front(percent);
    if (percent == StringRef::npos)
      break;
    const size_t end = format.find_first_of(ends, percent + 1);
    StringRef conversion = format.slice(percent, end + 1);
    format = format.drop_front(end + 1);
    if (conversion == "%%") {
      text += conversion;
      continue;
    }
    const size_t flags = conversion.find_first_not_of("-+ #0123456789.", 1);
    text += conversion.take_front(flags);
    text += conversion.drop_front(flags).ltrim("hlLqjzt");
    if (conversion.back() == 'p')
      convertPointerFormat(text);
    items.push_back({std::move(text), conversion.back()});
    text.clear();
  }
  if (!text.empty())
    items.push_back({std::move(text), 0});
  return items;
}

/// Groups consecutive arguments of one shape; scalars join either neighbour.
/// Each group but the last ends its line.
static SmallVector<PrintPart> splitPrint(PrintTkoOp op,
                                         ArrayRef<FormatItem> items) {
  SmallVector<PrintPart> parts(1);
  ArrayRef<int64_t> shape;
  unsigned argument = 0;
  for (const FormatItem &item : items) {
    StringRef text = item.text;
    if (item.conversion) {
      auto tile = cast<TileType>(op.getArgs()[argument].getType());
      if (!shape.empty() && tile.getRank() != 0 && shape != tile.getShape()) {
        const size_t lineEnd = text.find('\n') + 1; // 0 if there is none
        parts.back().format += text.take_front(lineEnd);
        text = text.drop_front(lineEnd);
        if (lineEnd == 0)
          parts.back().format += '\n';
        parts.emplace_back();
      }
      if (tile.getRank() != 0)
        shape = tile.getShape();
      parts.back().arguments.push_back(argument++);
    }
    parts.back().format += text;
  }
  return parts;
}

/// Converts a value to a type that `tile.print` supports.
static Value toPrintable(Build &b, ValueRange values, Type element,
                         char conversion) {
  if (isa<PointerType>(element))
    return addressesOf(b, values);
  Value value = values.front();
  if (isSmallFloat(element))
    return decode(b, value, element);
  if (!element.isInteger(4))
    return value;
  const bool isSigned = conversion == 'd' || conversion == 'i';
  return extendI4(b, value, value.getType(), isSigned);
}

static LogicalResult convertPrint(PrintTkoOp op,
                                  OperandsOf<PrintTkoOp> operands,
                                  ConversionPatternRewriter &rewriter) {
  Build b(op.getLoc(), rewriter);
  const SmallVector<FormatItem> items = splitFormat(op.getStr());
  SmallVector<Value> values;
  for (auto [item, argument, value] :
       llvm::zip(items, op.getArgs(), operands.getArgs()))
    values.push_back(toPrintable(
        b, value, cast<TileType>(argument.getType()).getElementType(),
        item.conversion));
  for (const PrintPart &part : splitPrint(op, items)) {
    auto taken = llvm::map_to_vector(
        part.arguments, [&](unsigned number) { return values[number]; });
    tile::PrintOp::create(b, part.format, taken);
  }
  rewriter.replaceOpWithMultiple(op, {SmallVector<Value>{}});
  return success();
}

void populatePrintPatterns(const TileTypes &types,
                           RewritePatternSet &patterns) {
  addPattern<PrintTkoOp>(types, patterns, convertPrint);
}

} // namespace tilegpt::cuda_tile
