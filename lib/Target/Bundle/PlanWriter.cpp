// Assigns a buffer to every tensor of a function of launches.
#include "PlanWriter.h"
#include "TileGPT/Target/Bundle/ElementTypes.h"
#include "TileGPT/Target/Bundle/MemoryPlan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using tilegpt::bundle::BufferKind;
using tilegpt::bundle::ElementType;
using tilegpt::bundle::Extent;

namespace tilegpt::target {

std::string labelOf(tile::LaunchOp launch) {
  if (auto label = launch->getAttrOfType<StringAttr>("tile.label"))
    return label.str();
  return launch.getKernel().str();
}

/// The tensor whose memory `tensor` occupies: the start of a chain of in-place
/// updates.
static Value rootOf(Value tensor) {
  while (true) {
    if (auto cast = tensor.getDefiningOp<tensor::CastOp>()) {
      tensor = cast.getSource();
      continue;
    }
    auto launch = tensor.getDefiningOp<tile::LaunchOp>();
    if (!launch)
      return tensor;
    Value destination =
        launch.getOuts()[cast<OpResult>(tensor).getResultNumber()];
    if (destination.getDefiningOp<tensor::EmptyOp>())
      return tensor;
    tensor = destination;
  }
}

LogicalResult PlanWriter::addBuffer(Value tensor, StringRef name,
                                    BufferKind kind, uint64_t offset) {
  FailureOr<SmallVector<Extent>> shape = sizes.shapeOf(tensor);
  FailureOr<ElementType> type =
      requireElementType(tensor.getLoc(), tensor.getType());
  if (failed(shape) || failed(type))
    return failure();
  buffers[tensor] = builder.addBuffer(name.str(), kind, *type, *shape, offset);
  return success();
}

LogicalResult PlanWriter::addInputs() {
  static constexpr const char *names[] = {"ids", "pos", "how"};
  return success(llvm::all_of(
      llvm::zip(function.getArguments(), names), [&](auto &&input) {
        auto [argument, name] = input;
        return succeeded(addBuffer(argument, name, BufferKind::Input));
      }));
}

LogicalResult PlanWriter::addGlobal(tile::GetGlobalOp get) {
  auto global = SymbolTable::lookupNearestSymbolFrom<tile::GlobalOp>(
      get, get.getNameAttr());
  return addBuffer(get.getResult(), get.getName(),
                   global.getKind() == tile::GlobalKind::State
                       ? BufferKind::State
                       : BufferKind::Weight);
}

LogicalResult PlanWriter::addOutput() {
  auto terminator = cast<func::ReturnOp>(function.front().getTerminator());
  StringRef name = spec.kind == bundle::PlanKind::Sample ? "next" : "logits";
  Value output = rootOf(terminator.getOperand(0));
  if (!output.getDefiningOp<tile::LaunchOp>())
    return terminator.emitOpError("expected the ")
           << name << " to be written by a launch into a tensor.empty";
  return addBuffer(output, name, BufferKind::Output);
}

/// A later launch must not read the old value of a tensor that a launch updates
/// in place.
LogicalResult PlanWriter::checkUpdate(unsigned number, OpOperand &destination) {
  Value root = rootOf(destination.get());
  if (isa<BlockArgument>(root))
    return launches[number].emitOpError("updates operand ")
           << destination.getOperandNumber()
           << ", an input of the step; expected a tensor.empty, state or the "
              "result of a launch";
  for (Operation *user : destination.get().getUsers())
    if (auto it = launchNumber.find(user);
        it != launchNumber.end() && it->second > number)
      return launches[number].emitOpError("updates operand ")
             << destination.getOperandNumber()
             << " in place, but a later launch still reads its old value; use "
                "the result instead";
  return success();
}

LogicalResult PlanWriter::addIntermediates() {
  // From the launch that writes a root to the last one that reads it or an
  // alias.
  llvm::MapVector<Value, Lifetime> lifetimes;
  for (auto [number, launch] : llvm::enumerate(launches)) {
    for (Value operand : launch->getOperands())
      if (auto *it = lifetimes.find(rootOf(operand)); it != lifetimes.end())
        it->second.last = number;
    for (Value result : launch.getResults())
      if (rootOf(result) == result && !buffers.contains(result))
        lifetimes[result] = {unsigned(number), unsigned(number), 0};
  }
  std::vector<Lifetime> sized;
  for (auto &[tensor, lifetime] : lifetimes) {
    FailureOr<SmallVector<Extent>> shape = sizes.shapeOf(tensor);
    FailureOr<ElementType> type =
        requireElementType(tensor.getLoc(), tensor.getType());
    if (failed(shape) || failed(type))
      return failure();
    lifetime.bytes = bundle::byteWidth(*type);
    for (Extent size : *shape)
      lifetime.bytes *= size.constant + size.perRow * spec.maxRows +
                        size.perSequence * spec.maxSequences;
    sized.push_back(lifetime);
  }
  MemoryPlan plan = planMemory(sized, bundle::bufferAlignment);
  arena = plan.bytes;
  for (auto [entry, offset] : llvm::zip_equal(lifetimes, plan.offsets))
    if (failed(addBuffer(entry.first,
                         labelOf(entry.first.getDefiningOp<tile::LaunchOp>()),
                         BufferKind::Arena, offset)))
      return failure();
  return success();
}

LogicalResult PlanWriter::prepare() {
  if (failed(addInputs()))
    return failure();
  for (Operation &op : function.front().without_terminator()) {
    if (auto launch = dyn_cast<tile::LaunchOp>(op)) {
      launchNumber[launch] = launches.size();
      launches.push_back(launch);
    } else if (auto get = dyn_cast<tile::GetGlobalOp>(op)) {
      if (failed(addGlobal(get)))
        return failure();
    } else if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
      // A tensor without elements may be read: an optional operand.
      if (empty.getType().hasStaticShape() &&
          empty.getType().getNumElements() == 0 &&
          failed(addBuffer(empty, "none", BufferKind::Arena)))
        return failure();
    } else if (!isa<tensor::DimOp, tensor::CastOp>(op) &&
               !isa<arith::ArithDialect>(op.getDialect())) {
      return op.emitOpError("is not allowed in a graph of launches; expected "
                            "tile.launch, tile.get_global, tensor.empty, "
                            "tensor.dim or arithmetic on sizes");
    }
  }
  for (auto [number, launch] : llvm::enumerate(launches))
    for (OpOperand &destination : launch.getOutsMutable())
      if (!destination.get().getDefiningOp<tensor::EmptyOp>() &&
          failed(checkUpdate(number, destination)))
        return failure();
  return success(succeeded(addOutput()) && succeeded(addIntermediates()));
}

