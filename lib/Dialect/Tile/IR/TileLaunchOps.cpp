// The graph side of the dialect: launches of kernels on tensors, and the
// globals they read and update.
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TypeChecks.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace tilegpt::tile;

LogicalResult LaunchOp::verify() {
  if (getResultTypes() != getOuts().getTypes())
    return emitOpError("expected one result for each of the ")
           << getOuts().size() << " outs, of the same type";
  for (Type type : getOperandTypes())
    if (failed(tilegpt::tile::detail::verifyAddressable(*this, type)))
      return failure();
  return success();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &tables) {
  // A kernel of the library is not in the module until `--tile-link-library`
  // has brought it in.
  KernelOp kernel = lookupKernel(tables, *this, getKernelAttr().getAttr());
  if (!kernel)
    return success();
  if (kernel.isRaw())
    return emitOpError("launches '")
           << kernel.getSymName()
           << "', which takes its grid from a caller with pointers ('grid "
              "launch'); launch a kernel that declares its grid";
  if (getOuts().size() != kernel.getNumOuts())
    return emitOpError("expected ")
           << kernel.getNumOuts() << " outs for '" << kernel.getSymName()
           << "', found " << getOuts().size();
  return deduceLaunch(kernel, getOperandTypes(), getParamsAttr(),
                      [&] { return emitOpError(); });
}

void LaunchOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  // An in-place update must survive even if its result is unused within the
  // step.
  for (OpOperand &out : getOutsMutable())
    if (!out.get().getDefiningOp<tensor::EmptyOp>())
      effects.emplace_back(MemoryEffects::Write::get(), &out);
}

LogicalResult GlobalOp::verify() {
  auto type = cast<RankedTensorType>(getType());
  unsigned firstStatic = getKind() == GlobalKind::State ? 1 : 0;
  for (unsigned axis = firstStatic; axis < type.getRank(); ++axis)
    if (type.isDynamicDim(axis))
      return emitOpError("expected a static size on axis ")
             << axis << " of " << stringifyGlobalKind(getKind()) << " '"
             << getSymName() << "', found " << type
             << (getKind() == GlobalKind::State
                     ? "; only axis 0, the sequences, may be ?"
                     : "; a weight has a static shape");
  return tilegpt::tile::detail::verifyAddressable(*this, type);
}

LogicalResult GetGlobalOp::verifySymbolUses(SymbolTableCollection &tables) {
  auto global = tables.lookupNearestSymbolFrom<GlobalOp>(*this, getNameAttr());
  if (!global)
    return emitOpError("names '")
           << getName() << "', but there is no tile.global of that name";
  if (global.getType() != getType())
    return emitOpError("expected the type of tile.global '")
           << getName() << "' (" << global.getType() << "), found "
           << getType();
  return success();
}
