// Greedily fuses the launches of a function: always the edge that saves most,
// until no legal fusion saves anything.
#include "Fusion/FusionCost.h"
#include "Fusion/RecordedFusions.h"
#include "Normalize/TensorSizes.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/Tile/Transforms/LinkLibrary.h"
#include "TileGPT/Dialect/Tile/Transforms/Passes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using llvm::Expected;
using llvm::formatv;

namespace tilegpt::tile {
#define GEN_PASS_DEF_FUSELAUNCHESPASS
#include "TileGPT/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilegpt::tile

using namespace tilegpt::tile;

namespace {

/// The kernels that fusions create, each distinct one once.
class FusedKernels {
public:
  explicit FusedKernels(Footprints &footprints) : footprints(footprints) {}

  /// The kernel with this body and name; inserted next to the functions that
  /// launch it if it is new.
  StringAttr add(OwningOpRef<KernelOp> kernel, StringRef name,
                 Operation *near) {
    kernel->setSymName("");
    // Not written by the user: may be erased once another fusion absorbs it.
    (*kernel)->setAttr(libraryAttr, UnitAttr::get(kernel->getContext()));
    for (KernelOp other : made[name])
      if (isSameText(other, *kernel))
        return other.getSymNameAttr();
    Operation *table = SymbolTable::getNearestSymbolTable(near);
    SymbolTable &symbols = footprints.getTable(table);
    std::string unique = name.str();
    for (unsigned number = 2; symbols.lookup(unique); ++number)
      unique = (name + Twine(number)).str();
    KernelOp added = kernel.release();
    added.setSymName(unique);
    Operation *place = near;
    while (place->getParentOp() != table)
      place = place->getParentOp();
    symbols.insert(added, place->getIterator());
    made[name].push_back(added);
    return added.getSymNameAttr();
  }

private:
  static bool isSameText(KernelOp lhs, KernelOp rhs) {
    OwningOpRef<KernelOp> copy(lhs.clone());
    copy->setSymName(rhs.getSymName());
    return OperationEquivalence::isEquivalentTo(
        *copy, rhs, OperationEquivalence::IgnoreLocations);
  }

