// The pipe protocol that --tile-gpu-specialize-roles generates, under every
// order of events: no deadlock, no early read, no early overwrite. Broken
// protocols are detected.
#include "PipeTrace.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gmock/gmock.h"

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;
using testing::HasSubstr;
using testing::IsEmpty;

/// A product of `rows` × 8 whose numbers of iterations and tiles are arguments.
static constexpr const char *kernelText = R"(
#acc = #tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:BLOCKS*8], lanes = [d1:4*2, d0:8*1], warps = [d0:WARPS*16]>
#in = #tile_gpu.layout<registers = [d0:ROWS*1, d1:QUADS*32], lanes = [d1:32*1], warps = [rep:WARPS]>
tile.kernel @product(%x: !tile.view<?x768xELEMENT>, %w: !tile.view<?x768xELEMENT>, %tiles: index, %iterations: index)
    grid [1] attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_90a", warps = WARPS, stages = STAGES,
                                                        producer = true, persistent = true, teams = TEAMS,
                                                        multicast = BLOCKS>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %fixed = arith.constant FIXED : index
  %init = arith.constant dense<0.0> : tensor<ROWSxCOLUMNSxf32, #acc>
  %rank = tile_gpu.cluster_rank along 0
  scf.for %t = %c0 to %tiles step %c1 {
    %m = arith.addi %t, %rank : index
    %sum = scf.for %k = %c0 to %iterations step %c1 iter_args(%acc = %init) -> (tensor<ROWSxCOLUMNSxf32, #acc>) {
      %a = tile.load %x[%m, %k] [ROWS, DEPTH] : !tile.view<?x768xELEMENT> -> tensor<ROWSxDEPTHxELEMENT, #in>
      %b = tile.load %w[%c0, %k] [COLUMNS, DEPTH] : !tile.view<?x768xELEMENT> -> tensor<COLUMNSxDEPTHxELEMENT, #in>
      %next = tile.dot %a, %b, %acc transpose_b precision(PRECISION) : tensor<ROWSxDEPTHxELEMENT, #in>, tensor<COLUMNSxDEPTHxELEMENT, #in>,
          tensor<ROWSxCOLUMNSxf32, #acc> -> tensor<ROWSxCOLUMNSxf32, #acc>
      scf.yield %next : tensor<ROWSxCOLUMNSxf32, #acc>
    }
    %ok = arith.cmpf oeq, %sum, %sum : tensor<ROWSxCOLUMNSxf32, #acc>
    tile.assert %ok, "no NaN" : tensor<ROWSxCOLUMNSxi1, #acc>
  }
}
)";

namespace {
class PipeProtocolTest : public testing::Test {
protected:
  PipeProtocolTest() {
    context.loadDialect<TileGPUDialect, tile::TileDialect, scf::SCFDialect,
                        arith::ArithDialect>();
  }

  /// The kernel on some warp groups, split into roles; a step has 128 bytes.
  /// \param iterations  of the pipelined loop; an argument of the kernel if
  /// negative.
  OwningOpRef<ModuleOp> makeKernel(int64_t groups, int64_t stages,
                                   int64_t teams = 1, int64_t iterations = -1,
                                   bool isF8 = false, int64_t blocks = 1) {
    std::string text = kernelText;
    auto replaceBy = [&](const std::string &word, const std::string &other) {
      for (size_t at; (at = text.find(word)) != std::string::npos;)
        text.replace(at, word.size(), other);
    };
    auto replace = [&](const std::string &word, int64_t number) {
      replaceBy(word, std::to_string(number));
    };
    replaceBy("ELEMENT", isF8 ? "f8E5M2" : "bf16");
    replaceBy("PRECISION", isF8 ? "fast" : "ieee");
    replace("DEPTH", isF8 ? 128 : 64);
    replace("QUADS", isF8 ? 4 : 2);
    if (iterations >= 0) {
      const std::string bound = "to %iterations";
      text.replace(text.find(bound), bound.size(), "to %fixed");
    }
    replace("FIXED", iterations);
    replace("TEAMS", teams);
    replace("ROWS", 64 * groups);
    replace("WARPS", 4 * groups);
    replace("STAGES", stages);
    replace("BLOCKS", blocks);
    replace("COLUMNS", 8 * blocks);
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    PassManager pm(&context);
    pm.addNestedPass<tile::KernelOp>(createFormMainloop());
    pm.addNestedPass<tile::KernelOp>(createSpecializeRoles());
    if (!module || failed(pm.run(*module)))
      return nullptr;
    return module;
  }

