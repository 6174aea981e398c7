// Binds a copy of a kernel to the types and sizes of its arguments.
#include "KernelInstance.h"
#include "TileGPT/Dialect/Tile/Transforms/BindKernel.h"

using namespace mlir;
using llvm::Expected;
using tilegpt::reference::ElementType;
using tilegpt::reference::View;

namespace tilegpt::compiler {

Type typeOf(ElementType type, MLIRContext *context) {
  Builder builder(context);
  switch (type) {
  case ElementType::F16:
    return builder.getF16Type();
  case ElementType::BF16:
    return builder.getBF16Type();
  case ElementType::F32:
    return builder.getF32Type();
  case ElementType::F64:
    return builder.getF64Type();
  case ElementType::F8E4M3FN:
    return builder.getType<Float8E4M3FNType>();
  case ElementType::F8E5M2:
    return builder.getType<Float8E5M2Type>();
  default:
    return builder.getIntegerType(reference::bitWidth(type));
  }
}

/// Indices of the arguments whose first size determines a parameter.
static llvm::SmallDenseSet<int64_t> sizedParameters(tile::KernelOp kernel) {
  llvm::SmallDenseSet<int64_t> numbers;
  for (auto param : kernel.getParams().getAsRange<tile::ParamAttr>())
    if (auto expr = dyn_cast<tile::ExprAttr>(param.getDefaultValue()))
      for (Attribute source : expr.getSources())
        if (auto size = dyn_cast<DenseI64ArrayAttr>(source);
            size && size.size() == 2 && size[1] == 0)
          numbers.insert(size[0]);
  return numbers;
}

SmallVector<Type> launchTypes(tile::KernelOp kernel,
                              ArrayRef<reference::Value> arguments,
                              bool openSizes) {
  const llvm::SmallDenseSet<int64_t> known = sizedParameters(kernel);
  SmallVector<Type> types;
  for (auto [number, declared, value] :
       llvm::enumerate(kernel.getArguments(), arguments)) {
    auto *view = std::get_if<View>(&value);
    if (!view || !isa<tile::ViewType>(declared.getType())) {
      types.push_back(declared.getType());
      continue;
    }
    reference::Shape shape = view->shape;
    if (openSizes && !shape.empty() && !known.contains(int64_t(number)))
      shape.front() = ShapedType::kDynamic;
    types.push_back(RankedTensorType::get(
        shape, typeOf(view->memory->type(), kernel.getContext())));
  }
  return types;
}

/// Binds types, sizes and parameters in place.
static LogicalResult specialize(tile::KernelOp kernel, TypeRange operands,
                                DictionaryAttr parameters) {
  SmallVector<NamedAttribute> sizes;
  SmallVector<std::pair<StringAttr, Type>> types;
  for (NamedAttribute entry :
       parameters ? parameters.getValue() : ArrayRef<NamedAttribute>()) {
    if (auto type = dyn_cast<TypeAttr>(entry.getValue()))
      types.emplace_back(entry.getName(), type.getValue());
    else
      sizes.push_back(entry);
  }
  FailureOr<tile::LaunchBinding> binding = tile::deduceLaunch(
      kernel, operands, DictionaryAttr::get(kernel.getContext(), sizes),
      [&] { return kernel.emitError(); });
  if (failed(binding))
    return failure();
  for (auto [name, type] : types)
    binding->types.insert({name, type});
  return success(succeeded(tile::completeBinding(kernel, *binding)) &&
                 succeeded(tile::bindKernel(kernel, *binding)));
}

Expected<KernelInstance> instantiate(tile::KernelOp kernel,
                                     ArrayRef<reference::Value> arguments,
                                     DictionaryAttr parameters, bool openSizes,
                                     std::optional<reference::Grid> grid) {
  Expected<reference::KernelBinding> binding =
      reference::bindKernel(kernel, arguments, parameters, grid);
  if (!binding)
    return binding.takeError();
  KernelInstance instance;
  instance.module = ModuleOp::create(kernel.getLoc());
  instance.grid = binding->grid;
  tile::KernelOp copy = kernel.clone();
  instance.module->push_back(copy);
  if (failed(specialize(copy, launchTypes(kernel, arguments, openSizes),
                        parameters)))
    return llvm::createStringError("the kernel cannot be specialized");
  return instance;
}

} // namespace tilegpt::compiler
