// Memory accesses of kernels compiled for a GPU, checked without one: every
// access lies within an argument and is aligned to its size, and every byte of
// an out is written.
#include "KernelCases.h"
#include "NumericRun.h"
#include "ThreadTrace.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "llvm/Support/MathExtras.h"
#include "gtest/gtest.h"
#include <set>

namespace tilegpt::numeric {
namespace {

using test::GlobalAccess;

/// The code of one thread of a kernel, and its launch.
struct ThreadCode {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  std::array<int64_t, 3> grid;
  int64_t cluster = 1; ///< blocks per grid point, along x
  int64_t threads = 0;
};

ThreadCode compile(NumericRun &run, llvm::StringRef target, bool openSizes) {
  ThreadCode code;
  compiler::GpuCompilation compilation(
      llvm::cantFail(target::GpuTarget::find(target)));
  compilation.afterPhase = [&](mlir::ModuleOp module, Phase phase) {
    if (phase != Phase::Threads)
      return mlir::success();
    code.module = module.clone();
    code.module->walk([&](mlir::func::FuncOp function) {
      if (function->hasAttr(tilegpu::PlanAttr::attrName))
        code.function = function;
    });
    return mlir::success();
  };
  auto compiled = run.compileForGpu({.openSizes = openSizes}, compilation);
  if (!compiled) {
    ADD_FAILURE() << llvm::toString(compiled.takeError());
    return code;
  }
  code.grid = compiled->grid;
  code.cluster = compiled->kernel.launch.clusterSize;
  code.threads = compiled->kernel.launch.threads;
  return code;
}

/// The arguments of a function, and the sizes of the buffers they point to.
struct Arguments {
  std::vector<int64_t> words;
  std::map<unsigned, int64_t> bytes; ///< by argument number

  void add(llvm::StringRef text) {
    reference::TensorShape tensor =
        llvm::cantFail(reference::parseShape(text.split('=').first));
    if (tensor.shape.empty())
      return words.push_back(0);
    int64_t elements = 1;
    for (int64_t size : tensor.shape)
      elements *= size;
    bytes[words.size()] = elements * bundle::byteWidth(tensor.type);
    words.push_back(0);
    llvm::append_range(words, tensor.shape);
    llvm::append_range(words, reference::denseStrides(tensor.shape));
  }
};

class GpuAccess : public testing::TestWithParam<NumericCase> {
protected:
  /// Compiles the case for a target and passes every access of some blocks to
  /// `check`, with the size of the argument.
  /// \param isEdgesOnly  only the first and the last block along each axis.
  void forEachAccess(
      llvm::StringRef target, bool isEdgesOnly,
      llvm::function_ref<void(const GlobalAccess &, int64_t bytes)> check) {
    const NumericCase &test = GetParam();
    ThreadCode code = compile(run, target, openSizes);
    ASSERT_TRUE(code.function);
    Arguments arguments;
    for (const std::string &text : test.ins)
      arguments.add(text);
    outs = arguments.words.size();
    for (const std::string &text : test.expected)
      arguments.add(text);
    llvm::append_range(arguments.words, code.grid);
    arguments.words.resize(code.function.getNumArguments());
    auto blocks = [&](unsigned axis) {
      int64_t count = code.grid[axis] * (axis == 0 ? code.cluster : 1);
      std::set<int64_t> numbers = {0, count - 1};
      for (int64_t number = 0; !isEdgesOnly && number < count; ++number)
        numbers.insert(number);
      return numbers;
    };
    for (int64_t z : blocks(2))
      for (int64_t y : blocks(1))
        for (int64_t x : blocks(0))
          for (int64_t thread = 0; thread < code.threads; ++thread)
            for (const GlobalAccess &access :
                 test::traceThread(code.function, arguments.words,
                                   {{x, y, z}, thread, code.cluster})) {
              auto found = arguments.bytes.find(access.argument);
              if (found != arguments.bytes.end())
                check(access, found->second);
            }
  }

  static std::string describe(const GlobalAccess &access, int64_t bytes) {
    return (access.isWrite ? "a write of " : "a read of ") +
           std::to_string(access.bytes) + " bytes at " +
           std::to_string(access.offset) + " of argument " +
           std::to_string(access.argument) + ", which has " +
           std::to_string(bytes);
  }

