// Launches, their globals and their destinations.
#include "LaunchBuilder.h"
#include "TileGPT/Conversion/GptToTile/Passes.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"

using namespace mlir;
using tilegpt::tile::GlobalKind;
using tilegpt::tile::GlobalOp;
using tilegpt::tile::KernelOp;
using tilegpt::tile::LaunchOp;

namespace tilegpt::gpt {

int64_t columnsOf(Value rows) {
  return cast<RankedTensorType>(rows.getType()).getDimSize(1);
}

/// Whether a user requires its operand to be rounded.
static bool isReadRounded(OpOperand &use) {
  Operation *reader = use.getOwner();
  if (auto linear = dyn_cast<LinearOp>(reader))
    return &use == &linear.getInputMutable();
  if (isa<LastRowsOp, AllGatherOp, SoftcapOp, ClampOp, ScaleOp>(reader))
    return isRounded(reader->getResult(0));
  if (auto gate = dyn_cast<GateOp>(reader); gate && gate.hasGatesOfFeatures())
    return isRounded(gate.getResult());
  // The residual stream starts with the all-reduced embedding.
  if (isa<AllReduceOp>(reader) && use.get().getDefiningOp<EmbedOp>())
    return false;
  return isa<UnembedOp, ExpertsOp, HeadNormOp, HeadLayerNormOp, QkNormOp,
             LatentHeadsOp, ColumnsOp, RotaryOp, AttentionOp, ShortConvOp,
             GeluOp, ReluOp, XieluOp, GluOp, AllReduceOp>(reader);
}

bool isRounded(Value rows) {
  return llvm::any_of(rows.getUses(), isReadRounded);
}

FailureOr<Value> Globals::get(OpBuilder &builder, Operation *op, StringRef name,
                              GlobalKind kind, RankedTensorType type) {
  Operation *symbol = symbols.lookup(name);
  auto global = dyn_cast_or_null<GlobalOp>(symbol);
  if (symbol &&
      (!global || global.getKind() != kind || global.getType() != type)) {
    InFlightDiagnostic error = op->emitOpError("needs the ")
                               << tile::stringifyGlobalKind(kind) << " '"
                               << name << "' : " << type
                               << ", but the model declares ";
    if (!global)
      return error << "something else of that name";
    return error << "it as " << tile::stringifyGlobalKind(global.getKind())
                 << " : " << global.getType();
  }
  if (!symbol) {
    // In order of first use, before the functions.
    auto functions = model.getBody().getOps<func::FuncOp>();
    OpBuilder atTop(*functions.begin());
    global = GlobalOp::create(atTop, op->getLoc(), name, kind, type);
    symbols.insert(global, (*functions.begin())->getIterator());
  }
  return Value(tile::GetGlobalOp::create(builder, op->getLoc(), type, name));
}

LaunchBuilder::LaunchBuilder(func::FuncOp function, const KernelTable &kernels,
                             Globals &globals, Type matrixElement,
                             Type activationElement)
    : builder(function.getContext()), kernels(kernels), globals(globals),
      matrixElement(matrixElement), activationElement(activationElement),
      rows(function) {}

FailureOr<Value> LaunchBuilder::weight(const Twine &name,
                                       ArrayRef<int64_t> shape, Type element) {
  if (!element)
    element = shape.size() == 2 ? matrixElement : builder.getF32Type();
  return globals.get(builder, current, name.str(), GlobalKind::Weight,
                     RankedTensorType::get(shape, element));
}

FailureOr<Value> LaunchBuilder::state(const Twine &name,
                                      ArrayRef<int64_t> shape) {
  SmallVector<int64_t> sizes = {ShapedType::kDynamic};
  llvm::append_range(sizes, shape);
  return globals.get(builder, current, name.str(), GlobalKind::State,
                     RankedTensorType::get(sizes, activationElement));
}

Value LaunchBuilder::destination(Value rowsLike, ArrayRef<int64_t> columns,
                                 Type element) {
  auto type = cast<RankedTensorType>(rowsLike.getType());
  SmallVector<Value> sizes;
  if (type.isDynamicDim(0))
    sizes.push_back(rows.materialize(builder, rowsLike));
  SmallVector<int64_t> shape = {type.getDimSize(0)};
  llvm::append_range(shape, columns);
  return tensor::EmptyOp::create(builder, current->getLoc(), shape, element,
                                 sizes);
}

Value LaunchBuilder::constant(TypedAttr value) {
  return arith::ConstantOp::create(builder, current->getLoc(), value);
}

Value LaunchBuilder::real(double value) {
  return constant(builder.getF32FloatAttr(static_cast<float>(value)));
}

Task LaunchBuilder::task(Operation *op, ArrayRef<NamedAttribute> attributes) {
  return {op->getName().getStringRef(), builder.getDictionaryAttr(attributes)};
}

NamedAttribute LaunchBuilder::word(StringRef name, StringRef value) {
  return builder.getNamedAttr(name, builder.getStringAttr(value));
}

NamedAttribute LaunchBuilder::flag(StringRef name) {
  return builder.getNamedAttr(name, builder.getUnitAttr());
}

Value LaunchBuilder::emptyVector(Type element) {
  return tensor::EmptyOp::create(builder, current->getLoc(),
                                 ArrayRef<int64_t>{0},
                                 element ? element : builder.getF32Type());
}

/// The element type that a kernel requires of each operand. If one type
/// variable serves two operands, it is that of activations.
SmallVector<Type> LaunchBuilder::elementsFor(KernelOp kernel,
                                             ValueRange operands) const {
  llvm::StringMap<Type> variables;
  auto variableOf = [](Value argument) {
    auto view = dyn_cast<tile::ViewType>(argument.getType());
    return view ? dyn_cast<tile::EltType>(view.getElementType())
                : tile::EltType();
  };
  auto pairs = llvm::zip(kernel.getArguments(), operands);
  for (auto [argument, operand] : pairs)
    if (auto variable = variableOf(argument)) {
      Type element = getElementTypeOrSelf(operand.getType());
      auto [known, isNew] = variables.insert({variable.getName(), element});
      if (!isNew && known->second != element)
        known->second = activationElement;
    }
  return llvm::map_to_vector(pairs, [&](auto pair) -> Type {
    auto [argument, operand] = pair;
    auto variable = variableOf(argument);
    auto view = dyn_cast<tile::ViewType>(argument.getType());
    return variable ? variables.lookup(variable.getName())
           : view   ? view.getElementType()
                    : operand.getType();
  });
}

FailureOr<ValueRange> LaunchBuilder::round(Value rows, const Twine &label) {
  return launch(
      {arith::TruncFOp::getOperationName(), builder.getDictionaryAttr({})},
      rows, destination(rows, columnsOf(rows)), label + ".round");
}

FailureOr<ValueRange> LaunchBuilder::launch(const Task &task, ValueRange ins,
                                            ValueRange outs,
                                            const Twine &label) {
  SmallVector<Value> operands(ins);
  llvm::append_range(operands, outs);
  FailureOr<KernelOp> kernel = kernels.choose(current, task, operands, rows);
  if (failed(kernel))
    return failure();
  for (auto [number, wanted] :
       llvm::enumerate(elementsFor(*kernel, operands))) {
    Value &operand = operands[number];
    if (getElementTypeOrSelf(operand.getType()) == wanted)
      continue;
    if (auto empty = operand.getDefiningOp<tensor::EmptyOp>();
        empty && number >= ins.size()) {
      operand = tensor::EmptyOp::create(builder, current->getLoc(),
                                        empty.getType().getShape(), wanted,
                                        empty.getDynamicSizes());
    } else if (wanted == activationElement) {
      FailureOr<ValueRange> rounded = round(operand, label);
      if (failed(rounded))
        return failure();
      operand = rounded->front();
    }
  }
  auto written = ArrayRef(operands).drop_front(ins.size());
  auto launch = LaunchOp::create(
      builder, current->getLoc(), ValueRange(written).getTypes(),
      kernel->getSymName(), ArrayRef(operands).take_front(ins.size()), written,
      DictionaryAttr());
  launch->setAttr(tile::labelAttr, builder.getStringAttr(label));
  ++launches;
  if (outs.size() == 1 && launch.getType(0) != outs[0].getType() &&
      getElementTypeOrSelf(outs[0].getType()) == activationElement)
    return round(launch.getResult(0), label);
  return ValueRange(launch.getResults());
}

} // namespace tilegpt::gpt
