// Gives presets the body of the model they are like.
#include "TileGPT/Dialect/Gpt/Transforms/Passes.h"
#include "TileGPT/Library/Library.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace tilegpt::gpt {
#define GEN_PASS_DEF_LINKBASEPASS
#include "TileGPT/Dialect/Gpt/Transforms/Passes.h.inc"
} // namespace tilegpt::gpt

using namespace tilegpt::gpt;
namespace library = tilegpt::library;

namespace {

/// The folder of the file an op was read from; "." when it has none.
static std::string folderOf(Operation *op) {
  auto location = op->getLoc()->findInstanceOf<FileLineColLoc>();
  StringRef folder =
      location ? llvm::sys::path::parent_path(location.getFilename().getValue())
               : StringRef();
  return folder.empty() ? "." : folder.str();
}

class LinkBase : public tilegpt::gpt::impl::LinkBasePassBase<LinkBase> {
public:
  using LinkBasePassBase::LinkBasePassBase;

  void runOnOperation() override {
    for (ModelOp model : getOperation().getOps<ModelOp>())
      if (model.getBaseAttr() && failed(link(model)))
        return signalPassFailure();
  }

private:
  LogicalResult link(ModelOp model) {
    std::string folder = dir.empty() ? folderOf(model) : dir.getValue();
    SmallString<128> path(folder);
    llvm::sys::path::append(path, *model.getBase() + ".mlir");
    if (llvm::sys::path::filename(path) != (*model.getBase() + ".mlir").str())
      return model.emitOpError("expected the name of a model, not a path, "
                               "found \"")
             << *model.getBase() << '"';
    OwningOpRef<ModuleOp> file;
    if (llvm::sys::fs::exists(path))
      file = parseSourceFile<ModuleOp>(path, ParserConfig(&getContext()));
    else if (const auto *builtin =
                 library::find(library::models(), *model.getBase()))
      file = parseSourceString<ModuleOp>(builtin->text,
                                         ParserConfig(&getContext()),
                                         (*model.getBase() + ".mlir").str());
    else
      return model.emitOpError("is like \"")
             << *model.getBase() << "\", but there is no file '" << path
             << "', nor a built-in model of that name";
    if (!file)
      return failure();
    auto bases = file->getOps<ModelOp>();
    if (bases.empty() || std::next(bases.begin()) != bases.end())
      return model.emitOpError("is like \"")
             << *model.getBase() << "\", but '" << path
             << "' does not hold exactly one gpt.model";
    ModelOp base = *bases.begin();
    if (base.getBaseAttr())
      return model.emitOpError("is like \"")
             << *model.getBase() << "\", which is like \"" << *base.getBase()
             << "\"; name that one";
    model.removeBaseAttr();
    for (NamedAttribute attribute : base->getDiscardableAttrs())
      if (!model->hasAttr(attribute.getName()))
        model->setAttr(attribute.getName(), attribute.getValue());
    IRMapping mapping;
    model.getBody().getBlocks().clear();
    base.getBody().cloneInto(&model.getBody(), mapping);
    return success();
  }
};

} // namespace
