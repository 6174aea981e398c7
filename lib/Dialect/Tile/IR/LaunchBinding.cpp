// Matches the tensors of a launch with the arguments of a kernel, and decides
// its requirements for static sizes.
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "ExprText.h"
#include "TileGPT/Dialect/Tile/IR/ExprEval.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using llvm::Expected;
using llvm::formatv;

namespace tilegpt::tile {

SmallVector<ConditionAttr> getRequirements(KernelOp kernel) {
  ArrayAttr requirements = kernel.getRequirementsAttr();
  if (!requirements)
    return {};
  return llvm::to_vector(requirements.getAsRange<ConditionAttr>());
}

void setRequirements(KernelOp kernel, ArrayRef<ConditionAttr> requirements) {
  if (requirements.empty()) {
    kernel.removeRequirementsAttr();
    return;
  }
  SmallVector<Attribute> all(requirements.begin(), requirements.end());
  kernel.setRequirementsAttr(ArrayAttr::get(kernel.getContext(), all));
}

//===------------------------------------------------------------------------------===//
// Messages
//===------------------------------------------------------------------------------===//

std::string describe(ExprAttr expr) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  auto printSource = [&](Attribute source) {
    if (auto name = dyn_cast<StringAttr>(source)) {
      stream << name.getValue();
      return;
    }
    ArrayRef<int64_t> at = cast<DenseI64ArrayAttr>(source).asArrayRef();
    if (at.size() == 2)
      stream << "axis " << at[1] << " of ";
    stream << "argument " << at[0];
  };
  ExprPrinter(stream, printSource).print(expr);
  return text;
}

std::optional<std::pair<int64_t, int64_t>> argumentSizeOf(ExprAttr expr) {
  auto symbol = dyn_cast<AffineSymbolExpr>(expr.getMap().getResult(0));
  auto place =
      symbol
          ? dyn_cast<DenseI64ArrayAttr>(expr.getSources()[symbol.getPosition()])
          : DenseI64ArrayAttr();
  if (!place || place.size() != 2)
    return std::nullopt;
  return std::pair(place[0], place[1]);
}

ConditionAttr withBlamedSizeFirst(ConditionAttr requirement) {
  const auto lhs = argumentSizeOf(requirement.getLhs()),
             rhs = argumentSizeOf(requirement.getRhs());
  if (requirement.getComparison() != Comparison::EQ || !rhs ||
      (lhs && *lhs > *rhs))
    return requirement;
  return ConditionAttr::get(requirement.getContext(), requirement.getRhs(),
                            Comparison::EQ, requirement.getLhs());
}

std::string explainBroken(KernelOp kernel, ConditionAttr requirement,
                          int64_t lhs, int64_t rhs) {
  const ConditionAttr blamed = withBlamedSizeFirst(requirement);
  if (blamed != requirement)
    std::swap(lhs, rhs);
  const std::string left = describe(blamed.getLhs()),
                    right = describe(blamed.getRhs());
  if (blamed.getComparison() != Comparison::EQ)
    return formatv("expected {0} {1} {2} in a launch of '{3}', found {4} and "
                   "{5}",
                   left, stringifyComparison(blamed.getComparison()), right,
                   kernel.getSymName(), lhs, rhs);
  const bool isNumber =
      isa<AffineConstantExpr>(blamed.getRhs().getMap().getResult(0));
  return formatv("expected {0} of '{1}' to be {2}{3}, found {4}", left,
                 kernel.getSymName(), rhs, isNumber ? "" : " (" + right + ")",
                 lhs);
}

//===------------------------------------------------------------------------------===//
// Static sizes
//===------------------------------------------------------------------------------===//

/// The size in the type, if static.
static std::optional<int64_t> staticSize(TypeRange arguments,
                                         Attribute source) {
  auto place = dyn_cast<DenseI64ArrayAttr>(source);
  if (!place || place.size() != 2)
    return std::nullopt;
  auto view = cast<ViewType>(arguments[place[0]]);
  if (view.isDynamicDim(place[1]))
    return std::nullopt;
  return view.getShape()[place[1]];
}

LogicalResult verifyRequirements(KernelOp kernel, TypeRange arguments,
                                 function_ref<InFlightDiagnostic()> emitError) {
  auto dim = [&](unsigned argument, unsigned axis) -> Expected<int64_t> {
    return cast<ViewType>(arguments[argument]).getShape()[axis];
  };
  auto unknown = [](auto) -> Expected<int64_t> {
    llvm_unreachable("only conditions over static sizes are evaluated");
  };
  for (ConditionAttr requirement : getRequirements(kernel)) {
    auto isKnown = [&](Attribute source) {
      return staticSize(arguments, source).has_value();
    };
    if (!llvm::all_of(requirement.getLhs().getSources(), isKnown) ||
        !llvm::all_of(requirement.getRhs().getSources(), isKnown))
      continue;
    const ExprSymbols symbols = {dim, unknown, unknown};
    Expected<int64_t> lhs = evaluate(requirement.getLhs(), symbols);
    if (!lhs)
      return emitError() << "requires: " << llvm::toString(lhs.takeError());
    Expected<int64_t> rhs = evaluate(requirement.getRhs(), symbols);
    if (!rhs)
      return emitError() << "requires: " << llvm::toString(rhs.takeError());
    if (!holds(requirement.getComparison(), *lhs, *rhs))
      return emitError() << explainBroken(kernel, requirement, *lhs, *rhs);
  }
  return success();
}

