// Tuning records of a file, and those that ship with TileGPT (tuning/*.json).
#ifndef TILEGPT_DIALECT_TILE_TRANSFORMS_SHIPPEDRECORDS_H
#define TILEGPT_DIALECT_TILE_TRANSFORMS_SHIPPEDRECORDS_H

#include "TileGPT/Runtime/Tuning/Records.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilegpt::tile {

/// The records of a file; none if it cannot be read or is for another device.
/// \param path  empty for none.
/// \param device  in the format of TuningDevice::describe(), or only the
/// architecture; empty for any.
/// \param warn  receives why a file is not applied.
runtime::TuningRecords
readRecordsFor(const std::string &path, const std::string &device,
               llvm::function_ref<void(const std::string &)> warn);

/// All files of records, ordered by name.
/// \returns BadInput for a file that does not parse.
runtime::Result<std::vector<runtime::TuningRecords>> readShippedRecords();

/// The records for a device; null if there are none.
/// \param device  in the format of TuningDevice::describe().
const runtime::TuningRecords *shippedRecordsFor(std::string_view device);

} // namespace tilegpt::tile

#endif // TILEGPT_DIALECT_TILE_TRANSFORMS_SHIPPEDRECORDS_H
