// Infers a kernel's open element types, parameters and grid from the arguments
// of a run.
#include "TileGPT/Reference/KernelBinding.h"
#include "TileGPT/Dialect/Tile/IR/ExprEval.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using llvm::Expected;
using llvm::formatv;

namespace tilegpt::reference {

/// The text of an attribute, without the type suffix of an integer.
static std::string textWithoutType(Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream os(text);
  attribute.print(os, /*elideType=*/true);
  return text;
}

namespace {
/// One binding in the making.
class Binder {
public:
  Binder(tile::KernelOp kernel, ArrayRef<Value> arguments,
         DictionaryAttr parameters, std::optional<Grid> grid)
      : kernel(kernel), arguments(arguments), parameters(parameters),
        grid(grid) {}

  Expected<KernelBinding> bind();

private:
  llvm::Error bindScalar(unsigned number, Type declared);
  llvm::Error bindView(unsigned number, tile::ViewType declared);
  llvm::Error bindPointer(unsigned number, tile::PtrType declared);
  llvm::Error bindElementType(unsigned number, Type declared,
                              ElementType found);
  llvm::Error checkOverrides();
  llvm::Error bindParam(tile::ParamAttr param);
  llvm::Error checkRequirements();
  llvm::Error bindGrid();
  Expected<int64_t> evaluate(tile::ExprAttr expr);

