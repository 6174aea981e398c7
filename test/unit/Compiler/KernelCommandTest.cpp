// The command behind `tilegpt-run FILE --function NAME`: inputs, outputs and
// expectations, on both devices.
#include "TileGPT/Compiler/KernelCommand.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace tilegpt::compiler {
namespace {

using runtime::ErrorCode;

constexpr const char *program = R"(
tile.kernel @add(%a: !tile.view<?x?x!tile.elt<X>>, %s: f32) outs(%y: !tile.view<?x?x!tile.elt<X>>)
    params {B = 4 in [2, 4], X: type = f32 in [f32, bf16]}
    grid [ceildiv(dim(%y, 0), B), ceildiv(dim(%y, 1), B)] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %0 = tile.load %a[%i, %j] [B, B] : !tile.view<?x?x!tile.elt<X>> -> tensor<?x?x!tile.elt<X>>
  %1 = tile.cast %0 : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %2 = tile.splat %s [B, B] : f32 -> tensor<?x?xf32>
  %3 = arith.addf %1, %2 : tensor<?x?xf32>
  %4 = tile.cast %3 : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %4, %y[%i, %j] : tensor<?x?x!tile.elt<X>>, !tile.view<?x?x!tile.elt<X>>
}
tile.kernel @sum(%a: !tile.view<?x?xf32>, %b: !tile.view<?x?xf32>) outs(%y: !tile.view<?x?xf32>)
    requires(dim(%a, 0) == dim(%b, 0), dim(%a, 1) == dim(%b, 1), dim(%a, 0) == dim(%y, 0), dim(%a, 1) == dim(%y, 1))
    grid [ceildiv(dim(%y, 0), 4), ceildiv(dim(%y, 1), 4)] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %0 = tile.load %a[%i, %j] [4, 4] : !tile.view<?x?xf32> -> tensor<4x4xf32>
  %1 = tile.load %b[%i, %j] [4, 4] : !tile.view<?x?xf32> -> tensor<4x4xf32>
  %2 = arith.addf %0, %1 : tensor<4x4xf32>
  tile.store %2, %y[%i, %j] : tensor<4x4xf32>, !tile.view<?x?xf32>
}
tile.kernel @once(%a: !tile.view<4xf32>) outs(%y: !tile.view<4xf32>)
    grid [1] {
  %c0 = arith.constant 0 : index
  %0 = tile.load %a[%c0] [4] : !tile.view<4xf32> -> tensor<4xf32>
  %1 = tile.load %y[%c0] [4] : !tile.view<4xf32> -> tensor<4xf32>
  %2 = tensor.extract %1[%c0] : tensor<4xf32>
  %zero = arith.constant 0.0 : f32
  %isFirst = arith.cmpf oeq, %2, %zero : f32
  tile.assert %isFirst, "a second run" : i1
  tile.store %0, %y[%c0] : tensor<4xf32>, !tile.view<4xf32>
}
func.func @twice(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %r = arith.addf %a, %a : tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
)";

