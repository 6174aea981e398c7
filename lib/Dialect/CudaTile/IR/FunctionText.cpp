// Text of entries.
#include "OpText.h"
#include "TileGPT/Dialect/CudaTile/IR/CudaTileOps.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

ParseResult parseArguments(OpAsmParser &parser,
                           SmallVectorImpl<OpAsmParser::Argument> &arguments) {
  return parser.parseCommaSeparatedList(
      OpAsmParser::Delimiter::Paren, [&]() -> ParseResult {
        OpAsmParser::Argument &argument = arguments.emplace_back();
        NamedAttrList attributes;
        if (parser.parseArgument(argument) || parser.parseColon() ||
            parseCudaTileType(parser, argument.type) ||
            parser.parseOptionalAttrDict(attributes) ||
            parser.parseOptionalLocationSpecifier(argument.sourceLoc))
          return failure();
        argument.attrs = attributes.getDictionary(parser.getContext());
        return success();
      });
}

void printArguments(OpAsmPrinter &printer, Region &region) {
  printer << '(';
  llvm::interleaveComma(region.getArguments(), printer,
                        [&](BlockArgument argument) {
                          printer << argument << ": ";
                          printCudaTileType(printer, argument.getType());
                        });
  printer << ')';
}

/// Reads `-> type` or `-> (types)`.
static ParseResult parseResultTypes(OpAsmParser &parser,
                                    SmallVector<Type> &types) {
  if (failed(parser.parseOptionalArrow()))
    return success();
  if (failed(parser.parseOptionalLParen()))
    return parseCudaTileType(parser, types.emplace_back());
  if (succeeded(parser.parseOptionalRParen()))
    return success();
  return failure(parseCudaTileType(parser, types) || parser.parseRParen());
}

/// Reads a function up to its body, `hints` between signature and body.
template <typename Op>
static ParseResult parseFunction(OpAsmParser &parser, OperationState &result,
                                 llvm::function_ref<ParseResult()> parseHints) {
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Type> results;
  if (parser.parseSymbolName(name, SymbolTable::getSymbolAttrName(),
                             result.attributes) ||
      parseArguments(parser, arguments) || parseResultTypes(parser, results))
    return failure();
  Builder &builder = parser.getBuilder();
  auto types = llvm::map_to_vector(
      arguments, [](const OpAsmParser::Argument &it) { return it.type; });
  result.addAttribute(Op::getFunctionTypeAttrName(result.name),
                      TypeAttr::get(builder.getFunctionType(types, results)));
  // As upstream's functions: only where there is one.
  if (llvm::any_of(arguments, [](const OpAsmParser::Argument &it) {
        return it.attrs && !it.attrs.empty();
      }))
    result.addAttribute(
        Op::getArgAttrsAttrName(result.name),
        builder.getArrayAttr(llvm::map_to_vector(
            arguments, [](const OpAsmParser::Argument &it) -> Attribute {
              return it.attrs;
            })));
  Region *body = result.addRegion();
  if (parseHints() || parser.parseRegion(*body, arguments))
    return failure();
  if (body->empty())
    body->emplaceBlock();
  Op::ensureTerminator(*body, builder, result.location);
  return parser.parseOptionalAttrDict(result.attributes);
}

/// Prints it, `hints` between signature and body.
template <typename Op>
static void printFunction(OpAsmPrinter &printer, Op op,
                          llvm::function_ref<void()> printHints,
                          ArrayRef<StringRef> printed) {
  printer << ' ';
  printer.printSymbolName(op.getSymName());
  printArguments(printer, op.getBody());
  if (ArrayRef<Type> results = op.getResultTypes(); !results.empty()) {
    printer << (results.size() == 1 ? " -> " : " -> (");
    printCudaTileType(printer, results);
    printer << (results.size() == 1 ? "" : ")");
  }
  printHints();
  printer << ' ';
  printer.printRegion(op.getBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/true);
  SmallVector<StringRef> elided(printed);
  llvm::append_values(elided, op.getFunctionTypeAttrName().strref(),
                      op.getSymNameAttrName().strref(),
                      op.getArgAttrsAttrName().strref(),
                      op.getResAttrsAttrName().strref());
  printer.printOptionalAttrDict(op->getAttrs(), elided);
}

ParseResult EntryOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseFunction<EntryOp>(parser, result, [&]() -> ParseResult {
    if (failed(parser.parseOptionalKeyword("optimization_hints")))
      return success();
    OptimizationHintsAttr hints;
    if (parser.parseEqual() || parseHints(parser, hints))
      return failure();
    result.addAttribute(getOptimizationHintsAttrName(result.name), hints);
    return success();
  });
}

void EntryOp::print(OpAsmPrinter &printer) {
  printFunction(
      printer, *this,
      [&] {
        if (!getOptimizationHintsAttr() ||
            getOptimizationHintsAttr().getValue().empty())
          return;
        printer << " optimization_hints=";
        getOptimizationHintsAttr().print(printer);
      },
      getOptimizationHintsAttrName().strref());
}

ParseResult TestingFuncOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseFunction<TestingFuncOp>(parser, result, [] { return success(); });
}

void TestingFuncOp::print(OpAsmPrinter &printer) {
  printFunction(printer, *this, [] {}, {});
}

} // namespace tilegpt::cuda_tile
