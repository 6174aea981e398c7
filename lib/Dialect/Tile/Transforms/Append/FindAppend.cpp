// Proves that a loop over rows may end one row earlier, if the stored row is
// processed after it.
#include "Append/FindAppend.h"
#include "TileGPT/Dialect/Tile/Analysis/AxisClasses.h"
#include "TileGPT/Dialect/Tile/Analysis/CarriedState.h"
#include "TileGPT/Dialect/Tile/Analysis/TileOf.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

namespace tilegpt::tile {

namespace {

/// The row indices of a tile, or of its first row.
struct RowNumber {
  IndexSum offset; ///< added to the index in the window
  bool isTile;     ///< of all rows; otherwise of the first one
};

class AppendFinder {
public:
  explicit AppendFinder(MergedText &merged)
      : merged(merged), kernel(*merged.kernel), axes(kernel),
        sums(kernel, merged.operands, IndexSums::Sizes::Launch) {}

  Expected<Append> run() {
    for (auto step : {&AppendFinder::readStates, &AppendFinder::checkWindows,
                      &AppendFinder::checkLoop, &AppendFinder::followRows})
      if (Error error = (this->*step)())
        return error;
    return std::move(append);
  }

private:
  Error refuse(const Twine &reason) {
    return createStringError("@" + kernel.getSymName() + " " + reason);
  }

  static SmallVector<OpFoldResult> offsetsOf(SubviewOp window) {
    return getMixedValues(window.getStaticOffsets(), window.getOffsets(),
                          window.getContext());
  }
  static SmallVector<OpFoldResult> sizesOf(SubviewOp window) {
    return getMixedValues(window.getStaticSizes(), window.getSizes(),
                          window.getContext());
  }

  bool isProducers(Operation *op) {
    return op->getBlock() == kernel.getEntryBlock() &&
           op->isBeforeInBlock(merged.firstOfConsumer);
  }

  /// Collects the windows of an argument or of its entries.
  Error windowsOf(Value view, SmallVectorImpl<SubviewOp> &windows) {
    for (Operation *user : view.getUsers())
      if (auto entry = dyn_cast<SelectOp>(user)) {
        if (Error error = windowsOf(entry, windows))
          return error;
      } else if (auto window = dyn_cast<SubviewOp>(user)) {
        windows.push_back(window);
      } else if (!isa<DimOp>(user)) {
        return createStringError(
            "the appended tensor is not only accessed through windows");
      }
    return Error::success();
  }

  /// Finds the tensors that the producer updates in place and the consumer
  /// reads.
  Error readStates() {
    for (auto [result, view] : llvm::enumerate(merged.made)) {
      SmallVector<SubviewOp> windows;
      bool isRead = false, isUpdate = merged.isUpdate[result];
      if (!isUpdate)
        continue;
      if (Error error = windowsOf(view, windows))
        return error;
      SubviewOp written;
      for (SubviewOp window : windows) {
        if (window->getBlock() != kernel.getEntryBlock())
          return refuse("takes a window of the appended tensor in a loop or "
                        "a branch");
        isRead |= !isProducers(window);
        if (!isProducers(window))
          continue;
        if (written)
          return refuse("stores more than one row");
        written = window;
      }
      if (!isRead)
        continue;
      if (!written)
        return refuse("updates its operand in other ways");
      for (SubviewOp window : windows)
        if (window != written)
          if (Error error = readState(written, window))
            return error;
    }
    return append.readers.empty()
               ? refuse("reads no operand that is appended to")
               : Error::success();
  }

