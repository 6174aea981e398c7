// Binds the variables, parameters and sizes of one kernel in place.
#include "TileGPT/Dialect/Tile/Transforms/BindKernel.h"
#include "InsertUnitAxes.h"
#include "KernelExpressions.h"
#include "Normalize/BoundsMasks.h"
#include "Normalize/Loops/CountByIndex.h"
#include "Normalize/Loops/CountProgressions.h"
#include "Normalize/Loops/HandedLoads.h"
#include "Normalize/Loops/LastIteration.h"
#include "Normalize/Loops/MergeSums.h"
#include "Normalize/Loops/PeeledIterations.h"
#include "Normalize/OffsetTiles.h"
#include "Normalize/ProductSums.h"
#include "Normalize/TilePositions.h"
#include "RefineTypes.h"
#include "TileGPT/Dialect/Tile/IR/ExprEval.h"
#include "TileGPT/Dialect/Tile/IR/Kernel/OpSuggestion.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tilegpt::tile {

/// Replaces the symbols of `expr` whose values `binding` knows: bound sizes and
/// static axes. Errors are those of `replaceSymbols`.
static llvm::Expected<ExprAttr> substitute(ExprAttr expr,
                                           const LaunchBinding &binding) {
  MLIRContext *context = expr.getContext();
  SmallVector<AffineExpr> replacements;
  SmallVector<Attribute> open;
  for (Attribute source : expr.getSources()) {
    std::optional<int64_t> value;
    if (auto name = dyn_cast<StringAttr>(source)) {
      if (const auto *it = binding.sizes.find(name); it != binding.sizes.end())
        value = it->second;
    } else if (auto at = cast<DenseI64ArrayAttr>(source); at.size() == 2) {
      auto view = cast<ViewType>(binding.arguments[at[0]]);
      if (!view.isDynamicDim(at[1]))
        value = view.getShape()[at[1]];
    }
    if (value) {
      replacements.push_back(getAffineConstantExpr(*value, context));
      continue;
    }
    replacements.push_back(getAffineSymbolExpr(open.size(), context));
    open.push_back(source);
  }
  llvm::Expected<AffineExpr> replaced =
      replaceSymbols(expr.getMap().getResult(0), replacements);
  if (!replaced)
    return replaced.takeError();
  AffineExpr result = simplifyAffineExpr(*replaced, /*numDims=*/0, open.size());
  return ExprAttr::get(context, AffineMap::get(0, open.size(), result),
                       ArrayAttr::get(context, open));
}

SmallVector<ParamAttr> openParameters(KernelOp kernel) {
  LaunchBinding binding;
  binding.arguments = llvm::to_vector(kernel.getBody().getArgumentTypes());
  SmallVector<ParamAttr> open;
  for (ParamAttr param : kernel.getParams().getAsRange<ParamAttr>()) {
    if (param.isType())
      continue;
    if (auto value = dyn_cast<IntegerAttr>(param.getDefaultValue())) {
      binding.sizes.insert({param.getName(), value.getInt()});
      continue;
    }
    llvm::Expected<ExprAttr> expr =
        substitute(cast<ExprAttr>(param.getDefaultValue()), binding);
    if (!expr) {
      // Reported when the kernel is bound.
      llvm::consumeError(expr.takeError());
      continue;
    }
    if (auto value = dyn_cast<AffineConstantExpr>(expr->getMap().getResult(0)))
      binding.sizes.insert({param.getName(), value.getValue()});
    else if (!llvm::all_of(expr->getSources(), llvm::IsaPred<StringAttr>))
      open.push_back(param);
  }
  return open;
}

LogicalResult completeBinding(KernelOp kernel, LaunchBinding &binding) {
  for (ParamAttr param : kernel.getParams().getAsRange<ParamAttr>()) {
    if (!param.isType())
      continue;
    Type type = cast<TypeAttr>(param.getDefaultValue()).getValue();
    if (auto followed = dyn_cast<EltType>(type))
      type = binding.types.lookup(
          StringAttr::get(kernel.getContext(), followed.getName()));
    binding.types.insert({param.getName(), type});
  }
  for (ParamAttr param : kernel.getParams().getAsRange<ParamAttr>()) {
    if (param.isType() || binding.sizes.contains(param.getName()))
      continue;
    if (auto value = dyn_cast<IntegerAttr>(param.getDefaultValue())) {
      binding.sizes.insert({param.getName(), value.getInt()});
      continue;
    }
    llvm::Expected<ExprAttr> expr =
        substitute(cast<ExprAttr>(param.getDefaultValue()), binding);
    if (!expr)
      return kernel.emitOpError("parameter ")
             << param.getName() << ": " << llvm::toString(expr.takeError());
    auto value = dyn_cast<AffineConstantExpr>(expr->getMap().getResult(0));
    if (!value)
      return kernel.emitOpError("parameter ")
             << param.getName()
             << " depends on a size that is not static; launch the kernel on "
                "tensors whose size is static there, or give the parameter a "
                "value";
    if (value.getValue() <= 0)
      return kernel.emitOpError("parameter ")
             << param.getName() << " expected a positive value, found "
             << value.getValue();
    binding.sizes.insert({param.getName(), value.getValue()});
  }
  return success();
}

