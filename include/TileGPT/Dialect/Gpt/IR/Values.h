// Expressions: numbers and words of ops, literal or computed from the settings
// of the enclosing model.
#ifndef TILEGPT_DIALECT_GPT_IR_VALUES_H
#define TILEGPT_DIALECT_GPT_IR_VALUES_H

#include "TileGPT/Dialect/Gpt/IR/GptDialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/Operation.h"
#include <optional>
#include <string>

namespace tilegpt::gpt {

/// True for a 64-bit integer, an f64, a string and an ExprAttr.
bool isValue(mlir::Attribute attribute);

/// The index of the layer that `op` belongs to, for patterns over the layers;
/// none outside of the layers, and before they are unrolled.
using Layer = std::optional<int64_t>;

/// The value of `value` for the settings of the model around `op`, before and
/// after gpt-unroll-layers: an integer; a number, which may be an integer; a
/// word.
/// \param what  subject of the error message: "the number of features".
/// \returns failure, with an error on `op`, for a value of another type, a
/// setting that the model lacks, and a list without a layer.
mlir::FailureOr<int64_t> getInteger(mlir::Operation *op, mlir::Attribute value,
                                    llvm::StringRef what, Layer layer = {});
mlir::FailureOr<double> getNumber(mlir::Operation *op, mlir::Attribute value,
                                  llvm::StringRef what, Layer layer = {});
mlir::FailureOr<llvm::StringRef> getWord(mlir::Operation *op,
                                         mlir::Attribute value,
                                         llvm::StringRef what,
                                         Layer layer = {});

/// The literal that `value` evaluates to: an i64, an f64 or a string.
/// \returns failure with an error on `op`, as above.
mlir::FailureOr<mlir::Attribute> getLiteral(mlir::Operation *op,
                                            mlir::Attribute value, Layer layer);

/// Calls `use` with each setting named in `expr`.
void forEachSetting(ExprAttr expr,
                    llvm::function_ref<void(llvm::StringRef)> use);

/// `custom<Value>($attribute)` of an assembly format.
mlir::ParseResult parseValue(mlir::OpAsmParser &parser,
                             mlir::Attribute &attribute);
void printValue(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                mlir::Attribute attribute);

} // namespace tilegpt::gpt

#endif
