// Checks shared by the tile ops: shapes as text, axes, permutations, possibly
// equal sizes, pieces of tiles. All size arithmetic is checked for overflow: IR
// may contain 2^62 rows.
#include "TypeChecks.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;

namespace tilegpt::tile::detail {

std::string shapeText(ArrayRef<int64_t> shape) {
  if (shape.empty())
    return "scalar";
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      shape, os,
      [&](int64_t size) {
        if (ShapedType::isDynamic(size))
          os << '?';
        else
          os << size;
      },
      "x");
  return text;
}

std::string listText(ArrayRef<int64_t> values) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '[';
  llvm::interleaveComma(values, os);
  os << ']';
  return text;
}

std::string axesText(int64_t rank) {
  return std::to_string(rank) + (rank == 1 ? " axis" : " axes");
}

bool mayBeEqual(int64_t lhs, int64_t rhs) {
  return lhs == rhs || ShapedType::isDynamic(lhs) || ShapedType::isDynamic(rhs);
}

bool mayBeEqual(ArrayRef<int64_t> lhs, ArrayRef<int64_t> rhs) {
  return llvm::equal(lhs, rhs, [](int64_t left, int64_t right) {
    return mayBeEqual(left, right);
  });
}

std::optional<int64_t> countKnown(ArrayRef<int64_t> shape) {
  std::optional<int64_t> count = 1;
  for (int64_t size : shape)
    if (count && !ShapedType::isDynamic(size))
      count = llvm::checkedMul(*count, size);
  return count;
}

LogicalResult verifyAddressable(Operation *op, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return success();
  std::optional<int64_t> count = countKnown(tensor.getShape());
  if (count && llvm::checkedMul<int64_t>(*count, 64))
    return success();
  return op->emitOpError("a tensor of ")
         << shapeText(tensor.getShape())
         << " has more elements than 63 bits can address; use smaller sizes";
}

LogicalResult verifyAxis(Operation *op, int64_t axis, int64_t rank, Type type) {
  if (axis >= 0 && axis < rank)
    return success();
  return op->emitOpError("axis ")
         << axis << " is out of range: " << type << " has " << axesText(rank);
}

LogicalResult verifyPermutation(Operation *op, StringRef name,
                                ArrayRef<int64_t> permutation, int64_t rank) {
  auto emit = [&] {
    return op->emitOpError("expected ")
           << name << " to be a permutation of " << axesText(rank) << ", found "
           << listText(permutation) << ": ";
  };
  if (static_cast<int64_t>(permutation.size()) != rank)
    return emit() << "its length is " << permutation.size();
  llvm::SmallBitVector seen(rank);
  for (int64_t axis : permutation) {
    if (axis < 0 || axis >= rank)
      return emit() << axis << " is out of range";
    if (seen.test(axis))
      return emit() << axis << " repeats";
    seen.set(axis);
  }
  return success();
}

LogicalResult verifyPiece(Operation *op, OperandRange indices,
                          RankedTensorType whole, ArrayRef<int64_t> piece) {
  if (static_cast<int64_t>(indices.size()) != whole.getRank())
    return op->emitOpError("expected as many indices as ")
           << whole << " has axes (" << whole.getRank() << "), found "
           << indices.size();
  if (static_cast<int64_t>(piece.size()) != whole.getRank())
    return op->emitOpError("expected a piece of rank ")
           << whole.getRank() << " like " << whole << ", found rank "
           << piece.size();
  for (auto [axis, index, size] : llvm::enumerate(indices, piece)) {
    int64_t dim = whole.getDimSize(axis);
    bool known = !ShapedType::isDynamic(dim) && !ShapedType::isDynamic(size);
    if (known && size > dim)
      return op->emitOpError("piece of ")
             << shapeText(piece) << " does not fit " << whole << ": axis "
             << axis << " has " << dim << ", not " << size << " elements";
    std::optional<int64_t> at = getConstantIntValue(index);
    if (!at)
      continue;
    if (*at < 0)
      return op->emitOpError("index ")
             << *at << " along axis " << axis
             << " is negative; indices count pieces from 0";
    if (known && size > 0 && *at >= dim / size)
      return op->emitOpError("index ")
             << *at << " along axis " << axis << " is out of range: " << whole
             << " holds " << dim / size << " whole pieces of " << size
             << " there; indices count pieces, not elements";
  }
  return success();
}

