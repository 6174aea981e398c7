// Splits a product whose result is read in halves into two products side by
// side.
#include "Fusion/SplitWindows.h"
#include "Fusion/RepeatBody.h"
#include "KernelExpressions.h"
#include "Normalize/TensorSizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

namespace tilegpt::tile {

WindowSplit::~WindowSplit() {
  for (Operation *op : llvm::reverse(made))
    op->erase();
}

namespace {

constexpr int64_t windows = 2;

class WindowSplitter {
public:
  WindowSplitter(FusionEdge edge, KernelOp producer, KernelOp consumer)
      : edge(edge), type(cast<RankedTensorType>(edge.tensor().getType())),
        split(std::make_unique<WindowSplit>()) {
    split->producerKernel = producer.clone();
    split->consumerKernel = consumer.clone();
  }

  Expected<std::unique_ptr<WindowSplit>> run() {
    for (auto step :
         {&WindowSplitter::readConsumer, &WindowSplitter::readProducer})
      if (Error error = (this->*step)())
        return error;
    writeProducer();
    writeConsumer();
    launchBoth();
    return std::move(split);
  }

private:
  KernelOp producer() { return *split->producerKernel; }
  KernelOp consumer() { return *split->consumerKernel; }

  static Error refuse(KernelOp kernel, const Twine &reason) {
    return createStringError("@" + kernel.getSymName() + " " + reason);
  }

  /// The size that a value of the consumer has in this launch.
  SizeOrigin originOf(OpFoldResult size) {
    if (std::optional<int64_t> number = getConstantIntValue(size))
      return {{}, *number};
    auto value = cast<Value>(size);
    if (auto dim = value.getDefiningOp<DimOp>())
      if (auto argument = dyn_cast<BlockArgument>(dim.getView()))
        return originOfSize(edge.consumer->getOperand(argument.getArgNumber()),
                            dim.getAxis());
    return {value, -1};
  }

  /// Checks that the consumer loads from two adjacent windows of the tensor and
  /// has no other uses of it.
  Error readConsumer() {
    BlockArgument tensor = consumer().getArguments()[edge.operand];
    for (Operation *user : tensor.getUsers()) {
      auto window = dyn_cast<SubviewOp>(user);
      if (!window || !llvm::all_of(window->getUsers(), llvm::IsaPred<LoadOp>))
        return refuse(consumer(), "uses it other than by loads from windows");
      views.push_back(window);
    }
    if (views.size() != windows)
      return refuse(consumer(), "does not read two windows of it");
    // Users are listed last to first.
    std::reverse(views.begin(), views.end());
    for (SubviewOp window : views)
      for (auto [number, offset] : llvm::enumerate(offsetsOf(window)))
        if (!isConstantIntValue(offset, 0)) {
          if (axis && *axis != int64_t(number))
            return refuse(consumer(), "reads windows along two axes of it");
          axis = number;
        }
    if (!axis)
      return refuse(consumer(), "reads the same window of it twice");
    for (SubviewOp window : views)
      if (Error error = readWindow(window))
        return error;
    if (halves[0] == halves[1])
      return refuse(consumer(), "reads the same window of it twice");
    SizeOrigin whole = originOfSize(edge.tensor(), *axis);
    if (size.value || whole.value || windows * size.number > whole.number)
      return refuse(consumer(),
                    "reads windows of it whose sizes are not known");
    return Error::success();
  }

  static SmallVector<OpFoldResult> offsetsOf(SubviewOp window) {
    return getMixedValues(window.getStaticOffsets(), window.getOffsets(),
                          window.getContext());
  }

  Error readWindow(SubviewOp window) {
    auto sizes = getMixedValues(window.getStaticSizes(), window.getSizes(),
                                window.getContext());
    for (auto [number, extent] : llvm::enumerate(sizes))
      if (int64_t(number) != *axis &&
          originOf(extent) != originOfSize(edge.tensor(), number))
        return refuse(consumer(), "reads windows of a part of axis " +
                                      Twine(number) + " of it");
    size = originOf(sizes[*axis]);
    OpFoldResult offset = offsetsOf(window)[*axis];
    bool isFirst = isConstantIntValue(offset, 0);
    if (!isFirst && originOf(offset) != size)
      return refuse(consumer(), "reads windows of it that are not its halves");
    halves.push_back(isFirst ? 0 : 1);
    return Error::success();
  }

