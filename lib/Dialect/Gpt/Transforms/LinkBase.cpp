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

/// The file an op was read from; empty when there is none.
static StringRef fileOf(Operation *op) {
  auto location = op->getLoc()->findInstanceOf<FileLineColLoc>();
  return location ? location.getFilename().getValue() : StringRef();
}

/// Its folder; "." when it has none.
static std::string folderOf(Operation *op) {
  StringRef folder = llvm::sys::path::parent_path(fileOf(op));
  return folder.empty() ? "." : folder.str();
}

/// Whether a path names the file an op was read from.
static bool isFileOf(Operation *op, const Twine &path) {
  bool isSame = false;
  return !llvm::sys::fs::equivalent(fileOf(op), path, isSame) && isSame;
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
    // A preset may have the name of its base.
    if (llvm::sys::fs::exists(path) && !isFileOf(model, path))
      file = parseSourceFile<ModuleOp>(path, ParserConfig(&getContext()));
    else if (const auto *builtin =
                 library::find(library::models(), *model.getBase()))
      file = parseSourceString<ModuleOp>(builtin->text,
                                         ParserConfig(&getContext()),
                                         (*model.getBase() + ".mlir").str());
    else if (llvm::sys::fs::exists(path))
      return model.emitOpError("is like \"")
             << *model.getBase() << "\", but '" << path
             << "' is its own file, and there is no built-in model of that "
                "name";
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