  Error readState(SubviewOp written, SubviewOp read) {
    StoreOp store;
    for (Operation *user : written->getUsers())
      if (isa<StoreOp>(user) && !store)
        store = cast<StoreOp>(user);
      else if (!isa<DimOp>(user))
        return refuse("accesses the row that is appended more than once");
    if (!store || store->getBlock() != kernel.getEntryBlock())
      return refuse("stores the row that is appended in a loop or a branch");
    if (store.getMask() || store.getOrder())
      return refuse("stores the row that is appended with a mask or an order");
    LoadOp load;
    for (Operation *user : read->getUsers())
      if (isa<LoadOp>(user) && !load)
        load = cast<LoadOp>(user);
      else if (!isa<NumTilesOp>(user))
        return refuse("uses a window of the rows other than by one load");
    auto loop = load ? dyn_cast<scf::ForOp>(load->getParentOp()) : scf::ForOp();
    if (!loop || loop->getBlock() != kernel.getEntryBlock())
      return refuse("does not load the rows in a loop");
    if (load.getMask() || load.getOrder())
      return refuse("loads the rows with a mask or an order");
    if (append.loop && append.loop != loop)
      return refuse("loads the rows in several loops");
    append.loop = loop;
    int64_t axis = -1;
    for (auto [number, index] : llvm::enumerate(load.getIndices()))
      if (index == loop.getInductionVar())
        axis = axis < 0 ? int64_t(number) : int64_t(load.getIndices().size());
      else if (sums.of(index).getConstant() != 0)
        return refuse("loads a part of each row");
    if (axis < 0 || axis >= int64_t(load.getIndices().size()))
      return refuse("does not load one tile of rows after the other");
    auto tile = dyn_cast<StringAttr>(load.getSizes()[axis]);
    ParamAttr param = tile ? kernel.lookupParam(tile) : ParamAttr();
    if (!param || !isa<IntegerAttr>(param.getDefaultValue()))
      return refuse("loads tiles whose number of rows is not a parameter");
    if (!append.readers.empty() && (append.axis != axis || append.tile != tile))
      return refuse("loads tiles of rows in several ways");
    append.axis = axis;
    append.tile = tile;
    for (Value index : store.getIndices())
      if (sums.of(index).getConstant() != 0)
        return refuse("stores the row that is appended in parts");
    SmallVector<int64_t> shape(load.getType().getShape());
    shape[axis] = 1;
    if (load.getType().clone(shape) != store.getValue().getType())
      return refuse("loads rows as other tiles than it stores them");
    append.readers.push_back({read, load, store.getValue()});
    writers.push_back(written);
    return Error::success();
  }

  /// Checks that all windows end right after the stored row, and do not start
  /// there.
  Error checkWindows() {
    for (auto [reader, written] : llvm::zip_equal(append.readers, writers)) {
      SmallVector<OpFoldResult> offsets = offsetsOf(reader.window),
                                sizes = sizesOf(reader.window),
                                ownOffsets = offsetsOf(written),
                                ownSizes = sizesOf(written);
      if (!haveSameEntries(reader.window.getSource(), written.getSource()))
        return refuse("reads entries other than those appended to");
      for (int64_t axis = 0; axis < int64_t(offsets.size()); ++axis)
        if (axis != append.axis &&
            (sums.of(offsets[axis]) != sums.of(ownOffsets[axis]) ||
             sums.of(sizes[axis]) != sums.of(ownSizes[axis])))
          return refuse("appends a part of each row");
      if (sums.of(ownSizes[append.axis]).getConstant() != 1)
        return refuse("is not known to append one row");
      IndexSum begin = sums.of(offsets[append.axis]),
               own = sums.of(ownOffsets[append.axis]),
               rows = sums.of(sizes[append.axis]);
      if (begin + rows != own + IndexSum::constant(1))
        return refuse("does not read the rows up to the one that is appended");
      if (!isAtMost(offsets[append.axis], own))
        return refuse("may read rows after the appended one");
      if (!reader.window.getType().isDynamicDim(append.axis))
        return refuse("reads a fixed number of rows");
      if (!append.begin) {
        append.begin = offsets[append.axis];
        append.position = ownOffsets[append.axis];
        length = rows;
      } else if (sums.of(append.begin) != begin || length != rows ||
                 sums.of(append.position) != own) {
        return refuse("reads windows of different rows");
      }
    }
    return Error::success();
  }