  /// Checks that the producer counts tiles along the axis with a block id, and
  /// uses it for loads from arguments of the same size.
  Error readProducer() {
    const TileFootprint footprint(producer());
    unsigned argument = edge.producerArgument();
    if (footprint.getBodyClass() != BodyClass::Product)
      return refuse(producer(), "is no product");
    if (producer().getNumOuts() != 1)
      return refuse(producer(), "has several outs");
    auto stores = footprint.accessesOf(argument, /*stores=*/true);
    if (stores.size() != 1 || stores[0]->isMasked || stores[0]->isPermuted ||
        !stores[0]->isUnconditional)
      return refuse(producer(), "does not store it exactly once");
    AxisFootprint stored = stores[0]->axes[*axis];
    auto counted = footprint.tiledAxisOf(stored.gridAxis, stored.size);
    if (stored.index != TileIndex::BlockId ||
        counted != ArgumentAxis{argument, *axis})
      return refuse(producer(), "does not cover axis " + Twine(*axis) +
                                    " of it with its grid");
    for (const AccessFootprint &access : footprint.getAccesses())
      for (auto [number, part] : llvm::enumerate(access.axes)) {
        if (access.isStore || part.index != TileIndex::BlockId ||
            part.gridAxis != stored.gridAxis)
          continue;
        if (!access.argument || access.isPermuted || access.isMasked ||
            part.size != stored.size ||
            originOfSize(
                edge.producer->getOperand(access.argument.getArgNumber()),
                number) != originOfSize(edge.tensor(), *axis))
          return refuse(producer(), "loads something along axis " +
                                        Twine(*axis) +
                                        " of it that has no two windows");
        sliced.insert({access.argument, int64_t(number)});
        for (auto [other, along] : llvm::enumerate(access.axes))
          if (along.index == TileIndex::Zero &&
              footprint.wholeAxisOf(along.size))
            wholeSizes[{access.argument, int64_t(other)}] =
                cast<StringAttr>(along.size);
      }
    return checkUses(stored);
  }

  /// Rejects other uses of the tile index or size along the axis, whose meaning
  /// would change.
  Error checkUses(AxisFootprint stored) {
    for (auto [view, number] : sliced)
      for (Operation *user : view.getUsers())
        if (!isa<LoadOp, DimOp, NumTilesOp>(user))
          return refuse(producer(), "uses what it loads along axis " +
                                        Twine(*axis) + " for something else");
    Error error = Error::success();
    producer().getBody().walk([&](Operation *op) {
      bool counts = false;
      if (auto id = dyn_cast<BlockIdOp>(op))
        counts = int64_t(id.getAxis()) == stored.gridAxis &&
                 !llvm::all_of(id->getUsers(), llvm::IsaPred<LoadOp, StoreOp>);
      else if (auto dim = dyn_cast<DimOp>(op))
        counts = isAlong(dim.getView(), dim.getAxis());
      else if (auto tiles = dyn_cast<NumTilesOp>(op))
        counts = isAlong(tiles.getView(), tiles.getAxis());
      if (!counts)
        return WalkResult::advance();
      llvm::consumeError(std::move(error));
      error = refuse(producer(), "computes with axis " + Twine(*axis) +
                                     " of it or its tiles");
      return WalkResult::interrupt();
    });
    return error;
  }

  bool isAlong(Value view, int64_t number) {
    return (view == producer().getArguments()[edge.producerArgument()] &&
            number == *axis) ||
           llvm::any_of(sliced, [&](auto &other) {
             return other.first == view && other.second == number;
           });
  }

  void writeProducer() {
    KernelOp kernel = producer();
    Block *body = kernel.getEntryBlock();
    Value first = kernel.getArguments()[edge.producerArgument()];
    Value second = body->addArgument(first.getType(), first.getLoc());
    kernel.setNumOuts(windows);
    kernel.removeImplementsAttr();
    // Sizes along the axis are now those of windows.
    keepRequirements(kernel, [&](ConditionAttr requirement) {
      return !readsSource(requirement, [&](Attribute source) {
        auto place = dyn_cast<DenseI64ArrayAttr>(source);
        return place && place.size() == 2 &&
               isAlong(kernel.getArguments()[place[0]], place[1]);
      });
    });
    Operation *front = &body->front();
    OpBuilder builder(front);
    Value length = DimOp::create(builder, kernel.getLoc(), first, *axis);
    SmallVector<Value> from = {first};
    SmallVector<SmallVector<Value>> places = {{first}, {second}};
    for (auto [view, number] : sliced) {
      from.push_back(view);
      for (int64_t window = 0; window < windows; ++window)
        places[window].push_back(
            windowOf(builder, view, number, length, window));
    }
    repeatBody(front->getIterator(), from, places);
  }

