// Which tiles the hardware can copy from global to shared memory by itself, in
// aligned units of 16 bytes.
#ifndef TILEGPT_LIB_CONVERSION_TILETOGPU_COPYKIND_H
#define TILEGPT_LIB_CONVERSION_TILETOGPU_COPYKIND_H

#include "IndexFacts.h"

namespace tilegpt::tilegpu {

enum class CopyKind {
  None,  ///< only registers bring it there
  Units, ///< its rows are whole units
  Row,   ///< a whole row of an argument, of which units may hold a part only
};

/// How a loaded tile may be copied.
CopyKind copyKindOf(tile::LoadOp load, IndexFacts &facts);

/// Elements of a tile in a unit.
int64_t elementsOfUnit(mlir::RankedTensorType tile);

} // namespace tilegpt::tilegpu

#endif
