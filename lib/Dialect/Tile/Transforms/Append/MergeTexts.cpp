// Prepends the body of a producer to its consumer's.
#include "Append/MergeTexts.h"
#include "Append/OneRow.h"
#include "KernelExpressions.h"
#include "Normalize/IndexSums.h"
#include "Normalize/TensorSizes.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

namespace tilegpt::tile {

namespace {

class TextMerger {
public:
  TextMerger(LaunchOp producerLaunch, LaunchOp consumerLaunch,
             KernelOp producer, KernelOp consumer)
      : producerLaunch(producerLaunch), consumerLaunch(consumerLaunch),
        producer(producer.clone()), kernel(consumer.clone()) {}

  Expected<MergedText> run() {
    for (auto step : {&TextMerger::matchBlocks, &TextMerger::cutTiles,
                      &TextMerger::unifyTypes})
      if (Error error = (this->*step)())
        return error;
    addArguments();
    unifySizes();
    declare();
    if (Error error = checkGrid())
      return error;
    placeBody();
    kernel->removeImplementsAttr();
    merged.kernel = std::move(kernel);
    merged.consumer = consumerLaunch;
    return std::move(merged);
  }

private:
  static Error refuse(KernelOp kernel, const Twine &reason) {
    return createStringError("@" + kernel.getSymName() + " " + reason);
  }

  unsigned producerOut(unsigned result) {
    return producer->getNumIns() + result;
  }
  /// The operand of the consumer that is a result of the producer.
  std::optional<unsigned> operandOf(unsigned result) {
    for (auto [number, in] : llvm::enumerate(consumerLaunch.getIns()))
      if (in == producerLaunch.getResult(result))
        return number;
    return std::nullopt;
  }

  /// Checks that block ids select the same entries of tensors that both access.
  Error matchBlocks() {
    idAxes.assign(producer->getGrid().size(), std::nullopt);
    for (unsigned result = 0; result < producerLaunch->getNumResults();
         ++result) {
      auto operand = operandOf(result);
      if (!operand)
        continue;
      for (Operation *user :
           producer->getArguments()[producerOut(result)].getUsers())
        for (Operation *other : kernel->getArguments()[*operand].getUsers()) {
          auto mine = dyn_cast<SelectOp>(user),
               theirs = dyn_cast<SelectOp>(other);
          if (!mine || !theirs ||
              mine.getIndices().size() != theirs.getIndices().size())
            continue;
          for (auto [index, otherIndex] :
               llvm::zip_equal(mine.getIndices(), theirs.getIndices()))
            if (Error error = matchIds(index, otherIndex))
              return error;
        }
    }
    llvm::SmallDenseSet<int64_t> used;
    for (std::optional<int64_t> axis : idAxes)
      if (axis && !used.insert(*axis).second)
        return refuse(*producer, "numbers with two block ids what @" +
                                     kernel->getSymName() +
                                     " numbers with one");
    for (int64_t axis = 0; axis < int64_t(kernel->getGrid().size()); ++axis)
      if (!used.contains(axis)) {
        auto blocks = dyn_cast<AffineConstantExpr>(
            cast<ExprAttr>(kernel->getGrid()[axis]).getMap().getResult(0));
        if (!blocks || blocks.getValue() != 1)
          return refuse(*kernel, "has several blocks, along axis " +
                                     Twine(axis) +
                                     " of its grid, that read the same rows");
      }
    Error error = Error::success();
    producer->getBody().walk([&](NumBlocksOp) {
      llvm::consumeError(std::move(error));
      error = refuse(*producer, "reads the number of blocks");
    });
    return error;
  }

  Error matchIds(Value index, Value other) {
    auto mine = index.getDefiningOp<BlockIdOp>();
    auto theirs = other.getDefiningOp<BlockIdOp>();
    if (!mine && !theirs)
      return Error::success();
    if (!mine || !theirs)
      return refuse(mine ? *kernel : *producer,
                    "selects entries by more than a block id");
    std::optional<int64_t> &axis = idAxes[mine.getAxis()];
    if (axis && *axis != int64_t(theirs.getAxis()))
      return refuse(*kernel, "selects entries in another order than @" +
                                 producer->getSymName());
    axis = theirs.getAxis();
    return Error::success();
  }

