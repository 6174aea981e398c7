// Brings along the kernels that ranks may exchange with themselves.
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "TileGPT/Dialect/Tile/Transforms/BindKernel.h"
#include "TileGPT/Dialect/Tile/Transforms/Passes.h"
#include "TileGPT/Library/Library.h"
#include "mlir/IR/Builders.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tilegpt::tile {
#define GEN_PASS_DEF_LINKPEERSPASS
#include "TileGPT/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilegpt::tile

using namespace tilegpt::tile;

namespace {

/// The kernels "peer_KIND" of the library, each with the type of what it
/// exchanges.
using Wanted = llvm::SetVector<std::pair<StringRef, Type>>;

/// Of each exchange among specialized kernels.
static Wanted findWanted(ModuleOp module) {
  Wanted wanted;
  module.walk([&](KernelOp kernel) {
    auto kind = kernel->getAttrOfType<StringAttr>(collectiveAttr);
    if (!kind || kernel.getArguments().empty())
      return;
    if (auto view = dyn_cast<ViewType>(kernel.getArguments()[0].getType()))
      wanted.insert({kind.getValue(), view.getElementType()});
  });
  return wanted;
}

class LinkPeers : public tilegpt::tile::impl::LinkPeersPassBase<LinkPeers> {
public:
  using LinkPeersPassBase::LinkPeersPassBase;

  void runOnOperation() override {
    for (auto [kind, element] : findWanted(getOperation()))
      if (failed(link("peer_" + kind.str(), element)))
        return signalPassFailure();
  }

private:
  /// Adds the kernel of this name for numbers of one type.
  LogicalResult link(const std::string &name, Type element) {
    const auto *file =
        tilegpt::library::find(tilegpt::library::kernels(), name);
    if (!file)
      return success();
    auto parsed =
        parseSourceString<ModuleOp>(file->text, ParserConfig(&getContext()));
    if (!parsed)
      return failure();
    KernelOp kernel = *parsed->getOps<KernelOp>().begin();
    auto operands = llvm::map_to_vector(
        kernel.getArguments(), [&](BlockArgument argument) -> Type {
          auto view = dyn_cast<ViewType>(argument.getType());
          if (!view)
            return argument.getType();
          Type stored = view.getElementType();
          return RankedTensorType::get(view.getShape(),
                                       isa<EltType>(stored) ? element : stored);
        });
    FailureOr<LaunchBinding> binding = deduceLaunch(
        kernel, operands, /*overrides=*/{}, [&] { return kernel.emitError(); });
    if (failed(binding) || failed(completeBinding(kernel, *binding)) ||
        failed(bindKernel(kernel, *binding)))
      return failure();
    kernel->remove();
    std::string type;
    llvm::raw_string_ostream(type) << element;
    kernel.setSymName(name + "_" + type);
    SymbolTable(getOperation()).insert(kernel);
    return success();
  }
};

} // namespace
