// Print formats: C's numeric printf conversions only.
#include "TileGPT/Dialect/Tile/IR/PrintFormat.h"

using namespace mlir;

namespace tilegpt::tile {

bool PrintConversion::isFloat() const {
  return StringRef("eEfFgGaA").contains(kind);
}
bool PrintConversion::isSigned() const { return kind == 'd' || kind == 'i'; }

/// Parses a number of up to 9999.
static bool takeNumber(StringRef &rest, std::string &options) {
  StringRef digits = rest.take_while(llvm::isDigit);
  options += digits;
  rest = rest.drop_front(digits.size());
  return digits.size() <= 4;
}

/// Parses a format; `text` receives the text between conversions, with `%%`
/// unchanged.
static LogicalResult walk(StringRef format, std::string &message,
                          function_ref<void(StringRef)> text,
                          function_ref<void(const PrintConversion &)> convert) {
  auto fail = [&](const Twine &problem) {
    message = problem.str();
    return failure();
  };
  if (format.contains('\0'))
    return fail("has a zero byte, which ends the text for printf");
  while (!format.empty()) {
    size_t percent = format.find('%');
    text(format.take_front(percent));
    if (percent == StringRef::npos)
      return success();
    StringRef rest = format.drop_front(percent + 1);
    if (rest.consume_front("%")) {
      text("%%");
      format = rest;
      continue;
    }
    PrintConversion conversion;
    while (!rest.empty() && StringRef("-+ #0").contains(rest.front())) {
      conversion.options += rest.front();
      rest = rest.drop_front();
    }
    bool isShort = takeNumber(rest, conversion.options);
    if (rest.consume_front(".")) {
      conversion.options += '.';
      isShort &= takeNumber(rest, conversion.options);
    }
    if (!isShort)
      return fail("has a width or precision of more than four digits");
    if (rest.empty())
      return fail("ends inside a conversion; write %% for a percent sign");
    conversion.kind = rest.front();
    if (!StringRef("diuxXoeEfFgGaA").contains(conversion.kind))
      return fail(Twine("expected one of d i u x X o e E f F g G a A to end a "
                        "conversion, found '") +
                  rest.take_front(1) + "'");
    convert(conversion);
    format = rest.drop_front();
  }
  return success();
}

FailureOr<SmallVector<PrintConversion>> parsePrintFormat(StringRef format,
                                                         std::string &message) {
  SmallVector<PrintConversion> conversions;
  if (failed(walk(
          format, message, [](StringRef) {},
          [&](const PrintConversion &conversion) {
            conversions.push_back(conversion);
          })))
    return failure();
  return conversions;
}

Type printedType(Type element) {
  Builder builder(element.getContext());
  if (isa<FloatType>(element))
    return builder.getF64Type();
  bool isWide = isa<IndexType>(element) || element.isInteger(64);
  return builder.getIntegerType(isWide ? 64 : 32);
}

ArrayRef<int64_t> printedShape(PrintOp op) {
  for (Type type : op.getValues().getTypes())
    if (auto tile = dyn_cast<RankedTensorType>(type))
      return tile.getShape();
  return {};
}

SmallVector<std::string> printfPieces(PrintOp op) {
  SmallVector<std::string> pieces(1);
  auto convert = [&](const Twine &conversion) {
    pieces.back() += conversion.str();
    pieces.emplace_back();
  };
  size_t rank = printedShape(op).size();
  for (size_t axis = 0; axis < rank; ++axis)
    convert(axis == 0 ? "[%d" : ", %d");
  if (rank != 0)
    pieces.back() += "] ";
  std::string message;
  auto value = op.getValues().begin();
  LogicalResult isValid = walk(
      op.getFormat(), message, [&](StringRef text) { pieces.back() += text; },
      [&](const PrintConversion &conversion) {
        Type type = printedType(getElementTypeOrSelf((*value++).getType()));
        convert("%" + conversion.options + (type.isInteger(64) ? "ll" : "") +
                Twine(conversion.kind));
      });
  assert(succeeded(isValid) && "the verifier has read the format");
  (void)isValid;
  return pieces;
}

} // namespace tilegpt::tile
