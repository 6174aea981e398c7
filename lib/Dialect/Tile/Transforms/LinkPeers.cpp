// Links the kernels of peer-memory collectives.
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "TileGPT/Dialect/Tile/Transforms/BindKernel.h"
#include "TileGPT/Dialect/Tile/Transforms/LinkLibrary.h"
#include "TileGPT/Dialect/Tile/Transforms/Passes.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tilegpt::tile {
#define GEN_PASS_DEF_LINKPEERSPASS
#include "TileGPT/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilegpt::tile

using namespace tilegpt::tile;

namespace {

/// Library kernels "peer_KIND", with the element types that they are needed
/// for.
using Wanted = llvm::SetVector<std::pair<StringRef, Type>>;

/// Finds the kernels for all collectives of specialized kernels.
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
    const Wanted wanted = findWanted(getOperation());
    if (wanted.empty())
      return;
    FailureOr<std::vector<KernelFile>> files =
        readKernelLibrary(/*dir=*/"", getOperation().getLoc());
    if (failed(files))
      return signalPassFailure();
    OwningOpRef<ModuleOp> library = parseKernelLibrary(*files, &getContext());
    if (!library)
      return signalPassFailure();
    for (auto [kind, element] : wanted)
      if (auto kernel = library->lookupSymbol<KernelOp>("peer_" + kind.str());
          kernel && failed(link(kernel, element)))
        return signalPassFailure();
  }

private:
  /// Adds an instance of a library kernel for one element type.
  LogicalResult link(KernelOp text, Type element) {
    OwningOpRef<KernelOp> made(text.clone());
    KernelOp kernel = *made;
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
    std::string type;
    llvm::raw_string_ostream(type) << element;
    kernel.setSymName((text.getSymName() + "_" + type).str());
    SymbolTable(getOperation()).insert(made.release());
    return success();
  }
};

} // namespace
