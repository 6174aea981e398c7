// Text form, checks, result types and folders of tile.reduce and tile.scan;
// what combines two elements is in Combiners.cpp.
#include "Combiners.h"
#include "TypeChecks.h"

using namespace mlir;
using namespace tilegpt::tile;
using namespace tilegpt::tile::detail;

//===------------------------------------------------------------------------------===//
// reduce
//===------------------------------------------------------------------------------===//

static constexpr StringRef reduceFlags[] = {"keepdims"};

ParseResult ReduceOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseCombiner(parser, result, reduceFlags, /*statesResults=*/true);
}

void ReduceOp::print(OpAsmPrinter &printer) {
  printCombiner(printer, *this, reduceFlags, /*statesResults=*/true);
}

static bool isArg(std::optional<ReduceKind> kind) {
  return kind == ReduceKind::ArgMax || kind == ReduceKind::ArgMin;
}

LogicalResult ReduceOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  SmallVector<int64_t> shape;
  if (failed(inferSourceShape(*this, shape)))
    return failure();
  if (getKeepdims())
    shape[getAxis()] = 1;
  else
    shape.erase(shape.begin() + getAxis());
  for (Value value : getSources()) {
    Type element = isArg(getKind()) ? IntegerType::get(getContext(), 32)
                                    : getElementTypeOrSelf(value.getType());
    types.push_back(RankedTensorType::get(shape, element));
  }
  return success();
}

/// Checks a result that keeps the reduced axis: that axis has size 1, and other
/// axes the sizes of the source, which are unknown where those are: a static
/// size would be a guess.
static LogicalResult verifyKeptAxis(ReduceOp op) {
  if (!op.getKeepdims())
    return success();
  auto source = cast<RankedTensorType>(op.getSources().front().getType());
  for (Type type : op.getResultTypes()) {
    auto result = cast<RankedTensorType>(type);
    if (result.getDimSize(op.getAxis()) != 1)
      return op.emitOpError("expected size 1 at axis ")
             << op.getAxis() << " of the result, which keepdims keeps, found "
             << result;
    for (unsigned axis = 0; axis < source.getRank(); ++axis)
      if (axis != op.getAxis() && source.isDynamicDim(axis) &&
          !result.isDynamicDim(axis))
        return op.emitOpError("expected size ? at axis ")
               << axis << " of the result like " << source
               << ", which is reduced along axis " << op.getAxis() << ", found "
               << result;
  }
  return success();
}

LogicalResult ReduceOp::verify() {
  if (failed(verifyKeptAxis(*this)))
    return failure();
  return verifyCombiner(*this, "reduce");
}

LogicalResult ReduceOp::verifyRegions() { return verifyCombinerRegion(*this); }

//===------------------------------------------------------------------------------===//
// scan
//===------------------------------------------------------------------------------===//

static constexpr StringRef scanFlags[] = {"exclusive", "reverse"};

ParseResult ScanOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseCombiner(parser, result, scanFlags, /*statesResults=*/false);
}

void ScanOp::print(OpAsmPrinter &printer) {
  printCombiner(printer, *this, scanFlags, /*statesResults=*/false);
}

LogicalResult ScanOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  SmallVector<int64_t> shape;
  if (failed(inferSourceShape(*this, shape)))
    return failure();
  for (Value value : getSources())
    types.push_back(
        RankedTensorType::get(shape, getElementTypeOrSelf(value.getType())));
  return success();
}

LogicalResult ScanOp::verify() {
  if (isArg(getKind()))
    return emitOpError() << stringifyReduceKind(*getKind())
                         << " is for tile.reduce; scan the elements and their "
                            "positions by region";
  return verifyCombiner(*this, "scan");
}

LogicalResult ScanOp::verifyRegions() { return verifyCombinerRegion(*this); }

LogicalResult ScanOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &folded) {
  // One element is its own sum, but a region may compute something else.
  auto type = cast<RankedTensorType>(getSources().front().getType());
  if (!getKind() || getExclusive() || type.getDimSize(getAxis()) != 1)
    return failure();
  folded.push_back(getSources().front());
  return success();
}
