// Launches of positions, norms, linear layers and the activations between them.
#ifndef TILEGPT_LIB_CONVERSION_GPTTOTILE_LAYERLAUNCHES_H
#define TILEGPT_LIB_CONVERSION_GPTTOTILE_LAYERLAUNCHES_H

#include "LaunchBuilder.h"

namespace tilegpt::gpt {

/// Lowers the positions, norms, linear layers and activations of one function.
class LayerLaunches {
public:
  LayerLaunches(ModelOp model, LaunchBuilder &builder)
      : model(model), builder(builder) {}

  mlir::FailureOr<mlir::ValueRange> lower(PositionsOp op);
  mlir::FailureOr<mlir::ValueRange> lower(SinusoidsOp op);
  mlir::FailureOr<mlir::ValueRange> lower(LayerNormOp op);
  mlir::FailureOr<mlir::ValueRange> lower(RmsNormOp op);
  mlir::FailureOr<mlir::ValueRange> lower(LinearOp op);
  mlir::FailureOr<mlir::ValueRange> lower(GeluOp op);
  mlir::FailureOr<mlir::ValueRange> lower(ReluOp op);
  mlir::FailureOr<mlir::ValueRange> lower(XieluOp op);
  mlir::FailureOr<mlir::ValueRange> lower(GluOp op);
  mlir::FailureOr<mlir::ValueRange> lower(SoftcapOp op);
  mlir::FailureOr<mlir::ValueRange> lower(ClampOp op);
  mlir::FailureOr<mlir::ValueRange> lower(ScaleOp op);
  mlir::FailureOr<mlir::ValueRange> lower(GateOp op);
  /// A linear layer without a bias, unless a kernel implements the op itself.
  /// \param weight  [V, C].
  /// \param logits  the element type of the result.
  mlir::FailureOr<mlir::ValueRange> lower(UnembedOp op, mlir::Value weight,
                                          mlir::Type logits);

private:
  /// A vector of a norm, as wide as its input; empty without a name.
  mlir::FailureOr<mlir::Value> vectorOf(mlir::Operation *op,
                                        std::optional<llvm::StringRef> weights,
                                        llvm::StringRef suffix);
  /// A launch on rows and a number, with a result of the rows' type.
  mlir::FailureOr<mlir::ValueRange>
  launchWith(mlir::Operation *op, double number, llvm::StringRef label);
  /// A plain linear layer; ins: rows, weight, bias.
  mlir::FailureOr<mlir::ValueRange> launchProduct(mlir::ValueRange ins,
                                                  mlir::Value out,
                                                  const llvm::Twine &label);
  /// The task of a fully fused linear layer.
  Task linearTask(LinearOp op);
  /// The bias of a linear layer, or an empty vector.
  mlir::FailureOr<mlir::Value> biasOf(LinearOp op, int64_t columns);
  /// One launch each for the matmul, the activation and the residual.
  mlir::FailureOr<mlir::ValueRange> lowerUnfused(LinearOp op,
                                                 mlir::ValueRange ins);
  /// One launch for both halves of the matmul, one for the gates.
  mlir::FailureOr<mlir::ValueRange> lowerUngated(LinearOp op, int64_t features,
                                                 mlir::ValueRange ins);
  mlir::FailureOr<mlir::ValueRange> launchGelu(mlir::Value input,
                                               Approximation approximation);
  mlir::FailureOr<mlir::ValueRange> launchGlu(mlir::Value input,
                                              Activation activation);

  ModelOp model;
  LaunchBuilder &builder;
};

} // namespace tilegpt::gpt

#endif
