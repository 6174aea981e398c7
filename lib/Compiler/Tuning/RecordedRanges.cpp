// The key of a plan: the model's digest, the kind of step and the type of
// weights as operands, the rows.
#include "Tuning/RecordedRanges.h"
#include "TileGPT/Dialect/Gpt/Transforms/Passes.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

using namespace mlir;

namespace tilegpt::compiler {

PlanOwner::PlanOwner(gpt::ModelOp model, bundle::ElementType weights)
    : name(model.getSymName()), weights(bundle::name(weights)) {
  OwningOpRef<gpt::ModelOp> copy = model.clone();
  copy->setSymName("model");
  std::string text;
  llvm::raw_string_ostream stream(text);
  (*copy)->print(stream,
                 OpPrintingFlags().printGenericOpForm().useLocalScope());
  digest = llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(text)),
                       /*LowerCase=*/true);
}

std::vector<runtime::PlanEnd>
recordedEnds(const runtime::TuningRecords &records, const PlanOwner &owner) {
  std::vector<runtime::PlanEnd> ends;
  for (const runtime::TuningRecord &record : records.records)
    if (const std::vector<std::string> &operands = record.key.operands;
        record.choice.isRange && record.key.digest == owner.digest &&
        operands.size() == 2 && operands[1] == owner.weights)
      ends.push_back({operands[0], record.key.lastRows});
  return ends;
}

std::vector<runtime::TunablePlan> findTunablePlans(ModuleOp module,
                                                   const PlanOwner &owner) {
  std::vector<runtime::TunablePlan> plans;
  module.walk([&](func::FuncOp function) {
    auto kind = function->getAttrOfType<StringAttr>(gpt::planKindAttr);
    auto rows = function->getAttrOfType<DenseI64ArrayAttr>(tile::rowsAttr);
    if (kind && rows)
      plans.push_back({owner.name,
                       {owner.digest,
                        {kind.getValue().str(), owner.weights},
                        rows[0],
                        rows[1]}});
  });
  return plans;
}

} // namespace tilegpt::compiler
