// A model from the text of a test or a built-in preset, lowered to some level
// and interpreted.
#ifndef TILEGPT_TEST_UNIT_CONVERSION_GPTTOTILE_MODELPROGRAM_H
#define TILEGPT_TEST_UNIT_CONVERSION_GPTTOTILE_MODELPROGRAM_H

#include "TileGPT/Dialect/Gpt/IR/GptOps.h"
#include "TileGPT/Reference/Interpreter.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace tilegpt {

class ModelProgram {
public:
  /// Parses `text` and runs the passes of `pipeline` on it; a failure is fatal.
  ModelProgram(llvm::StringRef text, llvm::StringRef pipeline,
               int64_t sequences = 1);

  gpt::ModelOp model() { return *module->getOps<gpt::ModelOp>().begin(); }
  reference::Interpreter &interpreter() { return *oracle; }

  /// Calls a function on ids and positions; returns the logits, row by row.
  std::vector<double> run(llvm::StringRef function, std::vector<int64_t> ids,
                          std::vector<int64_t> positions);

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::optional<reference::Interpreter> oracle;
};

/// The weights `text` needs when it is lowered, by name.
std::vector<std::pair<std::string, std::vector<int64_t>>>
weightsOf(llvm::StringRef text);

/// The text of a built-in model.
std::string builtinModel(llvm::StringRef name);

} // namespace tilegpt

#endif
