// A kernel's parameters, and the ops that query them and the block's grid
// position. The kernel op's assembly and verification are in Kernel/.
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TypeChecks.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tilegpt::tile;

ParamAttr KernelOp::lookupParam(StringRef name) {
  for (ParamAttr param : getParams().getAsRange<ParamAttr>())
    if (param.getName() == name)
      return param;
  return {};
}

Type KernelOp::getDefaultType(StringRef name) {
  Type type = cast<TypeAttr>(lookupParam(name).getDefaultValue()).getValue();
  auto followed = dyn_cast<EltType>(type);
  return followed ? getDefaultType(followed.getName()) : type;
}

ArrayAttr KernelOp::getLaunchViews() {
  auto views = (*this)->getAttrOfType<ArrayAttr>(launchViewsAttr);
  return views ? views : ArrayAttr::get(getContext(), {});
}

ParseResult ParamOp::parse(OpAsmParser &parser, OperationState &result) {
  std::string name;
  if (parser.parseKeywordOrString(&name) ||
      parser.parseOptionalAttrDict(result.attributes))
    return failure();
  result.addAttribute(getNameAttrName(result.name),
                      parser.getBuilder().getStringAttr(name));
  result.addTypes(parser.getBuilder().getIndexType());
  return success();
}

void ParamOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printKeywordOrString(getName());
  printer.printOptionalAttrDict((*this)->getAttrs(), {getNameAttrName()});
}

LogicalResult ParamOp::verify() {
  return detail::verifyParamNames(*this,
                                  ArrayAttr::get(getContext(), getNameAttr()));
}

/// Checks that a grid axis is one the enclosing kernel has.
static LogicalResult verifyGridAxis(Operation *op, int64_t axis) {
  auto kernel = op->getParentOfType<KernelOp>();
  if (!kernel)
    return op->emitOpError("expected to be inside a tile.kernel");
  int64_t rank = kernel.getGridRank();
  if (axis < 0 || axis >= rank)
    return op->emitOpError("axis ")
           << axis << " is out of range: the grid of '" << kernel.getSymName()
           << "' has " << rank << (rank == 1 ? " axis" : " axes");
  return success();
}

LogicalResult BlockIdOp::verify() { return verifyGridAxis(*this, getAxis()); }
LogicalResult NumBlocksOp::verify() { return verifyGridAxis(*this, getAxis()); }
