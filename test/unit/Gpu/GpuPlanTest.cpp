// However a kernel is tiled and planned, it computes the same: every candidate
// of every parameter, and other stages, teams and orders of blocks, against the
// reference interpreter.
#include "../Numeric/Compare.h"
#include "../Numeric/KernelCases.h"
#include "OnGpu.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "mlir/AsmParser/AsmParser.h"
#include <regex>

namespace tilegpt::numeric {
namespace {

using compiler::GpuRunOptions;
using tilegpu::PlanAttr;

/// One case of each kernel, with edges on every axis.
std::vector<NumericCase> planCases() {
  std::vector<NumericCase> cases;
  auto isKnown = [&](const NumericCase &test) {
    return llvm::any_of(cases, [&](const NumericCase &other) {
      return other.kernel == test.kernel;
    });
  };
  for (const NumericCase &test : largeKernelCases())
    if (!isKnown(test))
      cases.push_back(test);
  return cases;
}

/// The plan the compiler makes for a case. Plans belong to the context of the
/// run they were made in, so they are handed on as text.
std::string planOf(const NumericCase &test, const target::GpuTarget &target) {
  std::string plan;
  compiler::GpuCompilation compilation(target);
  compilation.afterPhase = [&](mlir::ModuleOp module, Phase phase) {
    if (phase == Phase::Planned)
      module.walk([&](tile::KernelOp kernel) {
        llvm::raw_string_ostream(plan) << PlanAttr::of(kernel);
      });
    return mlir::success();
  };
  auto compiled = NumericRun(test).compileForGpu({}, compilation);
  EXPECT_TRUE(bool(compiled)) << llvm::toString(compiled.takeError());
  return plan;
}

/// The plan with another value of one field.
std::string with(const std::string &plan, const std::string &field, int value) {
  const std::string text =
      std::regex_replace(plan, std::regex(", " + field + " = [a-z0-9]+"), "");
  const bool isFlag = field == "persistent";
  return text.substr(0, text.rfind('>')) + ", " + field + " = " +
         (isFlag ? (value ? "true" : "false") : std::to_string(value)) + ">";
}

/// Plans in which every sum is formed in the same order.
std::vector<std::string> plansWithTheSameSums(const std::string &plan) {
  std::smatch stages;
  if (!std::regex_search(plan, stages, std::regex("stages = ([0-9]+)")))
    return {};
  std::vector<std::string> plans;
  for (int fewer = 2; fewer <= std::stoi(stages[1]); ++fewer)
    plans.push_back(with(plan, "stages", fewer));
  if (plan.find("producer = true") == std::string::npos)
    return plans;
  for (int raster : {1, 3})
    plans.push_back(with(plan, "raster", raster));
  const std::string oneTeam = with(plan, "teams", 1);
  plans.push_back(oneTeam);
  plans.push_back(with(oneTeam, "persistent", 0));
  return plans;
}

class GpuPlans : public OnGpu {
protected:
  void SetUp() override {
    OnGpu::SetUp();
    if (IsSkipped())
      return;
    reference.emplace(GetParam());
    ASSERT_EQ(llvm::toString(reference->onReference()), "");
  }

  /// Runs a variant of the case.
  /// \returns the bytes of its outs; nothing when the variant needs more shared
  /// memory than there is, or fails.
  std::optional<std::vector<std::byte>> run(const NumericCase &variant,
                                            const std::string &plan = "") {
    NumericRun compiled(variant);
    GpuRunOptions options{.guard = 256, .openSizes = true};
    if (!plan.empty())
      options.plan =
          mlir::parseAttribute(plan, compiled.kernelOp()->getContext());
    std::string error = llvm::toString(compiled.onGpu(*runner, options));
    if (error.find("shared memory") != std::string::npos) {
      ++refused;
      return std::nullopt;
    }
    EXPECT_EQ(error, "");
    if (!error.empty())
      return std::nullopt;
    std::vector<std::byte> bytes;
    for (size_t number = 0; number < variant.expected.size(); ++number) {
      EXPECT_EQ(
          compare(reference->out(number), compiled.out(number), variant.depth),
          "")
          << "out " << number;
      llvm::append_range(bytes, compiled.out(number).toBytes());
    }
    ++agreed;
    return bytes;
  }

  std::optional<NumericRun> reference;
  int agreed = 0, refused = 0;
};

TEST_P(GpuPlans, EveryCandidateOfEveryParameterAgrees) {
  for (auto param :
       reference->kernelOp().getParams().getAsRange<tile::ParamAttr>()) {
    if (param.isType())
      continue;
    for (auto size : param.getCandidates().getAsRange<mlir::IntegerAttr>()) {
      NumericCase variant = GetParam();
      variant.parameters.emplace_back(param.getName().str(), size.getInt());
      SCOPED_TRACE(param.getName().str() + " = " +
                   std::to_string(size.getInt()));
      run(variant);
    }
  }
  RecordProperty("agreed", agreed);
  RecordProperty("refused", refused);
}

TEST_P(GpuPlans, StagesTeamsAndTheOrderOfBlocksLeaveTheSameBits) {
  const std::string plan = planOf(GetParam(), runner->target());
  const auto planned = run(GetParam());
  for (const std::string &other : plansWithTheSameSums(plan)) {
    SCOPED_TRACE(other);
    if (const auto bytes = run(GetParam(), other)) {
      EXPECT_TRUE(planned == bytes) << "other bits than " << plan;
    }
  }
  RecordProperty("agreed", agreed);
  RecordProperty("refused", refused);
}

INSTANTIATE_TEST_SUITE_P(Kernels, GpuPlans, testing::ValuesIn(planCases()),
                         [](const auto &info) { return info.param.kernel; });

} // namespace
} // namespace tilegpt::numeric