  bool haveSameEntries(Value lhs, Value rhs) {
    if (lhs == rhs)
      return true;
    auto one = lhs.getDefiningOp<SelectOp>(),
         other = rhs.getDefiningOp<SelectOp>();
    return one && other && one.getSource() == other.getSource() &&
           llvm::equal(one.getIndices(), other.getIndices(),
                       [&](Value index, Value otherIndex) {
                         return sums.of(index) == sums.of(otherIndex);
                       });
  }

  /// Whether a number is at most `most`, the offset of a window, which is
  /// nonnegative.
  bool isAtMost(OpFoldResult number, const IndexSum &most) {
    std::optional<int64_t> less = (most - sums.of(number)).getConstant();
    if (sums.of(number) == IndexSum() || (less && *less >= 0))
      return true;
    auto value = dyn_cast<Value>(number);
    Operation *op = value ? value.getDefiningOp() : nullptr;
    if (isa_and_nonnull<arith::IndexCastOp, arith::IndexCastUIOp>(op))
      return isAtMost(op->getOperand(0), most);
    if (isa_and_nonnull<arith::MaxSIOp>(op))
      return isAtMost(op->getOperand(0), most) &&
             isAtMost(op->getOperand(1), most);
    if (isa_and_nonnull<arith::MinSIOp>(op))
      return isAtMost(op->getOperand(0), most) ||
             isAtMost(op->getOperand(1), most);
    if (isa_and_nonnull<arith::SelectOp>(op))
      return isAtMost(op->getOperand(1), most) &&
             isAtMost(op->getOperand(2), most);
    return false;
  }

  /// Checks that the loop iterates over all tiles of the windows, and that its
  /// carried values can be combined from parts.
  Error checkLoop() {
    scf::ForOp loop = append.loop;
    auto tiles = loop.getUpperBound().getDefiningOp<NumTilesOp>();
    bool isOfRows = tiles && int64_t(tiles.getAxis()) == append.axis &&
                    tiles.getSizes().size() == 1 &&
                    tiles.getSizes()[0] == append.tile &&
                    llvm::any_of(append.readers, [&](RowReader &reader) {
                      return reader.window.getResult() == tiles.getView();
                    });
    if (!isOfRows || !isConstantIntValue(loop.getLowerBound(), 0) ||
        !isConstantIntValue(loop.getStep(), 1))
      return refuse("does not iterate over all tiles of the rows");
    for (RowReader &reader : append.readers)
      for (Operation *user : reader.window->getUsers())
        if (isa<NumTilesOp>(user) && user != tiles)
          return refuse("also uses the number of tiles of the rows elsewhere");
    StringRef reason;
    if (!findCarriedState(loop, reason))
      return refuse("cannot move the row after its loop: " + reason);
    for (Value result : loop.getResults())
      for (int64_t axis = 0; axis < tileOf(result).getRank(); ++axis)
        if (axes.sizeOf(result, axis) == append.tile)
          return refuse("carries a tile with an element for each row");
    return Error::success();
  }

  /// Checks that row indices are only used to mask rows past the end of the
  /// windows.
  Error followRows() {
    kernel.getBody().walk([&](ParamOp param) {
      if (param.getNameAttr() == append.tile)
        tileRows.insert(param.getValue());
    });
    for (Value rows : tileRows)
      for (Operation *user : rows.getUsers())
        if (!isFirstRow(user))
          return refuse("computes with the number of rows of a tile");
    for (Operation &op : append.loop.getBody()->without_terminator())
      if (Error error = followRows(&op))
        return error;
    return Error::success();
  }

  /// Whether an op multiplies the induction variable by the rows of a tile.
  bool isFirstRow(Operation *op) {
    Value number = append.loop.getInductionVar();
    return isa<arith::MulIOp>(op) && ((op->getOperand(0) == number &&
                                       tileRows.contains(op->getOperand(1))) ||
                                      (op->getOperand(1) == number &&
                                       tileRows.contains(op->getOperand(0))));
  }