LogicalResult verifyMask(Operation *op, Value mask, ArrayRef<int64_t> tile) {
  if (!mask)
    return success();
  ArrayRef<int64_t> shape = cast<RankedTensorType>(mask.getType()).getShape();
  if (mayBeEqual(shape, tile))
    return success();
  return op->emitOpError("expected a mask of shape ")
         << shapeText(tile) << " like the tile, found " << shapeText(shape);
}

LogicalResult verifyPad(Operation *op, Type memory, Type element, PadKind pad) {
  if (pad == PadKind::Zero)
    return success();
  bool isInfinite = pad == PadKind::NegInf || pad == PadKind::PosInf;
  if (isInfinite && isa<Float8E4M3FNType>(element))
    return op->emitOpError("pad(")
           << stringifyPadKind(pad) << ") needs a type with infinities, but "
           << memory << " holds f8E4M3FN; use pad(zero) or pad(nan)";
  bool isInteger = element.isInteger();
  if (isInteger != (pad == PadKind::MinusOne))
    return op->emitOpError("pad(")
           << stringifyPadKind(pad) << ") needs "
           << (isInteger ? "float" : "integer") << " elements, but " << memory
           << " holds "
           << (isInteger ? "integers; use pad(zero) or pad(minus_one)"
                         : "floats; use pad(zero), neg_zero, neg_inf, pos_inf "
                           "or nan");
  if (pad == PadKind::MinusOne && element.isInteger(1))
    return op->emitOpError("pad(minus_one) needs integers of more than one "
                           "bit, but ")
           << memory << " holds i1; use pad(zero)";
  return success();
}

LogicalResult verifyWritable(Operation *op, Value memory) {
  while (Operation *producer = memory.getDefiningOp()) {
    if (auto data = dyn_cast<DataOp>(producer)) {
      if (data.getShared())
        return success();
      return op->emitOpError("writes the constants of a 'tile.data'; make it "
                             "shared, or copy them to a 'tile.scratch'");
    }
    if (!isa<SubviewOp, SelectOp, TransposeOp, BaseOp, ViewAtOp, AssumeOp>(
            producer))
      return success();
    memory = producer->getOperand(0);
  }
  auto argument = cast<BlockArgument>(memory);
  auto kernel = dyn_cast<KernelOp>(argument.getOwner()->getParentOp());
  // The memory of pointers may be written by anyone.
  if (!kernel || isa<PtrType>(argument.getType()) ||
      kernel.isOut(argument.getArgNumber()))
    return success();
  return op->emitOpError("writes argument ")
         << argument.getArgNumber()
         << ", which the kernel only reads; move it to outs";
}

LogicalResult verifyMixedList(Operation *op, StringRef name, ViewType view,
                              ArrayRef<int64_t> values, OperandRange operands) {
  if (static_cast<int64_t>(values.size()) != view.getRank())
    return op->emitOpError("expected as many ")
           << name << "s as " << view << " has axes (" << view.getRank()
           << "), found " << values.size();
  size_t dynamic = llvm::count_if(values, ShapedType::isDynamic);
  if (dynamic != operands.size())
    return op->emitOpError("expected as many operands as dynamic ")
           << name << "s (" << dynamic << "), found " << operands.size();
  return success();
}

LogicalResult verifyParamNames(Operation *op, ArrayAttr sizes) {
  auto kernel = op->getParentOfType<KernelOp>();
  for (Attribute size : sizes) {
    auto name = dyn_cast<StringAttr>(size);
    if (!name)
      continue;
    ParamAttr param = kernel ? kernel.lookupParam(name) : ParamAttr();
    if (!param)
      return op->emitOpError("names the parameter ")
             << name << ", which the kernel does not declare; add it to params";
    if (param.isType())
      return op->emitOpError("uses the type parameter ")
             << name << " as a tile size";
  }
  return success();
}

} // namespace tilegpt::tile::detail
