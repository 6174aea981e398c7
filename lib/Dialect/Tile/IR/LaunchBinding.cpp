// Matches the tensors of a launch against the arguments of a kernel.
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"

using namespace mlir;

namespace tilegpt::tile {

/// \param lookup  what a symbol table has of the name.
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

/// Binds the variable or checks the type of the elements of one argument.
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
  // A type that follows another is admitted where it does.
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

/// Merges the sizes of a view and of the tensor given for it.
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
  // A tensor is dense; strides a kernel leaves open become those of the dense
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
