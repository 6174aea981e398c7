// Compares every candidate with requirements and declared tile sizes.
#include "NarrowCandidates.h"
#include "KernelExpressions.h"
#include "TileGPT/Dialect/Tile/IR/ExprEval.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "TileGPT/Dialect/Tile/Transforms/BindKernel.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tilegpt::tile {

/// The sizes that tiles state for axes sized by a parameter.
using DeclaredSizes = llvm::DenseMap<StringAttr, SmallVector<int64_t>>;

/// Whether candidates of a parameter are still to be chosen from.
static bool isFree(ParamAttr param, LaunchOp launch) {
  DictionaryAttr given = launch.getParamsAttr();
  return isa<IntegerAttr>(param.getDefaultValue()) &&
         !param.getCandidates().empty() &&
         !(given && given.get(param.getName()));
}

/// Whether a requirement holds for a launch with this binding; nothing if that
/// is not known yet.
static std::optional<bool> decide(KernelOp kernel, ConditionAttr requirement,
                                  LaunchBinding binding) {
  if (failed(completeBinding(kernel, binding)))
    return std::nullopt;
  auto open = [] { return llvm::createStringError("not known yet"); };
  auto dim = [&](unsigned argument, unsigned axis) -> llvm::Expected<int64_t> {
    auto view = cast<ViewType>(binding.arguments[argument]);
    if (view.isDynamicDim(axis))
      return open();
    return view.getShape()[axis];
  };
  auto scalar = [&](unsigned) -> llvm::Expected<int64_t> { return open(); };
  auto param = [&](StringRef name) -> llvm::Expected<int64_t> {
    return binding.sizes.lookup(StringAttr::get(kernel.getContext(), name));
  };
  llvm::Expected<bool> result = evaluate(requirement, {dim, scalar, param});
  if (result)
    return *result;
  llvm::consumeError(result.takeError());
  return std::nullopt;
}

/// Erases the values of a parameter that a launch does not permit.
static void eraseViolating(SmallVectorImpl<int64_t> &values, ParamAttr param,
                           KernelOp kernel, LaunchOp launch) {
  const int64_t chosen = cast<IntegerAttr>(param.getDefaultValue()).getInt();
  FailureOr<LaunchBinding> binding =
      deduceLaunch(kernel, launch.getOperandTypes(), launch.getParamsAttr(),
                   [&] { return launch.emitOpError(); });
  if (failed(binding))
    return;
  auto isOtherFree = [&](Attribute source) {
    auto name = dyn_cast<StringAttr>(source);
    return name && name != param.getName() &&
           isFree(kernel.lookupParam(name), launch);
  };
  for (ConditionAttr requirement : getRequirements(kernel)) {
    if (!readsSource(requirement, [&](Attribute source) {
          return source == param.getName();
        }))
      continue;
    const bool hasOthers = readsSource(requirement, isOtherFree);
    llvm::erase_if(values, [&](int64_t value) {
      if (hasOthers)
        return value != chosen;
      LaunchBinding bound = *binding;
      bound.sizes[param.getName()] = value;
      return !decide(kernel, requirement, std::move(bound))
                  .value_or(value == chosen);
    });
  }
}

/// The value nearest to the default, the smaller one of two.
static int64_t nearestTo(int64_t size, ArrayRef<int64_t> values) {
  return *llvm::min_element(values, [&](int64_t a, int64_t b) {
    return std::pair(std::abs(a - size), a) < std::pair(std::abs(b - size), b);
  });
}

static ParamAttr narrow(ParamAttr param, KernelOp kernel,
                        ArrayRef<LaunchOp> launches,
                        const DeclaredSizes &declared) {
  auto size = dyn_cast<IntegerAttr>(param.getDefaultValue());
  if (!size || param.getCandidates().empty())
    return param;
  SmallVector<int64_t> values;
  for (auto candidate : param.getCandidates().getAsRange<IntegerAttr>())
    values.push_back(candidate.getInt());
  if (!llvm::is_contained(values, size.getInt()))
    values.push_back(size.getInt());
  const size_t count = values.size();
  for (int64_t size : declared.lookup(param.getName()))
    llvm::erase_if(values, [&](int64_t value) { return value != size; });
  for (LaunchOp launch : launches)
    if (isFree(param, launch))
      eraseViolating(values, param, kernel, launch);
  if (values.empty() || values.size() == count)
    return param;
  Builder builder(kernel.getContext());
  return ParamAttr::get(
      kernel.getContext(), param.getName(),
      builder.getI64IntegerAttr(nearestTo(size.getInt(), values)),
      builder.getArrayAttr(
          llvm::map_to_vector(values, [&](int64_t value) -> Attribute {
            return builder.getI64IntegerAttr(value);
          })));
}

void narrowCandidates(KernelOp kernel, ArrayRef<LaunchOp> launches) {
  DeclaredSizes declared;
  forEachDeclaredSize(kernel,
                      [&](Operation *, unsigned, StringAttr name,
                          int64_t size) { declared[name].push_back(size); });
  auto readsParameter = [](ConditionAttr requirement) {
    return readsSource(requirement, llvm::IsaPred<StringAttr>);
  };
  if (declared.empty() &&
      llvm::none_of(getRequirements(kernel), readsParameter))
    return;
  // What does not bind is reported when it is bound.
  ScopedDiagnosticHandler silent(kernel.getContext(), [](Diagnostic &) {});
  SmallVector<Attribute> params;
  for (ParamAttr param : kernel.getParams().getAsRange<ParamAttr>())
    params.push_back(narrow(param, kernel, launches, declared));
  kernel.setParamsAttr(ArrayAttr::get(kernel.getContext(), params));
}

} // namespace tilegpt::tile