  /// The kernel on one warp group in each of two blocks, which share the tiles
  /// of %w.
  OwningOpRef<ModuleOp> makeCluster(int64_t stages) {
    return makeKernel(/*groups=*/1, stages, /*teams=*/1, /*iterations=*/-1,
                      /*isF8=*/false, /*blocks=*/2);
  }

  PipeSystem makeSystem(int64_t groups, int64_t stages, int64_t tiles,
                        int64_t iterations) {
    OwningOpRef<ModuleOp> module = makeKernel(groups, stages);
    EXPECT_TRUE(module);
    return traceKernel(*module->getOps<tile::KernelOp>().begin(),
                       {tiles, iterations});
  }

  MLIRContext context;
};
} // namespace

TEST_F(PipeProtocolTest, NothingGoesWrongInAnyOrder) {
  for (int64_t groups : {1, 2})
    for (int64_t stages : {2, 3, 4}) {
      OwningOpRef<ModuleOp> module = makeKernel(groups, stages);
      ASSERT_TRUE(module);
      tile::KernelOp kernel = *module->getOps<tile::KernelOp>().begin();
      for (int64_t tiles : {1, 2, 3})
        for (int64_t iterations = 0; iterations <= stages + 2; ++iterations) {
          PipeSystem system = traceKernel(kernel, {tiles, iterations});
          EXPECT_THAT(findFault(system), IsEmpty())
              << groups << " groups, " << stages << " stages, " << tiles
              << " tiles of " << iterations << " iterations";
          EXPECT_EQ(system.producer.size(), size_t(3 * tiles * iterations));
        }
    }
}

TEST_F(PipeProtocolTest, NothingGoesWrongBetweenTeams) {
  for (int64_t stages : {2, 3, 4})
    for (int64_t iterations = 1; iterations <= stages + 2; ++iterations) {
      OwningOpRef<ModuleOp> module =
          makeKernel(/*groups=*/1, stages, /*teams=*/2, iterations);
      ASSERT_TRUE(module);
      for (int64_t tiles = 0; tiles <= 4; ++tiles)
        EXPECT_THAT(findFault(traceKernel(
                        *module->getOps<tile::KernelOp>().begin(), {tiles, 0})),
                    IsEmpty())
            << stages << " stages, " << tiles << " tiles of " << iterations
            << " iterations";
    }
}

/// If every dot is waited for at once, one stage is enough.
TEST_F(PipeProtocolTest, NothingGoesWrongWhereIterationsAreAdded) {
  for (int64_t groups : {1, 2})
    for (int64_t stages : {1, 2}) {
      OwningOpRef<ModuleOp> module = makeKernel(
          groups, stages, /*teams=*/1, /*iterations=*/-1, /*isF8=*/true);
      ASSERT_TRUE(module);
      for (int64_t iterations = 0; iterations <= 3; ++iterations)
        EXPECT_THAT(
            findFault(traceKernel(*module->getOps<tile::KernelOp>().begin(),
                                  {2, iterations})),
            IsEmpty())
            << groups << " groups, " << stages << " stages, " << iterations
            << " iterations";
    }
  for (int64_t iterations : {1, 2, 3}) {
    OwningOpRef<ModuleOp> module =
        makeKernel(/*groups=*/1, /*stages=*/2,
                   /*teams=*/2, iterations, /*isF8=*/true);
    ASSERT_TRUE(module);
    EXPECT_THAT(findFault(traceKernel(*module->getOps<tile::KernelOp>().begin(),
                                      {3, 0})),
                IsEmpty())
        << "two teams, " << iterations << " iterations";
  }
}

/// The kernel's tiles of %x depend on the block's rank in its cluster; those of
/// %w are the same for all blocks.
TEST_F(PipeProtocolTest, NothingGoesWrongBetweenBlocks) {
  for (int64_t stages : {2, 3}) {
    OwningOpRef<ModuleOp> module = makeCluster(stages);
    ASSERT_TRUE(module);
    tile::KernelOp kernel = *module->getOps<tile::KernelOp>().begin();
    // Two blocks have many more states than one.
    for (int64_t iterations = 0; iterations <= 4 - stages / 2; ++iterations) {
      PipeSystem system = traceKernel(kernel, {1, iterations});
      EXPECT_EQ(system.blocks, 2);
      EXPECT_THAT(findFault(system), IsEmpty())
          << stages << " stages, " << iterations << " iterations";
    }
  }
}

