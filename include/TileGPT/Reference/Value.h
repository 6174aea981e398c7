// Values of the interpreter, and error messages that name an op.
#ifndef TILEGPT_REFERENCE_VALUE_H
#define TILEGPT_REFERENCE_VALUE_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Reference/Tensor.h"
#include "mlir/IR/Operation.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <variant>

namespace tilegpt::reference {

/// The interpreter's value of an SSA value: a tensor (also a tile or a scalar)
/// or a view. A pointer is a view of rank 0 of the pointee type.
using Value = std::variant<TensorRef, View>;

/// An error at an op: "model.mlir:3:8: 'tile.load' op " and the message.
llvm::Error fail(mlir::Operation *op, const llvm::Twine &message);

/// The element type that holds values of an MLIR type (`index` is i64), or
/// nothing.
std::optional<ElementType> elementTypeOf(mlir::Type type);

/// The value of a read outside of a view or masked off. The float kinds apply
/// only to floats, -1 only to integers.
Element padElement(tile::PadKind pad, ElementType type);

} // namespace tilegpt::reference

#endif // TILEGPT_REFERENCE_VALUE_H
