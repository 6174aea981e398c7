// Brings activations, gates and residual additions into the linear layers they
// follow.
#include "TileGPT/Dialect/Gpt/Transforms/Passes.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tilegpt::gpt {
#define GEN_PASS_DEF_FUSEPASS
#include "TileGPT/Dialect/Gpt/Transforms/Passes.h.inc"
} // namespace tilegpt::gpt

using namespace tilegpt::gpt;

namespace {

/// The linear layer that computes `value`, if it is still plain and nothing
/// else reads it.
static LinearOp plainLinear(Value value) {
  auto linear = value.getDefiningOp<LinearOp>();
  if (!linear || !value.hasOneUse() || linear.getResidual() ||
      linear.getGated() || linear.getActivation() != Activation::None)
    return {};
  return linear;
}

class Fuse : public tilegpt::gpt::impl::FusePassBase<Fuse> {
public:
  using FusePassBase::FusePassBase;

  void runOnOperation() override {
    getOperation().walk([&](GeluOp gelu) { fuseActivation(gelu); });
    getOperation().walk([&](GluOp glu) { fuseGate(glu); });
    getOperation().walk([&](arith::AddFOp add) { fuseResidual(add); });
  }

private:
  void fuseActivation(GeluOp gelu) {
    LinearOp linear = plainLinear(gelu.getInput());
    if (!linear)
      return;
    linear.setActivation(gelu.getApproximate() == Approximation::Tanh
                             ? Activation::GeluTanh
                             : Activation::GeluErf);
    gelu.replaceAllUsesWith(linear.getResult());
    gelu.erase();
    ++numActivations;
  }

  /// A gated layer has no bias: there is no kernel for one.
  void fuseGate(GluOp glu) {
    LinearOp linear = plainLinear(glu.getInput());
    if (!linear || !linear.getBias() || isa<ExprAttr>(*linear.getBias()))
      return;
    FailureOr<bool> hasBias = linear.hasBias();
    if (failed(hasBias) || *hasBias)
      return;
    linear.setActivation(glu.getActivation());
    linear.setGated(true);
    linear.getResult().setType(glu.getType());
    glu.replaceAllUsesWith(linear.getResult());
    glu.erase();
    ++numGates;
  }

  /// The fused layer replaces the addition: the residual may be computed
  /// between the two.
  void fuseResidual(arith::AddFOp add) {
    Value residual = add.getLhs();
    LinearOp linear = plainLinear(add.getRhs());
    if (!linear) {
      residual = add.getRhs();
      linear = plainLinear(add.getLhs());
    }
    if (!linear)
      return;
    linear->moveBefore(add);
    linear.getResidualMutable().assign(residual);
    add.replaceAllUsesWith(linear.getResult());
    add.erase();
    ++numResiduals;
  }
};

} // namespace