//===------------------------------------------------------------------------------===//
// Equal sizes
//===------------------------------------------------------------------------------===//

EqualSizes::EqualSizes(KernelOp kernel) {
  for (ConditionAttr requirement : getRequirements(kernel)) {
    const auto lhs = argumentSizeOf(requirement.getLhs()),
               rhs = argumentSizeOf(requirement.getRhs());
    if (requirement.getComparison() != Comparison::EQ || !lhs || !rhs)
      continue;
    const auto [first, second] = std::minmax({leaderOf(*lhs), leaderOf(*rhs)});
    if (first != second)
      before[second] = first;
  }
}

EqualSizes::Size EqualSizes::leaderOf(Size size) const {
  for (auto it = before.find(size); it != before.end(); it = before.find(size))
    size = it->second;
  return size;
}

void EqualSizes::refine(MutableArrayRef<Type> arguments) const {
  std::map<Size, int64_t> known;
  for (bool sets : {false, true})
    for (auto [number, type] : llvm::enumerate(arguments)) {
      auto view = dyn_cast<ViewType>(type);
      if (!view)
        continue;
      SmallVector<int64_t> shape(view.getShape());
      for (auto [axis, size] : llvm::enumerate(shape)) {
        const Size leader = leaderOf({number, axis});
        if (ShapedType::isStatic(size))
          known.insert({leader, size});
        else if (auto it = known.find(leader); sets && it != known.end())
          size = it->second;
      }
      type = ViewType::get(view.getContext(), shape, view.getElementType(),
                           view.getStrides());
    }
}

/// What determines a dense stride: the sizes of the following axes, each a
/// number or its representative.
using SizesBehind = SmallVector<std::pair<int64_t, EqualSizes::Size>>;

SmallVector<int64_t> firstEqualWords(KernelOp kernel) {
  const EqualSizes equal(kernel);
  SmallVector<int64_t> first;
  std::map<EqualSizes::Size, int64_t> sizes;
  SmallVector<std::pair<SizesBehind, int64_t>> strides;
  auto addWord = [&](auto &&same) {
    const int64_t word = first.size();
    first.push_back(same(word));
  };
  auto itself = [](int64_t word) { return word; };
  for (auto [number, argument] : llvm::enumerate(kernel.getArguments())) {
    addWord(itself);
    auto view = dyn_cast<ViewType>(argument.getType());
    if (!view)
      continue;
    for (int64_t axis = 0; axis < view.getRank(); ++axis)
      addWord([&, number = number](int64_t word) {
        const auto leader = equal.leaderOf({number, axis});
        return sizes.insert({leader, word}).first->second;
      });
    for (int64_t axis = 0; axis < view.getRank(); ++axis)
      addWord([&, number = number](int64_t word) {
        if (!view.isDense())
          return word;
        SizesBehind behind;
        for (int64_t other = axis + 1; other < view.getRank(); ++other)
          behind.push_back(
              view.isDynamicDim(other)
                  ? std::pair(ShapedType::kDynamic,
                              equal.leaderOf({number, other}))
                  : std::pair(view.getShape()[other], EqualSizes::Size()));
        auto *it = llvm::find_if(
            strides, [&](const auto &entry) { return entry.first == behind; });
        if (it != strides.end())
          return it->second;
        strides.push_back({behind, word});
        return word;
      });
  }
  return first;
}

//===------------------------------------------------------------------------------===//
// Binding
//===------------------------------------------------------------------------------===//

/// \param lookup  finds a name in a symbol table.
static KernelOp findKernel(Operation *op,
                           function_ref<Operation *(Operation *table)> lookup) {
  for (Operation *table = SymbolTable::getNearestSymbolTable(op); table;
       table = table->getParentOp()
                   ? SymbolTable::getNearestSymbolTable(table->getParentOp())
                   : nullptr)
    if (auto kernel = dyn_cast_or_null<KernelOp>(lookup(table)))
      return kernel;
  return {};
}

KernelOp lookupKernel(Operation *op, StringAttr name) {
  return findKernel(op, [&](Operation *table) {
    return SymbolTable::lookupSymbolIn(table, name);
  });
}

KernelOp lookupKernel(SymbolTableCollection &tables, Operation *op,
                      StringAttr name) {
  return findKernel(
      op, [&](Operation *table) { return tables.lookupSymbolIn(table, name); });
}