  /// Shrinks the producer's tiles to one element along grid axes with a single
  /// block: the parameters by which the blocks are counted.
  Error cutTiles() {
    for (auto [axis, other] : llvm::enumerate(idAxes)) {
      auto expr = cast<ExprAttr>(producer->getGrid()[axis]);
      auto quotient = dyn_cast<AffineBinaryOpExpr>(expr.getMap().getResult(0));
      auto divisor = quotient && quotient.getKind() == AffineExprKind::CeilDiv
                         ? dyn_cast<AffineSymbolExpr>(quotient.getRHS())
                         : AffineSymbolExpr(nullptr);
      auto name =
          divisor
              ? dyn_cast<StringAttr>(expr.getSources()[divisor.getPosition()])
              : StringAttr();
      if (other || !name)
        continue;
      IntegerAttr one = Builder(name.getContext()).getI64IntegerAttr(1);
      if (!producer->lookupParam(name).admits(one))
        return refuse(*producer,
                      "has no tiles of one row: 1 is no candidate of " +
                          name.getValue());
      cut.insert(name);
    }
    return Error::success();
  }

  static Type elementOf(BlockArgument argument) {
    auto view = dyn_cast<ViewType>(argument.getType());
    return view ? view.getElementType() : Type();
  }

  /// The consumer's argument that corresponds to one of the producer; nullopt
  /// if there is none.
  std::optional<unsigned> sharedWith(unsigned argument) {
    if (argument >= producer->getNumIns())
      return operandOf(argument - producer->getNumIns());
    for (auto [number, in] : llvm::enumerate(consumerLaunch.getIns()))
      if (in == producerLaunch->getOperand(argument))
        return number;
    return std::nullopt;
  }

  /// Renames the producer's type variables to the consumer's.
  Error unifyTypes() {
    for (BlockArgument argument : producer->getArguments()) {
      auto other = sharedWith(argument.getArgNumber());
      auto variable = dyn_cast_if_present<EltType>(elementOf(argument));
      if (!other || !variable)
        continue;
      Type element = elementOf(kernel->getArguments()[*other]);
      auto name = StringAttr::get(variable.getContext(), variable.getName());
      auto [it, isNew] = names.elements.insert({name, element});
      if (!isNew && it->second != element)
        return refuse(*kernel, "has two element types where @" +
                                   producer->getSymName() + " has one");
    }
    nameParametersApart(*producer, *kernel, names);
    llvm::DenseSet<Attribute> renamed;
    for (Attribute name : cut)
      renamed.insert(names.params.lookup(cast<StringAttr>(name)));
    cut = renamed;
    renameParameters(*producer, names);
    for (BlockArgument argument : producer->getArguments())
      if (auto other = sharedWith(argument.getArgNumber());
          other && isa<ViewType>(argument.getType()) &&
          argument.getType() != kernel->getArguments()[*other].getType())
        return refuse(*kernel, "declares an argument that both have as " +
                                   print(kernel->getArguments()[*other]) +
                                   ", @" + producer->getSymName() + " as " +
                                   print(argument));
    return Error::success();
  }

  static std::string print(Value value) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    stream << value.getType();
    return text;
  }

