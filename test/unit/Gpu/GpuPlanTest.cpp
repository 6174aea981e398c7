// Tile sizes and plans do not change results: every candidate of every
// parameter, and other stages, teams and block orders, compared with the
// reference interpreter.
#include "../Numeric/Compare.h"
#include "../Numeric/F8Cases.h"
#include "../Numeric/KernelCases.h"
#include "OnGpu.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotSchedule.h"
#include "mlir/AsmParser/AsmParser.h"
#include <regex>

namespace tilegpt::numeric {
namespace {

using compiler::GpuRunOptions;
using tilegpu::PlanAttr;

/// One case per kernel, with partial tiles on every axis, products whose
/// operands do not run along K, and one that adds each iteration separately.
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
  for (const NumericCase &test : readCases())
    if ((test.kernel == "wide_across" || test.kernel == "both_across") &&
        !isKnown(test))
      cases.push_back(test);
  for (const NumericCase &test : f8Cases())
    if (test.arithmetic.lost != 0 && test.kernel == "piped_product" &&
        !isKnown(test))
      cases.push_back(test);
  return cases;
}

/// The plan the compiler makes for a case. A plan belongs to its run's context,
/// so it is passed on as text, which omits fields with default values.
struct MadePlan {
  std::string text;
  int64_t stages = 0;
  bool hasProducer = false;
  /// Whether blocks traverse a two-dimensional grid in step, with only sums of
  /// products in their main loops.
  bool runsInStep = false;
};

MadePlan planOf(const NumericCase &test, const target::GpuTarget &target) {
  MadePlan plan;
  compiler::GpuCompilation compilation(target);
  compilation.afterPhase = [&](mlir::ModuleOp module, Phase phase) {
    if (phase == Phase::Planned)
      module.walk([&](tile::KernelOp kernel) {
        PlanAttr made = PlanAttr::of(kernel);
        llvm::raw_string_ostream(plan.text) << made;
        plan.stages = made.getStages();
        plan.hasProducer = made.getProducer();
        plan.runsInStep = made.getProducer() && made.getPersistent() &&
                          kernel.getGrid().size() == 2 &&
                          !kernel
                               .walk([](tilegpu::MainloopOp loop) {
                                 return alternates(loop)
                                            ? mlir::WalkResult::interrupt()
                                            : mlir::WalkResult::advance();
                               })
                               .wasInterrupted();
      });
    return mlir::success();
  };
  auto compiled = NumericRun(test).compileForGpu({}, compilation);
  EXPECT_TRUE(bool(compiled)) << llvm::toString(compiled.takeError());
  return plan;
}

/// The plan with one field changed.
std::string with(const std::string &plan, const std::string &field, int value) {
  const std::string text =
      std::regex_replace(plan, std::regex(", " + field + " = [a-z0-9]+"), "");
  const bool isFlag = field == "persistent";
  return text.substr(0, text.rfind('>')) + ", " + field + " = " +
         (isFlag ? (value ? "true" : "false") : std::to_string(value)) + ">";
}

/// Plans that form every sum in the same order. If operands are copied through
/// registers (no stages), there is nothing to vary.
std::vector<std::string> plansWithTheSameSums(const MadePlan &plan) {
  std::vector<std::string> plans;
  for (int fewer = 2; fewer <= plan.stages; ++fewer)
    plans.push_back(with(plan.text, "stages", fewer));
  if (!plan.hasProducer)
    return plans;
  for (int raster : {1, 3})
    plans.push_back(with(plan.text, "raster", raster));
  const std::string oneTeam = with(plan.text, "teams", 1);
  plans.push_back(oneTeam);
  plans.push_back(with(oneTeam, "persistent", 0));
  if (!plan.runsInStep)
    return plans;
  for (const std::string &text : {plan.text, oneTeam}) {
    for (int axis : {0, 1})
      for (int blocks : {2, 3, 4, 8})
        plans.push_back(
            with(with(text, "multicast", blocks), "multicastAxis", axis));
    plans.push_back(with(with(text, "multicast", 4), "multicastAxis",
                         int(PlanAttr::bothAxes)));
  }
  return plans;
}

class GpuPlans : public OnGpu {
protected:
  using Bytes = std::vector<std::byte>;