  unsigned outs = 0;     ///< number of the first out
  bool openSizes = true; ///< whether sizes are unknown to the compiler

private:
  NumericRun run{GetParam()};
};

TEST_P(GpuAccess, StaysInsideOfItsArguments) {
  for (const char *target : {"sm_80", "sm_90a"}) {
    std::string first;
    forEachAccess(
        target, /*isEdgesOnly=*/true,
        [&](const GlobalAccess &access, int64_t bytes) {
          bool isInside =
              access.offset >= 0 && access.offset + access.bytes <= bytes;
          // Reading one unit at the start of an empty argument is fine.
          isInside |= bytes == 0 && !access.isWrite && access.offset == 0;
          if (first.empty() && (!isInside || access.offset % access.bytes))
            first = describe(access, bytes);
        });
    EXPECT_EQ(first, "") << "for " << target;
  }
}

const std::vector<NumericCase> &allKernelCases() {
  static const std::vector<NumericCase> cases = kernelCases();
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Kernels, GpuAccess,
                         testing::ValuesIn(allKernelCases()),
                         [](const auto &info) {
                           return std::to_string(info.index) + "_" +
                                  info.param.name();
                         });

/// Kernels that write all of their outs, in rows with any alignment.
std::vector<NumericCase> rowCases() {
  std::vector<NumericCase> cases;
  for (const NumericCase &test : allKernelCases())
    if (llvm::is_contained(
            {"softmax", "add", "gelu", "layer_norm", "add.layer_norm"},
            test.kernel) &&
        test.ins.front().find("50257") == std::string::npos)
      cases.push_back(test);
  for (NumericCase &test : readCases())
    if (test.file == "rows.mlir")
      cases.push_back(std::move(test));
  return cases;
}

class GpuRows : public GpuAccess {
protected:
  void expectEachByteOnce();
};

void GpuRows::expectEachByteOnce() {
  std::map<unsigned, std::vector<uint8_t>> writes;
  forEachAccess("sm_90a", /*isEdgesOnly=*/false,
                [&](const GlobalAccess &access, int64_t bytes) {
                  ASSERT_GE(access.offset, 0) << describe(access, bytes);
                  ASSERT_LE(access.offset + access.bytes, bytes)
                      << describe(access, bytes);
                  if (!access.isWrite)
                    return;
                  auto &counts = writes[access.argument];
                  counts.resize(bytes);
                  for (int64_t byte = 0; byte < access.bytes; ++byte)
                    ++counts[access.offset + byte];
                });
  EXPECT_EQ(writes.size(), GetParam().expected.size());
  for (auto &[argument, counts] : writes) {
    EXPECT_GE(argument, outs) << "an input is written";
    auto other =
        llvm::find_if(counts, [](uint8_t count) { return count != 1; });
    EXPECT_EQ(other, counts.end())
        << "byte " << other - counts.begin() << " of argument " << argument
        << " is written " << int(other == counts.end() ? 0 : *other)
        << " times";
  }
}

TEST_P(GpuRows, WritesEveryByteOnce) { expectEachByteOnce(); }

/// Rows whose number is known, so that several blocks share each of them.
std::vector<NumericCase> longRowCases() {
  std::vector<NumericCase> cases = readCases();
  llvm::erase_if(cases, [](const NumericCase &test) {
    return test.file != "long-rows.mlir" || test.kernel == "total";
  });
  return cases;
}

class GpuLongRows : public GpuRows {};

TEST_P(GpuLongRows, WriteEveryByteOnce) {
  openSizes = false;
  expectEachByteOnce();
}

INSTANTIATE_TEST_SUITE_P(Rows, GpuLongRows, testing::ValuesIn(longRowCases()),
                         [](const auto &info) {
                           return std::to_string(info.index) + "_" +
                                  info.param.name();
                         });

INSTANTIATE_TEST_SUITE_P(Rows, GpuRows, testing::ValuesIn(rowCases()),
                         [](const auto &info) {
                           return std::to_string(info.index) + "_" +
                                  info.param.name();
                         });

} // namespace
} // namespace tilegpt::numeric