/// Row-major strides; fails if one is not linear in N and B.
static FailureOr<SmallVector<Extent>> denseStrides(ArrayRef<Extent> shape) {
  SmallVector<Extent> strides(shape.size(), Extent{1, 0, 0});
  for (size_t axis = shape.size(); axis-- > 1;) {
    Extent open = shape[axis], factor = strides[axis];
    if (!factor.isConstant())
      std::swap(open, factor);
    if (!factor.isConstant())
      return failure();
    strides[axis - 1] = {open.constant * factor.constant,
                         open.perRow * factor.constant,
                         open.perSequence * factor.constant};
  }
  return strides;
}

FailureOr<std::vector<bundle::Argument>>
PlanWriter::argumentsOf(tile::LaunchOp launch) {
  std::vector<bundle::Argument> arguments;
  unsigned firstOut = launch.getIns().size();
  for (OpOperand &operand : launch->getOpOperands()) {
    Value value = operand.get();
    FailureOr<ElementType> type =
        requireElementType(launch.getLoc(), value.getType());
    if (failed(type))
      return failure();
    if (!isa<RankedTensorType>(value.getType())) {
      Attribute constant;
      if (!matchPattern(value, m_Constant(&constant)))
        return launch.emitOpError("expected operand ")
               << operand.getOperandNumber()
               << " to be a constant: scalars of a launch are part of the plan";
      APInt bits = isa<FloatAttr>(constant)
                       ? cast<FloatAttr>(constant).getValue().bitcastToAPInt()
                       : cast<IntegerAttr>(constant).getValue();
      arguments.push_back(bundle::Builder::scalar(*type, bits.getZExtValue()));
      continue;
    }
    if (operand.getOperandNumber() >= firstOut)
      value = launch.getResult(operand.getOperandNumber() - firstOut);
    auto buffer = buffers.find(rootOf(value));
    if (buffer == buffers.end())
      return launch.emitOpError("operand ")
             << operand.getOperandNumber()
             << " is read before a launch has written it";
    FailureOr<SmallVector<Extent>> shape = sizes.shapeOf(value);
    if (failed(shape))
      return failure();
    FailureOr<SmallVector<Extent>> strides = denseStrides(*shape);
    if (failed(strides))
      return launch.emitOpError("operand ")
             << operand.getOperandNumber()
             << " has more than one axis of unknown size after its first";
    arguments.push_back(bundle::Builder::view(buffer->second, *type, Extent{},
                                              *shape, *strides));
  }
  return arguments;
}

} // namespace tilegpt::target
