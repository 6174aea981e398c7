// Compiling kernels for a GPU: how often, in which order, and the errors of
// those that fail. Does not use ptxas, so it runs on every machine.
#include "TileGPT/Compiler/GpuKernels.h"
#include "OtherPlans.h"
#include "TileGPT/Pipelines/Registration.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include <gmock/gmock.h>

using namespace tilegpt;
using compiler::GpuCompilation;
using compiler::GpuKernels;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

class GpuKernelsTest : public testing::Test {
protected:
  GpuKernelsTest()
      : context(registry()), handler(&context,
                                     [this](mlir::Diagnostic &diagnostic) {
                                       said += diagnostic.str() + "\n";
                                       return mlir::success();
                                     }),
        folder(temporaryFolder()), cache(folder) {
    options.afterPhase = [this](mlir::ModuleOp, Phase phase) {
      phasesRun.push_back(phase);
      return mlir::success();
    };
  }
  ~GpuKernelsTest() override { llvm::sys::fs::remove_directories(folder); }

  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    return registry;
  }
  static std::string temporaryFolder() {
    llvm::SmallString<128> path;
    llvm::cantFail(llvm::errorCodeToError(
        llvm::sys::fs::createUniqueDirectory("tilegpt-gpu-kernels", path)));
    return path.str().str();
  }

  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef text) {
    return mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  }
  GpuKernels compile(llvm::StringRef text) {
    auto module = parse(text);
    auto kernels = compiler::compileGpuKernels(*module, options);
    EXPECT_TRUE(succeeded(kernels)) << said;
    return succeeded(kernels) ? std::move(*kernels) : GpuKernels();
  }

  /// A plan for sm_90a with these parameters.
  tilegpu::PlanAttr planOf(llvm::StringRef parameters) {
    return mlir::cast<tilegpu::PlanAttr>(mlir::parseAttribute(
        ("#tile_gpu.plan<target = \"sm_90a\", " + parameters + ">").str(),
        &context));
  }

  mlir::MLIRContext context;
  std::string said;
  mlir::ScopedDiagnosticHandler handler;
  std::string folder;
  target::CodeCache cache;
  std::vector<Phase> phasesRun;
  GpuCompilation options{llvm::cantFail(target::GpuTarget::find("sm_80"))};
};

} // namespace

constexpr llvm::StringLiteral twoKernels = R"(
  tile.kernel @small(%x: f32) grid [1] {
    %one = arith.constant 1.0 : f32
    %less = arith.cmpf olt, %x, %one : f32
    tile.assert %less, "small" : i1
  }
  tile.kernel @large(%x: f32) grid [1] {
    %tile = tile.splat %x [1024] : f32 -> tensor<1024xf32>
    %equal = arith.cmpf oeq, %tile, %tile : tensor<1024xf32>
    tile.assert %equal, "no NaN" : tensor<1024xi1>
  })";

TEST_F(GpuKernelsTest, EveryKernelBecomesAnImageOfItsOwn) {
  for (unsigned threads : {1u, 3u}) {
    options.threads = threads;
    const GpuKernels kernels = compile(twoKernels);
    ASSERT_EQ(kernels.size(), 2u);
    EXPECT_EQ(kernels.at("small").symbol, "kernel_small");
    EXPECT_THAT(kernels.at("small").ptx, HasSubstr(".entry kernel_small("));
    EXPECT_THAT(kernels.at("small").ptx, Not(HasSubstr("kernel_large")));
    EXPECT_EQ(kernels.at("large").launch.threads, 128u);
  }
}

