// Rewrites the declarations of a kernel.
#include "KernelExpressions.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace tilegpt::tile {

/// `expr` with its sources replaced.
static ExprAttr mapSources(ExprAttr expr,
                           function_ref<Attribute(Attribute)> map) {
  SmallVector<Attribute> sources = llvm::map_to_vector(expr.getSources(), map);
  return ExprAttr::get(expr.getContext(), expr.getMap(),
                       ArrayAttr::get(expr.getContext(), sources));
}

void mapExpressions(KernelOp kernel, function_ref<Attribute(Attribute)> map) {
  Builder builder(kernel.getContext());
  SmallVector<Attribute> grid, params;
  for (ExprAttr expr : kernel.getGrid().getAsRange<ExprAttr>())
    grid.push_back(mapSources(expr, map));
  for (ParamAttr param : kernel.getParams().getAsRange<ParamAttr>()) {
    auto expr = dyn_cast<ExprAttr>(param.getDefaultValue());
    params.push_back(expr ? ParamAttr::get(kernel.getContext(), param.getName(),
                                           mapSources(expr, map),
                                           param.getCandidates())
                          : param);
  }
  kernel.setGridAttr(builder.getArrayAttr(grid));
  kernel.setParamsAttr(builder.getArrayAttr(params));
  auto mapCondition = [&](ConditionAttr condition) {
    return ConditionAttr::get(
        kernel.getContext(), mapSources(condition.getLhs(), map),
        condition.getComparison(), mapSources(condition.getRhs(), map));
  };
  if (ArrayAttr conditions = kernel.getConditionsAttr())
    kernel.setConditionsAttr(builder.getArrayAttr(
        llvm::map_to_vector(conditions.getAsRange<ConditionAttr>(),
                            [&](ConditionAttr condition) -> Attribute {
                              return mapCondition(condition);
                            })));
  setRequirements(kernel,
                  llvm::map_to_vector(getRequirements(kernel), mapCondition));
}

void keepRequirements(KernelOp kernel, function_ref<bool(ConditionAttr)> keep) {
  llvm::SmallSetVector<ConditionAttr, 4> kept;
  for (ConditionAttr requirement : getRequirements(kernel))
    if (keep(requirement) && !(requirement.getComparison() == Comparison::EQ &&
                               requirement.getLhs() == requirement.getRhs()))
      kept.insert(requirement);
  setRequirements(kernel, kept.getArrayRef());
}

bool readsSource(ConditionAttr requirement,
                 function_ref<bool(Attribute)> test) {
  return llvm::any_of(requirement.getLhs().getSources(), test) ||
         llvm::any_of(requirement.getRhs().getSources(), test);
}

void pinElement(KernelOp kernel, unsigned number, Type element) {
  auto elementOf = [](Value argument) -> Type {
    auto view = dyn_cast<ViewType>(argument.getType());
    return view ? view.getElementType() : Type();
  };
  const BlockArgument pinned = kernel.getArguments()[number];
  auto variable = dyn_cast<EltType>(elementOf(pinned));
  if (!variable || llvm::any_of(kernel.getArguments(), [&](Value other) {
        return other != pinned && elementOf(other) == variable;
      }))
    return;
  Builder builder(kernel.getContext());
  kernel.setParamsAttr(builder.getArrayAttr(llvm::map_to_vector(
      kernel.getParams().getAsRange<ParamAttr>(),
      [&](ParamAttr param) -> Attribute {
        return param.getName().getValue() == variable.getName()
                   ? ParamAttr::get(kernel.getContext(), param.getName(),
                                    TypeAttr::get(element),
                                    builder.getArrayAttr({}))
                   : param;
      })));
}

static void replaceElements(KernelOp kernel, const NewNames &names) {
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [&](EltType type) -> std::optional<std::pair<Type, WalkResult>> {
        auto name = StringAttr::get(type.getContext(), type.getName());
        Type result = type;
        if (Type element = names.elements.lookup(name))
          result = element;
        else if (StringAttr other = names.params.lookup(name))
          result = EltType::get(type.getContext(), other.getValue());
        return std::pair(result, WalkResult::skip());
      });
  replacer.recursivelyReplaceElementsIn(kernel, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

void nameParametersApart(KernelOp guest, KernelOp host, NewNames &names) {
  llvm::StringSet<> taken;
  for (ParamAttr param : host.getParams().getAsRange<ParamAttr>())
    taken.insert(param.getName());
  for (ParamAttr param : guest.getParams().getAsRange<ParamAttr>()) {
    if (names.elements.contains(param.getName()))
      continue;
    std::string name = param.getName().str();
    for (unsigned number = 2; !taken.insert(name).second; ++number)
      name = (param.getName().getValue() + Twine(number)).str();
    names.params[param.getName()] = StringAttr::get(guest.getContext(), name);
  }
}

void renameParameters(KernelOp kernel, const NewNames &names) {
  auto rename = [&](Attribute attribute) -> Attribute {
    auto name = dyn_cast<StringAttr>(attribute);
    StringAttr other = name ? names.params.lookup(name) : StringAttr();
    return other ? Attribute(other) : attribute;
  };
  // Replace all names simultaneously: the host's name for one element type may
  // be the guest's name for another.
  replaceElements(kernel, names);
  kernel.getBody().walk([&](Operation *op) {
    if (auto param = dyn_cast<ParamOp>(op))
      param.setNameAttr(cast<StringAttr>(rename(param.getNameAttr())));
    else if (auto sizes = op->getAttrOfType<ArrayAttr>("sizes");
             sizes && isa<TileDialect>(op->getDialect()))
      op->setAttr("sizes", ArrayAttr::get(op->getContext(),
                                          llvm::map_to_vector(sizes, rename)));
  });
  SmallVector<Attribute> params;
  for (ParamAttr param : kernel.getParams().getAsRange<ParamAttr>())
    if (StringAttr name = names.params.lookup(param.getName()))
      params.push_back(ParamAttr::get(kernel.getContext(), name,
                                      param.getDefaultValue(),
                                      param.getCandidates()));
  kernel.setParamsAttr(ArrayAttr::get(kernel.getContext(), params));
  mapExpressions(kernel, rename);
}

void forEachDeclaredSize(
    KernelOp kernel,
    function_ref<void(Operation *, unsigned, StringAttr, int64_t)> take) {
  kernel.getBody().walk([&](Operation *op) {
    // Ops with tile sizes have them in an attribute of this name.
    auto sizes = op->getAttrOfType<ArrayAttr>("sizes");
    if (!sizes || !isa<TileDialect>(op->getDialect()) ||
        op->getNumResults() != 1)
      return;
    auto tile = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    if (!tile || size_t(tile.getRank()) != sizes.size())
      return;
    for (auto [axis, size] : llvm::enumerate(sizes))
      if (auto name = dyn_cast<StringAttr>(size);
          name && !tile.isDynamicDim(axis))
        take(op, axis, name, tile.getDimSize(axis));
  });
}

} // namespace tilegpt::tile