/// Binds the type variable or checks the element type of one argument.
static FailureOr<Type>
bindElementType(KernelOp kernel, Type declared, Type actual, unsigned number,
                LaunchBinding &binding,
                function_ref<InFlightDiagnostic()> emitError) {
  auto variable = dyn_cast<EltType>(declared);
  if (!variable) {
    if (declared != actual)
      return emitError() << "expected elements of type " << declared
                         << " for argument " << number << " of '"
                         << kernel.getSymName() << "', found " << actual;
    return actual;
  }
  auto name = StringAttr::get(kernel.getContext(), variable.getName());
  ParamAttr param = kernel.lookupParam(name);
  // A type that follows another is valid if that one is.
  auto followed =
      dyn_cast<EltType>(cast<TypeAttr>(param.getDefaultValue()).getValue());
  const bool follows =
      followed && binding.types.lookup(StringAttr::get(
                      kernel.getContext(), followed.getName())) == actual;
  if (!follows && !param.admits(TypeAttr::get(actual)))
    return emitError() << "argument " << number << " of '"
                       << kernel.getSymName() << "' has elements of type "
                       << actual << ", but parameter " << name
                       << " admits only its candidates";
  auto [it, inserted] = binding.types.insert({name, actual});
  if (!inserted && it->second != actual)
    return emitError() << "argument " << number << " of '"
                       << kernel.getSymName() << "' binds " << name << " to "
                       << actual << ", but an earlier argument bound it to "
                       << it->second;
  return actual;
}

/// Merges the sizes of a view and of its tensor.
static FailureOr<ViewType>
bindView(KernelOp kernel, ViewType view, Type operand, unsigned number,
         LaunchBinding &binding, function_ref<InFlightDiagnostic()> emitError) {
  auto tensor = dyn_cast<RankedTensorType>(operand);
  if (!tensor || tensor.getRank() != view.getRank())
    return emitError() << "expected a tensor of rank " << view.getRank()
                       << " for argument " << number << " of '"
                       << kernel.getSymName() << "', found " << operand;
  FailureOr<Type> elementType =
      bindElementType(kernel, view.getElementType(), tensor.getElementType(),
                      number, binding, emitError);
  if (failed(elementType))
    return failure();
  SmallVector<int64_t> shape(tensor.getShape());
  for (auto [axis, declared] : llvm::enumerate(view.getShape())) {
    if (ShapedType::isDynamic(declared))
      continue;
    if (!tensor.isDynamicDim(axis) && shape[axis] != declared)
      return emitError() << "expected axis " << axis << " of argument "
                         << number << " of '" << kernel.getSymName()
                         << "' to be " << declared << ", found " << shape[axis];
    shape[axis] = declared;
  }
  // A tensor is dense; dynamic strides of the view become those of the dense
  // layout.
  if (failed(ViewType::verify(emitError, shape, *elementType, {})))
    return failure();
  auto dense = ViewType::get(view.getContext(), shape, *elementType, {});
  SmallVector<int64_t> known = dense.getKnownStrides();
  for (auto [axis, stride] : llvm::enumerate(view.getStrides()))
    if (!ShapedType::isDynamic(stride) && !ShapedType::isDynamic(known[axis]) &&
        stride != known[axis])
      return emitError() << "expected stride " << stride << " on axis " << axis
                         << " of argument " << number << " of '"
                         << kernel.getSymName() << "', but the tensor is dense "
                         << "with stride " << known[axis];
  return dense;
}

FailureOr<LaunchBinding>
deduceLaunch(KernelOp kernel, TypeRange operands, DictionaryAttr overrides,
             function_ref<InFlightDiagnostic()> emitError) {
  LaunchBinding binding;
  auto arguments = kernel.getArguments();
  if (operands.size() != arguments.size())
    return emitError() << "expected " << arguments.size() << " operands for '"
                       << kernel.getSymName() << "' (" << kernel.getNumIns()
                       << " ins, " << kernel.getNumOuts() << " outs), found "
                       << operands.size();
  for (auto [number, argument, operand] :
       llvm::enumerate(arguments, operands)) {
    if (auto view = dyn_cast<ViewType>(argument.getType())) {
      FailureOr<ViewType> bound =
          bindView(kernel, view, operand, number, binding, emitError);
      if (failed(bound))
        return failure();
      binding.arguments.push_back(*bound);
      continue;
    }
    if (operand != argument.getType())
      return emitError() << "expected " << argument.getType()
                         << " for argument " << number << " of '"
                         << kernel.getSymName() << "', found " << operand;
    binding.arguments.push_back(operand);
  }
  if (failed(verifyRequirements(kernel, binding.arguments, emitError)))
    return failure();
  EqualSizes(kernel).refine(binding.arguments);
  for (NamedAttribute entry :
       overrides ? overrides.getValue() : ArrayRef<NamedAttribute>()) {
    ParamAttr param = kernel.lookupParam(entry.getName());
    if (!param || param.isType())
      return emitError() << "'" << kernel.getSymName()
                         << "' declares no size parameter " << entry.getName();
    auto value = dyn_cast<IntegerAttr>(entry.getValue());
    if (!value || !param.admits(value))
      return emitError() << "parameter " << entry.getName() << " of '"
                         << kernel.getSymName() << "' does not admit "
                         << entry.getValue() << "; its candidates are "
                         << param.getCandidates() << ", its default "
                         << param.getDefaultValue();
    binding.sizes.insert({entry.getName(), value.getInt()});
  }
  return binding;
}

} // namespace tilegpt::tile