TEST_F(GpuKernelsTest, VersionsWithTheCodeOfTheirKernelShareIt) {
  // The second one's constants are in another order, the third one's differ.
  constexpr llvm::StringLiteral versions = R"(
    tile.kernel @k(%x: !tile.ptr<f32>, %n: i32) grid launch {
      %one = arith.constant 1.0 : f32
      %two = arith.constant 2 : i32
      %less = arith.cmpi slt, %n, %two : i32
      scf.if %less {
        %at = tile.splat %n [] : i32 -> tensor<i32>
        %ones = tile.splat %one [] : f32 -> tensor<f32>
        tile.store_at %ones, %x[%at] : tensor<f32>, !tile.ptr<f32>, tensor<i32>
      }
    }
    tile.kernel @k$aligned(%x: !tile.ptr<f32>, %n: i32) grid launch
        attributes {tile.version_of = "k"} {
      %two = arith.constant 2 : i32
      %one = arith.constant 1.0 : f32
      %known = tile.assume %n div_by 8 : i32
      %less = arith.cmpi slt, %known, %two : i32
      scf.if %less {
        %at = tile.splat %known [] : i32 -> tensor<i32>
        %ones = tile.splat %one [] : f32 -> tensor<f32>
        tile.store_at %ones, %x[%at] : tensor<f32>, !tile.ptr<f32>, tensor<i32>
      }
    }
    tile.kernel @k$words(%x: !tile.ptr<f32>, %n: i32) grid launch
        attributes {tile.version_of = "k"} {
      %one = arith.constant 1.0 : f32
      %two = arith.constant 3 : i32
      %less = arith.cmpi slt, %n, %two : i32
      scf.if %less {
        %at = tile.splat %n [] : i32 -> tensor<i32>
        %ones = tile.splat %one [] : f32 -> tensor<f32>
        tile.store_at %ones, %x[%at] : tensor<f32>, !tile.ptr<f32>, tensor<i32>
      }
    })";
  for (bool shares : {false, true}) {
    options.sharesVersions = shares;
    const GpuKernels kernels = compile(versions);
    ASSERT_EQ(kernels.size(), 3u);
    EXPECT_EQ(kernels.at("k").symbol, "kernel_k");
    EXPECT_EQ(kernels.at("k$aligned").symbol,
              shares ? "kernel_k" : "kernel_k$aligned");
    EXPECT_EQ(kernels.at("k$words").symbol, "kernel_k$words");
  }
}

TEST_F(GpuKernelsTest, ASecondStartLowersNothing) {
  options.cache = &cache;
  const GpuKernels first = compile(twoKernels);
  EXPECT_THAT(phasesRun, ElementsAre(Phase::Planned, Phase::Layouts,
                                     Phase::Threads, Phase::NVVM));
  phasesRun.clear();
  const GpuKernels second = compile(twoKernels);
  EXPECT_THAT(phasesRun, IsEmpty());
  ASSERT_EQ(second.size(), 2u);
  for (const auto &[name, kernel] : first)
    EXPECT_EQ(second.at(name).ptx, kernel.ptx);
}

TEST_F(GpuKernelsTest, OnlyWhatHasChangedIsCompiledAgain) {
  options.cache = &cache;
  compile(twoKernels);
  options.afterPhase = [](mlir::ModuleOp module, Phase) {
    EXPECT_EQ(llvm::range_size(module.getOps<mlir::ModuleOp>()), 1u);
    return mlir::success();
  };
  std::string changed = twoKernels.str();
  changed.replace(changed.find("1.0"), 3, "2.0");
  EXPECT_EQ(compile(changed).size(), 2u);
}

TEST_F(GpuKernelsTest, WhereAKernelStandsDoesNotMatter) {
  options.cache = &cache;
  compile(twoKernels);
  phasesRun.clear();
  compile("// Another line.\n\n" + twoKernels.str());
  EXPECT_THAT(phasesRun, IsEmpty());
}

TEST_F(GpuKernelsTest, APlanIsPartOfTheKernel) {
  const auto kernelOn = [](int warps) {
    return "tile.kernel @k() grid [1] attributes {tile_gpu.plan = "
           "#tile_gpu.plan<target = \"sm_80\", warps = " +
           std::to_string(warps) + ">} {}";
  };
  options.cache = &cache;
  EXPECT_EQ(compile(kernelOn(4)).at("k").launch.threads, 128u);
  EXPECT_EQ(compile(kernelOn(8)).at("k").launch.threads, 256u);
}

TEST_F(GpuKernelsTest, OneKernelOfManyStaysAsItIs) {
  auto module = parse(twoKernels);
  const auto kernel = *module->getOps<tile::KernelOp>().begin();
  const auto compiled = compiler::compileGpuKernel(kernel, options);
  ASSERT_TRUE(succeeded(compiled));
  EXPECT_EQ(compiled->symbol, "kernel_small");
  EXPECT_EQ(llvm::range_size(module->getOps<tile::KernelOp>()), 2u);
}