  /// Adds the ins of the producer, those of the consumer, the outs of the
  /// producer, and those of the consumer.
  void addArguments() {
    Block *body = kernel->getEntryBlock();
    llvm::append_range(consumerArguments, kernel->getArguments());
    producerArguments.assign(producer->getNumIns(), Value());
    unsigned place = 0;
    for (unsigned number = 0; number < producer->getNumIns(); ++number) {
      if (auto other = sharedWith(number)) {
        producerArguments[number] = consumerArguments[*other];
        continue;
      }
      BlockArgument own = producer->getArguments()[number];
      producerArguments[number] =
          body->insertArgument(place++, own.getType(), own.getLoc());
    }
    place += consumerLaunch.getIns().size();
    for (unsigned result = 0; result < producerLaunch->getNumResults();
         ++result) {
      BlockArgument own = producer->getArguments()[producerOut(result)];
      BlockArgument out =
          body->insertArgument(place++, own.getType(), own.getLoc());
      producerArguments.push_back(out);
      if (auto other = operandOf(result)) {
        auto in = cast<BlockArgument>(consumerArguments[*other]);
        in.replaceAllUsesWith(out);
        body->eraseArgument(in.getArgNumber());
        consumerArguments[*other] = out;
        --place;
      }
    }
    unsigned outs =
        producerLaunch->getNumResults() + consumerLaunch->getNumResults();
    kernel->setNumOuts(outs);
    merged.operands.resize(body->getNumArguments());
    merged.results.resize(outs);
    for (auto [launch, arguments] :
         {std::pair(consumerLaunch, ArrayRef<Value>(consumerArguments)),
          std::pair(producerLaunch, ArrayRef<Value>(producerArguments))})
      for (auto [number, operand] : llvm::enumerate(launch->getOperands())) {
        auto argument = cast<BlockArgument>(arguments[number]);
        merged.operands[argument.getArgNumber()] = operand;
        if (number >= launch.getIns().size())
          merged.results[argument.getArgNumber() - kernel->getNumIns()] =
              launch.getResult(number - launch.getIns().size());
      }
    for (unsigned result = 0; result < producerLaunch->getNumResults();
         ++result) {
      merged.made.push_back(
          cast<BlockArgument>(producerArguments[producerOut(result)]));
      merged.isUpdate.push_back(isUpdate(producerLaunch.getOuts()[result]));
    }
  }

  static void moveSources(KernelOp kernel, ArrayRef<Value> arguments) {
    mapExpressions(kernel, [&](Attribute source) -> Attribute {
      auto place = dyn_cast<DenseI64ArrayAttr>(source);
      if (!place)
        return source;
      SmallVector<int64_t> numbers(place.asArrayRef());
      numbers[0] = cast<BlockArgument>(arguments[numbers[0]]).getArgNumber();
      return DenseI64ArrayAttr::get(source.getContext(), numbers);
    });
  }

  /// Merges size parameters with equal definitions, or with the same name and
  /// the same value in this launch.
  void unifySizes() {
    moveSources(*kernel, consumerArguments);
    moveSources(*producer, producerArguments);
    const SmallVector<ParamAttr> own =
        llvm::to_vector(kernel->getParams().getAsRange<ParamAttr>());
    for (auto [original, name] : sizesInOrder()) {
      ParamAttr param = producer->lookupParam(name);
      for (ParamAttr other : own)
        if (isSameSize(param, original, other)) {
          NewNames one;
          for (ParamAttr each : producer->getParams().getAsRange<ParamAttr>())
            one.params[each.getName()] = each.getName();
          one.params[name] = other.getName();
          renameParameters(*producer, one);
          param = {};
          break;
        }
      // Later sizes may depend on it.
      if (param)
        addParam(param);
    }
  }

  /// The names of the producer's sizes, original and current.
  SmallVector<std::pair<StringAttr, StringAttr>> sizesInOrder() {
    SmallVector<std::pair<StringAttr, StringAttr>> sizes;
    for (ParamAttr param : producer->getParams().getAsRange<ParamAttr>())
      if (isa<ExprAttr>(param.getDefaultValue()))
        for (auto [original, name] : names.params)
          if (name == param.getName())
            sizes.push_back({original, name});
    return sizes;
  }

