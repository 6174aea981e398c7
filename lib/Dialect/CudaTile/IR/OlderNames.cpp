// Names that ops had or have in other versions of the text.
#include "OpText.h"
#include "TileGPT/Dialect/CudaTile/IR/CudaTileOps.h"

using namespace mlir;
using namespace tilegpt::cuda_tile;

/// 13.4 and later: `fpowf %x, %y : type` is pow.
static ParseResult parseFPowF(OpAsmParser &parser, OperationState &result) {
  result.name = OperationName(PowOp::getOperationName(), parser.getContext());
  return PowOp::parse(parser, result);
}

/// 13.1: `print "format", %x : type` is print_tko without tokens.
static ParseResult parsePrint(OpAsmParser &parser, OperationState &result) {
  result.name =
      OperationName(PrintTkoOp::getOperationName(), parser.getContext());
  StringAttr format;
  SmallVector<OpAsmParser::UnresolvedOperand> arguments;
  SmallVector<Type> types;
  if (parser.parseAttribute(format))
    return failure();
  if (succeeded(parser.parseOptionalComma()) &&
      parser.parseOperandList(arguments))
    return failure();
  if (parser.parseOptionalAttrDict(result.attributes) ||
      (!arguments.empty() &&
       (parser.parseColon() || parseCudaTileType(parser, types))) ||
      parser.resolveOperands(arguments, types, parser.getNameLoc(),
                             result.operands))
    return failure();
  auto &properties = result.getOrAddProperties<PrintTkoOp::Properties>();
  properties.setStr(format);
  properties.operandSegmentSizes = {int32_t(arguments.size()), 0};
  result.addTypes(TokenType::get(parser.getContext()));
  return success();
}

std::optional<Dialect::ParseOpHook>
CudaTileDialect::getParseOperationHook(StringRef name) const {
  if (name == "cuda_tile.fpowf")
    return ParseOpHook(parseFPowF);
  if (name == "cuda_tile.print")
    return ParseOpHook(parsePrint);
  return std::nullopt;
}
