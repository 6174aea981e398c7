// Records of tuning that come with TileGPT (tuning/*.json).
#ifndef TILEGPT_DIALECT_TILE_TRANSFORMS_SHIPPEDRECORDS_H
#define TILEGPT_DIALECT_TILE_TRANSFORMS_SHIPPEDRECORDS_H

#include "TileGPT/Runtime/Tuning/Records.h"

namespace tilegpt::tile {

/// All files of them, in the order of their names.
/// \returns BadInput for a file that does not parse.
runtime::Result<std::vector<runtime::TuningRecords>> readShippedRecords();

/// Those for a device; null where there are none.
/// \param device  as TuningDevice::describe() spells it.
const runtime::TuningRecords *shippedRecordsFor(std::string_view device);

} // namespace tilegpt::tile

#endif // TILEGPT_DIALECT_TILE_TRANSFORMS_SHIPPEDRECORDS_H
