// Keys of edges: texts are digested once each, and only if something needs
// them.
#include "Fusion/RecordedFusions.h"
#include "TileGPT/Dialect/Tile/Analysis/LaunchKey.h"
#include "TileGPT/Dialect/Tile/Transforms/ShippedRecords.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using tilegpt::runtime::LaunchKey;
using tilegpt::runtime::TuningRecord;

namespace tilegpt::tile {

static bool isOfFusion(const TuningRecord &record) {
  return record.choice.isFused.has_value();
}

RecordedFusions::RecordedFusions(const std::string &file,
                                 const std::string &device,
                                 const std::string &shippedFor, bool collects,
                                 Footprints &footprints)
    : records(readRecordsFor(file, device, [](const std::string &) {})),
      shipped(shippedFor.empty() ? nullptr : shippedRecordsFor(shippedFor)),
      collects(collects), footprints(footprints) {
  std::erase_if(records.records, std::not_fn(isOfFusion));
  if (shipped && llvm::none_of(shipped->records, isOfFusion))
    shipped = nullptr;
}

LaunchKey RecordedFusions::keyOfLaunch(LaunchOp launch) {
  KernelOp kernel = footprints.kernelOf(launch);
  auto [known, isNew] = digests.try_emplace(kernel);
  if (isNew)
    known->second = digestOf(kernel);
  return keyOf(launch, known->second);
}

LaunchKey RecordedFusions::keyOfEdge(FusionEdge edge) {
  return keyOfPair(keyOfLaunch(edge.producer), edge.result,
                   keyOfLaunch(edge.consumer), edge.operand);
}

std::optional<bool> RecordedFusions::find(FusionEdge edge) {
  if (records.records.empty() && !shipped)
    return std::nullopt;
  const LaunchKey key = keyOfEdge(edge);
  const TuningRecord *record = records.find(key);
  if (!record && shipped)
    record = shipped->find(key);
  return record ? record->choice.isFused : std::nullopt;
}

void RecordedFusions::note(FusionEdge edge, bool isFused) {
  if (collects)
    noted.try_emplace(
        keyOfEdge(edge),
        (edge.producer.getKernel() + "+" + edge.consumer.getKernel()).str(),
        isFused);
}

void RecordedFusions::attachTo(Operation *function) {
  Builder builder(function->getContext());
  SmallVector<Attribute> fusions;
  for (const auto &[key, decision] : noted) {
    NamedAttrList fusion;
    fusion.set("name", builder.getStringAttr(decision.first));
    fusion.set("digest", builder.getStringAttr(key.digest));
    fusion.set("operands", builder.getStrArrayAttr(SmallVector<StringRef>(
                               key.operands.begin(), key.operands.end())));
    fusion.set("fused", builder.getBoolAttr(decision.second));
    fusions.push_back(fusion.getDictionary(function->getContext()));
  }
  function->setAttr(fusionsAttr, builder.getArrayAttr(fusions));
  noted.clear();
}

} // namespace tilegpt::tile
