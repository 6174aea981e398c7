// Parsing, printing and checks of tile sizes such as `[BM, 64]`.
#include "TileGPT/Dialect/Tile/IR/TileSizes.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

namespace tilegpt::tile {

bool isTileSizes(Attribute attribute) {
  auto sizes = dyn_cast<ArrayAttr>(attribute);
  return sizes && llvm::all_of(sizes, [](Attribute size) {
           auto integer = dyn_cast<IntegerAttr>(size);
           return isa<StringAttr>(size) ||
                  (integer && integer.getType().isSignlessInteger(64) &&
                   integer.getInt() > 0);
         });
}

SmallVector<int64_t> knownSizes(ArrayAttr sizes) {
  return llvm::map_to_vector(sizes, [](Attribute size) {
    auto integer = dyn_cast<IntegerAttr>(size);
    return integer ? integer.getInt() : ShapedType::kDynamic;
  });
}

ParseResult parseTileSizes(OpAsmParser &parser, ArrayAttr &sizes) {
  Builder &builder = parser.getBuilder();
  SmallVector<Attribute> elements;
  auto parseSize = [&]() -> ParseResult {
    int64_t value;
    std::string name;
    SMLoc loc = parser.getCurrentLocation();
    OptionalParseResult integer = parser.parseOptionalInteger(value);
    if (integer.has_value()) {
      if (failed(*integer))
        return failure();
      if (value <= 0)
        return parser.emitError(loc)
               << "expected a positive tile size, found " << value;
      elements.push_back(builder.getI64IntegerAttr(value));
      return success();
    }
    if (failed(parser.parseOptionalKeywordOrString(&name)))
      return parser.emitError(loc,
                              "expected a tile size: an integer or the name of "
                              "a parameter");
    elements.push_back(builder.getStringAttr(name));
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseSize))
    return failure();
  sizes = builder.getArrayAttr(elements);
  return success();
}

void printTileSizes(OpAsmPrinter &printer, Operation *, ArrayAttr sizes) {
  printer << '[';
  llvm::interleaveComma(sizes, printer, [&](Attribute size) {
    if (auto name = dyn_cast<StringAttr>(size))
      printer.printKeywordOrString(name.getValue());
    else
      printer << cast<IntegerAttr>(size).getInt();
  });
  printer << ']';
}

} // namespace tilegpt::tile
