// Launches of norms, linear layers and the activations between them.
#ifndef TILEGPT_LIB_CONVERSION_GPTTOTILE_LAYERLAUNCHES_H
#define TILEGPT_LIB_CONVERSION_GPTTOTILE_LAYERLAUNCHES_H

#include "LaunchBuilder.h"

namespace tilegpt::gpt {

/// Lowers the norms, linear layers and activations of one function.
class LayerLaunches {
public:
  /// \param fuse  whether a norm may be left to the linear layers that read it.
  LayerLaunches(ModelOp model, bool fuse, LaunchBuilder &builder)
      : model(model), fuse(fuse), builder(builder) {}

  mlir::FailureOr<mlir::ValueRange> lower(LayerNormOp op);
  mlir::FailureOr<mlir::ValueRange> lower(RmsNormOp op);
  mlir::FailureOr<mlir::ValueRange> lower(LinearOp op);
  mlir::FailureOr<mlir::ValueRange> lower(GeluOp op);
  mlir::FailureOr<mlir::ValueRange> lower(GluOp op);
  mlir::FailureOr<mlir::ValueRange> lower(SoftcapOp op);

private:
  /// A norm of rows: a layer norm, or an RMS norm with an offset.
  struct Norm {
    mlir::StringAttr weights;
    std::optional<double> offset;

    llvm::StringRef name() const { return offset ? "rms_norm" : "norm"; }
  };

  mlir::FailureOr<mlir::ValueRange> lowerNorm(mlir::Operation *op, Norm norm);
  /// Appends weight, bias and epsilon of a layer norm; weight, epsilon and
  /// offset of an RMS norm.
  mlir::LogicalResult appendNorm(llvm::SmallVectorImpl<mlir::Value> &ins,
                                 Norm norm, int64_t columns);
  /// Leaves a norm to the linear layers that read it, when nobody else does
  /// and there are kernels for all of them.
  bool leaveToReaders(mlir::Operation *op, Norm norm);
  /// What a linear layer asks of a kernel.
  Task linearTask(LinearOp op, llvm::StringRef norm);
  /// The bias of a linear layer: without one, a vector without elements.
  mlir::FailureOr<mlir::Value> biasOf(LinearOp op, int64_t columns);
  /// One launch each for the product, the activation and the residual.
  mlir::FailureOr<mlir::ValueRange> lowerUnfused(LinearOp op,
                                                 mlir::ValueRange ins);
  /// One launch for both products, one for the gates.
  mlir::FailureOr<mlir::ValueRange>
  lowerUngated(LinearOp op, int64_t features,
               llvm::SmallVector<mlir::Value> ins);
  mlir::FailureOr<mlir::ValueRange> launchGelu(mlir::Value input,
                                               Approximation approximation);
  mlir::FailureOr<mlir::ValueRange> launchGlu(mlir::Value input,
                                              Activation activation);

  ModelOp model;
  bool fuse;
  LaunchBuilder &builder;
  /// The norms that linear layers have taken over.
  llvm::DenseMap<mlir::Operation *, Norm> normsOf;
};

} // namespace tilegpt::gpt

#endif
