// Sizes and parameters of a launch.
#include "OpenLaunch.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "TileGPT/Dialect/Tile/Transforms/Passes.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tilegpt::tilegpu {

std::optional<TiledAxis> axisOf(tile::LoadOp load, unsigned axis) {
  auto argument = dyn_cast<BlockArgument>(load.getView());
  auto parameter = dyn_cast<StringAttr>(load.getSizes()[axis]);
  if (!argument || !parameter || load.getOrder())
    return std::nullopt;
  return TiledAxis{parameter, argument.getArgNumber(), axis};
}

int64_t largestOf(ArrayRef<int64_t> sizes,
                  llvm::function_ref<bool(int64_t)> fits) {
  int64_t best = *llvm::min_element(sizes);
  for (int64_t size : sizes)
    if (size > best && fits(size))
      best = size;
  return best;
}

std::optional<int64_t> OpenLaunch::sizeOf(unsigned argument, unsigned axis) {
  auto type = cast<RankedTensorType>(launch->getOperand(argument).getType());
  if (!type.isDynamicDim(axis))
    return type.getDimSize(axis);
  for (Operation *op = launch; op; op = op->getParentOp())
    if (auto range = op->getAttrOfType<DenseI64ArrayAttr>(tile::rowsAttr);
        range && range.size() == 2)
      return range[1];
  return std::nullopt;
}

bool OpenLaunch::isOpen(const TiledAxis &axis) {
  return cast<RankedTensorType>(launch->getOperand(axis.argument).getType())
      .isDynamicDim(axis.axis);
}

Type OpenLaunch::elementOf(unsigned argument) {
  return getElementTypeOrSelf(launch->getOperand(argument).getType());
}

tile::Precision OpenLaunch::precisionOf(Type lhs, Type rhs,
                                        tile::Precision precision) const {
  if (precision != tile::Precision::IEEE)
    return precision;
  if (tf32 && lhs.isF32() && rhs.isF32())
    return tile::Precision::TF32;
  bool isFast = fastF8 && tile::isF8(lhs) && tile::isF8(rhs);
  return isFast ? tile::Precision::Fast : precision;
}

bool OpenLaunch::hasFreeSize(StringAttr parameter) {
  return isa<IntegerAttr>(kernel.lookupParam(parameter).getDefaultValue());
}

bool OpenLaunch::isGiven(StringAttr parameter) {
  return launch.getParamsAttr() && launch.getParamsAttr().get(parameter);
}

SmallVector<int64_t> OpenLaunch::candidates(StringAttr parameter) {
  if (launch.getParamsAttr())
    if (auto given = launch.getParamsAttr().getAs<IntegerAttr>(parameter))
      return {given.getInt()};
  tile::ParamAttr param = kernel.lookupParam(parameter);
  SmallVector<int64_t> values;
  if (auto size = dyn_cast<IntegerAttr>(param.getDefaultValue()))
    values.push_back(size.getInt());
  for (auto size : param.getCandidates().getAsRange<IntegerAttr>())
    if (!llvm::is_contained(values, size.getInt()))
      values.push_back(size.getInt());
  return values;
}

bool OpenLaunch::admits(StringAttr parameter, int64_t size) {
  return kernel.lookupParam(parameter).admits(
      Builder(launch.getContext()).getI64IntegerAttr(size));
}

void OpenLaunch::set(StringAttr parameter, int64_t size) {
  Builder builder(launch.getContext());
  NamedAttrList params(launch.getParamsAttr());
  params.set(parameter, builder.getI64IntegerAttr(size));
  launch.setParamsAttr(params.getDictionary(launch.getContext()));
}

void OpenLaunch::keepApart(int64_t residents) {
  Builder builder(launch.getContext());
  launch->setAttr(tile::apartAttr, builder.getI64IntegerAttr(residents));
}

} // namespace tilegpt::tilegpu
