// What modules, entries, loops, branches and promises check.
#include "DebugInfo.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::cuda_tile;

//===----------------------------------------------------------------------===//
// Modules and entries
//===----------------------------------------------------------------------===//

LogicalResult cuda_tile::ModuleOp::verify() {
  for (Operation &op : getBody().front())
    if (!isa<SymbolOpInterface>(op))
      return op.emitOpError("expected entries and globals only in a module");
  return verifyGlobalScopes(*this);
}

LogicalResult EntryOp::verify() {
  if (!getResultTypes().empty())
    return emitOpError("expected no results, found ") << getResultTypes();
  for (Type type : getArgumentTypes())
    if (auto tile = dyn_cast<TileType>(type); tile && tile.getRank() != 0)
      return emitOpError("expected tiles of rank 0 as arguments, found ")
             << type;
  return verifyScope(*this);
}
LogicalResult EntryOp::verifyRegions() { return verifyScopesInside(*this); }

LogicalResult TestingFuncOp::verify() { return verifyScope(*this); }
LogicalResult TestingFuncOp::verifyRegions() {
  return verifyScopesInside(*this);
}

//===----------------------------------------------------------------------===//
// Ways out of a region
//===----------------------------------------------------------------------===//

/// The nearest op around `op` that is no `if`, and none of `Others`.
template <typename... Others>
static Operation *getBeyondBranches(Operation *op) {
  do
    op = op->getParentOp();
  while (isa<IfOp, Others...>(op));
  return op;
}

LogicalResult ReturnOp::verify() {
  auto function =
      dyn_cast<FunctionOpInterface>(getBeyondBranches<LoopOp>(*this));
  if (!function)
    return emitOpError("expected only branches and loops without a counter "
                       "between it and an entry");
  if (TypeRange(function.getResultTypes()) == getOperandTypes())
    return success();
  return emitOpError("expected operands of the function's result types, [")
         << function.getResultTypes() << "], found [" << getOperandTypes()
         << ']';
}

/// Checks that the operands of a terminator match the types that its loop
/// expects.
static LogicalResult verifyCarried(Operation *op, TypeRange expected) {
  if (expected == op->getOperandTypes())
    return success();
  return op->emitOpError("expected operands of types [")
         << expected << "], as its loop has, found [" << op->getOperandTypes()
         << ']';
}

LogicalResult BreakOp::verify() {
  auto loop = dyn_cast<LoopOp>(getBeyondBranches(*this));
  if (!loop)
    return emitOpError("expected only branches between it and a loop");
  return verifyCarried(*this, loop.getResultTypes());
}

LogicalResult ContinueOp::verify() {
  Operation *around = getBeyondBranches(*this);
  if (auto loop = dyn_cast<LoopOp>(around))
    return verifyCarried(*this, loop.getInitValues().getTypes());
  if (isa<ForOp>(around))
    return verifyCarried(*this, around->getResultTypes());
  return emitOpError("expected only branches between it and a for or loop");
}

//===----------------------------------------------------------------------===//
// Loops and branches
//===----------------------------------------------------------------------===//

static LogicalResult verifyNoViews(Operation *op, StringRef what,
                                   TypeRange types) {
  for (Type type : types)
    if (isView(type))
      return op->emitOpError("expected no views as ")
             << what << ", found " << type;
  return success();
}

/// Initial values and region arguments agree.
static LogicalResult verifyLoop(Operation *op, TypeRange inits,
                                TypeRange inside) {
  if (inits != inside)
    return op->emitOpError("expected region arguments of types [")
           << inits << "], as the initial values, found [" << inside << ']';
  return success(succeeded(verifyNoViews(op, "values carried", inside)) &&
                 succeeded(verifyNoViews(op, "results", op->getResultTypes())));
}

LogicalResult ForOp::verify() {
  Type type = getLowerBound().getType();
  if (getUpperBound().getType() != type || getStep().getType() != type)
    return emitOpError("expected bounds and step of one type, found ")
           << type << ", " << getUpperBound().getType() << " and "
           << getStep().getType();
  if (getInitValues().getTypes() == getResultTypes())
    return success();
  return emitOpError("expected results of the initial values' types, [")
         << getInitValues().getTypes() << "], found [" << getResultTypes()
         << ']';
}

LogicalResult ForOp::verifyRegions() {
  if (getRegion().getNumArguments() == 0)
    return emitOpError("expected an induction variable as region argument");
  if (getInductionVar().getType() != getLowerBound().getType())
    return emitOpError("expected an induction variable of the bounds' type, ")
           << getLowerBound().getType() << ", found "
           << getInductionVar().getType();
  return verifyLoop(*this, getInitValues().getTypes(),
                    ValueRange(getIterValues()).getTypes());
}

LogicalResult LoopOp::verifyRegions() {
  if (!isa<BreakOp, ContinueOp, ReturnOp>(getRegion().front().back()))
    return emitOpError("expected a body that ends with break, continue or "
                       "return");
  return verifyLoop(*this, getInitValues().getTypes(),
                    ValueRange(getIterValues()).getTypes());
}

LogicalResult IfOp::verify() {
  if (failed(verifyNoViews(*this, "results", getResultTypes())))
    return failure();
  if (getThenRegion().empty())
    return emitOpError("expected a first branch");
  if (getElseRegion().empty() && getNumResults() > 0)
    return emitOpError("expected an else branch, which yields the results");
  for (Region *branch : getRegions()) {
    if (branch->empty() || branch->front().empty())
      continue;
    Operation &last = branch->front().back();
    if (!isa<YieldOp, BreakOp, ContinueOp, ReturnOp>(last))
      return emitOpError("expected branches that end with yield, break, "
                         "continue or return, found ")
             << last.getName();
    auto yield = dyn_cast<YieldOp>(last);
    if (yield && yield.getOperandTypes() != getResultTypes())
      return emitOpError("expected branches that yield the results' types, [")
             << getResultTypes() << "], found [" << yield.getOperandTypes()
             << ']';
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Promises and words
//===----------------------------------------------------------------------===//

LogicalResult AssumeOp::verify() {
  return getPredicate().verifyOn([&] { return emitOpError(); },
                                 getValue().getType());
}

/// How many arguments a format of printf takes, or nothing when its last
/// conversion has no end.
static std::optional<size_t> countConversions(StringRef format) {
  size_t count = 0;
  for (size_t at = format.find('%'); at != StringRef::npos;
       at = format.find('%', at)) {
    size_t end = format.find_first_of("diuoxXeEfFgGaAcsSpn%", at + 1);
    if (end == StringRef::npos)
      return std::nullopt;
    count += format.slice(at, end + 1) != "%%";
    at = end + 1;
  }
  return count;
}

LogicalResult PrintTkoOp::verify() {
  std::optional<size_t> expected = countConversions(getStr());
  if (!expected)
    return emitOpError("expected a format whose conversions end, found ")
           << getStrAttr();
  if (*expected == getArgs().size())
    return success();
  return emitOpError("expected as many arguments as the format has "
                     "conversions, ")
         << *expected << ", found " << getArgs().size();
}
