// Repeats the ops that depend on some values; repeated loops run in lockstep.
#include "Fusion/RepeatBody.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace tilegpt::tile {

namespace {

class Repeater {
public:
  Repeater(ValueRange from, ArrayRef<SmallVector<Value>> places)
      : mappings(places.size()) {
    for (auto [mapping, values] : llvm::zip_equal(mappings, places))
      mapping.map(from, values);
    dependent.insert_range(from);
  }

  void run(Block::iterator begin) {
    auto ops = llvm::make_range(
        begin, begin->getBlock()->getTerminator()->getIterator());
    // Dependences are loop-carried: iterate to a fixed point.
    for (size_t before = 0; before != dependent.size();) {
      before = dependent.size();
      mark(ops);
    }
    SmallVector<Operation *> repeated;
    for (Operation &op : llvm::make_early_inc_range(ops))
      if (depends(&op)) {
        OpBuilder builder(&op);
        repeat(builder, &op);
        repeated.push_back(&op);
      }
    for (Operation *op : llvm::reverse(repeated))
      op->erase();
  }

private:
  bool depends(Operation *op) {
    auto isDependent = [&](Value value) { return dependent.contains(value); };
    return op
        ->walk([&](Operation *inner) {
          return llvm::any_of(inner->getOperands(), isDependent)
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  }

  void mark(llvm::iterator_range<Block::iterator> ops) {
    for (Operation &op : ops) {
      auto loop = dyn_cast<scf::ForOp>(op);
      if (!loop) {
        if (depends(&op))
          dependent.insert_range(op.getResults());
        continue;
      }
      mark(loop.getBody()->without_terminator());
      for (auto [init, yielded, carried, result] :
           llvm::zip_equal(loop.getInitArgs(), loop.getYieldedValues(),
                           loop.getRegionIterArgs(), loop.getResults()))
        if (dependent.contains(init) || dependent.contains(yielded)) {
          dependent.insert(carried);
          dependent.insert(result);
        }
    }
  }

  /// Emits an op as often as needed.
  void repeat(OpBuilder &builder, Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op); loop && depends(op))
      return repeatLoop(builder, loop);
    if (depends(op)) {
      for (IRMapping &mapping : mappings)
        builder.clone(*op, mapping);
      return;
    }
    Operation *copy = builder.clone(*op, mappings.front());
    for (IRMapping &mapping : llvm::drop_begin(mappings))
      mapping.map(op, copy);
    for (IRMapping &mapping : llvm::drop_begin(mappings))
      mapping.map(op->getResults(), copy->getResults());
  }

  /// The values of all repetitions: one value if they do not differ.
  SmallVector<Value> copiesOf(Value value, bool differs) {
    SmallVector<Value> copies;
    for (IRMapping &mapping : mappings)
      if (copies.empty() || differs)
        copies.push_back(mapping.lookupOrDefault(value));
    return copies;
  }

  void repeatLoop(OpBuilder &builder, scf::ForOp loop) {
    SmallVector<Value> inits;
    for (auto [init, carried] :
         llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs()))
      llvm::append_range(inits, copiesOf(init, dependent.contains(carried)));
    IRMapping &first = mappings.front();
    auto copy = scf::ForOp::create(
        builder, loop.getLoc(), first.lookupOrDefault(loop.getLowerBound()),
        first.lookupOrDefault(loop.getUpperBound()),
        first.lookupOrDefault(loop.getStep()), inits);
    copy->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    unsigned number = 0;
    for (auto [carried, result] :
         llvm::zip_equal(loop.getRegionIterArgs(), loop.getResults())) {
      bool differs = dependent.contains(carried);
      for (auto [repetition, mapping] : llvm::enumerate(mappings)) {
        unsigned own = number + (differs ? repetition : 0);
        mapping.map(carried, copy.getRegionIterArg(own));
        mapping.map(result, copy.getResult(own));
      }
      number += differs ? mappings.size() : 1;
    }
    for (IRMapping &mapping : mappings)
      mapping.map(loop.getInductionVar(), copy.getInductionVar());
    // A loop without carried values already has a terminator.
    if (!copy.getBody()->empty())
      copy.getBody()->back().erase();
    OpBuilder inside = OpBuilder::atBlockEnd(copy.getBody());
    for (Operation &op : loop.getBody()->without_terminator())
      repeat(inside, &op);
    SmallVector<Value> yields;
    for (auto [yielded, carried] :
         llvm::zip_equal(loop.getYieldedValues(), loop.getRegionIterArgs()))
      llvm::append_range(yields,
                         copiesOf(yielded, dependent.contains(carried)));
    scf::YieldOp::create(inside, loop.getLoc(), yields);
  }

  SmallVector<IRMapping> mappings;
  llvm::SmallDenseSet<Value> dependent;
};

} // namespace

void repeatBody(Block::iterator begin, ValueRange from,
                ArrayRef<SmallVector<Value>> places) {
  Repeater(from, places).run(begin);
}

} // namespace tilegpt::tile
