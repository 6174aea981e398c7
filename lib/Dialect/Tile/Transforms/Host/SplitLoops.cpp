// Splits a block's loop across several blocks if a launch has too few for the
// threads of a host: decode attention with few heads over many keys.
#include "Host/LoopParts.h"
#include "Normalize/TensorSizes.h"
#include "TileGPT/Dialect/Tile/IR/ExprRange.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/Tile/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;

namespace tilegpt::tile {
#define GEN_PASS_DEF_SPLITLOOPSPASS
#include "TileGPT/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilegpt::tile

using namespace tilegpt::tile;

namespace {

/// The time of the loads and multiplications among ops on one core, in
/// nanoseconds.
double timeOf(llvm::iterator_range<Block::iterator> ops) {
  constexpr double bytesPerNs = 16, productsPerNs = 50;
  double time = 0;
  for (Operation &op : ops)
    if (isa<LoadOp, GatherOp>(op)) {
      auto tile = cast<RankedTensorType>(op.getResult(0).getType());
      time += double(tilegpt::tileBytes(tile)) / bytesPerNs;
    } else if (auto dot = dyn_cast<DotOp>(op)) {
      const int64_t depth = dot.getLhs().getType().getShape().drop_front(
          dot.getLhs().getType().getRank() - 2)[dot.getTransposeA() ? 0 : 1];
      time += double(dot.getResult().getType().getNumElements() * depth) /
              productsPerNs;
    }
  return time;
}

/// An upper bound on the size of an axis of a view: that of the launch operand
/// that it is a window of.
std::optional<int64_t> mostElements(LaunchOp launch, Value view, int64_t axis) {
  while (true) {
    auto type = cast<ViewType>(view.getType());
    if (!ShapedType::isDynamic(type.getShape()[axis]))
      return type.getShape()[axis];
    if (auto window = view.getDefiningOp<SubviewOp>()) {
      view = window.getSource();
    } else if (auto entry = view.getDefiningOp<SelectOp>()) {
      axis += int64_t(entry.getIndices().size());
      view = entry.getSource();
    } else if (auto turned = view.getDefiningOp<TransposeOp>()) {
      axis = turned.getPermutation()[axis];
      view = turned.getSource();
    } else if (auto argument = dyn_cast<BlockArgument>(view)) {
      return boundOfSize(launch, launch->getOperand(argument.getArgNumber()),
                         axis);
    } else {
      return std::nullopt;
    }
  }
}

/// An upper bound on the iterations of a loop over tiles of what it loads.
std::optional<int64_t> mostIterations(LaunchOp launch, scf::ForOp loop) {
  if (std::optional<APInt> known = loop.getStaticTripCount();
      known && known->getActiveBits() < 63)
    return int64_t(known->getZExtValue());
  std::optional<int64_t> most;
  for (auto load : loop.getBody()->getOps<LoadOp>())
    for (auto [axis, index] : llvm::enumerate(load.getIndices())) {
      if (index != loop.getInductionVar() || load.getOrder())
        continue;
      if (auto size = mostElements(launch, load.getView(), int64_t(axis))) {
        const int64_t tiles =
            llvm::divideCeil(*size, load.getType().getDimSize(axis));
        most = std::min(tiles, most.value_or(tiles));
      }
    }
  return most;
}

class SplitLoops : public tilegpt::tile::impl::SplitLoopsPassBase<SplitLoops> {
public:
  using SplitLoopsPassBase::SplitLoopsPassBase;

  void runOnOperation() override {
    if (mostBlocks < 2 || leastNs < 1 || leastRatio < 0) {
      getOperation().emitError("tile-split-loops: expected most-blocks of 2 or "
                               "more, least-ns of 1 or more and least-ratio of "
                               "0 or more, found ")
          << int64_t(mostBlocks) << ", " << int64_t(leastNs) << " and "
          << int64_t(leastRatio);
      return signalPassFailure();
    }
    SmallVector<LaunchOp> launches;
    getOperation().walk([&](LaunchOp launch) { launches.push_back(launch); });
    SymbolTableCollection made;
    tables = &made;
    split.clear();
    for (LaunchOp launch : launches) {
      KernelOp kernel =
          lookupKernel(made, launch, launch.getKernelAttr().getAttr());
      if (!kernel || kernel.isRaw())
        continue;
      if (failed(verifySpecialized(kernel)))
        return signalPassFailure();
      consider(launch, kernel);
    }
    dropUnlaunched();
  }

private:
  /// The two kernels that replace one.
  struct Kernels {
    KernelOp part, merge;
    SmallVector<unsigned> ins; ///< of the part, as arguments of the original
    SmallVector<ViewType> partials;
    int64_t parts;
    SmallVector<int64_t> blocks;
    /// Sizes of outs that are taken from ins.
    SmallVector<std::pair<ArgumentAxis, ArgumentAxis>> sizes;
  };

