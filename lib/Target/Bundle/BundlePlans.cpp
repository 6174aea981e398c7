// Walks the launches of a function and writes kernels, launches and their
// requirements into a bundle's builder.
#include "TileGPT/Target/Bundle/BundlePlans.h"
#include "GridExpressions.h"
#include "PlanWriter.h"
#include "TileGPT/Bundle/EntrySymbol.h"
#include "TileGPT/Dialect/Tile/IR/ExprRange.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "TileGPT/Target/Bundle/ElementTypes.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using tilegpt::bundle::ElementType;
using tilegpt::bundle::Extent;

namespace tilegpt::target {

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
