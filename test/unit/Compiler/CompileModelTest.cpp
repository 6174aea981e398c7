// A model of two launches compiled for a GPU: the contents of its bundle. The
// kernels are trivial, so that code generation does not matter.
#include "TileGPT/Compiler/CompileModel.h"
#include "ScopedVariable.h"
#include "TileGPT/Bundle/Bundle.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <gmock/gmock.h>

using namespace tilegpt;
using compiler::CompileOptions;
using compiler::GpuModel;
using runtime::ErrorCode;
using test::ScopedVariable;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

class CompileModelTest : public testing::Test {
protected:
  CompileModelTest() {
    llvm::cantFail(llvm::errorCodeToError(
        llvm::sys::fs::createUniqueDirectory("tilegpt-model", folder)));
    cache.emplace("TILEGPT_CACHE_DIR", (folder + "/cache").str().c_str());
    path = (folder + "/toy.mlir").str();
    write(path, R"mlir(
gpt.model @toy {layers = 1, heads = 1, width = 8, context = 16, vocab = 8, inner = 8} {
  func.func @decode_1(%ids: tensor<1xi32>, %pos: tensor<1xi32>) -> tensor<1x8xf32>
      attributes {gpt.plan = "decode", gpt.sequences = array<i64: 1, 1>, tile.rows = array<i64: 1, 1>} {
    %e = tensor.empty() : tensor<1x8xf32>
    %a = tile.launch @start ins(%ids) outs(%e) : (tensor<1xi32>, tensor<1x8xf32>) -> tensor<1x8xf32>
    %b = tile.launch @go_on ins(%a) outs(%e) : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<1x8xf32>
    return %b : tensor<1x8xf32>
  }
  tile.kernel @start(%ids: !tile.view<?xi32>) outs(%y: !tile.view<?x8xf32>) grid [1] {
    %no = arith.constant false
    tile.assert %no, "never starts" : i1
  }
  tile.kernel @go_on(%x: !tile.view<?x8xf32>) outs(%y: !tile.view<?x8xf32>) grid [1]
      attributes {tile_gpu.plan = #tile_gpu.plan<target = "sm_80", warps = 8>} {
  }
}
)mlir");
    options.gpu = GpuModel{"sm_80", 108};
    options.threads = 2;
    options.warn = [this](std::string_view text) {
      warnings.emplace_back(text);
    };
    options.progress = [this](std::string_view) { ++reports; };
  }
  ~CompileModelTest() override { llvm::sys::fs::remove_directories(folder); }

  bundle::Bundle compile() {
    auto bytes = compiler::compileModel(path, options);
    EXPECT_TRUE(bytes) << bytes.error().message;
    return std::move(*bundle::Bundle::fromBytes(std::move(*bytes)));
  }

  static void write(const std::string &path, std::string_view text) {
    std::error_code error;
    llvm::raw_fd_ostream(path, error) << text;
    EXPECT_FALSE(error);
  }

  /// Whether anything was compiled since the last call.
  bool hasCompiled() { return std::exchange(reports, 0) > 0; }

  llvm::SmallString<128> folder;
  unsigned reports = 0;
  std::optional<ScopedVariable> cache;
  std::string path;
  CompileOptions options;
  std::vector<std::string> warnings;
};

} // namespace

static std::string_view textOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

TEST_F(CompileModelTest, ABundleForAGpuHoldsAnImageOfEveryKernel) {
  const ScopedVariable ptxas("TILEGPT_PTXAS", "off");
  const bundle::Bundle compiled = compile();
  EXPECT_EQ(compiled.target().kind, bundle::TargetKind::Cuda);
  EXPECT_EQ(compiled.string(compiled.target().architecture), "sm_80");
  EXPECT_TRUE(compiled.hostCode().empty());
  ASSERT_EQ(compiled.kernels().size(), 2u);
  std::vector<std::string_view> symbols;
  for (const bundle::Kernel &kernel : compiled.kernels()) {
    symbols.push_back(compiled.string(kernel.symbol));
    EXPECT_EQ(kernel.device.imageKind, bundle::ImageKind::Ptx);
    const std::string_view image = textOf(compiled.deviceImage(kernel));
    EXPECT_THAT(image, HasSubstr(".target sm_80"));
    EXPECT_THAT(image, HasSubstr(".entry " + std::string(symbols.back())));
  }
  EXPECT_THAT(symbols, ElementsAre("kernel_start_0", "kernel_go_on_0"));
  EXPECT_EQ(compiled.kernels()[1].device.threads, 256u);
  const auto messages = compiled.messages(compiled.kernels()[0]);
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(compiled.string(messages[0]), "never starts");
  EXPECT_TRUE(warnings.empty());
}

