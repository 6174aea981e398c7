// Binds parameters and arguments of kernels before any choice is made.
#include "RefineTypes.h"
#include "TileGPT/Dialect/Tile/Transforms/BindKernel.h"
#include "TileGPT/Dialect/Tile/Transforms/EachLaunch.h"
#include "TileGPT/Dialect/Tile/Transforms/Passes.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using llvm::formatv;

namespace tilegpt::tile {
#define GEN_PASS_DEF_BINDPARAMETERSPASS
#include "TileGPT/Dialect/Tile/Transforms/Passes.h.inc"

/// Restricts a parameter to one value.
static void setParameter(KernelOp kernel, StringAttr name, Attribute value) {
  Builder builder(kernel.getContext());
  kernel.setParamsAttr(builder.getArrayAttr(llvm::map_to_vector(
      kernel.getParams().getAsRange<ParamAttr>(),
      [&](ParamAttr param) -> Attribute {
        return param.getName() == name
                   ? ParamAttr::get(kernel.getContext(), name, value,
                                    builder.getArrayAttr({}))
                   : param;
      })));
}

/// Parses `64` or `bf16` as the value of a parameter; null if it is invalid.
static Attribute parseValue(ParamAttr param, StringRef text) {
  MLIRContext *context = param.getContext();
  if (param.isType()) {
    // Parse errors are reported by the caller, in one line.
    ScopedDiagnosticHandler silent(context, [](Diagnostic &) {});
    Type type = parseType(text, context);
    return isa_and_nonnull<FloatType>(type) ? TypeAttr::get(type) : Attribute();
  }
  int64_t value;
  if (text.getAsInteger(10, value) || value <= 0)
    return {};
  return Builder(context).getI64IntegerAttr(value);
}

/// Sets the sizes of a view argument, and refines the types derived from it.
static LogicalResult setShape(KernelOp kernel, unsigned number,
                              ArrayRef<int64_t> shape,
                              ArrayRef<int64_t> strides) {
  BlockArgument argument = kernel.getArguments()[number];
  auto view = cast<ViewType>(argument.getType());
  argument.setType(ViewType::get(kernel.getContext(), shape,
                                 view.getElementType(), strides));
  return refineTypes(*kernel.getEntryBlock());
}

/// The argument axis whose size defines a parameter: `dim(%k, 3)`.
static std::optional<std::pair<unsigned, unsigned>> axisOf(ParamAttr param) {
  auto expr = dyn_cast<ExprAttr>(param.getDefaultValue());
  if (!expr || !isa<AffineSymbolExpr>(expr.getMap().getResult(0)))
    return std::nullopt;
  auto place = dyn_cast<DenseI64ArrayAttr>(expr.getSources()[0]);
  if (!place || place.size() != 2)
    return std::nullopt;
  return std::pair(unsigned(place[0]), unsigned(place[1]));
}

/// Sets a parameter or, if it is a size of the data, that size.
static llvm::Error setParameterOrSize(KernelOp kernel, ParamAttr param,
                                      Attribute value) {
  auto axis = axisOf(param);
  if (!axis) {
    setParameter(kernel, param.getName(), value);
    return llvm::Error::success();
  }
  auto view = cast<ViewType>(kernel.getArguments()[axis->first].getType());
  SmallVector<int64_t> shape(view.getShape());
  int64_t &size = shape[axis->second],
          wanted = cast<IntegerAttr>(value).getInt();
  if (ShapedType::isStatic(size) && size != wanted)
    return llvm::createStringError(formatv("{0} is {1} in @{2} already",
                                           param.getName().getValue(), size,
                                           kernel.getSymName()));
  size = wanted;
  if (failed(setShape(kernel, axis->first, shape, view.getStrides())))
    return llvm::createStringError(
        formatv("@{0} does not support the size", kernel.getSymName()));
  return llvm::Error::success();
}

llvm::Error bindParameter(ModuleOp module, StringRef entry) {
  auto [name, text] = entry.split('=');
  std::string declared;
  llvm::raw_string_ostream list(declared);
  bool isBound = false;
  SmallVector<KernelOp> kernels;
  module.walk([&](KernelOp kernel) { kernels.push_back(kernel); });
  for (KernelOp kernel : kernels) {
    ParamAttr param = kernel.lookupParam(name);
    if (!param) {
      list << (declared.empty() ? "" : "; ") << '@' << kernel.getSymName()
           << " has ";
      auto names = llvm::map_range(
          kernel.getParams().getAsRange<ParamAttr>(),
          [](ParamAttr param) { return param.getName().getValue(); });
      llvm::interleaveComma(names, list);
      list << (names.empty() ? "none" : "");
      continue;
    }
    Attribute value = parseValue(param, text);
    if (!value)
      return llvm::createStringError(formatv(
          "{0}: expected {1} for {2}, found '{3}'", entry,
          param.isType() ? "a float type such as bf16" : "a positive integer",
          name, text));
    if (llvm::Error error = setParameterOrSize(kernel, param, value))
      return llvm::createStringError(entry + ": " +
                                     llvm::toString(std::move(error)));
    isBound = true;
  }
  if (isBound)
    return llvm::Error::success();
  return llvm::createStringError(
      formatv("{0}: no kernel has a parameter '{1}'; {2}", entry, name,
              kernels.empty() ? "the module has no kernel" : declared));
}

LogicalResult bindArgument(KernelOp kernel, unsigned number,
                           RankedTensorType tensor,
                           function_ref<InFlightDiagnostic()> emitError) {
  auto view = dyn_cast<ViewType>(kernel.getArguments()[number].getType());
  if (view)
    if (auto variable = dyn_cast<EltType>(view.getElementType())) {
      ParamAttr param = kernel.lookupParam(variable.getName());
      auto type = TypeAttr::get(tensor.getElementType());
      if (param.admits(type))
        setParameter(kernel, param.getName(), type);
    }
  SmallVector<Type> operands = declaredOperands(kernel);
  operands[number] = tensor;
  FailureOr<LaunchBinding> binding =
      deduceLaunch(kernel, operands, DictionaryAttr(), emitError);
  if (failed(binding))
    return failure();
  auto bound = cast<ViewType>(binding->arguments[number]);
  return setShape(kernel, number, bound.getShape(), bound.getStrides());
}

namespace {
struct BindParameters : impl::BindParametersPassBase<BindParameters> {
  using BindParametersPassBase::BindParametersPassBase;

  void runOnOperation() override {
    for (StringRef entry : bind)
      if (llvm::Error error = bindParameter(getOperation(), entry)) {
        getOperation().emitError("bind=") << llvm::toString(std::move(error));
        return signalPassFailure();
      }
  }
};
} // namespace

} // namespace tilegpt::tile