/// Replaces element type variables, in types and attributes alike.
static void bindTypes(KernelOp kernel, const LaunchBinding &binding) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](EltType variable) -> std::optional<Type> {
    auto name = StringAttr::get(variable.getContext(), variable.getName());
    return binding.types.lookup(name);
  });
  replacer.recursivelyReplaceElementsIn(kernel, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  for (auto [argument, type] :
       llvm::zip_equal(kernel.getArguments(), binding.arguments))
    argument.setType(type);
}

/// Replaces parameter names in tile sizes and `tile.param` by numbers.
static void bindSizes(KernelOp kernel, const LaunchBinding &binding) {
  kernel.getBody().walk([&](Operation *op) {
    OpBuilder builder(op);
    if (auto param = dyn_cast<ParamOp>(op)) {
      int64_t value = binding.sizes.lookup(param.getNameAttr());
      auto constant =
          arith::ConstantIndexOp::create(builder, op->getLoc(), value);
      param.replaceAllUsesWith(constant.getResult());
      param.erase();
      return;
    }
    // Every op of the dialect has its tile sizes in an attribute of this name
    // and kind.
    auto sizes = op->getAttrOfType<ArrayAttr>("sizes");
    if (!sizes || !isa<TileDialect>(op->getDialect()))
      return;
    op->setAttr("sizes", builder.getArrayAttr(llvm::map_to_vector(
                             sizes, [&](Attribute size) -> Attribute {
                               auto name = dyn_cast<StringAttr>(size);
                               return name ? builder.getI64IntegerAttr(
                                                 binding.sizes.lookup(name))
                                           : size;
                             })));
  });
}

/// Replaces loads from empty views by zeros, since out-of-bounds elements read
/// as zero: a kernel's optional vector is an empty view.
static void foldEmptyLoads(KernelOp kernel) {
  kernel.getBody().walk([&](LoadOp load) {
    RankedTensorType type = load.getType();
    if (!llvm::is_contained(load.getView().getType().getShape(), 0) ||
        load.getPad() != PadKind::Zero || !type.hasStaticShape())
      return;
    OpBuilder builder(load);
    load.replaceAllUsesWith(
        arith::ConstantOp::create(builder, load.getLoc(),
                                  cast<TypedAttr>(builder.getZeroAttr(type)))
            .getResult());
    load.erase();
  });
}

static bool isKernelOp(Operation *op) {
  const StringRef dialect = op->getName().getDialectNamespace();
  if (dialect == "scf")
    return isa<scf::ForOp, scf::IfOp, scf::WhileOp, scf::IndexSwitchOp,
               scf::YieldOp, scf::ConditionOp>(op);
  return llvm::is_contained({"tile", "arith", "math", "ub"}, dialect) ||
         isa<tensor::ExtractOp, tensor::DimOp>(op);
}

