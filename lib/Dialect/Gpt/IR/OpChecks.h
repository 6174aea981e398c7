// Checks that ops of the dialect share.
#ifndef TILEGPT_LIB_DIALECT_GPT_IR_OPCHECKS_H
#define TILEGPT_LIB_DIALECT_GPT_IR_OPCHECKS_H

#include "TileGPT/Bundle/WeightShard.h"
#include "TileGPT/Dialect/Gpt/IR/GptOps.h"

namespace tilegpt::gpt::detail {

/// The model that contains `op`; emits an error on `op` if there is none.
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

/// Whether the `bias` of `op`, 1 by default, is 1; fails with an error on `op`
/// when it is neither 0 nor 1.
mlir::FailureOr<bool> isBiased(mlir::Operation *op,
                               std::optional<mlir::Attribute> bias);

/// Checks that an axis of known size matches the model.
mlir::LogicalResult verifyAxis(mlir::Operation *op, llvm::StringRef operand,
                               mlir::Type type, int64_t axis, int64_t expected,
                               llvm::StringRef meaning);

/// Checks the text that describes a rank's part of a matrix.
/// \param axis  the axis that must be split; nullopt: rows or columns.
mlir::LogicalResult
verifyShard(mlir::Operation *op, std::optional<llvm::StringRef> shard,
            std::optional<bundle::WeightShard::Axis> axis = {});

/// What one rank holds of `whole` rows or columns, which is all without a
/// shard; fails with an error on `op` for a shard of something of another size.
mlir::FailureOr<int64_t> getPartSize(mlir::Operation *op,
                                     std::optional<llvm::StringRef> shard,
                                     int64_t whole);

/// An activation type [rows of `rowsOf`, columns].
mlir::Type activations(mlir::Value rowsOf, int64_t columns);

} // namespace tilegpt::gpt::detail

#endif
