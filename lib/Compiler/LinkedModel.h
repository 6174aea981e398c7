// The only model of a file, with the body and settings of its base.
#ifndef TILEGPT_LIB_COMPILER_LINKEDMODEL_H
#define TILEGPT_LIB_COMPILER_LINKEDMODEL_H

#include "TileGPT/Dialect/Gpt/IR/GptOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace tilegpt::compiler {

/// \returns failure with an error on the module when there is not exactly one
/// model, or none it can be like.
mlir::FailureOr<gpt::ModelOp> linkedModel(mlir::ModuleOp module);

} // namespace tilegpt::compiler

#endif
