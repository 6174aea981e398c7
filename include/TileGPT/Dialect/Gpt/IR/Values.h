// Values: numbers and words of ops, written as they are or as expressions in
// the settings of the model around them.
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

/// The number of the layer `op` belongs to, where a pattern over the layers is
/// asked for; none outside of the layers, and before they are written out.
using Layer = std::optional<int64_t>;

/// What `value` is in the settings of the model around `op`, before and after
/// gpt-unroll-layers: an integer; a number, which an integer is too; a word.
/// \param what  starts the error's description: "the number of features".
/// \returns failure, with an error on `op`, for a value of another kind, a
/// setting that the model does not have, and a list without a layer.
mlir::FailureOr<int64_t> getInteger(mlir::Operation *op, mlir::Attribute value,
                                    llvm::StringRef what, Layer layer = {});
mlir::FailureOr<double> getNumber(mlir::Operation *op, mlir::Attribute value,
                                  llvm::StringRef what, Layer layer = {});
mlir::FailureOr<llvm::StringRef> getWord(mlir::Operation *op,
                                         mlir::Attribute value,
                                         llvm::StringRef what,
                                         Layer layer = {});

/// True when `value` names a list of settings, so that it differs from layer to
/// layer and is known only once they are written out.
bool variesByLayer(mlir::Operation *op, mlir::Attribute value);

/// The literal that `value` stands for: an i64, an f64 or a string.
/// \returns failure with an error on `op`, as above.
mlir::FailureOr<mlir::Attribute> getLiteral(mlir::Operation *op,
                                            mlir::Attribute value, Layer layer);

/// Calls `use` with each name in `expr` that stands for a setting.
void forEachSetting(ExprAttr expr,
                    llvm::function_ref<void(llvm::StringRef)> use);

/// `custom<Value>($attribute)` of an assembly format.
mlir::ParseResult parseValue(mlir::OpAsmParser &parser,
                             mlir::Attribute &attribute);
void printValue(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                mlir::Attribute attribute);

} // namespace tilegpt::gpt

#endif