TEST_F(GpuKernelsTest, AKernelThatDoesNotCompileIsAnErrorAtItsPlace) {
  const auto module = parse(R"(
    llvm.func @missing()
    llvm.func @k() attributes {nvvm.kernel, tile_gpu.launch = {threads = 32 : i32}} {
      llvm.call @missing() : () -> ()
      llvm.return
    })");
  EXPECT_TRUE(failed(compiler::compileGpuKernels(*module, options)));
  EXPECT_THAT(said, HasSubstr("gpu: a kernel calls 'missing', which neither "
                              "the module nor the hardware provides"));
}

TEST_F(GpuKernelsTest, KernelsThatSpillArePlannedWithOtherWarps) {
  // A ptxas that reports spills of all blocks but those of 256 threads.
  const std::string path = folder + "/ptxas";
  std::error_code error;
  llvm::raw_fd_ostream(path, error) << R"(#!/bin/sh
[ "$1" = --version ] && echo 'release 13.0, V13.0.88' && exit 0
cat "$3" > "$5"
grep -q 'reqntid 256' "$3" ||
  echo '    16 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads'
)";
  ASSERT_FALSE(error);
  ASSERT_FALSE(llvm::sys::fs::setPermissions(path, llvm::sys::fs::owner_all));
  const target::Ptxas ptxas = llvm::cantFail(target::Ptxas::open(path));
  options.ptxas = &ptxas;
  options.cache = &cache;
  std::vector<std::string> warnings;
  options.warn = [&](const std::string &text) { warnings.push_back(text); };

  constexpr llvm::StringLiteral twice = "tile.kernel @k() grid [1] {}";
  EXPECT_EQ(compile(twice).at("k").launch.threads, 256u);
  EXPECT_THAT(warnings, IsEmpty());
  // The cache has the kernel that was chosen, and nothing is dumped twice.
  EXPECT_EQ(compile(twice).at("k").launch.threads, 256u);
  EXPECT_THAT(phasesRun, ElementsAre(Phase::Planned, Phase::Layouts,
                                     Phase::Threads, Phase::NVVM));
  // 16384 elements get 16 warps; 32 and 8 are tried.
  EXPECT_EQ(compile(R"(
    tile.kernel @half(%x: f32) grid [1] {
      %tile = tile.splat %x [16384] : f32 -> tensor<16384xf32>
      %equal = arith.cmpf oeq, %tile, %tile : tensor<16384xf32>
      tile.assert %equal, "no NaN" : tensor<16384xi1>
    })")
                .at("half")
                .launch.threads,
            256u);
  EXPECT_THAT(warnings, IsEmpty());

  const auto threadsWith = [&](llvm::StringRef attribute) {
    warnings.clear();
    const std::string text =
        "tile.kernel @k() grid [1] attributes {" + attribute.str() + "} {}";
    return compile(text).at("k").launch.threads;
  };
  // Other requests remain, but a requested number of warps is final.
  EXPECT_EQ(threadsWith("tile.wanted_plan = {raster = 4}"), 256u);
  EXPECT_THAT(warnings, IsEmpty());
  EXPECT_EQ(threadsWith("tile.wanted_plan = {warps = 4}"), 128u);
  EXPECT_EQ(warnings.size(), 1u);
  EXPECT_EQ(threadsWith("tile_gpu.plan = #tile_gpu.plan<target = \"sm_80\", "
                        "warps = 4>"),
            128u);
  EXPECT_EQ(warnings.size(), 1u);
}

