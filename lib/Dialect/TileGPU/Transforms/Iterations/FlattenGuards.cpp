// Moves loops out of the conditions that guard a block's work, where a main
// loop is found.
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Reproduce.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_FLATTENGUARDS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
/// A condition on which a block does nothing else but what it guards.
class Guard {
public:
  explicit Guard(scf::IfOp op) : op(op), condition(op.getCondition()) {}

  /// Whether a loop that multiplies is guarded, as the only way.
  bool match() {
    bool isAlone = op.getNumResults() == 0 && op.getElseRegion().empty();
    return isAlone && llvm::any_of(*op.thenBlock(), [](Operation &each) {
             return isa<scf::ForOp>(each) &&
                    each.walk(
                            [](tile::DotOp) { return WalkResult::interrupt(); })
                        .wasInterrupted();
           });
  }

  /// Why the loops cannot leave; empty if they can.
  StringRef whyNot() {
    if (!canReproduce(condition))
      return "the condition around the loop depends on more than sizes and "
             "single elements of inputs";
    for (Operation &each : op.thenBlock()->without_terminator()) {
      if (auto load = dyn_cast<tile::LoadOp>(each)) {
        if (!canClose(load.getView()))
          return "a tile is loaded in the condition around the loop, from a "
                 "window whose size is fixed";
      } else if (!isLoop(each) && !isPure(&each) && !each.use_empty()) {
        return "the condition around the loop guards effects on which others "
               "depend";
      }
    }
    return {};
  }

  /// Loops run no iteration, windows end before their first element, and other
  /// effects stay guarded.
  void flatten() {
    OpBuilder builder(op);
    for (Operation &each :
         llvm::make_early_inc_range(op.thenBlock()->without_terminator())) {
      if (auto loop = dyn_cast<scf::ForOp>(each); loop && isLoop(each)) {
        each.moveBefore(op);
        builder.setInsertionPoint(loop);
        loop.setUpperBound(builder.createOrFold<arith::SelectOp>(
            loop.getLoc(), condition, loop.getUpperBound(),
            loop.getLowerBound()));
      } else if (auto window = dyn_cast<tile::SubviewOp>(each);
                 window && !window.getSizes().empty()) {
        each.moveBefore(op);
        close(window);
        closed.insert(window);
      } else if (auto load = dyn_cast<tile::LoadOp>(each)) {
        each.moveBefore(op);
        closeView(load);
      } else if (isPure(&each)) {
        each.moveBefore(op);
      } else {
        builder.setInsertionPoint(op);
        auto guarded = scf::IfOp::create(builder, each.getLoc(), condition);
        each.moveBefore(guarded.thenBlock()->getTerminator());
      }
    }
    op.erase();
  }

private:
  /// Whether an op is a loop that only reads.
  static bool isLoop(Operation &each) {
    return isa<scf::ForOp>(each) && onlyReads(&each);
  }

  /// The view that `view` is a permutation of.
  static Value withoutTransposes(Value view) {
    while (auto transpose = view.getDefiningOp<tile::TransposeOp>())
      view = transpose.getSource();
    return view;
  }

  /// Whether a view is an argument, whose bounds hold in any case, or lies in a
  /// window that can be made to end before its first element.
  bool canClose(Value view) {
    view = withoutTransposes(view);
    if (auto window = view.getDefiningOp<tile::SubviewOp>())
      return !window.getSizes().empty();
    auto argument = dyn_cast<BlockArgument>(view);
    return argument && isa<tile::KernelOp>(argument.getOwner()->getParentOp());
  }

  /// Ends a window before its first element unless the condition holds.
  void close(tile::SubviewOp window) {
    OpBuilder builder(window);
    Value none = arith::ConstantIndexOp::create(builder, window.getLoc(), 0);
    OpOperand &size = window.getSizesMutable()[0];
    size.set(builder.createOrFold<arith::SelectOp>(window.getLoc(), condition,
                                                   size.get(), none));
  }

  /// Reads a window that was made outside of the guard through a closed copy.
  void closeView(tile::LoadOp load) {
    auto window =
        withoutTransposes(load.getView()).getDefiningOp<tile::SubviewOp>();
    if (!window || closed.contains(window))
      return;
    OpBuilder builder(load);
    IRMapping copies;
    SmallVector<Operation *> transposes;
    for (Value view = load.getView(); view != window;
         view = view.getDefiningOp<tile::TransposeOp>().getSource())
      transposes.push_back(view.getDefiningOp());
    auto copy = cast<tile::SubviewOp>(builder.clone(*window, copies));
    close(copy);
    for (Operation *transpose : llvm::reverse(transposes))
      builder.clone(*transpose, copies);
    load.getViewMutable().assign(copies.lookup(load.getView()));
  }

  scf::IfOp op;
  Value condition;
  llvm::SmallPtrSet<Operation *, 4> closed; ///< windows made in the guard
};

struct FlattenGuards : tilegpu::impl::FlattenGuardsBase<FlattenGuards> {
  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    // Inner guards first: their loops move into the outer ones.
    SmallVector<scf::IfOp> all;
    getOperation().walk([&](scf::IfOp op) { all.push_back(op); });
    for (scf::IfOp op : all) {
      if (!isa<tile::KernelOp, scf::IfOp>(op->getParentOp()))
        continue;
      Guard guard(op);
      if (!guard.match())
        continue;
      if (StringRef reason = guard.whyNot(); !reason.empty()) {
        explainMissed(op, "guard") << reason;
        continue;
      }
      guard.flatten();
      ++numGuards;
    }
  }
};
} // namespace
