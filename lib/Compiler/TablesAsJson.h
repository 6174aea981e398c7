// The tables of a model as a bundle carries them.
#ifndef TILEGPT_LIB_COMPILER_TABLESASJSON_H
#define TILEGPT_LIB_COMPILER_TABLESASJSON_H

#include "TileGPT/Dialect/Gpt/IR/GptOps.h"
#include <string>

namespace tilegpt::compiler {

/// The JSON that runtime::ModelTables::parse() reads: the tables and the
/// settings of a model that is like no other any more.
/// \returns failure with an error on the model for values JSON does not have.
mlir::FailureOr<std::string> tablesAsJson(gpt::ModelOp model);

} // namespace tilegpt::compiler

#endif
