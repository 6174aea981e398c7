// Row ranges of plans in tuning records: a plan ends where a record says so.
#ifndef TILEGPT_LIB_COMPILER_TUNING_RECORDEDRANGES_H
#define TILEGPT_LIB_COMPILER_TUNING_RECORDEDRANGES_H

#include "TileGPT/Bundle/ElementType.h"
#include "TileGPT/Dialect/Gpt/IR/GptOps.h"
#include "TileGPT/Runtime/Tuning/Candidates.h"

namespace tilegpt::compiler {

/// What the plans of a model are identified by in records.
struct PlanOwner {
  std::string name;
  std::string digest;  ///< of the model's text with its settings, without name
  std::string weights; ///< their element type: "bf16"

  PlanOwner() = default;
  PlanOwner(gpt::ModelOp model, bundle::ElementType weights);
};

/// The ends of plans that records give a model.
std::vector<runtime::PlanEnd>
recordedEnds(const runtime::TuningRecords &records, const PlanOwner &owner);

/// The plans of a model's module, in order.
std::vector<runtime::TunablePlan> findTunablePlans(mlir::ModuleOp module,
                                                   const PlanOwner &owner);

} // namespace tilegpt::compiler

#endif