  Value windowOf(OpBuilder &builder, BlockArgument view, int64_t number,
                 Value length, int64_t window) {
    auto type = cast<ViewType>(view.getType());
    Location loc = view.getLoc();
    SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0)),
        sizes;
    for (int64_t other = 0; other < type.getRank(); ++other)
      sizes.push_back(other == number ? length : sizeOf(builder, view, other));
    if (window != 0)
      offsets[number] = length;
    SmallVector<Value> dynamicOffsets, dynamicSizes;
    SmallVector<int64_t> staticOffsets, staticSizes;
    dispatchIndexOpFoldResults(offsets, dynamicOffsets, staticOffsets);
    dispatchIndexOpFoldResults(sizes, dynamicSizes, staticSizes);
    return SubviewOp::create(
        builder, loc,
        ViewType::get(
            loc.getContext(),
            SmallVector<int64_t>(type.getRank(), ShapedType::kDynamic),
            type.getElementType(), type.getKnownStrides()),
        view, dynamicOffsets, dynamicSizes, staticOffsets, staticSizes);
  }

  /// The size, as the parameter that stands for it if there is one.
  Value sizeOf(OpBuilder &builder, BlockArgument view, int64_t number) {
    if (StringAttr name = wholeSizes.lookup({view, number}))
      return ParamOp::create(builder, view.getLoc(), name);
    return DimOp::create(builder, view.getLoc(), view, number);
  }

  void writeConsumer() {
    KernelOp kernel = consumer();
    unsigned ins = kernel.getNumIns();
    Value first = kernel.getArguments()[edge.operand],
          second = kernel.getEntryBlock()->insertArgument(ins, first.getType(),
                                                          first.getLoc());
    kernel.removeImplementsAttr();
    keepRequirements(kernel, [&](ConditionAttr requirement) {
      return !readsSource(requirement, [&](Attribute source) {
        auto place = dyn_cast<DenseI64ArrayAttr>(source);
        return place && place.size() == 2 && place[0] == edge.operand &&
               place[1] == *axis;
      });
    });
    mapExpressions(kernel, [&](Attribute source) -> Attribute {
      auto place = dyn_cast<DenseI64ArrayAttr>(source);
      if (!place)
        return source;
      SmallVector<int64_t> numbers(place.asArrayRef());
      numbers[0] += numbers[0] >= int64_t(ins);
      return DenseI64ArrayAttr::get(source.getContext(), numbers);
    });
    for (auto [window, half] : llvm::zip_equal(views, halves)) {
      window.getResult().replaceAllUsesWith(half == 0 ? first : second);
      window.erase();
    }
  }

  void launchBoth() {
    LaunchOp first = edge.producer, second = edge.consumer;
    OpBuilder builder(second);
    auto empty = first.getOuts()[edge.result].getDefiningOp<tensor::EmptyOp>();
    SmallVector<int64_t> shape(type.getShape());
    shape[*axis] = size.number;
    SmallVector<Value> tensors;
    for (int64_t window = 0; window < windows; ++window) {
      tensors.push_back(tensor::EmptyOp::create(builder, second.getLoc(), shape,
                                                type.getElementType(),
                                                empty.getDynamicSizes()));
      split->made.push_back(tensors.back().getDefiningOp());
    }
    split->edge.producer = launch(builder, first, first.getIns(), tensors);
    SmallVector<Value> ins(second.getIns());
    ins[edge.operand] = split->edge.producer.getResult(0);
    ins.push_back(split->edge.producer.getResult(1));
    split->edge.consumer = launch(builder, second, ins, second.getOuts());
    split->edge.result = 0;
    split->edge.operand = edge.operand;
  }

  LaunchOp launch(OpBuilder &builder, LaunchOp like, ValueRange ins,
                  ValueRange outs) {
    auto made =
        LaunchOp::create(builder, like.getLoc(), outs.getTypes(),
                         like.getKernel(), ins, outs, like.getParamsAttr());
    split->made.push_back(made);
    return made;
  }

  FusionEdge edge;
  RankedTensorType type;
  std::unique_ptr<WindowSplit> split;
  SmallVector<SubviewOp> views;
  std::optional<int64_t> axis;
  SmallVector<int64_t> halves; ///< by window: 0 or 1
  SizeOrigin size;
  /// Axes of the producer's arguments that are split with the tensor's.
  llvm::SmallSetVector<std::pair<BlockArgument, int64_t>, 2> sliced;
  /// Parameters that are sizes of whole axes of these arguments.
  llvm::DenseMap<std::pair<Value, int64_t>, StringAttr> wholeSizes;
};

} // namespace

Expected<std::unique_ptr<WindowSplit>>
splitWindows(FusionEdge edge, KernelOp producer, KernelOp consumer) {
  return WindowSplitter(edge, producer, consumer).run();
}

} // namespace tilegpt::tile
