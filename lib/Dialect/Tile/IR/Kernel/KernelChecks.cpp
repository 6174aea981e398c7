// Verification of kernels: declared names in parameters and expressions,
// argument types, the grid, no nested launches.
#include "TileGPT/Dialect/Tile/IR/ExprEval.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "TileGPT/Dialect/Tile/IR/LaunchView.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TypeChecks.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace tilegpt::tile;

/// Checks that a type parameter follows one that is declared before it.
static LogicalResult
verifyFollowed(KernelOp kernel, ParamAttr param,
               const llvm::SmallDenseSet<StringAttr> &before) {
  auto type = dyn_cast<TypeAttr>(param.getDefaultValue());
  auto followed = type ? dyn_cast<EltType>(type.getValue()) : EltType();
  if (!followed)
    return success();
  auto name = StringAttr::get(kernel.getContext(), followed.getName());
  if (name != param.getName() && before.contains(name) &&
      kernel.lookupParam(name).isType())
    return success();
  return kernel.emitOpError("default of ")
         << param.getName() << " is the type of " << name
         << ", which is no type parameter declared before it";
}

/// Checks that every symbol of an expression names a size parameter, a scalar
/// integer argument or an axis of a view, and that no divisor is known to be
/// non-positive.
static LogicalResult verifyExpr(KernelOp kernel, ExprAttr expr,
                                StringRef place) {
  AffineMap map = expr.getMap();
  SmallVector<AffineExpr> same;
  for (unsigned number = 0; number < map.getNumSymbols(); ++number)
    same.push_back(getAffineSymbolExpr(number, kernel.getContext()));
  if (llvm::Error error = replaceSymbols(map.getResult(0), same).takeError())
    return kernel.emitOpError()
           << place << ": " << llvm::toString(std::move(error));
  for (Attribute source : expr.getSources()) {
    if (auto name = dyn_cast<StringAttr>(source)) {
      ParamAttr param = kernel.lookupParam(name);
      if (!param)
        return kernel.emitOpError()
               << place << " names " << name
               << ", which is neither a parameter nor an argument";
      if (param.isType())
        return kernel.emitOpError() << place << " uses the type parameter "
                                    << name << " as a number";
      continue;
    }
    ArrayRef<int64_t> at = cast<DenseI64ArrayAttr>(source).asArrayRef();
    if (at[0] >= static_cast<int64_t>(kernel.getArguments().size()))
      return kernel.emitOpError() << place << " reads argument " << at[0]
                                  << " of " << kernel.getArguments().size();
    Type type = kernel.getArguments()[at[0]].getType();
    auto view = dyn_cast<ViewType>(type);
    if (at.size() == 2) {
      if (!view)
        return kernel.emitOpError()
               << place << " refers to a size of argument " << at[0]
               << ", which is not a view but " << type;
      if (at[1] >= view.getRank())
        return kernel.emitOpError()
               << place << " refers to axis " << at[1] << " of argument "
               << at[0] << ", a view of rank " << view.getRank();
    } else if (!type.isIntOrIndex()) {
      return kernel.emitOpError()
             << place << " reads argument " << at[0]
             << " as a number; expected an integer or index, found " << type;
    }
  }
  return success();
}

/// Whether a scalar or a tile consists of integers of zero bits, which LLVM's
/// code generators do not have.
static bool hasNoBits(Type type) {
  return getElementTypeOrSelf(type).isInteger(0);
}

