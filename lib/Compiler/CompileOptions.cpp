// Chooses the plans of a model.
#include "TileGPT/Compiler/CompileOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilegpt::compiler {

namespace {
/// A plan to compile: a kind of step and a range of row counts.
struct PlanRange {
  bundle::PlanKind kind;
  llvm::StringRef name;
  int64_t first, last;
};
} // namespace

/// Adds a plan for each of the ranges of rows that end at `ends`.
static void addPlans(std::vector<PlanRange> &plans, bundle::PlanKind kind,
                     llvm::StringRef name, llvm::ArrayRef<int64_t> ends) {
  int64_t first = 1;
  for (int64_t last : ends)
    if (last >= first) {
      plans.push_back({kind, name, first, last});
      first = last + 1;
    }
}

/// Row ranges that favor different kernels or tile sizes: up to 16 rows are
/// bound by reading the weights, regardless of their number; tiles of 128 rows
/// waste half their work on 64; and whether the blocks fill a device depends on
/// the rows up to several thousand. On a GPU, tiles that fill it with twice the
/// rows may leave half of it idle, so each range ends at a doubling. A model on
/// a GPU samples tokens there.
static std::vector<PlanRange> choosePlans(int64_t stepRows, int64_t sequences,
                                          bool onGpu) {
  using bundle::PlanKind;
  std::vector<PlanRange> plans;
  auto upTo = [](int64_t rows, llvm::ArrayRef<int64_t> steps) {
    llvm::SmallVector<int64_t> ends;
    for (int64_t step : steps)
      if (step < rows)
        ends.push_back(step);
    ends.push_back(rows);
    return ends;
  };
  llvm::SmallVector<int64_t> steps = {1, 16, 64, 1024, 4096};
  if (onGpu)
    steps = {1, 16, 64, 128, 256, 512, 1024, 2048, 4096};
  addPlans(plans, PlanKind::Decode, "decode", upTo(sequences, {1, 4, 16}));
  if (onGpu)
    addPlans(plans, PlanKind::Sample, "sample", upTo(sequences, {1, 4, 16}));
  addPlans(plans, PlanKind::Prefill, "prefill", upTo(stepRows, steps));
  addPlans(plans, PlanKind::Score, "score", upTo(stepRows, steps));
  return plans;
}

/// Whether a run of these steps, none of more than `stepRows` rows, uses a
/// plan. A text takes as many full steps as possible and one for the remainder.
static bool isNeeded(const PlanRange &plan, const NeededSteps &steps,
                     int64_t stepRows) {
  auto covers = [&](int64_t rows) {
    return plan.first <= rows && rows <= plan.last;
  };
  if (plan.kind != steps.kind)
    return false;
  if (steps.sequences > 1 || steps.rows <= stepRows)
    return covers(steps.rows);
  return covers(stepRows) || covers(steps.rows % stepRows);
}

/// The steps that every run needs and those that it requests; texts longer than
/// the cache are split into pieces that fit.
static std::vector<NeededSteps> stepsThatFit(llvm::ArrayRef<NeededSteps> asked,
                                             int64_t capacity) {
  std::vector<NeededSteps> steps = {NeededSteps()};
  for (NeededSteps text : asked) {
    if (text.sequences == 1 && text.rows > capacity) {
      steps.push_back({text.kind, capacity});
      text.rows %= capacity;
    }
    steps.push_back(text);
  }
  return steps;
}

/// In the syntax of `--gpt-make-plans`.
static std::string nameOf(const PlanRange &plan) {
  return llvm::formatv("{0}:{1}-{2}", plan.name, plan.first, plan.last).str();
}

/// Cuts a plan at these ends. All parts are kept, since a chat has texts of any
/// length.
static std::vector<PlanRange>
cutPlan(PlanRange plan, const std::vector<runtime::PlanEnd> &ends) {
  llvm::SmallVector<int64_t> cuts;
  for (const runtime::PlanEnd &end : ends)
    if (end.kind == plan.name && plan.first <= end.rows && end.rows < plan.last)
      cuts.push_back(end.rows);
  llvm::sort(cuts);
  std::vector<PlanRange> parts;
  for (int64_t rows : cuts)
    if (rows >= plan.first) {
      parts.push_back({plan.kind, plan.name, plan.first, rows});
      plan.first = rows + 1;
    }
  parts.push_back(plan);
  return parts;
}

std::vector<std::string> plansOf(const CompileOptions &options,
                                 int64_t capacity,
                                 const std::vector<runtime::PlanEnd> &ends) {
  // Logits are in host memory on the CPU; a device should not have to transfer
  // them.
  const int64_t stepRows =
      std::min(options.stepRows, capacity * options.promptSequences);
  const std::vector<NeededSteps> needed = stepsThatFit(
      options.needed.value_or(std::vector<NeededSteps>()), capacity);
  std::vector<std::string> plans;
  for (const PlanRange &plan : choosePlans(stepRows, options.sequences,
                                           /*onGpu=*/options.gpu.has_value()))
    if (!options.needed || llvm::any_of(needed, [&](const NeededSteps &steps) {
          return isNeeded(plan, steps, stepRows);
        }))
      for (const PlanRange &part : cutPlan(plan, ends))
        plans.push_back(nameOf(part));
  return plans;
}

bool stepsFit(const CompileOptions &options, int64_t capacity) {
  return llvm::all_of(options.needed.value_or(std::vector<NeededSteps>()),
                      [&](const NeededSteps &steps) {
                        return steps.rows <=
                               capacity * std::min(steps.sequences,
                                                   options.promptSequences);
                      });
}

} // namespace tilegpt::compiler