TEST_F(PipeProtocolTest, BlocksAnnounceWhatOthersSend) {
  OwningOpRef<ModuleOp> module = makeCluster(/*stages=*/2);
  ASSERT_TRUE(module);
  PipeSystem system =
      traceKernel(*module->getOps<tile::KernelOp>().begin(), {1, 1});
  int64_t announced = 0, own = 0, sent = 0;
  for (const PipeStep &step : system.producer)
    if (step.kind == PipeStep::Acquire)
      announced += step.amount;
    else
      (step.isEverywhere ? sent : own) += step.amount;
  EXPECT_EQ(announced, own + 2 * sent);
  EXPECT_GT(sent, 0);
}

/// A stage is free once the other block has read it too.
TEST_F(PipeProtocolTest, FindsAReleaseInOneBlockOnly) {
  OwningOpRef<ModuleOp> module = makeCluster(/*stages=*/2);
  ASSERT_TRUE(module);
  PipeSystem system =
      traceKernel(*module->getOps<tile::KernelOp>().begin(), {1, 4});
  for (PipeStep &step : system.consumers.front())
    if (step.kind == PipeStep::Release)
      step.isEverywhere = false;
  EXPECT_THAT(findFault(system), HasSubstr("deadlock"));
  system.emptyArrivals /= 2;
  EXPECT_FALSE(findFault(system).empty());
}

TEST_F(PipeProtocolTest, FindsABlockThatEndsTooEarly) {
  OwningOpRef<ModuleOp> module = makeCluster(/*stages=*/2);
  ASSERT_TRUE(module);
  PipeSystem system =
      traceKernel(*module->getOps<tile::KernelOp>().begin(), {1, 2});
  EXPECT_TRUE(system.meetsAtEnd);
  system.meetsAtEnd = false;
  EXPECT_THAT(findFault(system), HasSubstr("still uses its memory"));
}

/// Without turns the second team waits for a phase two ahead.
TEST_F(PipeProtocolTest, TeamsNeedTurns) {
  OwningOpRef<ModuleOp> module =
      makeKernel(/*groups=*/1, /*stages=*/2, /*teams=*/2, /*iterations=*/4);
  ASSERT_TRUE(module);
  PipeSystem system =
      traceKernel(*module->getOps<tile::KernelOp>().begin(), {2, 0});
  system.hasTurns = false;
  EXPECT_THAT(findFault(system), HasSubstr("does not hold its copy"));
}

/// A dot stays in flight while the next one is issued, so the next one must not
/// need its stage.
TEST_F(PipeProtocolTest, OneStageIsTooFew) {
  EXPECT_THAT(findFault(makeSystem(1, 1, 1, 3)), HasSubstr("deadlock"));
}

TEST_F(PipeProtocolTest, FindsTooFewArrivals) {
  PipeSystem system = makeSystem(2, 3, 2, 4);
  system.emptyArrivals += 1;
  EXPECT_THAT(findFault(system), HasSubstr("deadlock"));
}

TEST_F(PipeProtocolTest, FindsTooManyArrivals) {
  PipeSystem system = makeSystem(2, 3, 2, 4);
  system.emptyArrivals -= 4;
  EXPECT_FALSE(findFault(system).empty());
}

TEST_F(PipeProtocolTest, FindsTheWrongParityOfTheProducer) {
  PipeSystem system = makeSystem(1, 3, 1, 5);
  system.acquireFlip = 1;
  EXPECT_THAT(findFault(system), HasSubstr("deadlock"));
}

TEST_F(PipeProtocolTest, FindsTheWrongParityOfAConsumer) {
  PipeSystem system = makeSystem(1, 3, 1, 5);
  system.awaitFlip = 1;
  EXPECT_THAT(findFault(system), HasSubstr("does not hold its copy"));
}

TEST_F(PipeProtocolTest, FindsAReleaseBeforeTheDotHasRead) {
  PipeSystem system = makeSystem(1, 2, 1, 4);
  for (PipeStep &step : system.consumers.front())
    if (step.kind == PipeStep::Limit)
      step.amount += 1;
  EXPECT_THAT(findFault(system), HasSubstr("overwritten"));
}

TEST_F(PipeProtocolTest, FindsAnnouncedBytesThatNeverCome) {
  PipeSystem system = makeSystem(1, 3, 1, 2);
  system.producer.front().amount += 16;
  EXPECT_THAT(findFault(system), HasSubstr("deadlock"));
}

TEST_F(PipeProtocolTest, FindsAMissingRelease) {
  PipeSystem system = makeSystem(1, 2, 2, 2);
  PipeTrace &trace = system.consumers.front();
  trace.erase(llvm::find_if(trace, [](const PipeStep &step) {
    return step.kind == PipeStep::Release;
  }));
  EXPECT_THAT(findFault(system), HasSubstr("deadlock"));
}