TEST_F(GpuKernelsTest, OtherPlansChangeWhatAPlanLeavesOpen) {
  using compiler::OtherPlan;
  const auto plansFor = [&](llvm::StringRef plan, unsigned spilled = 64,
                            bool isSerialized = false) {
    return compiler::otherPlans(planOf(plan), spilled, isSerialized);
  };
  EXPECT_THAT(
      plansFor("warps = 8, stages = 3"),
      ElementsAre(OtherPlan{{{"warps", 16}}}, OtherPlan{{{"warps", 4}}}));
  EXPECT_THAT(plansFor("warps = 8, stages = 4, producer = true"),
              ElementsAre(OtherPlan{{{"pieces", 2}}}));
  EXPECT_THAT(plansFor("warps = 4, stages = 4, producer = true, persistent = "
                       "true, teams = 2"),
              IsEmpty());
  EXPECT_THAT(plansFor("warps = 12, stages = 2, producer = true"),
              ElementsAre(OtherPlan{{{"pieces", 2}}}));
  EXPECT_THAT(plansFor("warps = 4, stages = 4, producer = true"), IsEmpty());
  EXPECT_THAT(plansFor("warps = 4, stages = 4, producer = true", 1348),
              ElementsAre(OtherPlan{{{"pieces", 2}}},
                          OtherPlan{{{"producer", 0}, {"warps", 8}}}));
  EXPECT_THAT(plansFor("warps = 4, stages = 4, producer = true", 0, true),
              ElementsAre(OtherPlan{{}, true}));
  EXPECT_THAT(plansFor("warps = 8, stages = 4, producer = true", 0, true),
              ElementsAre(OtherPlan{{}, true}, OtherPlan{{{"pieces", 2}}}));
  // Two blocks that share a multiprocessor have half of the registers each.
  EXPECT_THAT(plansFor("warps = 4, stages = 3, producer = true, blocks = 2"),
              ElementsAre(OtherPlan{{{"blocks", 1}}}));
  EXPECT_THAT(
      plansFor("warps = 4, stages = 3, producer = true, blocks = 2", 0, true),
      ElementsAre(OtherPlan{{{"blocks", 1}}}, OtherPlan{{}, true}));
  EXPECT_THAT(plansFor("warps = 4, stages = 3, producer = true, blocks = 1"),
              IsEmpty());
  EXPECT_THAT(plansFor("warps = 1"), IsEmpty());
  EXPECT_THAT(plansFor("warps = 1, teams = 4"), IsEmpty());
}

TEST_F(GpuKernelsTest, NoNumberOfWarpsHoldsMoreThanAMultiprocessor) {
  const auto areExhausted = [&](llvm::StringRef plan, unsigned registers,
                                unsigned spilled) {
    target::GpuKernel kernel;
    kernel.report.registers = registers;
    kernel.report.spillStoreBytes = spilled;
    return compiler::areRegistersExhausted(kernel, planOf(plan));
  };
  EXPECT_TRUE(areExhausted("warps = 16", 128, 772));
  EXPECT_TRUE(areExhausted("warps = 24", 80, 772));
  EXPECT_TRUE(areExhausted("warps = 8", 255, 132));
  // Half of the threads need their addresses and counters once.
  EXPECT_FALSE(areExhausted("warps = 16", 128, 128));
  // Twice as many have twice the registers.
  EXPECT_FALSE(areExhausted("warps = 4", 255, 772));
  EXPECT_FALSE(areExhausted("warps = 16", 64, 772));
}

TEST_F(GpuKernelsTest, FewSpillsBesideAProducerNeedNoOtherPlan) {
  const auto needs = [&](llvm::StringRef plan, unsigned spilled,
                         std::vector<std::string> remarks = {}) {
    target::GpuKernel kernel;
    kernel.report.stackBytes = spilled;
    kernel.report.spillStoreBytes = kernel.report.spillLoadBytes = spilled;
    kernel.report.remarks = std::move(remarks);
    return compiler::needsOtherPlan(kernel, planOf(plan));
  };
  constexpr llvm::StringLiteral producer =
      "warps = 8, stages = 4, producer = true";
  EXPECT_FALSE(needs(producer, 0));
  EXPECT_FALSE(needs(producer, 32));
  EXPECT_TRUE(needs(producer, 36));
  // Serialized dots are another problem.
  EXPECT_TRUE(needs(producer, 0, {"(C7513) serialized"}));
  EXPECT_TRUE(needs(producer, 32, {"(C7513) serialized"}));
  EXPECT_FALSE(needs(producer, 32, {"(C6020) harmless"}));
  EXPECT_FALSE(needs("warps = 8", 0));
  EXPECT_TRUE(needs("warps = 8", 4));
}

