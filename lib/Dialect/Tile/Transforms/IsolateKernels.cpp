// Removes everything but kernels from a module, the input of code generation.
#include "TileGPT/Dialect/Tile/Transforms/Passes.h"

using namespace mlir;

namespace tilegpt::tile {
#define GEN_PASS_DEF_ISOLATEKERNELSPASS
#include "TileGPT/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilegpt::tile

using namespace tilegpt::tile;

namespace {

class IsolateKernels
    : public tilegpt::tile::impl::IsolateKernelsPassBase<IsolateKernels> {
public:
  using IsolateKernelsPassBase::IsolateKernelsPassBase;

  void runOnOperation() override {
    Block *body = getOperation().getBody();
    SmallVector<KernelOp> kernels;
    getOperation().walk([&](KernelOp kernel) { kernels.push_back(kernel); });
    llvm::DenseSet<StringAttr> names;
    for (KernelOp kernel : kernels) {
      if (!names.insert(kernel.getSymNameAttr()).second) {
        kernel.emitOpError("expected kernels of different models to have "
                           "different names");
        return signalPassFailure();
      }
      kernel->moveBefore(body, body->end());
    }
    for (Operation &op : llvm::make_early_inc_range(*body))
      if (!isa<KernelOp>(op))
        op.erase();
  }
};

} // namespace
