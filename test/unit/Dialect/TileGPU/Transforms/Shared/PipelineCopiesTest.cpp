// The protocol of asynchronous copies, tested without a GPU: the pipelined loop
// runs on a model of a ring of buffers, for all numbers of stages and
// iterations.
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {

/// A loop over the columns of %x and %w, from %from to %to.
constexpr StringLiteral kernelText = R"(
#plan = #tile_gpu.plan<target = "sm_80", warps = 1, stages = {0}>
#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8], lanes = [d1:4*2, d0:8*1], warps = []>
#a = #tile_gpu.layout<registers = [d1:8*1], lanes = [d1:2*8, d0:16*1], warps = []>
#b = #tile_gpu.layout<registers = [d1:4*1], lanes = [d1:4*4, d0:8*1], warps = []>
!X = !tile.view<16x1024xbf16>
!W = !tile.view<8x1024xbf16>
!A = !tile_gpu.shared<16x16xbf16, swizzle = 32>
!B = !tile_gpu.shared<8x16xbf16, swizzle = 32>
tile.kernel @k(%x: !X, %w: !W, %from: index, %to: index, %s: f32) grid [1] attributes {{tile_gpu.plan = #plan} {{
  %sa = tile_gpu.alloc : !A
  %sb = tile_gpu.alloc : !B
  %c0 = arith.constant 0 : index
  %step = arith.constant {1} : index
  %first = tile.assume %from bounded [0, 63] : index
  %z = tile.splat %s [16, 8] : f32 -> tensor<16x8xf32, #acc>
  %r = scf.for %k = %first to %to step %step iter_args(%acc = %z) -> tensor<16x8xf32, #acc> {{
    %xt = tile.load %x[%c0, %k] [16, 16] : !X -> tensor<16x16xbf16, #a>
    %wt = tile.load %w[%c0, %k] [8, 16] : !W -> tensor<8x16xbf16, #b>
    tile_gpu.barrier
    tile_gpu.write %xt, %sa : tensor<16x16xbf16, #a>, !A
    tile_gpu.write %wt, %sb : tensor<8x16xbf16, #b>, !B
    tile_gpu.barrier
    %d = tile_gpu.dot %sa, %sb, %acc transpose_b : !A, !B, tensor<16x8xf32, #acc> -> tensor<16x8xf32, #acc>
    scf.yield %d : tensor<16x8xf32, #acc>
  }
}
)";

/// Interprets the scalars of a kernel, and its copies on the model.
class Model {
public:
  Model(tile::KernelOp kernel, int64_t from, int64_t to) {
    Block &body = kernel.getBody().front();
    values[body.getArgument(2)] = from;
    values[body.getArgument(3)] = to;
    run(body);
  }

  SmallVector<int64_t> iterations; ///< columns that dots multiplied, in order

private:
  struct Slot {
    int64_t column = -1;
    bool hasArrived = false, isVisible = false;
    int64_t lastRead = -1; ///< barriers passed at the last read
  };
  using Place = std::pair<void *, int64_t>;

  int64_t get(Value value) {
    auto found = values.find(value);
    EXPECT_TRUE(found != values.end()) << "unknown value";
    return found == values.end() ? 0 : found->second;
  }

  void run(Block &block) {
    for (Operation &op : block)
      run(op);
  }

