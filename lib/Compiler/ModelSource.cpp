// Finds the text of a model and reads its tables.
#include "TileGPT/Compiler/ModelSource.h"
#include "Diagnostics.h"
#include "LinkedModel.h"
#include "TablesAsJson.h"
#include "TileGPT/Compiler/Source.h"
#include "TileGPT/Library/Library.h"
#include "TileGPT/Pipelines/Registration.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using tilegpt::runtime::ErrorCode;
using tilegpt::runtime::ModelTables;
using tilegpt::runtime::Result;

namespace tilegpt::compiler {

Result<ModelSource> readModel(const std::string &path) {
  Result<std::unique_ptr<llvm::MemoryBuffer>> file = readSource(path);
  if (!file)
    return tl::unexpected(file.error());
  return ModelSource{path, (*file)->getBuffer().str()};
}

Result<ModelSource> builtinModel(std::string_view modelType) {
  std::string all;
  for (const library::File &model : library::models())
    for (std::string_view type : library::modelTypes(model)) {
      if (type == modelType)
        return ModelSource{std::string(model.name) + ".mlir",
                           std::string(model.text)};
      all += (all.empty() ? "" : ", ") + std::string(type);
    }
  return runtime::makeError(ErrorCode::BadInput,
                            "model: no built-in model is for the model_type '",
                            modelType, "'; there is ", all,
                            ". Pass a model (.mlir) that computes the same");
}

Result<ModelTables> describeModel(const ModelSource &source) {
  Result<ModelTables> tables;
  runOnLargeStack([&] {
    DialectRegistry registry;
    registerDialects(registry);
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    FirstError diagnostics(context);
    const auto failed = [&] {
      return tl::unexpected(
          runtime::Error{ErrorCode::BadInput, diagnostics.firstError()});
    };
    OwningOpRef<ModuleOp> module = parseSource(
        *llvm::MemoryBuffer::getMemBuffer(source.text, source.name), context);
    FailureOr<gpt::ModelOp> model =
        module ? linkedModel(*module) : FailureOr<gpt::ModelOp>(failure());
    FailureOr<std::string> json = failure();
    if (succeeded(model))
      json = tablesAsJson(*model);
    tables = mlir::failed(json)
                 ? Result<ModelTables>(failed())
                 : ModelTables::parse(*json, "model: '" + source.name + "'");
  });
  return tables;
}

} // namespace tilegpt::compiler
