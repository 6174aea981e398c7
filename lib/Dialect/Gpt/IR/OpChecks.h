// Checks that ops of the dialect share.
#ifndef TILEGPT_LIB_DIALECT_GPT_IR_OPCHECKS_H
#define TILEGPT_LIB_DIALECT_GPT_IR_OPCHECKS_H

#include "TileGPT/Dialect/Gpt/IR/GptOps.h"

namespace tilegpt::gpt::detail {

/// The model `op` stands in; fails with an error on `op` when there is none.
mlir::FailureOr<ModelOp> requireModel(mlir::Operation *op);

/// Checks a name of weights or of a cache: letters, digits, '.', '_' and '-',
/// and `{l}` within gpt.layers only.
mlir::LogicalResult verifyName(mlir::Operation *op, llvm::StringRef name);

/// Checks a number as soon as it is a literal.
mlir::LogicalResult verifyNumber(mlir::Operation *op, llvm::StringRef name,
                                 std::optional<mlir::Attribute> value,
                                 llvm::function_ref<bool(double)> check,
                                 llvm::StringRef expected);

/// Checks that a bound of values is positive, or 0 for none.
mlir::LogicalResult verifyCap(mlir::Operation *op, llvm::StringRef name,
                              std::optional<mlir::Attribute> value);

/// The number of things that `value` is; fails with an error on `op` when it is
/// not from 1 to INT32_MAX.
mlir::FailureOr<int64_t> getCount(mlir::Operation *op, mlir::Attribute value,
                                  llvm::StringRef what);

/// Checks that an axis, where its size is known, is as large as the model says.
mlir::LogicalResult verifyAxis(mlir::Operation *op, llvm::StringRef operand,
                               mlir::Type type, int64_t axis, int64_t expected,
                               llvm::StringRef meaning);

/// An activation type [rows of `rowsOf`, columns].
mlir::Type activations(mlir::Value rowsOf, int64_t columns);

} // namespace tilegpt::gpt::detail

#endif
