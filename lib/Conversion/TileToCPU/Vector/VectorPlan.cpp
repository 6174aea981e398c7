// Decides how a linalg op on buffers is vectorized, before it is rewritten.
#include "Vector/VectorPlan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tilegpt::cpu;

Value Combiner::combine(OpBuilder &builder, Location loc, Value lhs,
                        Value rhs) const {
  OperationState state(loc, op->getName(), {lhs, rhs}, lhs.getType());
  state.propertiesAttr = op->getPropertiesAsAttribute();
  return builder.create(state)->getResult(0);
}

/// The identity, or null for an op without one.
static TypedAttr neutralOf(Builder &builder, Operation *op) {
  Type type = op->getResult(0).getType();
  if (auto floatType = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = floatType.getFloatSemantics();
    auto attribute = [&](const APFloat &value) -> TypedAttr {
      return builder.getFloatAttr(floatType, value);
    };
    return TypeSwitch<Operation *, TypedAttr>(op)
        .Case([&](arith::AddFOp) {
          // -0 + x is x for every x, 0 + -0 is not.
          return attribute(APFloat::getZero(semantics, /*Negative=*/true));
        })
        .Case([&](arith::MulFOp) {
          return attribute(APFloat::getOne(semantics));
        })
        .Case([&](arith::MaximumFOp) {
          return attribute(APFloat::getInf(semantics, /*Negative=*/true));
        })
        .Case([&](arith::MinimumFOp) {
          return attribute(APFloat::getInf(semantics));
        })
        .Case<arith::MaxNumFOp, arith::MinNumFOp>(
            [&](auto) { return attribute(APFloat::getQNaN(semantics)); })
        .Default([](Operation *) { return TypedAttr(); });
  }
  if (!isa<IntegerType>(type))
    return {};
  unsigned width = type.getIntOrFloatBitWidth();
  auto attribute = [&](const APInt &value) -> TypedAttr {
    return builder.getIntegerAttr(type, value);
  };
  return TypeSwitch<Operation *, TypedAttr>(op)
      .Case<arith::AddIOp, arith::OrIOp, arith::XOrIOp, arith::MaxUIOp>(
          [&](auto) { return attribute(APInt::getZero(width)); })
      .Case([&](arith::MulIOp) { return attribute(APInt(width, 1)); })
      .Case<arith::AndIOp, arith::MinUIOp>(
          [&](auto) { return attribute(APInt::getAllOnes(width)); })
      .Case([&](arith::MaxSIOp) {
        return attribute(APInt::getSignedMinValue(width));
      })
      .Case([&](arith::MinSIOp) {
        return attribute(APInt::getSignedMaxValue(width));
      })
      .Default([](Operation *) { return TypedAttr(); });
}

/// The combiner of output `number` if its new value is `combine(old value,
/// something without old values)`.
static std::optional<Combiner> findCombiner(Builder &builder, Block *body,
                                            BlockArgument old,
                                            unsigned number) {
  Operation *op = body->getTerminator()->getOperand(number).getDefiningOp();
  if (!op || op->getBlock() != body || op->getNumOperands() != 2 ||
      !old.hasOneUse() || *old.getUsers().begin() != op)
    return std::nullopt;
  TypedAttr neutral = neutralOf(builder, op);
  if (!neutral)
    return std::nullopt;
  return Combiner{op, neutral};
}

static bool isVectorElement(Type type) {
  return isa<IntegerType, IndexType, FloatType>(type);
}

/// Whether an op divides integers of more than 32 bits. No host has vectors of
/// quotients; smaller ones are those of floats (`cpu-expand-math`).
static bool dividesLargeIntegers(Operation &op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
             arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op) &&
         !(op.getResult(0).getType().isInteger() &&
           op.getResult(0).getType().getIntOrFloatBitWidth() <= 32);
}

bool tilegpt::cpu::hasVectorBody(Block *body) {
  return llvm::all_of(body->without_terminator(), [](Operation &op) {
    if (isa<linalg::IndexOp>(op))
      return true;
    if (dividesLargeIntegers(op))
      return false;
    return op.getNumRegions() == 0 &&
           (OpTrait::hasElementwiseMappableTraits(&op) ||
            op.hasTrait<OpTrait::ConstantLike>()) &&
           llvm::all_of(op.getOperandTypes(), isVectorElement) &&
           llvm::all_of(op.getResultTypes(), isVectorElement);
  });
}

