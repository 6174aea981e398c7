// The settings of a model: its sizes and other values that its text declares.
#ifndef TILEGPT_DIALECT_GPT_IR_SETTINGS_H
#define TILEGPT_DIALECT_GPT_IR_SETTINGS_H

#include "TileGPT/Dialect/Gpt/IR/GptOps.h"

namespace tilegpt::gpt {

/// The two tables of a model, which are not settings.
inline constexpr llvm::StringLiteral configTable = "config";
inline constexpr llvm::StringLiteral weightsTable = "weights";

/// The value of a size or setting: an i64, an f64, a bool, a string or an array
/// of one of these. Null if the model has no setting of that name.
mlir::Attribute getSetting(ModelOp model, llvm::StringRef name);

/// The names of all settings, sizes first.
llvm::SmallVector<llvm::StringRef> settingNames(ModelOp model);

/// Applies settings such as `layers=2 rope_theta=1e6 sliding=[1,0]
/// kind=linear`. A value must have the type of the one it replaces; an integer
/// may replace a float.
/// \returns failure with an error on `model`.
mlir::LogicalResult setSettings(ModelOp model, llvm::StringRef text);

/// Checks that every setting declared by the model is used in it.
mlir::LogicalResult checkSettingsAreUsed(ModelOp model);

/// Checks the types of the settings; called by ModelOp's verifier.
mlir::LogicalResult verifySettings(ModelOp model);

} // namespace tilegpt::gpt

#endif
