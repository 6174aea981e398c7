// The producer of a kernel: one thread that keeps the rings full.
#include "Mainloop/Roles.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Reproduce.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilegpt::tilegpu {

Value slotOf(OpBuilder &builder, Location loc, Value ring, Value cursor) {
  SharedType stage = cast<SharedType>(ring.getType()).getStageType();
  return SlotOp::create(builder, loc, stage, ring, cursor);
}

namespace {
class ProducerWriter {
public:
  ProducerWriter(OpBuilder &builder, ArrayRef<Pipe> pipes)
      : builder(builder), pipes(pipes) {}

  /// Writes what the producer does of a block. `known` maps its values to the
  /// producer's own; cursors, one a pipe, go in as they are before the block
  /// and come out as they are behind it.
  void write(Block &block, const IRMapping &known,
             SmallVector<Value> &cursors) {
    for (auto loop : block.getOps<scf::ForOp>())
      if (llvm::any_of(pipes, [&](Pipe pipe) { return pipe.isIn(loop); }))
        writeLoop(loop, known, cursors);
  }

private:
  void writeLoop(scf::ForOp loop, IRMapping known,
                 SmallVector<Value> &cursors) {
    Location loc = loop.getLoc();
    Value from = reproduceScalar(builder, loop.getLowerBound(), known),
          to = reproduceScalar(builder, loop.getUpperBound(), known),
          step = reproduceScalar(builder, loop.getStep(), known);
    for (Pipe pipe : pipes)
      if (pipe.match.loop == loop)
        for (Pipe::Operand operand : {pipe.rhs, pipe.lhs})
          reproduceInvariants(operand.load, loop, known);
    auto copy = scf::ForOp::create(builder, loc, from, to, step, cursors);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(copy.getBody());
    known.map(loop.getInductionVar(), copy.getInductionVar());
    SmallVector<Value> within(copy.getRegionIterArgs());
    bool isPipe = false;
    for (auto [pipe, cursor] : llvm::zip_equal(pipes, within))
      if (pipe.match.loop == loop) {
        cursor = writeCopies(pipe, cursor, known);
        isPipe = true;
      }
    if (!isPipe)
      write(*loop.getBody(), known, within);
    scf::YieldOp::create(builder, loc, within);
    cursors.assign(copy.result_begin(), copy.result_end());
  }

  /// The copies of one trip; returns the cursor of the next.
  Value writeCopies(Pipe pipe, Value cursor, IRMapping &known) {
    Location loc = pipe.match.loop.getLoc();
    AcquireOp::create(builder, loc, pipe.barriers, cursor,
                      pipe.match.getStageBytes());
    for (Pipe::Operand operand : {pipe.rhs, pipe.lhs})
      TmaLoadOp::create(
          builder, loc, operand.map, firstElement(operand.load, known),
          slotOf(builder, loc, operand.ring, cursor), pipe.barriers, cursor);
    return AdvanceOp::create(builder, loc, cursor);
  }

  /// Where a load begins in the argument it reads, in elements.
  SmallVector<Value> firstElement(tile::LoadOp load, IRMapping &known) {
    SmallVector<Value> indices;
    rootOf(load.getView(), indices);
    for (Value &index : indices)
      index = reproduceScalar(builder, index, known);
    for (auto [index, size] :
         llvm::zip_equal(load.getIndices(), load.getType().getShape())) {
      Value elements =
          arith::ConstantIndexOp::create(builder, load.getLoc(), size);
      indices.push_back(arith::MulIOp::create(
          builder, load.getLoc(), reproduceScalar(builder, index, known),
          elements));
    }
    return indices;
  }

  /// The scalars that say where a load begins, as far as they are the same for
  /// all trips of `loop`: in front of it. Some are quotients, which nothing
  /// moves out of a loop that might wait for ever before it comes to them.
  void reproduceInvariants(tile::LoadOp load, scf::ForOp loop,
                           IRMapping &known) {
    SmallVector<Value> scalars(load.getIndices());
    rootOf(load.getView(), scalars);
    while (!scalars.empty()) {
      Value scalar = scalars.pop_back_val();
      if (loop.isDefinedOutsideOfLoop(scalar))
        reproduceScalar(builder, scalar, known);
      else if (Operation *op = scalar.getDefiningOp())
        llvm::append_range(scalars, op->getOperands());
    }
  }

  OpBuilder &builder;
  ArrayRef<Pipe> pipes;
};
} // namespace

void writeProducer(OpBuilder &builder, Block &body, ArrayRef<Pipe> pipes) {
  SmallVector<Value> cursors;
  for (Pipe pipe : pipes)
    cursors.push_back(CursorOp::create(
        builder, pipe.match.loop.getLoc(),
        cast<SharedType>(pipe.lhs.ring.getType()).getCursorType(), Value()));
  ProducerWriter(builder, pipes).write(body, IRMapping(), cursors);
}

} // namespace tilegpt::tilegpu
