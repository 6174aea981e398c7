// Sizes and parameters of a launch.
#include "Tiling/OpenLaunch.h"
#include "TileGPT/Dialect/Tile/IR/ExprEval.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "TileGPT/Dialect/Tile/Transforms/BindKernel.h"
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
  if (type.getDimSize(axis) == 0)
    return std::nullopt;
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

bool OpenLaunch::isFewRows(StringAttr parameter) {
  constexpr int64_t instructionRows = 16;
  SmallVector<int64_t> values = candidates(parameter);
  return values.size() == 1 && values.front() <= instructionRows;
}

bool OpenLaunch::isComputed(StringAttr parameter) {
  return !hasFreeSize(parameter) && !isGiven(parameter) &&
         kernel.lookupParam(parameter).getCandidates().empty();
}

bool OpenLaunch::isGiven(StringAttr parameter) {
  return given && given.get(parameter);
}

std::optional<int64_t> OpenLaunch::derivedSize(StringAttr parameter) {
  auto expr =
      dyn_cast<tile::ExprAttr>(kernel.lookupParam(parameter).getDefaultValue());
  if (!expr)
    return std::nullopt;
  auto known = [](std::optional<int64_t> size) -> llvm::Expected<int64_t> {
    if (size)
      return *size;
    return llvm::createStringError("a size that is not known");
  };
  auto dim = [&](unsigned argument, unsigned axis) {
    return known(sizeOf(argument, axis));
  };
  auto scalar = [&](unsigned) { return known(std::nullopt); };
  auto param = [&](StringRef name) {
    SmallVector<int64_t> values =
        candidates(StringAttr::get(kernel.getContext(), name));
    return known(values.size() == 1 ? std::optional(values.front())
                                    : std::nullopt);
  };
  llvm::Expected<int64_t> value = tile::evaluate(expr, {dim, scalar, param});
  if (value && *value > 0)
    return *value;
  llvm::consumeError(value.takeError());
  return std::nullopt;
}

SmallVector<int64_t> OpenLaunch::candidates(StringAttr parameter) {
  if (given)
    if (auto size = given.getAs<IntegerAttr>(parameter))
      return {size.getInt()};
  tile::ParamAttr param = kernel.lookupParam(parameter);
  SmallVector<int64_t> values;
  if (auto size = dyn_cast<IntegerAttr>(param.getDefaultValue()))
    values.push_back(size.getInt());
  else if (std::optional<int64_t> derived = derivedSize(parameter))
    values.push_back(*derived);
  for (auto size : param.getCandidates().getAsRange<IntegerAttr>())
    if (!llvm::is_contained(values, size.getInt()))
      values.push_back(size.getInt());
  return values;
}

std::optional<int64_t> OpenLaunch::sizeNow(StringAttr parameter) {
  if (DictionaryAttr params = launch.getParamsAttr())
    if (auto size = params.getAs<IntegerAttr>(parameter))
      return size.getInt();
  if (auto size = dyn_cast<IntegerAttr>(
          kernel.lookupParam(parameter).getDefaultValue()))
    return size.getInt();
  return derivedSize(parameter);
}

FailureOr<tile::LaunchBinding> OpenLaunch::bind() {
  return tile::deduceLaunch(kernel, launch.getOperandTypes(),
                            launch.getParamsAttr(),
                            [&] { return launch.emitOpError(); });
}

OwningOpRef<tile::KernelOp>
OpenLaunch::bindCopy(ArrayRef<std::pair<StringAttr, int64_t>> sizes) {
  ScopedDiagnosticHandler silent(kernel.getContext(), [](Diagnostic &) {});
  OwningOpRef<tile::KernelOp> copy(kernel.clone());
  FailureOr<tile::LaunchBinding> binding = bind();
  if (failed(binding))
    return {};
  for (auto [name, size] : sizes)
    binding->sizes[name] = size;
  if (failed(tile::completeBinding(*copy, *binding)) ||
      failed(tile::bindKernel(*copy, *binding)))
    return {};
  return copy;
}

bool OpenLaunch::admits(StringAttr parameter, int64_t size) {
  return kernel.lookupParam(parameter).admits(
      Builder(launch.getContext()).getI64IntegerAttr(size));
}

void OpenLaunch::set(StringAttr parameter, int64_t size) {
  if (derivedSize(parameter) == size)
    return;
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
