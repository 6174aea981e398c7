// GPU kernels run without a GPU: compiled for sm_80 down to the code of one
// thread, which the emulator runs on the host in two orders of threads and
// blocks, against the reference interpreter.
#include "../../Numeric/Compare.h"
#include "../../Numeric/KernelCases.h"
#include "../../Numeric/NumericRun.h"
#include "KernelMemory.h"
#include "Program.h"
#include "mlir/IR/OwningOpRef.h"
#include "gtest/gtest.h"

namespace tilegpt::numeric {
namespace {

using emulator::Schedule;

/// Runs all blocks, the last one first for Descending.
llvm::Error runBlocks(const emulator::Program &program,
                      const compiler::GpuKernelRun &run,
                      const std::vector<uint64_t> &words, Schedule schedule) {
  const auto [x, y, z] = run.grid;
  const int64_t count = x * y * z;
  const std::array<int32_t, 3> grid = {int32_t(x), int32_t(y), int32_t(z)};
  for (int64_t turn = 0; turn < count; ++turn) {
    const int64_t n = schedule == Schedule::Ascending ? turn : count - 1 - turn;
    emulator::Block block(
        int(run.kernel.launch.threads), run.kernel.launch.sharedBytes,
        {int32_t(n % x), int32_t(n / x % y), int32_t(n / x / y)}, grid);
    const std::string error = block.run(
        [&](emulator::Thread &thread) { program(words.data(), thread); },
        schedule);
    if (!error.empty())
      return llvm::createStringError(error);
  }
  return llvm::Error::success();
}

/// Runs a case on the emulator; its outs are those of `run` afterwards.
llvm::Error emulate(NumericRun &run, bool openSizes, Schedule schedule) {
  mlir::OwningOpRef<mlir::ModuleOp> device;
  compiler::GpuCompilation compilation(
      llvm::cantFail(target::GpuTarget::find("sm_80")));
  compilation.afterPhase = [&](mlir::ModuleOp module, Phase phase) {
    if (phase == Phase::NVVM)
      device = (*module.getOps<mlir::ModuleOp>().begin()).clone();
    return mlir::success();
  };
  auto compiled = run.compileForGpu({.openSizes = openSizes}, compilation);
  if (!compiled)
    return compiled.takeError();
  auto program = emulator::Program::compile(*device);
  if (!program)
    return program.takeError();
  compiler::KernelMemory memory(run.values(), /*guard=*/256);
  std::vector<uint64_t> words = memory.words();
  uint64_t status = 0;
  words.insert(words.end(), compiled->grid.begin(), compiled->grid.end());
  words.push_back(reinterpret_cast<uint64_t>(&status));
  if (llvm::Error error = runBlocks(*program, *compiled, words, schedule))
    return error;
  if (status)
    return llvm::createStringError("assert " + std::to_string(status) +
                                   " failed");
  return memory.readBack("the kernel");
}

class EmulatedKernel : public testing::TestWithParam<NumericCase> {};

TEST_P(EmulatedKernel, AgreesWithTheReference) {
  const NumericCase &test = GetParam();
  const bool openSizes = test.line == 0;
  NumericRun reference(test), forwards(test), backwards(test);
  ASSERT_EQ(llvm::toString(reference.onReference()), "");
  ASSERT_EQ(llvm::toString(emulate(forwards, openSizes, Schedule::Ascending)),
            "");
  ASSERT_EQ(llvm::toString(emulate(backwards, openSizes, Schedule::Descending)),
            "");
  for (size_t number = 0; number < test.expected.size(); ++number) {
    EXPECT_EQ(compare(reference.out(number), forwards.out(number), test.depth),
              "")
        << "out " << number;
    EXPECT_TRUE(forwards.out(number).toBytes() ==
                backwards.out(number).toBytes())
        << "out " << number << " depends on the order of threads";
  }
}

/// Elements of the largest argument or out.
int64_t largestOf(const NumericCase &test) {
  int64_t largest = 1;
  for (const auto *list : {&test.ins, &test.expected})
    for (const std::string &text : *list) {
      int64_t elements = 1;
      for (int64_t size :
           llvm::cantFail(
               reference::parseShape(llvm::StringRef(text).split('=').first))
               .shape)
        elements *= size;
      largest = std::max(largest, elements);
    }
  return largest;
}

/// The library's kernels at sizes that take no time, and kernels whose tiles
/// are held, moved and summed in every way.
std::vector<NumericCase> emulatedCases() {
  constexpr int64_t most = 50000;
  std::vector<NumericCase> cases;
  for (const NumericCase &test : kernelCases())
    if (largestOf(test) <= most)
      cases.push_back(test);
  const llvm::StringRef files[] = {"dot-float.mlir",    "dot-int.mlir",
                                   "dot-mixed.mlir",    "gather-scatter.mlir",
                                   "memory.mlir",       "memory-pad.mlir",
                                   "reduce-float.mlir", "reduce-int.mlir",
                                   "shape.mlir",        "views.mlir"};
  for (const NumericCase &test : readCases())
    if (test.error.empty() && llvm::is_contained(files, test.file))
      cases.push_back(test);
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Cases, EmulatedKernel,
                         testing::ValuesIn(emulatedCases()),
                         [](const auto &info) {
                           return std::to_string(info.index) + "_" +
                                  info.param.name();
                         });

} // namespace
} // namespace tilegpt::numeric