  void explainMissed(scf::ForOp loop, KernelOp kernel, StringRef reason) {
    remark::missed(loop ? loop.getLoc() : kernel.getLoc(), optionsFor(kernel))
        << "few blocks, and their loop is not split: " << reason;
  }
  static remark::RemarkOpts optionsFor(KernelOp kernel) {
    return remark::RemarkOpts::name("grid").category("grid").function(
        kernel.getSymName());
  }

  /// Splits the loop of a launch's kernel if that is legal and worthwhile.
  void consider(LaunchOp launch, KernelOp kernel) {
    StringRef reason;
    LoopDeal deal = {kernel, findPartedLoop(kernel, reason), {}, 1, 1, {}};
    if (!deal.loop && reason.empty())
      return;
    std::optional<SmallVector<int64_t>> blocks = blocksOf(launch, kernel);
    const int64_t all =
        blocks ? llvm::product_of(*blocks) : int64_t(mostBlocks);
    // Kernels with enough blocks have nothing to gain.
    if (2 * all > int64_t(mostBlocks))
      return;
    if (!deal.loop)
      return explainMissed({}, kernel, reason);
    deal.blocks = *blocks;
    std::optional<SmallVector<CarriedTile>> state =
        findCarriedState(deal.loop, reason);
    if (!state)
      return explainMissed(deal.loop, kernel, reason);
    deal.state = *state;
    const auto isSumOfProducts = [](const CarriedTile &tile) {
      return !tile.combine && !tile.isWeighted();
    };
    if (llvm::all_of(deal.state, isSumOfProducts))
      return explainMissed(deal.loop, kernel,
                           "it only accumulates products, whose tiles are "
                           "already chosen for the number of threads");
    if (!chooseParts(launch, deal, int64_t(mostBlocks) / all, reason)) {
      if (!reason.empty())
        explainMissed(deal.loop, kernel, reason);
      return;
    }
    Kernels *kernels = findKernels(launch, deal, reason);
    if (!kernels)
      return explainMissed(deal.loop, kernel, reason);
    remark::passed(deal.loop.getLoc(), optionsFor(kernel)) << remark::add(
        "the loop is split among {0} blocks, at least {1} iterations each",
        deal.parts, deal.least);
    replace(launch, *kernels);
    ++numSplit;
  }

  /// Upper bounds on the blocks of a launch, by grid axis.
  static std::optional<SmallVector<int64_t>> blocksOf(LaunchOp launch,
                                                      KernelOp kernel) {
    SmallVector<int64_t> blocks;
    for (ExprAttr expr : kernel.getGrid().getAsRange<ExprAttr>()) {
      SmallVector<Interval> sizes;
      for (Attribute source : expr.getSources()) {
        auto place = dyn_cast<DenseI64ArrayAttr>(source);
        if (!place || place.size() != 2)
          return std::nullopt;
        Value tensor = launch->getOperand(place[0]);
        std::optional<int64_t> most = boundOfSize(launch, tensor, place[1]);
        if (!most)
          return std::nullopt;
        const bool isKnown =
            !cast<RankedTensorType>(tensor.getType()).isDynamicDim(place[1]);
        sizes.push_back({isKnown ? *most : 1, *most});
      }
      const Interval range = rangeOf(expr.getMap().getResult(0), sizes);
      if (range.hi < 1 || range.hi == Interval().hi)
        return std::nullopt;
      blocks.push_back(range.hi);
    }
    return blocks;
  }

  /// Chooses the number of parts such that each has work for every block and
  /// amortizes its cost: blocks repeat the ops before the loop, write partial
  /// results, and wait for each other.
  bool chooseParts(LaunchOp launch, LoopDeal &deal, int64_t most,
                   StringRef &reason) {
    std::optional<int64_t> iterations = mostIterations(launch, deal.loop);
    if (!iterations) {
      reason = "its trip count has no known bound";
      return false;
    }
    const double iteration = timeOf(*deal.loop.getBody());
    if (iteration == 0) {
      reason = "its iterations contain neither loads nor dots";
      return false;
    }
    int64_t stateBytes = 0;
    for (Type type : deal.loop.getResultTypes())
      stateBytes += tilegpt::tileBytes(cast<RankedTensorType>(type));
    constexpr double bytesPerNs = 16;
    const double repeated =
        timeOf(llvm::make_range(deal.kernel.getEntryBlock()->begin(),
                                deal.loop->getIterator())) +
        2 * double(stateBytes) / bytesPerNs;
    deal.least = std::max<int64_t>(
        1, int64_t(std::ceil((double(leastNs) + double(leastRatio) * repeated) /
                             iteration)));
    deal.parts = std::min<int64_t>(most, *iterations / deal.least);
    return deal.parts > 1;
  }

