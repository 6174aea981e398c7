// Text of loops and branches.
#include "OpText.h"
#include "TileGPT/Dialect/CudaTile/IR/CudaTileOps.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

using Argument = OpAsmParser::Argument;
using Operand = OpAsmParser::UnresolvedOperand;

/// Reads a region that may leave out its `Terminator` of nothing.
template <typename Terminator>
static ParseResult parseBody(OpAsmParser &parser, Region &region,
                             ArrayRef<Argument> arguments = {}) {
  if (parser.parseRegion(region, arguments))
    return failure();
  mlir::impl::ensureRegionTerminator(
      region, parser.getBuilder(),
      parser.getEncodedSourceLoc(parser.getNameLoc()),
      [](OpBuilder &builder, Location loc) {
        OperationState state(loc, Terminator::getOperationName());
        Terminator::build(builder, state);
        return Operation::create(state);
      });
  return success();
}

template <typename Terminator>
static void printBody(OpAsmPrinter &printer, Region &region) {
  Operation *last = region.front().getTerminator();
  bool implicit = isa<Terminator>(last) && last->getNumOperands() == 0 &&
                  last->getAttrs().empty();
  printer << ' ';
  printer.printRegion(region, /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/!implicit);
}

ParseResult parseBranch(OpAsmParser &parser, Region &region) {
  return parseBody<YieldOp>(parser, region);
}
void printBranch(OpAsmPrinter &printer, Operation *, Region &region) {
  printBody<YieldOp>(printer, region);
}

ParseResult parseArgumentRegion(OpAsmParser &parser, Region &region) {
  SmallVector<Argument> arguments;
  if (parseArguments(parser, arguments))
    return failure();
  return parser.parseRegion(region, arguments);
}
void printArgumentRegion(OpAsmPrinter &printer, Operation *, Region &region) {
  printer.printNewline();
  printArguments(printer, region);
  printer << ' ';
  printer.printRegion(region, /*printEntryBlockArgs=*/false);
}

//===----------------------------------------------------------------------===//
// for
//===----------------------------------------------------------------------===//

/// Prints `iter_values(%x = %y, …) `.
static void printIterValues(OpAsmPrinter &printer,
                            ArrayRef<BlockArgument> inside,
                            OperandRange outside) {
  printer << "iter_values(";
  llvm::interleaveComma(
      llvm::zip_equal(inside, outside), printer, [&](auto pair) {
        printer << std::get<0>(pair) << " = " << std::get<1>(pair);
      });
  printer << ") ";
}

/// Sets the types of the arguments after the first `skipped`.
static ParseResult setTypes(OpAsmParser &parser,
                            MutableArrayRef<Argument> arguments,
                            ArrayRef<Type> types) {
  if (arguments.size() != types.size())
    return parser.emitError(parser.getNameLoc())
           << "expected as many types as values carried, " << arguments.size()
           << ", found " << types.size();
  for (auto [argument, type] : llvm::zip_equal(arguments, types))
    argument.type = type;
  return success();
}

ParseResult ForOp::parse(OpAsmParser &parser, OperationState &result) {
  if (succeeded(parser.parseOptionalKeyword("unsigned")))
    result.addAttribute(getUnsignedCmpAttrName(result.name),
                        parser.getBuilder().getUnitAttr());
  SmallVector<Argument> arguments(1);
  SmallVector<Operand> bounds(3), inits;
  if (parser.parseArgument(arguments[0]) || parser.parseKeyword("in") ||
      parser.parseLParen() || parser.parseOperand(bounds[0]) ||
      parser.parseKeyword("to") || parser.parseOperand(bounds[1]) ||
      parser.parseComma() || parser.parseKeyword("step") ||
      parser.parseOperand(bounds[2]) || parser.parseRParen() ||
      parser.parseColon() || parseCudaTileType(parser, arguments[0].type))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("iter_values")) &&
      (parser.parseAssignmentList(arguments, inits) || parser.parseArrow() ||
       parser.parseLParen() || parseCudaTileType(parser, result.types) ||
       parser.parseRParen() ||
       setTypes(parser, MutableArrayRef(arguments).drop_front(), result.types)))
    return failure();
  return failure(
      parseBody<ContinueOp>(parser, *result.addRegion(), arguments) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.resolveOperands(bounds, arguments[0].type, result.operands) ||
      parser.resolveOperands(inits, result.types, parser.getNameLoc(),
                             result.operands));
}

void ForOp::print(OpAsmPrinter &printer) {
  if (getUnsignedCmp())
    printer << " unsigned";
  printer << ' ' << getInductionVar() << " in (" << getLowerBound() << " to "
          << getUpperBound() << ", step " << getStep() << ") : ";
  printCudaTileType(printer, getInductionVar().getType());
  if (!getInitValues().empty()) {
    printer << ' ';
    printIterValues(printer, getIterValues(), getInitValues());
    printer << "-> (";
    printCudaTileType(printer, getInitValues().getTypes());
    printer << ')';
  }
  printBody<ContinueOp>(printer, getRegion());
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {getUnsignedCmpAttrName()});
}

//===----------------------------------------------------------------------===//
// loop
//===----------------------------------------------------------------------===//

ParseResult LoopOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<Argument> arguments;
  SmallVector<Operand> inits;
  SmallVector<Type> types;
  if (succeeded(parser.parseOptionalKeyword("iter_values"))) {
    if (parser.parseAssignmentList(arguments, inits) || parser.parseColon() ||
        parseCudaTileType(parser, types) ||
        setTypes(parser, arguments, types) ||
        (succeeded(parser.parseOptionalArrow()) &&
         parseCudaTileType(parser, result.types)))
      return failure();
  } else if (succeeded(parser.parseOptionalColon()) &&
             parseCudaTileType(parser, result.types)) {
    return failure();
  }
  return failure(
      parseBody<ContinueOp>(parser, *result.addRegion(), arguments) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.resolveOperands(inits, types, parser.getNameLoc(),
                             result.operands));
}

void LoopOp::print(OpAsmPrinter &printer) {
  bool carries = !getInitValues().empty(), returns = getNumResults() > 0;
  if (carries) {
    printer << ' ';
    printIterValues(printer, getIterValues(), getInitValues());
    printer << ": ";
    printCudaTileType(printer, getInitValues().getTypes());
  }
  if (returns) {
    printer << (carries ? " -> " : " : ");
    printCudaTileType(printer, getResultTypes());
  }
  printBody<ContinueOp>(printer, getRegion());
  printer.printOptionalAttrDict((*this)->getAttrs());
}

} // namespace tilegpt::cuda_tile
