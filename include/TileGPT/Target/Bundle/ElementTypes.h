// Element types of a bundle.
#ifndef TILEGPT_TARGET_BUNDLE_ELEMENTTYPES_H
#define TILEGPT_TARGET_BUNDLE_ELEMENTTYPES_H

#include "TileGPT/Bundle/ElementType.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Types.h"
#include <optional>

namespace tilegpt::target {

/// The element type of a bundle for an MLIR type; nullopt if unsupported.
std::optional<bundle::ElementType> elementTypeOf(mlir::Type type);

/// The element type of a tensor or scalar, or an error at `loc`.
mlir::FailureOr<bundle::ElementType> requireElementType(mlir::Location loc,
                                                        mlir::Type type);

} // namespace tilegpt::target

#endif
