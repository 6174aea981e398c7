// Applies tuning records to launches; they take precedence over the models.
#include "TileGPT/Dialect/Tile/Analysis/LaunchKey.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "TileGPT/Dialect/Tile/Transforms/ApplyChoice.h"
#include "TileGPT/Dialect/Tile/Transforms/Passes.h"
#include "TileGPT/Dialect/Tile/Transforms/ShippedRecords.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tilegpt::tile {
#define GEN_PASS_DEF_APPLYRECORDSPASS
#include "TileGPT/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilegpt::tile

using namespace tilegpt::tile;
using tilegpt::runtime::Choice;
using tilegpt::runtime::LaunchKey;
using tilegpt::runtime::TuningRecord;
using tilegpt::runtime::TuningRecords;

/// Whether a launch sets no parameter to another value than a choice does:
/// tiles and plan belong together.
static bool agrees(LaunchOp launch, const Choice &choice) {
  const DictionaryAttr written = launch.getParamsAttr();
  return !written || llvm::all_of(choice.parameters, [&](const auto &each) {
    auto size = written.getAs<IntegerAttr>(each.first);
    return !size || size.getInt() == each.second;
  });
}

/// The requested plan is checked when the plan is made.
static void setWantedPlan(LaunchOp launch, const Choice &choice) {
  if (choice.plan.empty() || launch->hasAttr(wantedPlanAttr))
    return;
  Builder builder(launch.getContext());
  NamedAttrList wanted;
  for (const auto &[name, value] : choice.plan)
    wanted.set(name, builder.getI64IntegerAttr(value));
  launch->setAttr(wantedPlanAttr, wanted.getDictionary(launch.getContext()));
}

LogicalResult tilegpt::tile::applyChoice(LaunchOp launch, KernelOp kernel,
                                         const Choice &choice) {
  NamedAttrList chosen(launch.getParamsAttr());
  Builder builder(launch.getContext());
  for (const auto &[name, value] : choice.parameters) {
    ParamAttr param = kernel.lookupParam(name);
    Attribute size = builder.getI64IntegerAttr(value);
    if (!param || !llvm::is_contained(param.getCandidates(), size)) {
      launch.emitRemark() << "tuning: the record of @" << kernel.getSymName()
                          << " has " << name << " = " << value
                          << ", which is not a candidate; it is not applied";
      return failure();
    }
    chosen.set(name, size);
  }
  if (!agrees(launch, choice))
    return failure();
  if (!choice.parameters.empty())
    launch.setParamsAttr(chosen.getDictionary(launch.getContext()));
  setWantedPlan(launch, choice);
  return success();
}

namespace {

class ApplyRecords
    : public tilegpt::tile::impl::ApplyRecordsPassBase<ApplyRecords> {
public:
  using ApplyRecordsPassBase::ApplyRecordsPassBase;

  void runOnOperation() override {
    const TuningRecords records =
        readRecordsFor(file, device, [&](const std::string &problem) {
          getOperation().emitWarning() << problem;
        });
    const TuningRecords *shipped = shippedRecordsFor(shippedFor);
    getOperation().walk([&](LaunchOp launch) {
      KernelOp kernel = lookupKernel(launch, launch.getKernelAttr().getAttr());
      if (!kernel)
        return;
      const LaunchKey key = keyOf(launch, kernel);
      const TuningRecord *record = records.find(key);
      if (!record && shipped)
        record = shipped->find(key);
      if (explain)
        launch.emitRemark()
            << "@" << kernel.getSymName() << " of text " << key.digest
            << ", rows " << key.firstRows << "-" << key.lastRows << ": "
            << (record ? "a record" : "no record");
      if (record && succeeded(applyChoice(launch, kernel, record->choice))) {
        launch->setAttr(recordAttr, describe(*record));
        ++numApplied;
      }
    });
  }

private:
  /// For the remark on the instance.
  StringAttr describe(const TuningRecord &record) {
    return StringAttr::get(
        &getContext(),
        llvm::formatv(
            "uses the record{0}; measured: {1:f2} us, {2:f2} by default",
            tilegpt::runtime::describe(record.choice),
            record.measured.microseconds, record.measured.defaultMicroseconds)
            .str());
  }
};

} // namespace