  bool isSameSize(ParamAttr param, StringAttr original, ParamAttr other) {
    auto size = cast<ExprAttr>(param.getDefaultValue());
    auto otherSize = dyn_cast<ExprAttr>(other.getDefaultValue());
    if (!otherSize || param.getCandidates() != other.getCandidates())
      return false;
    IndexSums sums(*kernel, merged.operands, IndexSums::Sizes::Launch);
    return size == otherSize ||
           (original == other.getName() && sums.of(size) == sums.of(otherSize));
  }

  void addParam(ParamAttr param) {
    SmallVector<Attribute> params(kernel->getParams().begin(),
                                  kernel->getParams().end());
    params.push_back(param);
    kernel->setParamsAttr(ArrayAttr::get(kernel->getContext(), params));
  }

  /// Declares the parameters and requirements of both.
  void declare() {
    for (ParamAttr param : producer->getParams().getAsRange<ParamAttr>())
      if (!kernel->lookupParam(param.getName()) &&
          !cut.contains(param.getName()))
        addParam(param);
    SmallVector<ConditionAttr> all = getRequirements(*kernel);
    llvm::append_range(all, getRequirements(*producer));
    setRequirements(*kernel, all);
    keepRequirements(*kernel, [&](ConditionAttr requirement) {
      return !readsSource(
          requirement, [&](Attribute source) { return cut.contains(source); });
    });
    NamedAttrList launched(consumerLaunch.getParamsAttr());
    if (DictionaryAttr own = producerLaunch.getParamsAttr())
      for (NamedAttribute entry : own)
        if (StringAttr name = names.params.lookup(entry.getName());
            name && kernel->lookupParam(name) && !launched.get(name))
          launched.set(name, entry.getValue());
    merged.params = launched.empty()
                        ? DictionaryAttr()
                        : launched.getDictionary(kernel->getContext());
  }

  Error checkGrid() {
    IndexSums sums(*kernel, merged.operands, IndexSums::Sizes::Launch);
    for (auto [axis, other] : llvm::enumerate(idAxes)) {
      IndexSum blocks = sums.of(cast<ExprAttr>(producer->getGrid()[axis]));
      if (!other && blocks.getConstant() != 1)
        return refuse(*producer, "is not known to have one block along axis " +
                                     Twine(axis) + " of its grid");
      if (other && blocks != sums.of(cast<ExprAttr>(kernel->getGrid()[*other])))
        return refuse(*producer,
                      "is not known to have as many blocks along axis " +
                          Twine(axis) + " of its grid as @" +
                          kernel->getSymName() + " along axis " +
                          Twine(*other));
    }
    return Error::success();
  }

  void placeBody() {
    merged.firstOfConsumer = &kernel->getEntryBlock()->front();
    OpBuilder builder(merged.firstOfConsumer);
    const AxisClasses axes(*producer);
    const OneRow oneRow(axes, cut);
    IRMapping mapping;
    mapping.map(producer->getArguments(), producerArguments);
    for (Operation &op : producer->getEntryBlock()->without_terminator()) {
      auto id = dyn_cast<BlockIdOp>(op);
      if (!id) {
        oneRow.clone(builder, &op, mapping);
        continue;
      }
      std::optional<int64_t> axis = idAxes[id.getAxis()];
      mapping.map(id.getResult(),
                  axis ? Value(BlockIdOp::create(builder, id.getLoc(), *axis))
                       : Value(arith::ConstantIndexOp::create(builder,
                                                              id.getLoc(), 0)));
    }
  }

  LaunchOp producerLaunch, consumerLaunch;
  OwningOpRef<KernelOp> producer, kernel;
  /// By axis of the producer's grid: the consumer's axis; nullopt for a single
  /// block.
  SmallVector<std::optional<int64_t>> idAxes;
  llvm::DenseSet<Attribute> cut;
  NewNames names;
  SmallVector<Value> producerArguments, consumerArguments;
  MergedText merged;
};

} // namespace

Expected<MergedText> mergeTexts(LaunchOp producer, LaunchOp consumer,
                                KernelOp producerText, KernelOp consumerText) {
  return TextMerger(producer, consumer, producerText, consumerText).run();
}

} // namespace tilegpt::tile
