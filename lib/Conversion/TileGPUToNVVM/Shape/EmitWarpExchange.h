// Emits a layout change within warps.
#ifndef TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_SHAPE_EMITWARPEXCHANGE_H
#define TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_SHAPE_EMITWARPEXCHANGE_H

#include "TileGPT/Dialect/TileGPU/Analysis/WarpExchange.h"
#include "mlir/IR/Builders.h"

namespace tilegpt::tilegpu {

/// \param scratch    start of the first warp's memory.
/// \param registers  of the source.
/// \returns the registers of the result; those that are padding in every thread
/// are poison.
llvm::SmallVector<mlir::Value> emitWarpExchange(mlir::OpBuilder &builder,
                                                mlir::Location loc,
                                                const WarpExchange &exchange,
                                                mlir::Value scratch,
                                                mlir::ValueRange registers);

} // namespace tilegpt::tilegpu

#endif
