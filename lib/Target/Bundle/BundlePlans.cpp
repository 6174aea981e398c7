// Walks the launches of a function and writes kernels, buffers and launches
// into a bundle's builder.
#include "TileGPT/Target/Bundle/BundlePlans.h"
#include "GridExpressions.h"
#include "SymbolicSizes.h"
#include "TileGPT/Bundle/EntrySymbol.h"
#include "TileGPT/Dialect/Tile/IR/ExprRange.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "TileGPT/Target/Bundle/MemoryPlan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using tilegpt::bundle::BufferKind;
using tilegpt::bundle::ElementType;
using tilegpt::bundle::Extent;

namespace tilegpt::target {

std::optional<ElementType> elementTypeOf(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return bundle::parseElementType(text);
}

/// The element type of a tensor or scalar, or an error at `loc`.
static FailureOr<ElementType> requireElementType(Location loc, Type type) {
  // An index is a 64-bit integer in the words of a launch.
  Type element = getElementTypeOrSelf(type);
  if (element.isIndex())
    return ElementType::I64;
  if (std::optional<ElementType> known = elementTypeOf(element))
    return *known;
  return emitError(loc) << "bundles have no element type " << element;
}

/// The role of a kernel in communication between ranks.
static FailureOr<bundle::Collective> collectiveOf(tile::KernelOp kernel) {
  Attribute word = kernel->getAttr(tile::collectiveAttr);
  if (!word)
    return bundle::Collective::None;
  auto text = dyn_cast<StringAttr>(word);
  auto collective =
      llvm::StringSwitch<std::optional<bundle::Collective>>(
          text ? text.getValue() : StringRef())
          .Case("all_reduce", bundle::Collective::AllReduce)
          .Case("all_gather", bundle::Collective::AllGather)
          .Case("peer_all_reduce", bundle::Collective::PeerAllReduce)
          .Case("peer_all_gather", bundle::Collective::PeerAllGather)
          .Default(std::nullopt);
  if (collective)
    return *collective;
  return kernel.emitOpError("expected ")
         << tile::collectiveAttr
         << " to be \"all_reduce\", \"all_gather\", \"peer_all_reduce\" or "
            "\"peer_all_gather\", found "
         << word;
}

FailureOr<uint32_t> BundlePlans::kernelIndex(tile::LaunchOp launch) {
  tile::KernelOp kernel =
      tile::lookupKernel(launch, launch.getKernelAttr().getAttr());
  if (!kernel)
    return launch.emitOpError("names the kernel '")
           << launch.getKernel() << "', which is not in the module";
  return addKernel(kernel);
}

FailureOr<uint32_t> BundlePlans::addKernel(tile::KernelOp kernel) {
  auto [it, inserted] = kernels.insert({kernel, 0});
  if (!inserted)
    return it->second;

  std::vector<bundle::Parameter> parameters;
  for (auto [number, argument] : llvm::enumerate(kernel.getArguments())) {
    auto view = dyn_cast<tile::ViewType>(argument.getType());
    FailureOr<ElementType> type = requireElementType(
        kernel.getLoc(), view ? view.getElementType() : argument.getType());
    if (failed(type))
      return failure();
    bundle::Parameter parameter;
    parameter.type = *type;
    if (view) {
      parameter.rank = view.getRank();
      parameter.access = kernel.isOut(number) ? bundle::Access::ReadWrite
                                              : bundle::Access::Read;
    } else {
      parameter.kind = bundle::ArgumentKind::Scalar;
    }
    parameters.push_back(parameter);
  }
  std::vector<std::string> messages;
  kernel.getBody().walk<WalkOrder::PreOrder>(
      [&](tile::AssertOp op) { messages.push_back(op.getMessage().str()); });
  const StringRef name = kernel.getSymName();
  FailureOr<bundle::Collective> collective = collectiveOf(kernel);
  if (failed(collective))
    return failure();
  it->second = builder.addKernel(name.str(),
                                 kind == bundle::TargetKind::Host
                                     ? bundle::entrySymbol(name)
                                     : bundle::deviceSymbol(name),
                                 parameters, messages, *collective);
  kernelsByName.emplace(name.str(), it->second);
  return it->second;
}

/// The name of a launch in a trace: its location in the model if it has one,
/// otherwise the kernel.
static std::string labelOf(tile::LaunchOp launch) {
  if (auto label = launch->getAttrOfType<StringAttr>("tile.label"))
    return label.str();
  return launch.getKernel().str();
}

namespace {

/// The tensor whose memory `tensor` occupies: the start of a chain of in-place
/// updates.
Value rootOf(Value tensor) {
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

/// A function being converted to a plan: the buffer and lifetime of each
/// tensor.
class PlanWriter {
public:
  PlanWriter(func::FuncOp function, const PlanSpec &spec,
             bundle::Builder &builder)
      : function(function), spec(spec), builder(builder),
        sizes(function.getArgument(0)) {}

  /// Collects launches, assigns a buffer to every tensor and plans the arena.
  LogicalResult prepare();
  ArrayRef<tile::LaunchOp> getLaunches() const { return launches; }
  FailureOr<std::vector<bundle::Argument>> argumentsOf(tile::LaunchOp launch);
  uint64_t arenaBytes() const { return arena; }

private:
  LogicalResult addInputs();
  LogicalResult addGlobal(tile::GetGlobalOp get);
  LogicalResult addOutput();
  LogicalResult checkUpdate(unsigned number, OpOperand &destination);
  LogicalResult addIntermediates();
  LogicalResult addBuffer(Value tensor, StringRef name, BufferKind kind,
                          uint64_t offset = 0);

  func::FuncOp function;
  const PlanSpec &spec;
  bundle::Builder &builder;
  SymbolicSizes sizes;
  SmallVector<tile::LaunchOp> launches;
  llvm::DenseMap<Operation *, unsigned> launchNumber;
  llvm::DenseMap<Value, uint32_t> buffers; // by root
  uint64_t arena = 0;
};

} // namespace

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
             << " has more than one axis of unknown size behind its first";
    arguments.push_back(bundle::Builder::view(buffer->second, *type, Extent{},
                                              *shape, *strides));
  }
  return arguments;
}

