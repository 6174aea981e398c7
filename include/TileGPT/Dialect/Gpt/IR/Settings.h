// The settings of a model: its sizes and what else its text declares.
#ifndef TILEGPT_DIALECT_GPT_IR_SETTINGS_H
#define TILEGPT_DIALECT_GPT_IR_SETTINGS_H

#include "TileGPT/Dialect/Gpt/IR/GptOps.h"

namespace tilegpt::gpt {

/// The two tables of a model, which are no settings.
inline constexpr llvm::StringLiteral configTable = "config";
inline constexpr llvm::StringLiteral weightsTable = "weights";

/// The value of a size or of a setting, null when the model has none of that
/// name: an i64, an f64, a bool, a string or an array of one of these.
mlir::Attribute getSetting(ModelOp model, llvm::StringRef name);

/// The names of all settings, sizes first.
llvm::SmallVector<llvm::StringRef> settingNames(ModelOp model);

/// Sets what `text` says: `layers=2 rope_theta=1e6 sliding=[1,0] kind=linear`.
/// A value must have the type of the one it replaces; an integer may stand for
/// a number.
/// \returns failure with an error on `model`.
mlir::LogicalResult setSettings(ModelOp model, llvm::StringRef text);

/// Checks that every setting the text of the model declares is named by
/// something in it.
mlir::LogicalResult checkSettingsAreUsed(ModelOp model);

/// Checks the kinds of the settings; what ModelOp's verifier calls.
mlir::LogicalResult verifySettings(ModelOp model);

} // namespace tilegpt::gpt

#endif
