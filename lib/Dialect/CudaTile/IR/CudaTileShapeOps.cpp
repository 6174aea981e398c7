// What making, shaping and folding of tiles check.
#include "TileGPT/Dialect/CudaTile/IR/CudaTileOps.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilegpt::cuda_tile;

LogicalResult ConstantOp::verify() {
  if (getValue().getType() == getResult().getType())
    return success();
  return emitOpError("expected a literal of the result's type, ")
         << getResult().getType() << ", found " << getValue().getType();
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

Operation *CudaTileDialect::materializeConstant(OpBuilder &builder,
                                                Attribute value, Type type,
                                                Location loc) {
  auto numbers = dyn_cast<DenseIntOrFPElementsAttr>(value);
  if (!numbers || numbers.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, loc, type, numbers);
}

LogicalResult IotaOp::verify() {
  TileType type = getResult().getType();
  if (type.getRank() != 1)
    return emitOpError("expected a tile of rank 1, found ") << type;
  unsigned width = type.getElementTypeBitWidth();
  if (width < 64 && uint64_t(type.getNumElements()) > uint64_t(1) << width)
    return emitOpError("expected at most ")
           << (uint64_t(1) << width) << " elements, as many as "
           << type.getElementType() << " has values, found "
           << type.getNumElements();
  return success();
}

/// Element types of a source and of a result agree.
static LogicalResult verifySameElements(Operation *op, TileType from,
                                        TileType to) {
  if (from.getElementType() == to.getElementType())
    return success();
  return op->emitOpError("expected elements of one type, found ")
         << from.getElementType() << " and " << to.getElementType();
}

static LogicalResult verifySameRank(Operation *op, TileType from, TileType to) {
  if (from.getRank() == to.getRank())
    return success();
  return op->emitOpError("expected tiles of one rank, found ")
         << from << " and " << to;
}

LogicalResult ReshapeOp::verify() {
  TileType from = getSource().getType(), to = getResult().getType();
  if (failed(verifySameElements(*this, from, to)))
    return failure();
  if (from.getNumElements() != to.getNumElements())
    return emitOpError("expected as many elements, ")
           << from.getNumElements() << ", found " << to.getNumElements();
  return success();
}

LogicalResult BroadcastOp::verify() {
  TileType from = getSource().getType(), to = getResult().getType();
  if (failed(verifySameElements(*this, from, to)) ||
      failed(verifySameRank(*this, from, to)))
    return failure();
  for (auto [axis, size] : llvm::enumerate(from.getShape()))
    if (size != 1 && size != to.getDimSize(axis))
      return emitOpError("expected axis ")
             << axis << " of size 1 or " << to.getDimSize(axis)
             << " to broadcast, found " << size;
  return success();
}

LogicalResult PermuteOp::verify() {
  TileType from = getSource().getType(), to = getResult().getType();
  ArrayRef<int32_t> order = getPermutation();
  int64_t rank = from.getRank();
  if (failed(verifySameElements(*this, from, to)) ||
      failed(verifySameRank(*this, from, to)))
    return failure();
  if (rank < 2)
    return emitOpError("expected a tile of rank 2 or more, found ") << from;
  llvm::SmallBitVector seen(rank);
  for (int32_t axis : order) {
    if (axis < 0 || axis >= rank || seen.test(axis))
      break;
    seen.set(axis);
  }
  if (int64_t(order.size()) != rank || !seen.all())
    return emitOpError("expected a permutation of ")
           << rank << " axes, found [" << order << "]";
  for (auto [axis, source] : llvm::enumerate(order))
    if (to.getDimSize(axis) != from.getDimSize(source))
      return emitOpError("expected size ")
             << from.getDimSize(source) << " along axis " << axis
             << " of the result, found " << to.getDimSize(axis);
  return success();
}

LogicalResult CatOp::verify() {
  TileType lhs = getLhs().getType(), rhs = getRhs().getType();
  TileType result = getResult().getType();
  for (TileType other : {rhs, result})
    if (failed(verifySameElements(*this, lhs, other)) ||
        failed(verifySameRank(*this, lhs, other)))
      return failure();
  int64_t dim = getDim();
  if (dim < 0 || dim >= lhs.getRank())
    return emitOpError("expected dim below the rank, ")
           << lhs.getRank() << ", found " << dim;
  for (int64_t axis = 0; axis < lhs.getRank(); ++axis) {
    int64_t left = lhs.getDimSize(axis), right = rhs.getDimSize(axis);
    if (axis != dim && left != right)
      return emitOpError("expected operands of one size along axis ")
             << axis << ", found " << left << " and " << right;
    int64_t expected = axis == dim ? left + right : left;
    if (result.getDimSize(axis) != expected)
      return emitOpError("expected size ")
             << expected << " along axis " << axis << " of the result, found "
             << result.getDimSize(axis);
  }
  return success();
}

/// A tile is cut into parts, one of which is named. A constant index outside is
/// a warning: it may be code that never runs.
static LogicalResult verifyPart(Operation *op, TileType whole, TileType part,
                                OperandRange indices) {
  if (failed(verifySameElements(op, whole, part)) ||
      failed(verifySameRank(op, whole, part)))
    return failure();
  for (auto [axis, size] : llvm::enumerate(whole.getShape()))
    if (size % part.getDimSize(axis) != 0)
      return op->emitOpError("expected a size that divides ")
             << size << " along axis " << axis << ", found "
             << part.getDimSize(axis);
  if (int64_t(indices.size()) != whole.getRank())
    return op->emitOpError("expected an index for each of the ")
           << whole.getRank() << " axes, found " << indices.size();
  for (auto [axis, index] : llvm::enumerate(indices)) {
    auto constant = index.getDefiningOp<ConstantOp>();
    if (!constant)
      continue;
    int64_t at = constant.getValue().getSplatValue<APInt>().getSExtValue();
    int64_t parts = whole.getDimSize(axis) / part.getDimSize(axis);
    if (at < 0 || at >= parts)
      mlir::emitWarning(op->getLoc())
          << "index " << at << " of axis " << axis << " is outside its "
          << parts << " parts, which is undefined";
  }
  return success();
}

LogicalResult ExtractOp::verify() {
  return verifyPart(*this, getSource().getType(), getResult().getType(),
                    getIndices());
}
LogicalResult InsertOp::verify() {
  return verifyPart(*this, getDestination().getType(), getSource().getType(),
                    getIndices());
}

/// The bits of an element in bytes: f32 has 32, i1 one, tf32 as many as f32.
static int64_t getStoredWidth(Type type) {
  return isa<FloatTF32Type>(type) ? 32 : widthOf(type);
}

/// Of `bytes` and `other`, which has other elements.
static LogicalResult verifyBytes(Operation *op, TileType bytes,
                                 TileType other) {
  for (TileType type : {bytes, other})
    if (type.getRank() != 1)
      return op->emitOpError("expected tiles of rank 1, found ") << type;
  int64_t width = getStoredWidth(other.getElementType());
  if (width == 8)
    return op->emitOpError("expected elements that are not 8 bits wide, found ")
           << other;
  int64_t bits = width * other.getNumElements();
  if (bits % 8 != 0)
    return op->emitOpError("expected whole bytes, found ")
           << bits << " bits in " << other;
  if (bits / 8 != bytes.getNumElements())
    return op->emitOpError("expected the ")
           << bits / 8 << " bytes of " << other << ", found "
           << bytes.getNumElements();
  return success();
}
LogicalResult PackOp::verify() {
  return verifyBytes(*this, getResult().getType(), getSource().getType());
}
LogicalResult UnpackOp::verify() {
  return verifyBytes(*this, getSource().getType(), getResult().getType());
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Whether an identity of one type fits operands of another: f16 and bf16 stand
/// for each other, as writers without a bf16 literal need.
static bool isIdentityType(Type identity, Type element) {
  auto isHalf = [](Type type) { return isa<Float16Type, BFloat16Type>(type); };
  return identity == element || (isHalf(identity) && isHalf(element));
}

/// Operands are of one shape, with a result and an identity each.
template <typename Op>
static LogicalResult verifyAggregate(Op op) {
  size_t count = op.getOperands().size();
  if (count == 0)
    return op.emitOpError("expected at least one operand");
  if (op.getResults().size() != count)
    return op.emitOpError("expected a result for each of the ")
           << count << " operands, found " << op.getResults().size();
  if (op.getIdentities().size() != count)
    return op.emitOpError("expected an identity for each of the ")
           << count << " operands, found " << op.getIdentities().size();
  auto first = cast<TileType>(op.getOperands()[0].getType());
  for (auto [index, operand, identity] :
       llvm::enumerate(op.getOperands(), op.getIdentities())) {
    auto type = cast<TileType>(operand.getType());
    if (type.getShape() != first.getShape())
      return op.emitOpError("expected operands of one shape, found ")
             << first << " and " << type;
    auto number = dyn_cast<TypedAttr>(identity);
    if (!number || !isIdentityType(number.getType(), type.getElementType()))
      return op.emitOpError("expected an identity of type ")
             << type.getElementType() << " for operand " << index << ", found "
             << identity;
  }
  if (op.getDim() >= uint32_t(first.getRank()))
    return op.emitOpError("expected dim below the rank, ")
           << first.getRank() << ", found " << op.getDim();
  return success();
}

/// Results have the element types of the operands and a shape.
template <typename Op>
static LogicalResult verifyResults(Op op, ArrayRef<int64_t> shape) {
  for (auto [operand, result] :
       llvm::zip_equal(op.getOperands(), op.getResults())) {
    auto expected = TileType::get(
        shape, cast<TileType>(operand.getType()).getElementType());
    if (result.getType() != expected)
      return op.emitOpError("expected a result of type ")
             << expected << ", found " << result.getType();
  }
  return success();
}

/// The region takes an element and a result so far of each operand, and yields
/// results, by ops without memory effects; branches are allowed.
template <typename Op>
static LogicalResult verifyStep(Op op) {
  Block &body = op.getBody().front();
  SmallVector<Type> results, arguments;
  for (Value operand : op.getOperands()) {
    Type scalar =
        TileType::get({}, cast<TileType>(operand.getType()).getElementType());
    results.push_back(scalar);
    arguments.append(2, scalar);
  }
  if (TypeRange(arguments) != body.getArgumentTypes())
    return op.emitOpError("expected a region with arguments ")
           << arguments << ", found " << body.getArgumentTypes();
  if (TypeRange(results) != body.getTerminator()->getOperandTypes())
    return op.emitOpError("expected a region that yields ")
           << results << ", found " << body.getTerminator()->getOperandTypes();
  for (Operation &inner : body.without_terminator())
    if (!isMemoryEffectFree(&inner))
      return inner.emitOpError("expected only pure ops in the region of '")
             << op->getName() << "'";
  return success();
}

LogicalResult ReduceOp::verify() {
  if (failed(verifyAggregate(*this)))
    return failure();
  SmallVector<int64_t> shape(
      cast<TileType>(getOperands()[0].getType()).getShape());
  shape.erase(shape.begin() + getDim());
  return verifyResults(*this, shape);
}
LogicalResult ReduceOp::verifyRegions() { return verifyStep(*this); }

LogicalResult ScanOp::verify() {
  if (failed(verifyAggregate(*this)))
    return failure();
  return verifyResults(*this,
                       cast<TileType>(getOperands()[0].getType()).getShape());
}
LogicalResult ScanOp::verifyRegions() { return verifyStep(*this); }
