// An interpreter of loops, index arithmetic and the ops of pipes.
#include "PipeTrace.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
/// Values are numbers: an index is its value, a cursor the number of copies
/// before it, the buffer of a stage the copy it holds. Everything else is 0.
class Interpreter {
public:
  Interpreter(llvm::DenseMap<Value, int64_t> values, int64_t team)
      : values(std::move(values)), team(team) {}

  PipeTrace run(Block &block) {
    runBlock(block);
    return std::move(trace);
  }

private:
  int64_t get(Value value) {
    llvm::APInt constant;
    if (matchPattern(value, m_ConstantInt(&constant)))
      return constant.getSExtValue();
    return values.lookup(value);
  }
  void set(ValueRange results, ValueRange sources) {
    llvm::SmallVector<int64_t> numbers;
    for (Value source : sources)
      numbers.push_back(get(source));
    for (auto [result, number] : llvm::zip_equal(results, numbers))
      values[result] = number;
  }
  void add(PipeStep::Kind kind, Value cursor, int64_t amount,
           bool isEverywhere = false) {
    trace.push_back({kind, cursor ? get(cursor) : 0, amount, isEverywhere});
  }

  /// Runs the ops of a block, but not its terminator.
  void runBlock(Block &block) {
    for (Operation &op : block)
      runOp(&op);
  }

  void runFor(scf::ForOp loop) {
    set(loop.getRegionIterArgs(), loop.getInitArgs());
    for (int64_t iteration = get(loop.getLowerBound());
         iteration < get(loop.getUpperBound());
         iteration += get(loop.getStep())) {
      values[loop.getInductionVar()] = iteration;
      runBlock(*loop.getBody());
      set(loop.getRegionIterArgs(), loop.getYieldedValues());
    }
    set(loop.getResults(), loop.getRegionIterArgs());
  }

  void runIf(scf::IfOp branch) {
    Block *block =
        get(branch.getCondition()) ? branch.thenBlock() : branch.elseBlock();
    if (!block)
      return;
    runBlock(*block);
    set(branch.getResults(), block->getTerminator()->getOperands());
  }

  void runOp(Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](scf::ForOp loop) { runFor(loop); })
        .Case([&](scf::IfOp branch) { runIf(branch); })
        .Case([&](arith::AddIOp sum) {
          values[sum] = get(sum.getLhs()) + get(sum.getRhs());
        })
        .Case([&](arith::SubIOp difference) {
          values[difference] =
              get(difference.getLhs()) - get(difference.getRhs());
        })
        .Case([&](arith::DivUIOp quotient) {
          values[quotient] = get(quotient.getLhs()) / get(quotient.getRhs());
        })
        .Case([&](TeamOp op) { values[op] = team; })
        .Case([&](TakeTurnOp take) {
          add(PipeStep::TakeTurn, Value(), get(take.getNumber()));
        })
        .Case([&](PassTurnOp) { add(PipeStep::PassTurn, Value(), 0); })
        .Case([&](arith::MulIOp product) {
          values[product] = get(product.getLhs()) * get(product.getRhs());
        })
        .Case([&](arith::CmpIOp compare) {
          values[compare] = get(compare.getLhs()) < get(compare.getRhs());
        })
        .Case([&](CursorOp cursor) {
          values[cursor] = cursor.getPosition() ? get(cursor.getPosition()) : 0;
        })
        .Case([&](AdvanceOp advance) {
          values[advance] = get(advance.getCursor()) + 1;
        })
        .Case([&](SlotOp slot) { values[slot] = get(slot.getCursor()); })
        .Case([&](AcquireOp acquire) {
          add(PipeStep::Acquire, acquire.getCursor(), acquire.getBytes());
        })
        .Case([&](TmaLoadOp load) {
          int64_t blocks =
              load.getMulticast() ? load.getPipe().getType().getBlocks() : 1;
          add(PipeStep::Load, load.getBuffer(),
              load.getBuffer().getType().getNumBytes() / blocks, blocks > 1);
        })
        .Case(
            [&](AwaitOp await) { add(PipeStep::Await, await.getCursor(), 0); })
        .Case([&](AsyncDotOp dot) { add(PipeStep::Dot, dot.getLhs(), 0); })
        .Case([&](LimitDotsOp limit) {
          add(PipeStep::Limit, Value(), limit.getCount());
        })
        .Case([&](FinishDotOp finish) {
          add(PipeStep::Limit, Value(), finish.getLater());
        })
        .Case([&](ReleaseOp release) {
          constexpr int64_t groupWarps = 4;
          add(PipeStep::Release, release.getCursor(), groupWarps,
              release.getPipe().getType().getBlocks() > 1);
        });
  }

  llvm::DenseMap<Value, int64_t> values;
  int64_t team;
  PipeTrace trace;
};
} // namespace

PipeSystem tilegpt::tilegpu::traceKernel(tile::KernelOp kernel,
                                         const std::vector<int64_t> &scalars) {
  llvm::DenseMap<Value, int64_t> values;
  auto scalar = scalars.begin();
  for (Value argument : kernel.getArguments())
    if (argument.getType().isIndex())
      values[argument] = *scalar++;
  PipeSystem system;
  kernel.walk([&](PipeOp pipe) {
    system.stages = pipe.getResult().getType().getStages();
    system.blocks = pipe.getResult().getType().getBlocks();
    system.emptyArrivals = pipe.getReaders() * system.blocks;
  });
  kernel.walk([&](AwaitClusterOp) { system.meetsAtEnd = true; });
  constexpr int64_t groupWarps = 4;
  PlanAttr plan = PlanAttr::of(kernel);
  int64_t groups = plan.getWarps() / groupWarps;
  kernel.walk([&](RolesOp roles) {
    system.producer = Interpreter(values, 0).run(roles.getProducer().front());
    for (int64_t team = 0; team < plan.getTeams(); ++team)
      system.consumers.insert(
          system.consumers.end(), groups,
          Interpreter(values, team).run(roles.getConsumer().front()));
  });
  return system;
}