/// Fails on the first op that kernels do not take.
static LogicalResult verifyOps(KernelOp kernel) {
  WalkResult walk = kernel.walk<WalkOrder::PreOrder>([](Operation *op) {
    if (isKernelOp(op))
      return WalkResult::advance();
    op->emitOpError("is not allowed in a kernel, which computes with ops of "
                    "tile, arith, math and scf, and tensor.extract")
        << suggestOp(op->getName().stripDialect(), *op->getContext());
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

/// Fails on the first tile whose size is still unknown.
static LogicalResult verifyStaticTiles(KernelOp kernel) {
  WalkResult walk = kernel.getBody().walk([](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto tile = dyn_cast<RankedTensorType>(type);
          tile && !tile.hasStaticShape()) {
        op->emitOpError("makes a tile of unknown size (")
            << tile
            << ") although all parameters are bound; give it static "
               "sizes or sizes named by parameters";
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

/// Fails on the first tile declared with another size than the parameter that
/// names it has.
static LogicalResult verifyDeclaredSizes(KernelOp kernel,
                                         const LaunchBinding &binding) {
  LogicalResult result = success();
  forEachDeclaredSize(kernel, [&](Operation *op, unsigned axis, StringAttr name,
                                  int64_t declared) {
    const int64_t size = binding.sizes.lookup(name);
    if (succeeded(result) && declared != size)
      result = op->emitOpError("declares axis ")
               << axis << " of its tile as " << declared << ", but " << name
               << " is " << size << "; write ? for a size given by a parameter";
  });
  return result;
}

/// Keeps those requirements of the kernel that still depend on a launch's
/// sizes.
static LogicalResult bindRequirements(KernelOp kernel,
                                      const LaunchBinding &binding) {
  SmallVector<ConditionAttr> open;
  for (ConditionAttr requirement : getRequirements(kernel)) {
    llvm::Expected<ExprAttr> lhs = substitute(requirement.getLhs(), binding);
    if (!lhs)
      return kernel.emitOpError("requires: ")
             << llvm::toString(lhs.takeError());
    llvm::Expected<ExprAttr> rhs = substitute(requirement.getRhs(), binding);
    if (!rhs)
      return kernel.emitOpError("requires: ")
             << llvm::toString(rhs.takeError());
    auto left = dyn_cast<AffineConstantExpr>(lhs->getMap().getResult(0)),
         right = dyn_cast<AffineConstantExpr>(rhs->getMap().getResult(0));
    if (!left || !right)
      open.push_back(ConditionAttr::get(kernel.getContext(), *lhs,
                                        requirement.getComparison(), *rhs));
    else if (!holds(requirement.getComparison(), left.getValue(),
                    right.getValue()))
      return kernel.emitOpError() << explainBroken(
                 kernel, requirement, left.getValue(), right.getValue());
  }
  setRequirements(kernel, open);
  return success();
}

/// Empties the body of a kernel if its grid is known to have no blocks: nothing
/// runs that could be wrong about the sizes.
static void dropUnusedBody(KernelOp kernel, ArrayRef<Attribute> grid) {
  if (llvm::none_of(grid, [](Attribute extent) {
        auto size = dyn_cast<AffineConstantExpr>(
            cast<ExprAttr>(extent).getMap().getResult(0));
        return size && size.getValue() <= 0;
      }))
    return;
  Operation *terminator = kernel.getEntryBlock()->getTerminator();
  while (Operation *last = terminator->getPrevNode())
    last->erase();
}

LogicalResult bindKernel(KernelOp kernel, const LaunchBinding &binding) {
  if (failed(verifyNoLayouts(kernel)) || failed(verifyOps(kernel)))
    return failure();
  if (failed(verifyDeclaredSizes(kernel, binding)))
    return failure();
  Builder builder(kernel.getContext());
  bindTypes(kernel, binding);
  bindSizes(kernel, binding);
  SmallVector<Attribute> grid, params;
  for (ExprAttr expr : kernel.getGrid().getAsRange<ExprAttr>()) {
    llvm::Expected<ExprAttr> bound = substitute(expr, binding);
    if (!bound)
      return kernel.emitOpError("grid: ") << llvm::toString(bound.takeError());
    grid.push_back(*bound);
  }
  dropUnusedBody(kernel, grid);
  if (failed(refineTypes(*kernel.getEntryBlock())) ||
      failed(verifyStaticTiles(kernel)))
    return failure();
  foldEmptyLoads(kernel);
  insertUnitAxes(kernel);
  countByIndex(kernel);
  countProgressions(kernel);
  straightenRemainders(kernel);
  indexOffsetTiles(kernel);
  formDots(kernel);
  moveLastBranches(kernel);
  loadWhereUsed(kernel);
  rollPeeled(kernel);
  mergeSums(kernel);
  dropBoundsMasks(kernel);
  if (failed(bindRequirements(kernel, binding)))
    return failure();
  for (ParamAttr param : kernel.getParams().getAsRange<ParamAttr>())
    if (!param.isType())
      params.push_back(ParamAttr::get(
          kernel.getContext(), param.getName(),
          builder.getI64IntegerAttr(binding.sizes.lookup(param.getName())),
          builder.getArrayAttr({})));
  kernel.setGridAttr(builder.getArrayAttr(grid));
  kernel.setParamsAttr(builder.getArrayAttr(params));
  kernel.removeImplementsAttr();
  kernel.removeConditionsAttr();
  return success();
}

} // namespace tilegpt::tile