  void run(Operation &op) {
    if (auto constant = dyn_cast<arith::ConstantIndexOp>(op)) {
      values[op.getResult(0)] = constant.value();
    } else if (auto assume = dyn_cast<tile::AssumeOp>(op)) {
      values[op.getResult(0)] = get(assume.getValue());
    } else if (isa<arith::AddIOp>(op)) {
      values[op.getResult(0)] = get(op.getOperand(0)) + get(op.getOperand(1));
    } else if (isa<arith::MulIOp>(op)) {
      values[op.getResult(0)] = get(op.getOperand(0)) * get(op.getOperand(1));
    } else if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
      int64_t left = get(compare.getLhs()), right = get(compare.getRhs());
      values[op.getResult(0)] =
          compare.getPredicate() == arith::CmpIPredicate::slt ? left < right
                                                              : left == right;
    } else if (isa<arith::SelectOp>(op)) {
      values[op.getResult(0)] =
          get(op.getOperand(get(op.getOperand(0)) ? 1 : 2));
    } else if (auto choice = dyn_cast<scf::IfOp>(op)) {
      if (get(choice.getCondition()))
        run(*choice.thenBlock());
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      runLoop(loop);
    } else if (isa<CopyOp, CommitCopiesOp, WaitCopiesOp, BarrierOp, WriteOp,
                   tilegpu::DotOp>(op)) {
      synchronize(op);
    }
  }

  void runLoop(scf::ForOp loop) {
    auto carry = [&](ValueRange from) {
      SmallVector<std::optional<int64_t>> carried;
      for (Value value : from)
        carried.push_back(value.getType().isIndex() ? std::optional(get(value))
                                                    : std::nullopt);
      for (auto [argument, value] :
           llvm::zip_equal(loop.getRegionIterArgs(), carried))
        if (value)
          values[argument] = *value;
    };
    carry(loop.getInitArgs());
    for (int64_t iteration = get(loop.getLowerBound());
         iteration < get(loop.getUpperBound());
         iteration += get(loop.getStep())) {
      values[loop.getInductionVar()] = iteration;
      run(*loop.getBody());
      carry(loop.getYieldedValues());
    }
  }

  void synchronize(Operation &op) {
    if (auto copy = dyn_cast<CopyOp>(op)) {
      Place place = placeOf(copy.getBuffer());
      Slot &slot = slots[place];
      EXPECT_LT(slot.lastRead, barriers) << "overwrites what may be in use";
      slot = {get(copy.getIndices().back()), false, false, slot.lastRead};
      open.push_back(place);
    } else if (isa<CommitCopiesOp>(op)) {
      groups.push_back(std::move(open));
      open.clear();
    } else if (auto wait = dyn_cast<WaitCopiesOp>(op)) {
      for (size_t group = 0; group + wait.getCount() < groups.size(); ++group)
        for (Place place : groups[group])
          slots[place].hasArrived = true;
      groups.erase(groups.begin(),
                   groups.end() -
                       std::min<size_t>(wait.getCount(), groups.size()));
    } else if (isa<BarrierOp>(op)) {
      ++barriers;
      for (auto &[place, slot] : slots)
        slot.isVisible |= slot.hasArrived;
    } else if (auto dot = dyn_cast<tilegpu::DotOp>(op)) {
      Slot &left = slots[placeOf(dot.getLhs())],
           &right = slots[placeOf(dot.getRhs())];
      EXPECT_TRUE(left.isVisible && right.isVisible)
          << "reads what has not arrived";
      EXPECT_EQ(left.column, right.column);
      iterations.push_back(left.column);
      left.lastRead = right.lastRead = barriers;
    } else {
      ADD_FAILURE() << "a copy is left that goes through registers";
    }
  }

  Place placeOf(Value buffer) {
    auto slice = buffer.getDefiningOp<SliceOp>();
    EXPECT_TRUE(slice) << "a buffer is no ring";
    return {slice.getSource().getAsOpaquePointer(), get(slice.getIndex())};
  }

  llvm::DenseMap<Value, int64_t> values;
  llvm::DenseMap<Place, Slot> slots;
  SmallVector<SmallVector<Place>> groups;
  SmallVector<Place> open;
  int64_t barriers = 0;
};

class PipelineCopiesTest : public testing::Test {
protected:
  PipelineCopiesTest() {
    context.loadDialect<tile::TileDialect, TileGPUDialect, arith::ArithDialect,
                        scf::SCFDialect>();
  }

  OwningOpRef<ModuleOp> pipeline(int64_t stages, int64_t step) {
    std::string text = llvm::formatv(kernelText.data(), stages, step);
    auto module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return module;
    PassManager passes(&context);
    passes.addNestedPass<tile::KernelOp>(createPipelineCopies());
    EXPECT_TRUE(succeeded(passes.run(*module)));
    return module;
  }

  MLIRContext context;
};

TEST_F(PipelineCopiesTest, EveryIterationReadsItsOwnTiles) {
  for (int64_t stages = 2; stages <= 7; ++stages)
    for (int64_t step : {1, 3}) {
      OwningOpRef<ModuleOp> module = pipeline(stages, step);
      ASSERT_TRUE(module);
      tile::KernelOp kernel = *module->getOps<tile::KernelOp>().begin();
      for (int64_t from : {0, 2})
        for (int64_t to = 0; to <= 3 * stages * step; ++to) {
          SCOPED_TRACE(testing::Message() << stages << " stages, from " << from
                                          << " to " << to << " by " << step);
          SmallVector<int64_t> expected;
          for (int64_t iteration = from; iteration < to; iteration += step)
            expected.push_back(iteration);
          EXPECT_EQ(Model(kernel, from, to).iterations, expected);
          if (HasFailure())
            return;
        }
    }
}

TEST_F(PipelineCopiesTest, OneBarrierAnIteration) {
  OwningOpRef<ModuleOp> module = pipeline(/*stages=*/3, /*step=*/1);
  ASSERT_TRUE(module);
  module->walk([](scf::ForOp loop) {
    EXPECT_EQ(llvm::range_size(loop.getOps<BarrierOp>()), 1);
  });
}

} // namespace
