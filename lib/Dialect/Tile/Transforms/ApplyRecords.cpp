// Writes what was measured into launches, in front of the models.
#include "TileGPT/Dialect/Tile/Analysis/LaunchKey.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "TileGPT/Dialect/Tile/Transforms/Passes.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tilegpt::tile {
#define GEN_PASS_DEF_APPLYRECORDSPASS
#include "TileGPT/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilegpt::tile

using namespace tilegpt::tile;
using tilegpt::runtime::LaunchKey;
using tilegpt::runtime::TuningRecord;
using tilegpt::runtime::TuningRecords;

namespace {

class ApplyRecords
    : public tilegpt::tile::impl::ApplyRecordsPassBase<ApplyRecords> {
public:
  using ApplyRecordsPassBase::ApplyRecordsPassBase;

  void runOnOperation() override {
    const TuningRecords records = readRecords();
    getOperation().walk([&](LaunchOp launch) {
      KernelOp kernel = lookupKernel(launch, launch.getKernelAttr().getAttr());
      if (!kernel)
        return;
      const LaunchKey key = keyOf(launch, kernel);
      const TuningRecord *record = records.find(key);
      if (explain)
        launch.emitRemark()
            << "@" << kernel.getSymName() << " of text " << key.digest
            << ", rows " << key.firstRows << "-" << key.lastRows << ": "
            << (record ? "a record" : "no record");
      if (record)
        apply(launch, kernel, *record);
    });
  }

private:
  /// Those of the file, or none with a warning that says why.
  TuningRecords readRecords() {
    if (file.empty())
      return {};
    auto read = TuningRecords::read(file.getValue());
    if (!read) {
      getOperation().emitWarning() << read.error().message;
      return {};
    }
    if (!device.empty() && read->device.describe() != device) {
      getOperation().emitWarning()
          << "tuning: '" << file << "' is for " << read->device.describe()
          << ", not for " << device << "; it is not applied";
      return {};
    }
    return std::move(*read);
  }

  /// What the launch says itself stays. A record that does not fit the kernel
  /// is left out as a whole.
  void apply(LaunchOp launch, KernelOp kernel, const TuningRecord &record) {
    NamedAttrList chosen(launch.getParamsAttr());
    Builder builder(&getContext());
    for (const auto &[name, value] : record.parameters) {
      ParamAttr param = kernel.lookupParam(name);
      Attribute size = builder.getI64IntegerAttr(value);
      if (!param || !llvm::is_contained(param.getCandidates(), size)) {
        launch.emitRemark() << "tuning: the record of @" << kernel.getSymName()
                            << " has " << name << " = " << value
                            << ", which is no candidate; it is not applied";
        return;
      }
      if (!chosen.get(name))
        chosen.set(name, size);
    }
    if (!record.parameters.empty())
      launch.setParamsAttr(chosen.getDictionary(&getContext()));
    ++numApplied;
  }
};

} // namespace
