// The ops of models that several ranks run together: their exchanges, and the
// names of their parts of a weight.
#include "OpChecks.h"

using namespace mlir;
using namespace tilegpt::gpt;
using namespace tilegpt::gpt::detail;

std::string tilegpt::gpt::partName(const Twine &whole,
                                   std::optional<StringRef> shard) {
  return shard ? bundle::shardedName(whole.str(), *shard) : whole.str();
}

//===----------------------------------------------------------------------===//
// gpt.all_reduce
//===----------------------------------------------------------------------===//

LogicalResult AllReduceOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  types.push_back(getInput().getType());
  return success();
}

OpFoldResult AllReduceOp::fold(FoldAdaptor) {
  return getRanks() == 1 && getInput().getType() == getType()
             ? OpFoldResult(getInput())
             : OpFoldResult();
}

//===----------------------------------------------------------------------===//
// gpt.all_gather
//===----------------------------------------------------------------------===//

LogicalResult AllGatherOp::inferResultTypes(SmallVectorImpl<Type> &types) {
  types.push_back(activations(getInput(), getColumns()));
  return success();
}

LogicalResult AllGatherOp::verify() {
  int64_t part = getInput().getType().getDimSize(1);
  int64_t columns = getColumns(), ranks = getRanks();
  if (ShapedType::isDynamic(part) || columns <= part * ranks)
    return success();
  return emitOpError("gathers ") << columns << " columns, but " << ranks
                                 << " ranks have " << part << " each";
}

OpFoldResult AllGatherOp::fold(FoldAdaptor) {
  return getRanks() == 1 && getInput().getType() == getType()
             ? OpFoldResult(getInput())
             : OpFoldResult();
}