TEST_F(GpuKernelsTest, RequestsThatDoNotFitKeepTheFirstPlan) {
  // A ptxas that reports spills of all blocks but those of 128 threads.
  const std::string path = folder + "/ptxas";
  std::error_code error;
  llvm::raw_fd_ostream(path, error) << R"(#!/bin/sh
[ "$1" = --version ] && echo 'release 13.0, V13.0.88' && exit 0
cat "$3" > "$5"
grep -q 'reqntid 128' "$3" ||
  echo '    16 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads'
)";
  ASSERT_FALSE(error);
  ASSERT_FALSE(llvm::sys::fs::setPermissions(path, llvm::sys::fs::owner_all));
  const target::Ptxas ptxas = llvm::cantFail(target::Ptxas::open(path));
  options.ptxas = &ptxas;
  std::vector<std::string> warnings;
  options.warn = [&](const std::string &text) { warnings.push_back(text); };
  // Sixteen warps are more than a product may have, four are not.
  EXPECT_EQ(compile(R"(
    tile.kernel @product(%x: !tile.view<128x16xbf16>) outs(%y: !tile.view<128x128xf32>) grid [1] {
      %c0 = arith.constant 0 : index
      %zero = arith.constant dense<0.0> : tensor<128x128xf32>
      %tile = tile.load %x[%c0, %c0] [128, 16] : !tile.view<128x16xbf16> -> tensor<128x16xbf16>
      %r = tile.dot %tile, %tile, %zero transpose_b : tensor<128x16xbf16>, tensor<128x16xbf16>, tensor<128x128xf32> -> tensor<128x128xf32>
      tile.store %r, %y[%c0, %c0] : tensor<128x128xf32>, !tile.view<128x128xf32>
    })")
                .at("product")
                .launch.threads,
            128u);
  EXPECT_THAT(warnings, IsEmpty());
}

TEST_F(GpuKernelsTest, IfAllPlansSpillTheLeastIsTakenIfMuchLess) {
  // A ptxas that spills in blocks of 256, 128 and 64 threads.
  const auto threadsIf = [&](int twice, int first, int half) {
    const std::string path = folder + "/ptxas";
    std::error_code error;
    llvm::raw_fd_ostream file(path, error);
    file << R"(#!/bin/sh
[ "$1" = --version ] && echo 'release 13.0, V13.0.88' && exit 0
cat "$3" > "$5"
)";
    for (auto [threads, bytes] :
         {std::pair(256, twice), std::pair(128, first), std::pair(64, half)})
      file << "grep -q 'reqntid " << threads << "' \"$3\" && echo '    "
           << bytes << " bytes stack frame, " << bytes
           << " bytes spill stores, " << bytes << " bytes spill loads'\n";
    file << "true\n";
    file.close();
    EXPECT_FALSE(error);
    EXPECT_FALSE(llvm::sys::fs::setPermissions(path, llvm::sys::fs::owner_all));
    const target::Ptxas ptxas = llvm::cantFail(target::Ptxas::open(path));
    options.ptxas = &ptxas;
    options.warn = [](const std::string &) {};
    return compile("tile.kernel @k() grid [1] {}").at("k").launch.threads;
  };
  EXPECT_EQ(threadsIf(40, 100, 60), 256u);
  EXPECT_EQ(threadsIf(40, 100, 20), 64u);
  EXPECT_EQ(threadsIf(60, 100, 40), 64u);
  EXPECT_EQ(threadsIf(50, 100, 60), 128u); // half is not worth it
}

TEST_F(GpuKernelsTest, SlowKernelsAreToldOrRefused) {
  // A ptxas that always reports spills.
  const std::string path = folder + "/ptxas";
  std::error_code error;
  llvm::raw_fd_ostream(path, error) << R"(#!/bin/sh
[ "$1" = --version ] && echo 'release 13.0, V13.0.88' && exit 0
cat "$3" > "$5"
echo '    16 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads'
)";
  ASSERT_FALSE(error);
  ASSERT_FALSE(llvm::sys::fs::setPermissions(path, llvm::sys::fs::owner_all));
  const target::Ptxas ptxas = llvm::cantFail(target::Ptxas::open(path));
  options.ptxas = &ptxas;
  options.cache = &cache;

  constexpr llvm::StringLiteral text = "tile.kernel @k() grid [1] {}";
  const std::string problem =
      "gpu: kernel 'kernel_k': 8 bytes of spill stores and 4 of spill loads at "
      "0 registers";
  std::vector<std::string> warnings;
  options.warn = [&](const std::string &text) { warnings.push_back(text); };
  compile(text);
  EXPECT_THAT(warnings, ElementsAre(problem));
  // A kernel from the cache spills as much as a new one.
  compile(text);
  EXPECT_THAT(warnings, ElementsAre(problem, problem));

  options.strict = true;
  const auto module = parse(text);
  EXPECT_TRUE(failed(compiler::compileGpuKernels(*module, options)));
  EXPECT_EQ(said, problem + "\n");
}
