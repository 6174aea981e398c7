// Replaces what the expressions of a kernel name.
#include "KernelExpressions.h"
#include "mlir/IR/Builders.h"

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
  if (ArrayAttr conditions = kernel.getConditionsAttr())
    kernel.setConditionsAttr(builder.getArrayAttr(llvm::map_to_vector(
        conditions.getAsRange<ConditionAttr>(),
        [&](ConditionAttr condition) -> Attribute {
          return ConditionAttr::get(
              kernel.getContext(), mapSources(condition.getLhs(), map),
              condition.getComparison(), mapSources(condition.getRhs(), map));
        })));
}

} // namespace tilegpt::tile
