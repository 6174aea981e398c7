// Tuning records that ship with TileGPT (tuning/*.json).
#ifndef TILEGPT_DIALECT_TILE_TRANSFORMS_SHIPPEDRECORDS_H
#define TILEGPT_DIALECT_TILE_TRANSFORMS_SHIPPEDRECORDS_H

#include "TileGPT/Runtime/Tuning/Records.h"

namespace tilegpt::tile {

/// All files of records, ordered by name.
/// \returns BadInput for a file that does not parse.
runtime::Result<std::vector<runtime::TuningRecords>> readShippedRecords();

/// The records for a device; null if there are none.
/// \param device  in the format of TuningDevice::describe().
const runtime::TuningRecords *shippedRecordsFor(std::string_view device);

} // namespace tilegpt::tile

#endif // TILEGPT_DIALECT_TILE_TRANSFORMS_SHIPPEDRECORDS_H
