// Type refinement: checks declared result types against those inferred from
// operands and sizes. `?` is compatible with anything; everything else must be
// equal.
#include "TypeChecks.h"

using namespace mlir;
using namespace tilegpt::tile;
using namespace tilegpt::tile::detail;

#include "TileGPT/Dialect/Tile/IR/TileInterfaces.cpp.inc"

/// True if a view declared dense has the strides of `inferred` for all values
/// of dynamic sizes.
static bool isProvablyDense(ViewType declared, ViewType inferred) {
  if (inferred.isDense())
    return true;
  SmallVector<int64_t> strides = declared.getKnownStrides();
  return llvm::none_of(strides, ShapedType::isDynamic) &&
         ArrayRef<int64_t>(strides) == inferred.getStrides();
}

/// Why `declared` cannot be a view of type `inferred`; empty if it can.
static std::string explainStrides(ViewType declared, ViewType inferred) {
  SmallVector<int64_t> expected = inferred.getKnownStrides();
  if (declared.isDense())
    return isProvablyDense(declared, inferred)
               ? ""
               : "it may not be dense; declare its strides";
  SmallVector<int64_t> found = declared.getKnownStrides();
  for (auto [axis, pair] : llvm::enumerate(llvm::zip_equal(expected, found)))
    if (!mayBeEqual(std::get<0>(pair), std::get<1>(pair)))
      return "axis " + std::to_string(axis) + " has stride " +
             std::to_string(std::get<0>(pair)) + ", not " +
             std::to_string(std::get<1>(pair));
  return "";
}

/// Why two shapes cannot be equal; empty if they can.
static std::string explainShape(ArrayRef<int64_t> declared,
                                ArrayRef<int64_t> inferred) {
  if (declared.size() != inferred.size())
    return "its rank is " + std::to_string(inferred.size()) + ", not " +
           std::to_string(declared.size());
  for (auto [axis, pair] : llvm::enumerate(llvm::zip_equal(inferred, declared)))
    if (!mayBeEqual(std::get<0>(pair), std::get<1>(pair)))
      return "axis " + std::to_string(axis) + " is " +
             std::to_string(std::get<0>(pair)) + ", not " +
             std::to_string(std::get<1>(pair));
  return "";
}

/// Why an op with result type `inferred` cannot be declared with `declared`;
/// empty if it can.
static std::string explainMismatch(Type declared, Type inferred) {
  constexpr StringLiteral wrongElement = "the element types differ";
  if (auto view = dyn_cast<ViewType>(inferred)) {
    auto other = cast<ViewType>(declared);
    if (view.getElementType() != other.getElementType())
      return wrongElement.str();
    std::string reason = explainShape(other.getShape(), view.getShape());
    return reason.empty() ? explainStrides(other, view) : reason;
  }
  auto tile = cast<RankedTensorType>(inferred);
  auto other = cast<RankedTensorType>(declared);
  if (tile.getElementType() != other.getElementType())
    return wrongElement.str();
  return explainShape(other.getShape(), tile.getShape());
}

LogicalResult tilegpt::tile::detail::verifyRefinedTypes(Operation *op) {
  SmallVector<Type> inferred;
  if (failed(cast<TypeRefinementOpInterface>(op).inferResultTypes(inferred)))
    return failure();
  if (inferred.size() != op->getNumResults())
    return op->emitOpError("expected number of results to be ")
           << inferred.size() << ", found " << op->getNumResults();
  for (auto [result, type] : llvm::zip_equal(op->getResults(), inferred)) {
    if (failed(verifyAddressable(op, type)))
      return failure();
    std::string reason = explainMismatch(result.getType(), type);
    if (!reason.empty())
      return op->emitOpError("expected result of type ")
             << type << ", found " << result.getType() << ": " << reason;
  }
  return success();
}
