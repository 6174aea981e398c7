// The address at which a thread accesses a register's element by offset, and
// the predicate.
#ifndef TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_ACCESS_OFFSETPLACE_H
#define TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_ACCESS_OFFSETPLACE_H

#include "Access/OrderedAccess.h"

namespace tilegpt::tilegpu {

struct OffsetPlace {
  mlir::Value guard; ///< i1; null where the thread accesses it anyway
  mlir::Value pointer;
};

/// The address of a register, or of a vector that starts with it.
/// \param op       an access by offset, with a base and an optional mask;
/// `adaptor` has the values of the thread.
/// \param isTheOne  i1, whether this thread has the primary copy; null if all
/// replicas may act.
template <typename OpT, typename Adaptor>
OffsetPlace placeOf(mlir::OpBuilder &builder, OpT op, Adaptor adaptor,
                    ThreadTile &tile, int64_t reg, mlir::Value isTheOne) {
  mlir::ValueRange mask = adaptor.getMask();
  mlir::Value guard = allOf(
      builder, op.getLoc(),
      {mask.empty() ? mlir::Value() : mask[reg], tile.isInside(reg), isTheOne});
  return {guard,
          offsetPointer(builder, op.getLoc(), adaptor.getBase().front(),
                        op.getBase().getType(), adaptor.getOffsets()[reg])};
}

} // namespace tilegpt::tilegpu

#endif