unsigned tilegpt::cpu::widestElementOf(linalg::LinalgOp op) {
  unsigned widest = 8;
  auto look = [&](Type type) {
    if (type.isIntOrFloat())
      widest = std::max(widest, type.getIntOrFloatBitWidth());
  };
  for (BlockArgument argument : op.getBlock()->getArguments())
    look(argument.getType());
  for (Operation &nested : *op.getBlock())
    llvm::for_each(nested.getResultTypes(), look);
  return widest;
}

/// `operand` without unit axes, or nothing if it is not indexed by plain
/// dimensions.
static std::optional<TileOperand>
makeOperand(OpBuilder &builder, linalg::LinalgOp op, OpOperand &operand) {
  TileOperand result;
  result.value = operand.get();
  result.isOut = op.isDpsInit(&operand);
  BlockArgument argument = op.getMatchingBlockArgument(&operand);
  result.isRead = !argument.use_empty();
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  if (!type)
    return result;
  SmallVector<int64_t> shape;
  for (auto [axis, expr] :
       llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
    if (type.getDimSize(axis) == 1)
      continue;
    auto dim = dyn_cast<AffineDimExpr>(expr);
    auto constant = dyn_cast<AffineConstantExpr>(expr);
    if (!dim && !(constant && constant.getValue() == 0))
      return std::nullopt;
    result.dims.push_back(dim ? dim.getPosition() : -1);
    shape.push_back(type.getDimSize(axis));
  }
  if (static_cast<int64_t>(shape.size()) != type.getRank())
    result.value = memref::SubViewOp::rankReduceIfNeeded(builder, op.getLoc(),
                                                         operand.get(), shape)
                       .value_or(Value());
  return result.value ? std::optional(result) : std::nullopt;
}

/// True when vectors along `dim` are contiguous in every operand that has it.
static bool areContiguousAlong(int64_t dim, ArrayRef<TileOperand> operands) {
  return llvm::all_of(operands, [&](const TileOperand &operand) {
    if (llvm::count(operand.dims, dim) == 0)
      return true;
    auto type = cast<MemRefType>(operand.value.getType());
    return llvm::count(operand.dims, dim) == 1 && operand.dims.back() == dim &&
           type.isLastDimUnitStride() && !type.getElementType().isInteger(1);
  });
}

SmallVector<OpFoldResult> tilegpt::cpu::getLoopSizes(OpBuilder &builder,
                                                     linalg::LinalgOp op) {
  SmallVector<OpFoldResult> sizes(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    if (!type)
      continue;
    for (auto [axis, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
        OpFoldResult &size = sizes[dim.getPosition()];
        if (!size || !type.isDynamicDim(axis))
          size =
              memref::getMixedSize(builder, op.getLoc(), operand.get(), axis);
      }
  }
  return sizes;
}

std::optional<VectorPlan>
VectorPlan::plan(OpBuilder &builder, linalg::LinalgOp op, unsigned vectorBits) {
  Block *body = op.getBlock();
  if (!hasVectorBody(body))
    return std::nullopt;
  VectorPlan loops;
  loops.op = op;
  loops.numOuts = op.getNumDpsInits();
  for (OpOperand &operand : op->getOpOperands()) {
    std::optional<TileOperand> planned = makeOperand(builder, op, operand);
    if (!planned)
      return std::nullopt;
    loops.operands.push_back(*planned);
  }
  loops.sizes = getLoopSizes(builder, op);

  auto iterators = op.getIteratorTypesArray();
  for (int64_t dim = int64_t(op.getNumLoops()) - 1; dim >= 0; --dim) {
    if (getConstantIntValue(loops.sizes[dim]) == 1 ||
        !areContiguousAlong(dim, loops.operands))
      continue;
    bool reduces = iterators[dim] == utils::IteratorType::reduction;
    loops.combiners.clear();
    if (reduces)
      for (auto [number, argument] : llvm::enumerate(op.getRegionOutputArgs()))
        if (auto combiner = findCombiner(builder, body, argument, number))
          loops.combiners.push_back(*combiner);
    if (reduces && loops.combiners.size() != loops.outs().size())
      continue;
    loops.vectorDim = dim;
    loops.reducesLanes = reduces;
    loops.lanes = std::max(1u, vectorBits / widestElementOf(op));
    if (std::optional<int64_t> size = getConstantIntValue(loops.sizes[dim]))
      loops.lanes = std::min<int64_t>(loops.lanes, llvm::PowerOf2Ceil(*size));
    for (TileOperand &operand : loops.operands)
      operand.hasLanes = llvm::is_contained(operand.dims, dim);
    // An output that is invariant along a parallel axis would be written by
    // every lane.
    if (!reduces && !llvm::all_of(loops.outs(), [](const TileOperand &out) {
          return out.hasLanes;
        }))
      continue;
    return loops;
  }
  return std::nullopt;
}