  Footprints &footprints;
  llvm::StringMap<SmallVector<KernelOp>> made;
};

class FuseLaunches
    : public tilegpt::tile::impl::FuseLaunchesPassBase<FuseLaunches> {
public:
  using FuseLaunchesPassBase::FuseLaunchesPassBase;

  void runOnOperation() override {
    if (mode != "off" && mode != "list" && mode != "all") {
      getOperation().emitError("tile-fuse-launches: expected mode to be off, "
                               "list or all, found '")
          << mode << "'";
      return signalPassFailure();
    }
    if (mode == "off")
      return;
    Footprints made;
    footprints = &made;
    RecordedFusions recorded(file, device, shippedFor, showsDecisions, made);
    decisions = &recorded;
    FusedKernels kernels(made);
    hasFused = false;
    getOperation().walk([&](FunctionOpInterface function) {
      if (mode == "list")
        report(function);
      else
        fuse(function, kernels);
    });
    if (hasFused)
      dropUnused();
  }

private:
  FusionRates rates() const {
    return {double(launchNs) / 1e3, double(bytesPerUs),
            double(cachedBytes),    double(elementPs) / 1e6,
            double(parallelBlocks), overlapsMemory};
  }

  struct Choice {
    Fusion fusion;
    double gain;
    std::optional<bool> recorded; ///< by a tuning record

    bool isWanted() const { return recorded.value_or(gain > 0); }
    /// On ties, prefers fusions that repeat no work, then those that drop the
    /// tensor.
    std::tuple<bool, double, bool, bool> worth() const {
      return {recorded.has_value(), gain, fusion.repeatedGridAxes.empty(),
              !fusion.keepsTensor};
    }
  };

  Choice weigh(Fusion fusion) {
    double gain = gainOf(fusion, rates(), *footprints);
    return {fusion, gain, decisions->find(fusion.edge)};
  }

  bool readsWindows(FusionEdge edge) {
    KernelOp kernel = footprints->kernelOf(edge.consumer);
    return kernel &&
           llvm::any_of(kernel.getArguments()[edge.operand].getUsers(),
                        llvm::IsaPred<SubviewOp>);
  }

  /// Whether the producer stores to windows of an in-place update.
  bool appends(FusionEdge edge) {
    KernelOp kernel = footprints->kernelOf(edge.producer);
    return kernel && isUpdate(edge.producer.getOuts()[edge.result]) &&
           edge.operand < edge.consumer.getIns().size() &&
           llvm::any_of(
               kernel.getArguments()[edge.producerArgument()].getUsers(),
               llvm::IsaPred<SelectOp, SubviewOp>);
  }

  /// The legal fusion of an edge, or why there is none.
  Expected<Choice> examine(FusionEdge edge) {
    if (appends(edge)) {
      if (exact)
        return llvm::createStringError(
            "no append: sums over the rows would be rounded in other parts");
      Expected<Fusion> fusion =
          checkFusion(edge, FusionKind::Append, *footprints);
      if (!fusion)
        return llvm::createStringError("no append: " +
                                       llvm::toString(fusion.takeError()));
      return weigh(*fusion);
    }
    std::string reasons;
    for (FusionKind kind :
         {FusionKind::Epilogue, FusionKind::Prologue, FusionKind::Windows}) {
      if (kind == FusionKind::Windows && !readsWindows(edge))
        continue;
      Expected<Fusion> fusion = checkFusion(edge, kind, *footprints);
      if (fusion)
        return weigh(*fusion);
      std::string reason = llvm::toString(fusion.takeError());
      // Reports a reason that holds for both kinds once.
      if (reasons ==
          formatv("no {0}: {1}", nameOf(FusionKind::Epilogue), reason).str())
        return llvm::createStringError(reason);
      reasons += formatv("{0}no {1}: {2}", reasons.empty() ? "" : "; ",
                         nameOf(kind), reason);
    }
    return llvm::createStringError(reasons);
  }

  static SmallVector<FusionEdge> edgesInto(LaunchOp consumer) {
    SmallVector<FusionEdge> edges;
    for (OpOperand &operand : consumer->getOpOperands())
      if (auto producer = operand.get().getDefiningOp<LaunchOp>())
        edges.push_back({producer, consumer,
                         cast<OpResult>(operand.get()).getResultNumber(),
                         operand.getOperandNumber()});
    return edges;
  }

  static SmallVector<FusionEdge> edgesOf(FunctionOpInterface function) {
    SmallVector<FusionEdge> edges;
    function.walk([&](LaunchOp consumer) {
      llvm::append_range(edges, edgesInto(consumer));
    });
    return edges;
  }

  static std::string nameOfEdge(FusionEdge edge) {
    return formatv("@{0} and @{1}", edge.producer.getKernel(),
                   edge.consumer.getKernel());
  }

  void say(FusionEdge edge, const Twine &text) {
    edge.consumer.emitRemark() << nameOfEdge(edge) << ": " << text;
  }

  void report(FunctionOpInterface function) {
    for (FusionEdge edge : edgesOf(function)) {
      Expected<Choice> choice = examine(edge);
      if (!choice) {
        say(edge, llvm::toString(choice.takeError()));
        continue;
      }
      Expected<FusedLaunch> fused =
          fuseTexts(choice->fusion, exact ? Rounding::Keep : Rounding::Drop);
      say(edge, fused ? describe(*choice)
                      : formatv("no {0}: {1}", nameOf(choice->fusion.kind),
                                llvm::toString(fused.takeError()))
                            .str());
    }
  }

  static std::string describe(const Choice &choice) {
    return formatv("{0}, {1} {2:F2} us{3}", nameOf(choice.fusion.kind),
                   choice.gain > 0 ? "saves" : "not profitable: loses",
                   std::abs(choice.gain),
                   !choice.recorded   ? ""
                   : *choice.recorded ? "; a record fuses"
                                      : "; a record keeps apart");
  }

  /// The candidate edges of a function, each examined once, and again if a
  /// launch of it has changed.
  class Edges {
  public:
    Edges(FuseLaunches &pass, FunctionOpInterface function) : pass(pass) {
      for (FusionEdge edge : edgesOf(function))
        add(edge);
    }

    void addAround(LaunchOp launch) {
      for (FusionEdge edge : edgesInto(launch))
        add(edge);
      llvm::SmallSetVector<Operation *, 4> users(launch->user_begin(),
                                                 launch->user_end());
      for (Operation *user : users)
        if (auto consumer = dyn_cast<LaunchOp>(user))
          for (FusionEdge edge : edgesInto(consumer))
            if (edge.producer == launch)
              add(edge);
    }

    /// Drops the edges of launches that are about to be erased.
    void dropAround(FusionEdge gone) {
      llvm::erase_if(choices, [&](Choice &choice) {
        FusionEdge edge = choice.fusion.edge;
        return llvm::is_contained({gone.producer, gone.consumer},
                                  edge.producer) ||
               llvm::is_contained({gone.producer, gone.consumer},
                                  edge.consumer);
      });
    }

    /// Takes out the best edge that is still legal.
    std::optional<Choice> takeBest() {
      while (!choices.empty()) {
        auto *best = std::max_element(choices.begin(), choices.end(),
                                      [](const Choice &lhs, const Choice &rhs) {
                                        return lhs.worth() < rhs.worth();
                                      });
        FusionEdge edge = best->fusion.edge;
        choices.erase(best);
        Expected<Choice> now = pass.examine(edge);
        if (now)
          return *now;
        llvm::consumeError(now.takeError());
      }
      return std::nullopt;
    }

  private:
    void add(FusionEdge edge) {
      Expected<Choice> choice = pass.examine(edge);
      if (!choice)
        llvm::consumeError(choice.takeError());
      else if (choice->isWanted())
        choices.push_back(*choice);
    }

    FuseLaunches &pass;
    SmallVector<Choice, 0> choices;
  };

  void fuse(FunctionOpInterface function, FusedKernels &kernels) {
    Edges edges(*this, function);
    while (std::optional<Choice> best = edges.takeBest()) {
      Expected<FusedLaunch> fused =
          fuseTexts(best->fusion, exact ? Rounding::Keep : Rounding::Drop);
      if (!fused) {
        llvm::consumeError(fused.takeError()); // report() says why
        continue;
      }
      decisions->note(best->fusion.edge, /*isFused=*/true);
      edges.dropAround(best->fusion.edge);
      edges.addAround(replace(*best, *fused, kernels));
    }
    if (explain)
      report(function);
    if (showsDecisions)
      showDecisions(function);
  }

  void showDecisions(FunctionOpInterface function) {
    for (FusionEdge edge : edgesOf(function)) {
      Expected<Choice> apart = examine(edge);
      if (apart)
        decisions->note(edge, /*isFused=*/false);
      else
        llvm::consumeError(apart.takeError());
    }
    decisions->attachTo(function);
  }

  /// Replaces the consumer by the fused launch.
  LaunchOp replace(Choice &choice, FusedLaunch &fused, FusedKernels &kernels) {
    FusionEdge edge = choice.fusion.edge;
    if (explain)
      say(edge, "fused: " + describe(choice));
    std::string name =
        (edge.producer.getKernel() + "." + edge.consumer.getKernel()).str();
    StringAttr kernel =
        kernels.add(std::move(fused.kernel), name, edge.consumer);
    OpBuilder builder(edge.consumer);
    auto launch = LaunchOp::create(builder, edge.consumer.getLoc(),
                                   ValueRange(fused.outs).getTypes(), kernel,
                                   fused.ins, fused.outs, fused.params);
    SmallVector<StringRef> labels;
    for (LaunchOp part : {edge.producer, edge.consumer})
      if (auto label = part->getAttrOfType<StringAttr>(labelAttr))
        labels.push_back(label);
    if (!labels.empty())
      launch->setAttr(labelAttr,
                      builder.getStringAttr(llvm::join(labels, "+")));
    for (auto [old, result] :
         llvm::zip_equal(fused.results, launch.getResults()))
      old.replaceAllUsesWith(result);
    edge.consumer.erase();
    edge.producer.erase();
    hasFused = true;
    ++numFused;
    return launch;
  }

  /// Erases library kernels, and fused ones, that are no longer launched.
  void dropUnused() {
    llvm::DenseSet<Operation *> launched;
    getOperation().walk([&](LaunchOp launch) {
      launched.insert(footprints->kernelOf(launch));
    });
    getOperation().walk([&](KernelOp kernel) {
      if (kernel->hasAttr(libraryAttr) && !launched.contains(kernel))
        kernel.erase();
    });
  }

  Footprints *footprints = nullptr;     ///< of the run
  RecordedFusions *decisions = nullptr; ///< of the run
  bool hasFused = false;
};

} // namespace
