// Selects the kernel of an op: it implements the op, its conditions hold for
// every row of the plan, and no other takes precedence.
#include "KernelChoice.h"
#include "TileGPT/Dialect/Tile/Transforms/LinkLibrary.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using tilegpt::tile::ConditionAttr;
using tilegpt::tile::ImplementsAttr;
using tilegpt::tile::KernelOp;

namespace tilegpt::gpt {

Diagnostic &operator<<(Diagnostic &diagnostic, const Task &task) {
  diagnostic << task.opName;
  if (!task.attributes.empty())
    diagnostic << ' ' << task.attributes;
  return diagnostic;
}

KernelTable::KernelTable(ModelOp model) {
  llvm::SmallDenseSet<StringAttr> names;
  for (Operation *table : {model.getOperation(), model->getParentOp()})
    for (KernelOp kernel : table->getRegion(0).getOps<KernelOp>())
      if (names.insert(kernel.getSymNameAttr()).second)
        kernels.push_back(kernel);
}

/// The default of an attribute that a kernel's implements clause omits; null if
/// it is required.
static Attribute defaultOf(StringRef opName, StringRef attribute,
                           MLIRContext *context) {
  if (opName == LinearOp::getOperationName() && attribute == "activation")
    return StringAttr::get(context, stringifyActivation(Activation::None));
  if (opName == GeluOp::getOperationName() && attribute == "approximate")
    return StringAttr::get(context,
                           stringifyApproximation(Approximation::Tanh));
  return {};
}

static bool implementsTask(KernelOp kernel, const Task &task) {
  ImplementsAttr implements = kernel.getImplementsAttr();
  if (!implements || implements.getOpName() != task.opName)
    return false;
  DictionaryAttr offered = implements.getAttributes();
  for (NamedAttribute required : task.attributes) {
    Attribute value = offered.get(required.getName());
    if (!value)
      value = defaultOf(task.opName, required.getName(), kernel.getContext());
    if (value != required.getValue())
      return false;
  }
  return llvm::all_of(offered, [&](NamedAttribute attribute) {
    return task.attributes.contains(attribute.getName());
  });
}

bool KernelTable::implements(const Task &task) const {
  return llvm::any_of(
      kernels, [&](KernelOp kernel) { return implementsTask(kernel, task); });
}

/// True when every condition of the kernel is proved.
static bool conditionsHold(KernelOp kernel, ValueRange operands,
                           const Rows &rows) {
  ArrayAttr conditions = kernel.getConditionsAttr();
  if (!conditions)
    return true;
  auto dim = [&](unsigned argument, unsigned axis) -> AffineExpr {
    if (argument >= operands.size())
      return {};
    auto type = dyn_cast<RankedTensorType>(operands[argument].getType());
    return type && axis < type.getRank() ? rows.sizeOf(operands[argument], axis)
                                         : AffineExpr();
  };
  auto scalar = [](unsigned) { return AffineExpr(); };
  auto param = [&](StringRef name) -> AffineExpr {
    auto size =
        dyn_cast<IntegerAttr>(kernel.lookupParam(name).getDefaultValue());
    return size ? getAffineConstantExpr(size.getInt(), kernel.getContext())
                : AffineExpr();
  };
  return llvm::all_of(
      conditions.getAsRange<ConditionAttr>(), [&](ConditionAttr condition) {
        return tile::decide(condition, {dim, scalar, param, rows.unknowns()}) ==
               true;
      });
}

/// Greater is preferred: the user's before the library's, conditions before
/// none.
static int preference(KernelOp kernel) {
  return (kernel->hasAttr(tile::libraryAttr) ? 0 : 2) +
         (kernel.getConditionsAttr() ? 1 : 0);
}

FailureOr<KernelOp> KernelTable::choose(Operation *op, const Task &task,
                                        ValueRange operands,
                                        const Rows &rows) const {
  SmallVector<KernelOp> offers, best;
  for (KernelOp kernel : kernels) {
    if (!implementsTask(kernel, task))
      continue;
    offers.push_back(kernel);
    if (!conditionsHold(kernel, operands, rows))
      continue;
    int lead = best.empty() ? 1 : preference(kernel) - preference(best.front());
    if (lead > 0)
      best.clear();
    if (lead >= 0)
      best.push_back(kernel);
  }
  if (best.size() == 1)
    return best.front();
  if (offers.empty()) {
    InFlightDiagnostic error =
        op->emitOpError("needs a kernel that implements ");
    *error.getUnderlyingDiagnostic() << task;
    return error << ", and there is none; link the library "
                    "(--tile-link-library) or add one";
  }
  if (best.empty()) {
    InFlightDiagnostic error = op->emitOpError("needs a kernel for any number "
                                               "of rows of its plan; ");
    llvm::interleaveComma(offers, error, [&](KernelOp kernel) {
      error << '@' << kernel.getSymName();
    });
    return error << " implement" << (offers.size() == 1 ? "s" : "")
                 << " it under conditions that do not always hold";
  }
  return op->emitOpError("may be launched as @")
         << best[0].getSymName() << " or as @" << best[1].getSymName()
         << "; let their where clauses exclude each other";
}

} // namespace tilegpt::gpt