/// Checks that `type` is a view or a scalar, for a raw kernel a pointer or a
/// scalar, and that its type variable is declared.
static LogicalResult verifyArgument(KernelOp kernel, unsigned number,
                                    Type type) {
  auto view = dyn_cast<ViewType>(type);
  const size_t declared =
      kernel.getArguments().size() - kernel.getLaunchViews().size();
  if (kernel.isRaw()) {
    if (view && number < declared)
      return kernel.emitOpError("with 'grid launch' takes pointers and "
                                "scalars, but argument ")
             << number << " is " << type
             << "; pass a !tile.ptr and make the view with tile.view_at, or "
                "say the grid";
    if (auto pointer = dyn_cast<PtrType>(type)) {
      if (isa<EltType>(pointer.getPointee()))
        return kernel.emitOpError("argument ")
               << number << " is " << type
               << "; with 'grid launch' a pointer says the type of its "
                  "elements";
      return success();
    }
  } else if (isa<PtrType>(type)) {
    return kernel.emitOpError("takes pointers only with 'grid launch', but "
                              "argument ")
           << number << " is " << type
           << "; pass a !tile.view, or leave the grid to the launch";
  }
  if (!view) {
    if (kernel.isOut(number))
      return kernel.emitOpError("expected outs to be views, but argument ")
             << number << " is " << type;
    if (!type.isIntOrIndexOrFloat() || hasNoBits(type))
      return kernel.emitOpError("expected a ")
             << (kernel.isRaw() ? "pointer" : "view")
             << " or a scalar as argument " << number << ", found " << type;
    return success();
  }
  auto variable = dyn_cast<EltType>(view.getElementType());
  if (!variable)
    return success();
  ParamAttr param = kernel.lookupParam(variable.getName());
  if (!param || !param.isType())
    return kernel.emitOpError("argument ")
           << number << " has elements of type variable '" << variable.getName()
           << "', which is not declared; add '" << variable.getName()
           << ": type = f32' to params";
  return success();
}

/// Checks that each of the last arguments of a raw kernel is a view of the
/// element type of one of its pointers.
static LogicalResult verifyLaunchViews(KernelOp kernel) {
  if (!kernel->hasAttr(launchViewsAttr))
    return success();
  ArrayAttr views = kernel.getLaunchViews();
  if (!kernel.isRaw() || views.size() > kernel.getArguments().size())
    return kernel.emitOpError("expected '")
           << launchViewsAttr
           << "' on a kernel with 'grid launch', with an entry for each of the "
              "last arguments";
  const size_t declared = kernel.getArguments().size() - views.size();
  for (auto [number, attribute] : llvm::enumerate(views)) {
    const std::optional<LaunchView> launch = LaunchView::parse(attribute);
    auto type =
        dyn_cast<ViewType>(kernel.getArguments()[declared + number].getType());
    if (!launch || !type || launch->pointer < 0 ||
        launch->pointer >= int64_t(declared) ||
        kernel.getArguments()[launch->pointer].getType() !=
            PtrType::get(kernel.getContext(), type.getElementType()) ||
        launch->sizeDivisors.size() != size_t(type.getRank()) ||
        launch->strideDivisors.size() != size_t(type.getRank()) ||
        launch->words.getNumDims() != 0 ||
        launch->words.getNumSymbols() != declared ||
        launch->words.getNumResults() != 2 * size_t(type.getRank()))
      return kernel.emitOpError("expected argument ")
             << declared + number << " to be a view like its entry of '"
             << launchViewsAttr
             << "': pointer, alignment, size_divisors, stride_divisors and "
                "words of one symbol an argument in front of the views, found "
             << attribute;
  }
  return success();
}

/// Checks a kernel's requirements: their expressions, and that no static size
/// violates them.
static LogicalResult verifyRequires(KernelOp kernel) {
  if (!kernel.getRequirementsAttr())
    return success();
  if (kernel.isRaw())
    return kernel.emitOpError("with 'grid launch' cannot require anything of "
                              "its launches; check it in the body with "
                              "tile.assert");
  for (ConditionAttr requirement : getRequirements(kernel))
    if (failed(verifyExpr(kernel, requirement.getLhs(), "requires")) ||
        failed(verifyExpr(kernel, requirement.getRhs(), "requires")))
      return failure();
  return verifyRequirements(kernel, kernel.getBody().getArgumentTypes(),
                            [&] { return kernel.emitOpError(); });
}

/// The number of values that a region of a loop or branch has to yield, if the
/// op is one of scf that may yield any.
static std::optional<unsigned> countYielded(Operation *op, Region &region) {
  if (isa<scf::ForOp, scf::IfOp, scf::IndexSwitchOp>(op))
    return op->getNumResults();
  if (auto loop = dyn_cast<scf::WhileOp>(op);
      loop && region.getRegionNumber() == 1)
    return loop.getInits().size();
  return std::nullopt;
}

