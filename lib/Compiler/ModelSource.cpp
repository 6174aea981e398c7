// Finds the text of a model and reads its tables.
#include "TileGPT/Compiler/ModelSource.h"
#include "Diagnostics.h"
#include "LinkedModel.h"
#include "TablesAsJson.h"
#include "TileGPT/Compiler/Source.h"
#include "TileGPT/Library/Library.h"
#include "TileGPT/Pipelines/Registration.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

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

/// The types that built-in models are for, with the nearest one if it is near.
static std::string describeTypes(std::string_view unknown) {
  std::vector<StringRef> types;
  for (const library::File &model : library::models())
    for (std::string_view type : library::modelTypes(model))
      if (!llvm::is_contained(types, StringRef(type)))
        types.push_back(type);
  llvm::sort(types, [](StringRef a, StringRef b) {
    return a.compare_insensitive(b) < 0;
  });
  const auto distance = [&](StringRef type) {
    return type.edit_distance(unknown);
  };
  const auto nearest = std::ranges::min_element(types, {}, distance);
  constexpr unsigned mostEdits = 2;
  return (nearest != types.end() && distance(*nearest) <= mostEdits
              ? "did you mean '" + nearest->str() + "'? There is "
              : std::string("there is ")) +
         llvm::join(types, ", ");
}

Result<std::vector<ModelSource>> builtinModels(std::string_view modelType) {
  std::vector<ModelSource> found;
  for (const library::File &model : library::models())
    if (llvm::is_contained(library::modelTypes(model), modelType))
      found.push_back(
          {std::string(model.name) + ".mlir", std::string(model.text)});
  if (!found.empty())
    return found;
  return runtime::makeError(ErrorCode::BadInput,
                            "model: no built-in model is for the model_type '",
                            modelType, "'; ", describeTypes(modelType),
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
