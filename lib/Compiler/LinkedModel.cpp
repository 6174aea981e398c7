// Runs gpt-link-base.
#include "LinkedModel.h"
#include "TileGPT/Dialect/Gpt/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace tilegpt::compiler {

FailureOr<gpt::ModelOp> linkedModel(ModuleOp module) {
  auto models = llvm::to_vector(module.getOps<gpt::ModelOp>());
  if (models.size() != 1)
    return module.emitError("expected one gpt.model in the file, found ")
           << models.size();
  if (models.front().getBaseAttr()) {
    PassManager passes(module.getContext());
    passes.addPass(gpt::createLinkBasePass());
    if (failed(passes.run(module)))
      return failure();
  }
  return models.front();
}

} // namespace tilegpt::compiler