  tile::KernelOp kernel;
  ArrayRef<Value> arguments;
  DictionaryAttr parameters;
  std::optional<Grid> grid;
  KernelBinding binding;
};
} // namespace

llvm::Error Binder::bindScalar(unsigned number, Type declared) {
  auto *tensor = std::get_if<TensorRef>(&arguments[number]);
  if (tensor && (*tensor)->rank() == 0 &&
      elementTypeOf(declared) == (*tensor)->type())
    return llvm::Error::success();
  return fail(kernel,
              formatv("expected a scalar {0} for argument {1}, found "
                      "{2}",
                      declared, number,
                      tensor ? describe((*tensor)->type(), (*tensor)->shape())
                             : std::string("a view")));
}

llvm::Error Binder::bindElementType(unsigned number, Type declared,
                                    ElementType found) {
  auto variable = dyn_cast<tile::EltType>(declared);
  if (!variable) {
    if (elementTypeOf(declared) == found)
      return llvm::Error::success();
    return fail(kernel, formatv("expected elements of type {0} for argument "
                                "{1}, found {2}",
                                declared, number, bundle::name(found)));
  }
  auto [bound, inserted] = binding.types.try_emplace(variable.getName(), found);
  if (!inserted && bound->second != found)
    return fail(kernel,
                formatv("argument {0} binds '{1}' to {2}, but an earlier "
                        "argument bound it to {3}",
                        number, variable.getName(), bundle::name(found),
                        bundle::name(bound->second)));
  return llvm::Error::success();
}

llvm::Error Binder::bindView(unsigned number, tile::ViewType declared) {
  auto *view = std::get_if<View>(&arguments[number]);
  if (!view)
    return fail(kernel, formatv("expected a view {0} for argument {1}, found "
                                "a scalar",
                                declared, number));
  if (failed(verifyCompatibleShape(declared.getShape(), view->shape)))
    return fail(kernel,
                formatv("expected sizes of {0} for argument {1}, found {2}",
                        declared, number,
                        describe(view->memory->type(), view->shape)));
  // The type promises a dense layout unless it spells strides out.
  Shape promised = declared.isDense() ? denseStrides(view->shape)
                                      : Shape(declared.getStrides());
  for (auto [axis, stride] : llvm::enumerate(promised))
    if (!ShapedType::isDynamic(stride) && view->strides[axis] != stride &&
        view->shape[axis] > 1)
      return fail(kernel,
                  formatv("expected stride {0} along axis {1} of argument {2}, "
                          "found {3}",
                          stride, axis, number, view->strides[axis]));
  return bindElementType(number, declared.getElementType(),
                         view->memory->type());
}

llvm::Error Binder::bindPointer(unsigned number, tile::PtrType declared) {
  auto *pointer = std::get_if<View>(&arguments[number]);
  if (!pointer)
    return fail(kernel, formatv("expected a pointer {0} for argument {1}, "
                                "found a scalar",
                                declared, number));
  // A pointer to bytes accepts memory of any element type.
  ElementType found = pointer->memory->type();
  if (declared.getPointee().isInteger(8) ||
      elementTypeOf(declared.getPointee()) == found)
    return llvm::Error::success();
  return fail(kernel, formatv("expected a pointer {0} for argument {1}, found "
                              "one to memory of {2}",
                              declared, number, bundle::name(found)));
}

llvm::Error Binder::checkOverrides() {
  if (!parameters)
    return llvm::Error::success();
  for (NamedAttribute entry : parameters) {
    tile::ParamAttr param = kernel.lookupParam(entry.getName());
    if (!param)
      return fail(kernel, formatv("'{0}' declares no parameter '{1}'",
                                  kernel.getSymName(), entry.getName()));
    if (!param.isType() && !isa<IntegerAttr>(param.getDefaultValue()) &&
        param.getCandidates().empty())
      return fail(kernel, formatv("parameter '{0}' follows from the sizes of "
                                  "the arguments and cannot be given",
                                  entry.getName()));
    if (!param.admits(entry.getValue()))
      return fail(kernel,
                  formatv("parameter '{0}' does not admit {1}; its "
                          "default is {2}, its candidates are {3}",
                          entry.getName(), textWithoutType(entry.getValue()),
                          textWithoutType(param.getDefaultValue()),
                          param.getCandidates()));
  }
  return llvm::Error::success();
}

llvm::Error Binder::bindParam(tile::ParamAttr param) {
  Attribute chosen = parameters ? parameters.get(param.getName()) : Attribute();
  Attribute value = chosen ? chosen : param.getDefaultValue();
  StringRef name = param.getName().getValue();
  if (auto type = dyn_cast<TypeAttr>(value)) {
    auto elementOf = [&](Attribute attribute) -> std::optional<ElementType> {
      Type type = cast<TypeAttr>(attribute).getValue();
      if (auto followed = dyn_cast<tile::EltType>(type))
        return binding.types.at(followed.getName());
      return elementTypeOf(type);
    };
    std::optional<ElementType> wanted = elementOf(value);
    if (!wanted)
      return fail(kernel, formatv("the interpreter has no values of type {0}",
                                  type.getValue()));
    auto [bound, inserted] = binding.types.try_emplace(name, *wanted);
    if (!inserted && chosen && bound->second != *wanted)
      return fail(kernel, formatv("parameter '{0}' is given as {1}, but the "
                                  "arguments bind it to {2}",
                                  name, bundle::name(*wanted),
                                  bundle::name(bound->second)));
    auto isBound = [&](Attribute candidate) {
      return elementOf(candidate) == bound->second;
    };
    if (!isBound(param.getDefaultValue()) &&
        llvm::none_of(param.getCandidates(), isBound))
      return fail(kernel, formatv("parameter '{0}' does not admit {1}, which "
                                  "the arguments bind it to; its default is "
                                  "{2}, its candidates are {3}",
                                  name, bundle::name(bound->second),
                                  textWithoutType(param.getDefaultValue()),
                                  param.getCandidates()));
    return llvm::Error::success();
  }
  auto expr = dyn_cast<tile::ExprAttr>(value);
  Expected<int64_t> size =
      expr ? evaluate(expr)
           : Expected<int64_t>(cast<IntegerAttr>(value).getInt());
  if (!size)
    return size.takeError();
  if (*size <= 0)
    return fail(kernel, formatv("expected a positive value of parameter '{0}', "
                                "found {1}",
                                name, *size));
  binding.sizes[name] = *size;
  return llvm::Error::success();
}

Expected<int64_t> Binder::evaluate(tile::ExprAttr expr) {
  auto dim = [&](unsigned argument, unsigned axis) -> Expected<int64_t> {
    return std::get<View>(arguments[argument]).shape[axis];
  };
  auto scalar = [&](unsigned argument) -> Expected<int64_t> {
    return std::get<TensorRef>(arguments[argument])->item().i;
  };
  auto param = [&](StringRef name) -> Expected<int64_t> {
    auto found = binding.sizes.find(name);
    if (found == binding.sizes.end())
      return llvm::createStringError(
          formatv("parameter '{0}' is used before its declaration", name));
    return found->second;
  };
  Expected<int64_t> value = tile::evaluate(expr, {dim, scalar, param});
  if (!value)
    return fail(kernel, llvm::toString(value.takeError()));
  return value;
}

llvm::Error Binder::checkRequirements() {
  for (tile::ConditionAttr requirement : tile::getRequirements(kernel)) {
    Expected<int64_t> lhs = evaluate(requirement.getLhs());
    if (!lhs)
      return lhs.takeError();
    Expected<int64_t> rhs = evaluate(requirement.getRhs());
    if (!rhs)
      return rhs.takeError();
    if (!tile::holds(requirement.getComparison(), *lhs, *rhs))
      return fail(kernel, tile::explainBroken(kernel, requirement, *lhs, *rhs));
  }
  return llvm::Error::success();
}

llvm::Error Binder::bindGrid() {
  if (grid && !kernel.isRaw())
    return fail(kernel, formatv("'{0}' declares its own grid; leave it out",
                                kernel.getSymName()));
  if (kernel.isRaw()) {
    if (!grid)
      return fail(kernel, formatv("'{0}' takes its grid from the launch; say "
                                  "how many blocks there are",
                                  kernel.getSymName()));
    binding.grid = *grid;
  }
  for (auto [axis, attribute] : llvm::enumerate(kernel.getGrid())) {
    Expected<int64_t> blocks = evaluate(cast<tile::ExprAttr>(attribute));
    if (!blocks)
      return blocks.takeError();
    if (*blocks < 0)
      return fail(kernel, formatv("expected at least 0 blocks along axis {0} "
                                  "of the grid, found {1}",
                                  axis, *blocks));
    binding.grid[axis] = *blocks;
  }
  return llvm::Error::success();
}

Expected<KernelBinding> Binder::bind() {
  auto declared = kernel.getArguments();
  if (arguments.size() != declared.size())
    return fail(kernel, formatv("expected {0} arguments for '{1}', found {2}",
                                declared.size(), kernel.getSymName(),
                                arguments.size()));
  for (auto [number, argument] : llvm::enumerate(declared)) {
    llvm::Error error =
        llvm::TypeSwitch<Type, llvm::Error>(argument.getType())
            .Case([&](tile::ViewType view) { return bindView(number, view); })
            .Case([&](tile::PtrType type) { return bindPointer(number, type); })
            .Default([&](Type type) { return bindScalar(number, type); });
    if (error)
      return error;
  }
  if (llvm::Error error = checkOverrides())
    return error;
  for (Attribute param : kernel.getParams())
    if (llvm::Error error = bindParam(cast<tile::ParamAttr>(param)))
      return error;
  if (llvm::Error error = checkRequirements())
    return error;
  if (llvm::Error error = bindGrid())
    return error;
  return std::move(binding);
}

Expected<KernelBinding> bindKernel(tile::KernelOp kernel,
                                   ArrayRef<Value> arguments,
                                   DictionaryAttr parameters,
                                   std::optional<Grid> grid) {
  return Binder(kernel, arguments, parameters, grid).bind();
}

} // namespace tilegpt::reference