/// Fails on a loop or branch whose body yields too few values, as without an
/// scf.yield. Runs before upstream's verifiers, which speak of control flow
/// edges.
static LogicalResult verifyYields(KernelOp kernel) {
  WalkResult walk = kernel.getBody().walk([](Operation *op) {
    for (Region &region : op->getRegions()) {
      std::optional<unsigned> expected = countYielded(op, region);
      if (!expected || region.empty() || region.front().empty())
        continue;
      auto yield = dyn_cast<scf::YieldOp>(region.front().back());
      if (!yield || yield->getNumOperands() >= *expected)
        continue;
      op->emitOpError("expected its body to end with scf.yield of ")
          << *expected << (*expected == 1 ? " value" : " values") << ", found "
          << yield->getNumOperands();
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

LogicalResult KernelOp::verify() {
  llvm::SmallDenseSet<StringAttr> names;
  for (ParamAttr param : getParams().getAsRange<ParamAttr>()) {
    if (!names.insert(param.getName()).second)
      return emitOpError("declares the parameter ")
             << param.getName() << " twice";
    if (failed(verifyFollowed(*this, param, names)))
      return failure();
    if (auto expr = dyn_cast<ExprAttr>(param.getDefaultValue()))
      for (Attribute source : expr.getSources())
        if (isa<StringAttr>(source) &&
            !names.contains(cast<StringAttr>(source)))
          return emitOpError("default of ")
                 << param.getName() << " names " << source
                 << ", which is not declared before it";
  }
  if (getNumOuts() > getArguments().size())
    return emitOpError("expected num_outs between 0 and the number of "
                       "arguments (")
           << getArguments().size() << "), found "
           << static_cast<int64_t>(getNumOuts());
  if (failed(verifyLaunchViews(*this)))
    return failure();
  if (isRaw() && getNumOuts() > getLaunchViews().size())
    return emitOpError("with 'grid launch' has no outs; pass a !tile.ptr, "
                       "through which a kernel may write");
  if (isRaw() && (getImplementsAttr() || getConditionsAttr()))
    return emitOpError("with 'grid launch' cannot implement an op of a graph, "
                       "whose launches do not know the grid");
  for (auto [number, argument] : llvm::enumerate(getArguments()))
    if (failed(verifyArgument(*this, number, argument.getType())))
      return failure();
  if (getGrid().size() > 3)
    return emitOpError("expected a grid of 1 to 3 axes, found ")
           << getGrid().size();
  for (ExprAttr expr : getGrid().getAsRange<ExprAttr>())
    if (failed(verifyExpr(*this, expr, "grid")))
      return failure();
  for (ParamAttr param : getParams().getAsRange<ParamAttr>())
    if (auto expr = dyn_cast<ExprAttr>(param.getDefaultValue()))
      if (failed(verifyExpr(*this, expr, "default of a parameter")))
        return failure();
  if (ArrayAttr conditions = getConditionsAttr())
    for (ConditionAttr condition : conditions.getAsRange<ConditionAttr>())
      if (failed(verifyExpr(*this, condition.getLhs(), "where")) ||
          failed(verifyExpr(*this, condition.getRhs(), "where")))
        return failure();
  return failure(failed(verifyRequires(*this)) || failed(verifyYields(*this)));
}

/// Checks what ops of any dialect may not do in a kernel.
static LogicalResult verifyBodyOp(Operation *op) {
  if (isa<LaunchOp>(op))
    return op->emitOpError("is not allowed in a kernel: kernels do not launch "
                           "kernels; compose them in a func.func");
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    APInt step;
    if (matchPattern(loop.getStep(), m_ConstantInt(&step)) &&
        !step.isStrictlyPositive())
      return op->emitOpError("expected a positive step, found ")
             << step.getSExtValue();
  }
  for (Type type : op->getResultTypes()) {
    if (hasNoBits(type))
      return op->emitOpError("expected integers of at least 1 bit in a kernel, "
                             "found ")
             << type;
    if (failed(tilegpt::tile::detail::verifyAddressable(op, type)))
      return failure();
  }
  return success();
}

LogicalResult KernelOp::verifyRegions() {
  WalkResult walk = getBody().walk(
      [](Operation *op) { return WalkResult(verifyBodyOp(op)); });
  return failure(walk.wasInterrupted());
}
