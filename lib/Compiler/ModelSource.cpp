// Finds the text of a model and reads its tables.
#include "TileGPT/Compiler/ModelSource.h"
#include "Diagnostics.h"
#include "LinkedModel.h"
#include "TablesAsJson.h"
#include "Text/RefusedTypes.h"
#include "TileGPT/Compiler/Source.h"
#include "TileGPT/Library/Library.h"
#include "TileGPT/Pipelines/Registration.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/STLExtras.h"

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

/// The type of a built-in model that is nearly the unknown one, as a question;
/// empty if there is none.
static std::string nearestType(StringRef unknown) {
  constexpr unsigned mostEdits = 2;
  unsigned fewest = mostEdits + 1;
  StringRef nearest;
  for (const library::File &model : library::models())
    for (const StringRef type : library::modelTypes(model))
      if (const unsigned edits = type.edit_distance(unknown); edits < fewest) {
        fewest = edits;
        nearest = type;
      }
  return nearest.empty() ? "" : ("; did you mean '" + nearest + "'?").str();
}

Result<std::vector<ModelSource>> builtinModels(std::string_view modelType) {
  std::vector<ModelSource> found;
  for (const library::File &model : library::models())
    if (llvm::is_contained(library::modelTypes(model), modelType))
      found.push_back(
          {std::string(model.name) + ".mlir", std::string(model.text)});
  if (!found.empty())
    return found;
  if (const StringRef reason = reasonToRefuse(modelType); !reason.empty())
    return runtime::makeError(
        ErrorCode::BadInput, "model: the model_type '", modelType,
        "' is not supported: ", std::string_view(reason),
        " (tilegpt-run --list-models lists the types that are)");
  return runtime::makeError(ErrorCode::BadInput,
                            "model: no built-in model is for the model_type '",
                            modelType, "'", nearestType(modelType),
                            " (tilegpt-run --list-models lists those it has); "
                            "pass a model (.mlir) that computes the same");
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