  /// An in of a launch with the size of an axis of an out.
  static std::optional<ArgumentAxis> sizeOf(LaunchOp launch, ArgumentAxis out) {
    const SizeOrigin wanted =
        originOfSize(launch->getOperand(out.argument), out.axis);
    for (auto [number, in] : llvm::enumerate(launch.getIns()))
      if (auto type = dyn_cast<RankedTensorType>(in.getType()))
        for (int64_t axis = 0; axis < type.getRank(); ++axis)
          if (originOfSize(in, axis) == wanted)
            return ArgumentAxis{unsigned(number), axis};
    return std::nullopt;
  }

  /// The kernels for a launch, created on demand.
  Kernels *findKernels(LaunchOp launch, const LoopDeal &deal,
                       StringRef &reason) {
    KernelOp kernel = deal.kernel;
    for (Kernels &kernels : split[kernel])
      if (kernels.parts == deal.parts && kernels.blocks == deal.blocks &&
          llvm::all_of(kernels.sizes, [&](auto &size) {
            return sizeOf(launch, size.first) == size.second;
          }))
        return &kernels;
    Kernels made;
    std::optional<PartKernel> part = writePart(
        deal,
        [&](ArgumentAxis out) {
          auto in = sizeOf(launch, out);
          if (in)
            made.sizes.push_back({out, *in});
          return in;
        },
        reason);
    if (!part)
      return nullptr;
    for (unsigned in : part->ins)
      if (launch->getOperand(in).getDefiningOp<tensor::EmptyOp>()) {
        reason = "the loop reads what the kernel writes";
        return nullptr;
      }
    made.ins = part->ins;
    made.parts = deal.parts;
    made.blocks = deal.blocks;
    made.partials = partialTypes(deal);
    made.part = add(std::move(part->kernel), kernel, ".part");
    made.merge = add(writeMerge(deal), kernel, ".merge");
    split[kernel].push_back(std::move(made));
    return &split[kernel].back();
  }

  KernelOp add(OwningOpRef<KernelOp> made, KernelOp whole, StringRef ending) {
    SymbolTable &table =
        tables->getSymbolTable(SymbolTable::getNearestSymbolTable(whole));
    const std::string name = (whole.getSymName() + ending).str();
    std::string unique = name;
    for (unsigned number = 2; table.lookup(unique); ++number)
      unique = name + std::to_string(number);
    KernelOp kernel = made.release();
    kernel.setSymName(unique);
    table.insert(kernel, whole->getIterator());
    return kernel;
  }

  void replace(LaunchOp launch, Kernels &kernels) {
    OpBuilder builder(launch);
    const Location loc = launch.getLoc();
    SmallVector<Value> ins, outs;
    for (unsigned in : kernels.ins)
      ins.push_back(launch->getOperand(in));
    for (ViewType view : kernels.partials)
      outs.push_back(tensor::EmptyOp::create(builder, loc, view.getShape(),
                                             view.getElementType()));
    auto part = LaunchOp::create(builder, loc, ValueRange(outs).getTypes(),
                                 kernels.part.getSymName(), ins, outs,
                                 /*params=*/DictionaryAttr());
    ins.assign(launch.getIns().begin(), launch.getIns().end());
    llvm::append_range(ins, part.getResults());
    auto merge = LaunchOp::create(
        builder, loc, launch.getResultTypes(), kernels.merge.getSymName(), ins,
        launch.getOuts(), /*params=*/DictionaryAttr());
    for (LaunchOp one : {part, merge})
      one->setDiscardableAttrs(launch->getDiscardableAttrDictionary());
    if (auto label = launch->getAttrOfType<StringAttr>(labelAttr))
      part->setAttr(labelAttr,
                    builder.getStringAttr(label.getValue() + ".part"));
    launch.replaceAllUsesWith(merge);
    launch.erase();
  }

  /// Erases split kernels that are no longer launched.
  void dropUnlaunched() {
    llvm::DenseSet<Operation *> launched;
    getOperation().walk([&](LaunchOp launch) {
      launched.insert(
          lookupKernel(*tables, launch, launch.getKernelAttr().getAttr()));
    });
    for (auto &[kernel, kernels] : split)
      if (!launched.contains(kernel))
        kernel.erase();
  }

  SymbolTableCollection *tables = nullptr; ///< of the run
  llvm::MapVector<KernelOp, SmallVector<Kernels, 1>> split;
};

} // namespace