TEST_F(CompileModelTest, ABundleFromTheCacheIsTheSame) {
  const ScopedVariable ptxas("TILEGPT_PTXAS", "off");
  const auto first = compiler::compileModel(path, options);
  options.dumpPhasesTo = (folder + "/phases").str();
  const auto second = compiler::compileModel(path, options);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(*first, *second);
  EXPECT_TRUE(
      llvm::sys::fs::exists(options.dumpPhasesTo + "/3-specialized.mlir"));
  EXPECT_FALSE(llvm::sys::fs::exists(options.dumpPhasesTo + "/4-planned.mlir"));
}

TEST_F(CompileModelTest, AKeptModelIsNotCompiledAgain) {
  const ScopedVariable ptxas("TILEGPT_PTXAS", "off");
  const auto first = compiler::compileModel(path, options);
  ASSERT_TRUE(first);
  EXPECT_TRUE(hasCompiled());
  options.threads = 1;
  unsigned asked = 0;
  options.checkWeights = [&](const auto &weights) -> runtime::Result<void> {
    EXPECT_TRUE(weights.empty());
    if (asked++ > 0)
      return runtime::makeError(ErrorCode::BadInput, "no such weights");
    return {};
  };
  const auto second = compiler::compileModel(path, options);
  ASSERT_TRUE(second);
  EXPECT_FALSE(hasCompiled());
  EXPECT_EQ(*first, *second);
  const auto third = compiler::compileModel(path, options);
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error().message, "no such weights");
}

TEST_F(CompileModelTest, AModelIsKeptForWhatItWasMadeOf) {
  const ScopedVariable ptxas("TILEGPT_PTXAS", "off");
  compile();
  EXPECT_TRUE(hasCompiled());
  const auto expectAnother = [&](const char *what) {
    compile();
    EXPECT_TRUE(hasCompiled()) << what;
    compile();
    EXPECT_FALSE(hasCompiled()) << what;
  };
  options.settings = "eps=1e-3";
  expectAnother("settings");
  options.weightType = bundle::ElementType::BF16;
  expectAnother("type");
  options.capacity = 8;
  expectAnother("context");
  options.gpu->architecture = "sm_89";
  expectAnother("architecture");
  options.gpu->multiprocessors = 66;
  expectAnother("multiprocessors");
  options.kernels = (folder + "/kernels").str();
  llvm::sys::fs::create_directory(options.kernels);
  write(options.kernels + "/a.mlir", "// nothing");
  expectAnother("a kernel");
  write(options.kernels + "/a.mlir", "// something");
  expectAnother("another kernel");
}

TEST_F(CompileModelTest, AModelIsKeptForWhatItIsLike) {
  const ScopedVariable ptxas("TILEGPT_PTXAS", "off");
  const std::string base = path;
  path = (folder + "/small.mlir").str();
  write(path, "gpt.model @small like // its base\n \"toy\" "
              "{layers = 1, heads = 1, width = 8, context = 16, vocab = 8, "
              "inner = 8}");
  compile();
  EXPECT_TRUE(hasCompiled());
  compile();
  EXPECT_FALSE(hasCompiled());
  std::error_code error;
  llvm::raw_fd_ostream(base, error, llvm::sys::fs::OF_Append) << "\n";
  EXPECT_FALSE(error);
  compile();
  EXPECT_TRUE(hasCompiled());
}

TEST_F(CompileModelTest, TextsOfAnyLengthThatTakeTheSamePlansShareAModel) {
  const ScopedVariable ptxas("TILEGPT_PTXAS", "off");
  const auto need = [&](int64_t rows) {
    options.needed = {{bundle::PlanKind::Score, rows, 1}};
    compile();
    return hasCompiled();
  };
  EXPECT_TRUE(need(5));
  EXPECT_FALSE(need(9));
  EXPECT_TRUE(need(1));
  // A text longer than the 16-token cache takes steps of 16 and a remainder.
  EXPECT_TRUE(need(17));
  EXPECT_FALSE(need(16));
  EXPECT_TRUE(need(17));
}

TEST_F(CompileModelTest, ACacheThatCannotBeWrittenCostsAWarning) {
  const ScopedVariable file("TILEGPT_CACHE_DIR", (path + "/cache").c_str());
  compile();
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0],
              StartsWith("cache: compiled kernels are not kept for the next "
                         "start: cannot make '"));
}

TEST_F(CompileModelTest, UnknownGpusAreAMistakeOfTheCommandLine) {
  options.gpu->architecture = "sm_75";
  const auto bytes = compiler::compileModel(path, options);
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().code, ErrorCode::Usage);
  EXPECT_EQ(bytes.error().message,
            "gpu: expected an architecture among sm_80, sm_86, sm_89, sm_90a, "
            "found 'sm_75'");
}

TEST_F(CompileModelTest, APtxasThatIsNoneIsAnError) {
  const ScopedVariable ptxas("TILEGPT_PTXAS", "/none/ptxas");
  const auto bytes = compiler::compileModel(path, options);
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().code, ErrorCode::Failure);
  EXPECT_EQ(bytes.error().message,
            "ptxas: cannot start /none/ptxas: No such file or directory");
}
