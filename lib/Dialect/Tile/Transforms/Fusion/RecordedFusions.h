// Tuning records that decide about fusions, and the decisions that tuning may
// change.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_FUSION_RECORDEDFUSIONS_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_FUSION_RECORDEDFUSIONS_H

#include "Fusion/FusedKernel.h"
#include "TileGPT/Runtime/Tuning/Records.h"

namespace tilegpt::tile {

class RecordedFusions {
public:
  /// \param file, device, shippedFor  as of `--tile-apply-records`.
  /// \param collects  whether decisions are noted.
  RecordedFusions(const std::string &file, const std::string &device,
                  const std::string &shippedFor, bool collects,
                  Footprints &footprints);

  /// Whether a record fuses the launches of an edge; nothing without a record.
  std::optional<bool> find(FusionEdge edge);

  /// Notes a decision about an edge of the current function, before it changes.
  void note(FusionEdge edge, bool isFused);
  /// Attaches what was noted as `tile.fusions`, each key once, and forgets it.
  void attachTo(mlir::Operation *function);

private:
  runtime::LaunchKey keyOfEdge(FusionEdge edge);
  runtime::LaunchKey keyOfLaunch(LaunchOp launch);

  runtime::TuningRecords records; ///< only those about fusions
  const runtime::TuningRecords *shipped;
  bool collects;
  Footprints &footprints;
  llvm::DenseMap<KernelOp, std::string> digests;
  std::map<runtime::LaunchKey, std::pair<std::string, bool>> noted;
};

} // namespace tilegpt::tile

#endif