  /// Whether an integer tile contains the row indices.
  bool isCount(Value tile) {
    Operation *op = tile.getDefiningOp();
    if (isa_and_nonnull<BroadcastOp, ExpandDimsOp, arith::IndexCastOp>(op))
      return isCount(op->getOperand(0));
    auto iota = dyn_cast_or_null<IotaOp>(op);
    return iota && iota.getSizes().size() == 1 &&
           iota.getSizes()[0] == append.tile;
  }

  /// The scalar that a tile splats.
  static Value scalarOf(Value tile) {
    while (Operation *op = tile.getDefiningOp()) {
      if (auto splat = dyn_cast<SplatOp>(op))
        return splat.getValue();
      if (!isa<BroadcastOp, ExpandDimsOp>(op))
        break;
      tile = op->getOperand(0);
    }
    return {};
  }

  Error followRows(Operation *op) {
    if (isFirstRow(op)) {
      append.firstRows.push_back(op);
      numbers[op->getResult(0)] = {IndexSum(), false};
      return Error::success();
    }
    for (OpOperand &operand : op->getOpOperands()) {
      if (operand.get() == append.loop.getInductionVar() &&
          !llvm::any_of(append.readers,
                        [&](RowReader &reader) { return reader.load == op; }))
        return refuse("computes with the number of a tile of rows");
      auto it = numbers.find(operand.get());
      if (it == numbers.end())
        continue;
      RowNumber number = it->second;
      if (auto compare = dyn_cast<arith::CmpIOp>(op))
        return readMask(compare, number, operand.getOperandNumber() == 0);
      if (isa<arith::AddIOp>(op)) {
        Value other = op->getOperand(1 - operand.getOperandNumber());
        if (Value scalar = tileOf(other) ? scalarOf(other) : other)
          number.offset = number.offset + sums.of(scalar);
        else if (isCount(other) && !number.isTile)
          number.isTile = true;
        else
          return refuse("computes with the numbers of rows");
      } else if (!isa<SplatOp, BroadcastOp, ExpandDimsOp, arith::IndexCastOp>(
                     op)) {
        return refuse("computes with the numbers of rows");
      }
      numbers[op->getResult(0)] = number;
      return Error::success();
    }
    return Error::success();
  }

  /// Reads a mask. A comparison that holds for all rows from some index on
  /// cannot mask those past the end.
  Error readMask(arith::CmpIOp compare, const RowNumber &number,
                 bool isOrdered) {
    using Predicate = arith::CmpIPredicate;
    bool isStrict = false, isUpper = false;
    switch (compare.getPredicate()) {
    case Predicate::slt:
    case Predicate::ult:
      isStrict = true, isUpper = isOrdered;
      break;
    case Predicate::sgt:
    case Predicate::ugt:
      isStrict = true, isUpper = !isOrdered;
      break;
    case Predicate::sle:
    case Predicate::ule:
      isUpper = isOrdered;
      break;
    case Predicate::sge:
    case Predicate::uge:
      isUpper = !isOrdered;
      break;
    default:
      return refuse("compares the numbers of rows other than by their order");
    }
    if (!isUpper)
      return Error::success();
    Value bound = compare->getOperand(isOrdered ? 1 : 0);
    Value scalar = tileOf(bound) ? scalarOf(bound) : bound;
    if (!number.isTile || !scalar ||
        sums.of(scalar) - number.offset +
                IndexSum::constant(isStrict ? 0 : 1) !=
            length)
      return refuse("masks rows by another end than that of the rows it reads");
    append.masks.push_back({compare, isOrdered, isStrict});
    return Error::success();
  }

  MergedText &merged;
  KernelOp kernel;
  AxisClasses axes;
  IndexSums sums;
  Append append;
  SmallVector<SubviewOp> writers; ///< by reader
  IndexSum length;                ///< of the windows
  llvm::DenseSet<Value> tileRows;
  llvm::DenseMap<Value, RowNumber> numbers;
};

} // namespace

Expected<Append> findAppend(MergedText &merged) {
  return AppendFinder(merged).run();
}

} // namespace tilegpt::tile