class KernelCommandTest : public testing::TestWithParam<KernelCommand::Device> {
protected:
  void SetUp() override {
    folder = std::filesystem::temp_directory_path() /
             ("tilegpt-kernel-command-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    command.path = folder / "kernels.mlir";
    std::ofstream(command.path) << program;
    command.function = "add";
    command.device = GetParam();
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  /// The output, or the error.
  std::string run() {
    std::string text;
    runtime::Result<void> result =
        runKernelCommand(command, [&](std::string_view line) { text += line; });
    code = result ? ErrorCode() : result.error().code;
    return result ? text : result.error().message;
  }

  std::filesystem::path folder;
  KernelCommand command;
  ErrorCode code{};
};

INSTANTIATE_TEST_SUITE_P(Devices, KernelCommandTest,
                         testing::Values(KernelCommand::Device::Reference,
                                         KernelCommand::Device::Cpu),
                         [](const auto &info) {
                           return info.param == KernelCommand::Device::Cpu
                                      ? "Cpu"
                                      : "Reference";
                         });

TEST_P(KernelCommandTest, PrintsResults) {
  command.inputs = {"2x3xf32=1,2,3,4,5,6", "f32=0.5"};
  command.outputs = {"2x3xf32"};
  EXPECT_EQ(run(), "2x3xf32=[1.5 2.5 3.5][4.5 5.5 6.5]\n");
  command.inputs = {"2x3xbf16=1,2,3,4,5,6", "f32=0.5"};
  command.outputs = {"2x3xbf16"};
  command.parameters = {"B=2"};
  EXPECT_EQ(run(), "2x3xbf16=[1.5 2.5 3.5][4.5 5.5 6.5]\n");
}

TEST_P(KernelCommandTest, ComparesWithWhatIsExpected) {
  command.inputs = {"1x2xf32=1,2", "f32=1"};
  command.expectedOutputs = {"1x2xf32=2,3"};
  EXPECT_EQ(run(), "");
  EXPECT_EQ(code, ErrorCode());
  command.expectedOutputs = {"1x2xf32=2,3.5"};
  EXPECT_EQ(run(), "result 0 of 'add': element 1: expected 3.5, found 3, "
                   "tolerance 1.66893005e-06");
  EXPECT_EQ(code, ErrorCode::Mismatch);
  command.tolerance = 0.2;
  EXPECT_EQ(run(), "");
}

TEST_P(KernelCommandTest, WritesAndReadsNpy) {
  std::string file = folder / "y.npy";
  command.inputs = {"2x2xbf16=1,2,3,4", "f32=1"};
  command.outputs = {"2x2xbf16=@" + file};
  EXPECT_EQ(run(), "");
  command.inputs = {"bf16=@" + file, "f32=1"};
  command.outputs = {"2x2xbf16"};
  EXPECT_EQ(run(), "2x2xbf16=[3 4][5 6]\n");
  command.inputs = {"@" + file, "f32=1"};
  command.outputs = {};
  command.expectedOutputs = {"2x2xf32=3,4,5,6"};
  EXPECT_EQ(run(), "");
}

TEST_P(KernelCommandTest, RefusesWhatMakesNoSense) {
  auto expectUsage = [&](const std::string &message) {
    EXPECT_EQ(run(), message);
    EXPECT_EQ(code, ErrorCode::Usage);
  };
  expectUsage("expected 2 inputs for 'add', which --list shows, found 0");
  command.inputs = {"2x2xf32=1,2,3", "f32=1"};
  expectUsage("--input: expected 4 values for 2x2xf32, found 3");
  command.inputs = {"2x2xf32", "f32=1"};
  expectUsage("the shape of out 0 of 'add' is open; give it as "
              "--output=2x3xf32 or with --expected-output");
  command.outputs = {"2x2xf33"};
  expectUsage("--output: expected a shape such as 2x3xf32, found '2x2xf33'");
  command.outputs = {"2x2xf32"};
  command.parameters = {"B"};
  expectUsage("--param: expected NAME=NUMBER or NAME=TYPE, found 'B'");
  command.parameters = {};
  command.function = "sub";
  expectUsage(
      "'" + command.path +
      "' has no kernel or function 'sub'; it has add, sum, once, twice");
}

TEST_P(KernelCommandTest, ReportsWhatDoesNotRun) {
  command.inputs = {"2x2xf16", "f32=1"};
  command.outputs = {"2x2xf16"};
  EXPECT_THAT(run(), testing::HasSubstr("parameter 'X' does not admit f16"));
  EXPECT_EQ(code, ErrorCode::Failure);
  std::ofstream(command.path) << "tile.kernel";
  run();
  EXPECT_EQ(code, ErrorCode::BadInput);
}

TEST_P(KernelCommandTest, ChecksWhatAKernelRequires) {
  command.function = "sum";
  command.inputs = {"2x3xf32=1,2,3,4,5,6", "2x3xf32=10,20,30,40,50,60"};
  command.outputs = {"2x3xf32"};
  EXPECT_EQ(run(), "2x3xf32=[11 22 33][44 55 66]\n");
  command.inputs = {"4x5xf32", "4x6xf32"};
  command.outputs = {"4x5xf32"};
  EXPECT_THAT(run(), testing::HasSubstr(
                         "expected axis 1 of argument 1 of 'sum' to be 5 "
                         "(axis 1 of argument 0), found 6"));
  EXPECT_EQ(code, ErrorCode::Failure);
  command.inputs = {"4x5xf32", "4x5xf32"};
  command.outputs = {"3x5xf32"};
  EXPECT_THAT(run(), testing::HasSubstr(
                         "expected axis 0 of argument 2 of 'sum' to be 4 "
                         "(axis 0 of argument 0), found 3"));
}

/// Measured runs share memory; what they write is restored.
TEST_P(KernelCommandTest, EachMeasuredRunSeesTheInitialOutput) {
  if (GetParam() == KernelCommand::Device::Reference)
    GTEST_SKIP() << "the interpreter is not measured";
  size_t runs = 0;
  command.function = "once";
  command.inputs = {"4xf32=1,2,3,4"};
  command.outputs = {"4xf32=0"};
  command.repetitions = 3;
  command.threads = 1;
  command.measured = [&](std::span<const runtime::StepTime> times) {
    runs = times.size();
  };
  EXPECT_EQ(run(), "");
  EXPECT_EQ(code, ErrorCode());
  EXPECT_EQ(runs, 3u);

  command.repetitions = 0;
  command.outputs = {"4xf32=1"};
  EXPECT_THAT(run(), testing::HasSubstr("'once' failed: a second run"));
}

TEST_P(KernelCommandTest, FunctionsRunOnTheReference) {
  command.function = "twice";
  command.inputs = {"2x2xf32=1,2,3,4"};
  if (GetParam() == KernelCommand::Device::Reference) {
    EXPECT_EQ(run(), "2x2xf32=[2 4][6 8]\n");
    return;
  }
  EXPECT_EQ(run(), "'twice' is a function; functions run with "
                   "--device=reference, kernels on every device");
  EXPECT_EQ(code, ErrorCode::Usage);
}

} // namespace
} // namespace tilegpt::compiler
