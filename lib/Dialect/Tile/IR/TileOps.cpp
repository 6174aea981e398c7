// The tile dialect itself: the code generated from its definitions, and their
// registration.
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/Tile/IR/EnumText.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace tilegpt::tile;

#include "TileGPT/Dialect/Tile/IR/TileDialect.cpp.inc"
#include "TileGPT/Dialect/Tile/IR/TileEnums.cpp.inc"

Operation *TileDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

void TileDialect::initialize() {
  registerTypes();
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "TileGPT/Dialect/Tile/IR/TileOps.cpp.inc"
      >();
}

/// Parses and prints integers and values of type index in brackets:
/// `[%m, 64]`. Vector sizes that scale, `[[4]]` upstream, do not exist here.
static ParseResult
parseIndexList(OpAsmParser &parser,
               SmallVectorImpl<OpAsmParser::UnresolvedOperand> &values,
               DenseI64ArrayAttr &integers) {
  DenseBoolArrayAttr scalable;
  const SMLoc loc = parser.getCurrentLocation();
  if (parseDynamicIndexList(parser, values, integers, scalable))
    return failure();
  if (llvm::is_contained(scalable.asArrayRef(), true))
    return parser.emitError(loc, "expected integers without brackets");
  return success();
}

static void printIndexList(OpAsmPrinter &printer, Operation *op,
                           OperandRange values, ArrayRef<int64_t> integers) {
  printDynamicIndexList(printer, op, values, integers);
}

#define GET_OP_CLASSES
#include "TileGPT/Dialect/Tile/IR/TileOps.cpp.inc"