  /// Runs a variant of the case on both devices. Tile sizes decide where
  /// numbers are rounded, so the interpreter uses those of the variant too.
  /// \returns the bytes of its outs, or nothing if it fails, needs too much
  /// shared memory, or does not cover the data.
  std::optional<Bytes> run(const NumericCase &variant,
                           const std::string &plan = "") {
    NumericRun reference(variant), compiled(variant);
    EXPECT_EQ(llvm::toString(reference.onReference()), "");
    if (!isCovered(reference)) {
      ++refused;
      return std::nullopt;
    }
    GpuRunOptions options{.guard = guardOf(256), .openSizes = true};
    if (!plan.empty())
      options.plan =
          mlir::parseAttribute(plan, compiled.kernelOp()->getContext());
    std::string error = llvm::toString(compiled.onGpu(*runner, options));
    // Errors about tiles that are too large for shared memory or for the
    // registers of a block.
    static const std::regex tooLarge(
        "needs [0-9]+ bytes of shared memory .* use smaller tiles or fewer "
        "stages|can hold at most [0-9]+; choose smaller tiles");
    if (std::regex_search(error, tooLarge)) {
      ++refused;
      return std::nullopt;
    }
    EXPECT_EQ(error, "");
    if (!error.empty())
      return std::nullopt;
    Bytes bytes;
    for (size_t number = 0; number < variant.expected.size(); ++number) {
      EXPECT_EQ(compare(reference.out(number), compiled.out(number),
                        variant.arithmetic),
                "")
          << "out " << number;
      llvm::append_range(bytes, compiled.out(number).toBytes());
    }
    ++agreed;
    return bytes;
  }

  int agreed = 0, refused = 0;

private:
  /// Whether the kernel has written as much as with its own tile sizes. If a
  /// tile must hold all rows, smaller ones leave some out.
  bool isCovered(const NumericRun &reference) {
    if (written.empty()) {
      NumericRun defaults(GetParam());
      EXPECT_EQ(llvm::toString(defaults.onReference()), "");
      written = writtenBy(defaults);
    }
    return writtenBy(reference) == written;
  }
  static std::vector<int64_t> writtenBy(const NumericRun &reference) {
    std::vector<int64_t> counts;
    for (size_t number = 0; number < GetParam().expected.size(); ++number) {
      const reference::Tensor &out = reference.out(number);
      int64_t &count = counts.emplace_back(0);
      for (int64_t i = 0; i < out.size(); ++i)
        count += out.isWritten(i);
    }
    return counts;
  }

  std::vector<int64_t> written;
};

TEST_P(GpuPlans, EveryCandidateOfEveryParameterAgrees) {
  NumericRun declared(GetParam());
  bool hasCandidates = false;
  for (auto param :
       declared.kernelOp().getParams().getAsRange<tile::ParamAttr>()) {
    if (param.isType())
      continue;
    for (auto size : param.getCandidates().getAsRange<mlir::IntegerAttr>()) {
      NumericCase variant = GetParam();
      variant.parameters.emplace_back(param.getName().str(), size.getInt());
      SCOPED_TRACE(param.getName().str() + " = " +
                   std::to_string(size.getInt()));
      run(variant);
      hasCandidates = true;
    }
  }
  if (!hasCandidates)
    GTEST_SKIP() << "no parameter has candidates";
  EXPECT_GT(agreed, 0) << "no candidate was compared, " << refused
                       << " were refused";
  RecordProperty("agreed", agreed);
  RecordProperty("refused", refused);
}

TEST_P(GpuPlans, StagesTeamsAndTheOrderOfBlocksLeaveTheSameBits) {
  const MadePlan plan = planOf(GetParam(), runner->target());
  const std::vector<std::string> others = plansWithTheSameSums(plan);
  if (others.empty())
    GTEST_SKIP() << plan.text << " has no stages to vary";
  // A plan made for dynamic sizes may split K differently.
  const auto planned = run(GetParam(), plan.text);
  ASSERT_TRUE(planned) << plan.text << " was refused";
  for (const std::string &other : others) {
    SCOPED_TRACE(other);
    if (const auto bytes = run(GetParam(), other)) {
      EXPECT_TRUE(planned == bytes) << "other bits than " << plan.text;
    }
  }
  EXPECT_GT(agreed, 1) << "no other plan was compared, " << refused
                       << " were refused";
  RecordProperty("agreed", agreed);
  RecordProperty("refused", refused);
}

INSTANTIATE_TEST_SUITE_P(Kernels, GpuPlans, testing::ValuesIn(planCases()),
                         [](const auto &info) {
                           return llvm::join(
                               llvm::split(info.param.kernel, "."), "_");
                         });

} // namespace
} // namespace tilegpt::numeric