FailureOr<std::vector<bundle::Requirement>>
BundlePlans::requirementsOf(tile::LaunchOp launch, tile::KernelOp kernel,
                            ArrayRef<bundle::Argument> arguments,
                            const PlanSpec &spec) {
  std::vector<bundle::Requirement> open;
  MLIRContext *context = launch.getContext();
  auto add = [&](tile::ConditionAttr condition) {
    const auto blamed = tile::withBlamedSizeFirst(condition);
    bundle::Requirement required;
    required.lhs = builder.addExpression(postfixOf(blamed.getLhs()));
    required.rhs = builder.addExpression(postfixOf(blamed.getRhs()));
    required.lhsText = builder.addString(tile::describe(blamed.getLhs()));
    if (!isa<AffineConstantExpr>(blamed.getRhs().getMap().getResult(0)))
      required.rhsText = builder.addString(tile::describe(blamed.getRhs()));
    required.relation = bundle::Relation(blamed.getComparison());
    open.push_back(required);
  };

  // A size may be static in the kernel and dynamic in the graph.
  for (auto [number, formal, actual] :
       llvm::enumerate(kernel.getArguments(), arguments))
    if (auto view = dyn_cast<tile::ViewType>(formal.getType()))
      for (int64_t axis = 0; axis < view.getRank(); ++axis) {
        if (view.isDynamicDim(axis) || actual.shape[axis].isConstant())
          continue;
        Builder attributes(context);
        auto expr = [&](AffineExpr value, ArrayRef<Attribute> sources) {
          return tile::ExprAttr::get(context,
                                     AffineMap::get(0, sources.size(), value),
                                     attributes.getArrayAttr(sources));
        };
        add(tile::ConditionAttr::get(
            context,
            expr(getAffineSymbolExpr(0, context),
                 attributes.getDenseI64ArrayAttr({int64_t(number), axis})),
            tile::Comparison::EQ,
            expr(getAffineConstantExpr(view.getShape()[axis], context), {})));
      }

  const tile::Interval unknowns[] = {{spec.minRows, spec.maxRows},
                                     {1, spec.maxSequences}};
  auto dim = [&](unsigned argument, unsigned axis) -> AffineExpr {
    const Extent size = arguments[argument].shape[axis];
    return getAffineConstantExpr(size.constant, context) +
           getAffineSymbolExpr(0, context) * size.perRow +
           getAffineSymbolExpr(1, context) * size.perSequence;
  };
  auto unknown = [](auto) { return AffineExpr(); };
  for (tile::ConditionAttr requirement : tile::getRequirements(kernel)) {
    const std::optional<bool> holds =
        tile::decide(requirement, {dim, unknown, unknown, unknowns});
    if (holds == false)
      return launch.emitOpError("breaks what '")
             << kernel.getSymName() << "' requires, "
             << tile::describe(requirement.getLhs()) << ' '
             << stringifyComparison(requirement.getComparison()) << ' '
             << tile::describe(requirement.getRhs())
             << ", for any number of rows";
    if (!holds)
      add(requirement);
  }
  return open;
}

LogicalResult BundlePlans::addPlan(func::FuncOp function,
                                   const PlanSpec &spec) {
  auto isIndexList = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getRank() == 1 &&
           tensor.getElementType().isInteger(32);
  };
  FunctionType type = function.getFunctionType();
  bool samples = spec.kind == bundle::PlanKind::Sample;
  if (type.getNumInputs() != (samples ? 3 : 2) ||
      !llvm::all_of(type.getInputs().take_front(2), isIndexList) ||
      type.getNumResults() != 1)
    return function.emitOpError("expected (ids: tensor<?xi32>, pos: "
                                "tensor<?xi32>")
           << (samples ? ", how: tensor<?x5xf32>) -> next" : ") -> logits")
           << ", found " << type;

  builder.beginPlan(spec.name, spec.kind, spec.minRows, spec.maxRows,
                    spec.maxSequences);
  PlanWriter writer(function, spec, builder);
  if (failed(writer.prepare()))
    return failure();
  for (tile::LaunchOp launch : writer.getLaunches()) {
    FailureOr<uint32_t> index = kernelIndex(launch);
    FailureOr<std::vector<bundle::Argument>> arguments =
        writer.argumentsOf(launch);
    if (failed(index) || failed(arguments))
      return failure();
    tile::KernelOp kernel =
        tile::lookupKernel(launch, launch.getKernelAttr().getAttr());
    std::array<bundle::Range, 3> grid;
    for (unsigned axis = 0; axis < grid.size(); ++axis)
      grid[axis] = builder.addExpression(
          axis < kernel.getGrid().size()
              ? postfixOf(cast<tile::ExprAttr>(kernel.getGrid()[axis]))
              : std::vector{bundle::Expression::constant(1)});
    FailureOr<std::vector<bundle::Requirement>> requirements =
        requirementsOf(launch, kernel, *arguments, spec);
    if (failed(requirements))
      return failure();
    builder.addLaunch(*index, labelOf(launch), *arguments, grid, *requirements);
  }
  builder.endPlan(writer.arenaBytes());
  return success();
}

} // namespace tilegpt::target
