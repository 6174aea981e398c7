// Context shared by the evaluators of gpt ops: the current layer, and weights
// by name.
#ifndef TILEGPT_LIB_REFERENCE_GPTCONTEXT_H
#define TILEGPT_LIB_REFERENCE_GPTCONTEXT_H

#include "TileGPT/Dialect/Gpt/IR/GptOps.h"
#include "TileGPT/Reference/Frame.h"

namespace tilegpt::reference {

/// The number of the layer an enclosing gpt.layers is at, for `{l}` in names.
struct GptContext {
  int64_t layer = 0;

  /// `name` with the number of the layer in the place of `{l}`.
  std::string resolve(llvm::StringRef name) const;

  /// The weight `name` of this shape.
  /// \returns an error at `op` for a weight that is not bound or of another
  /// shape.
  llvm::Expected<TensorRef> weight(mlir::Operation *op, Frame &frame,
                                   const llvm::Twine &name,
                                   llvm::ArrayRef<int64_t> shape) const;

  /// The weight `name` that is one whole number.
  /// \returns an error at `op` for one that is not bound or of another kind.
  llvm::Expected<int64_t> index(mlir::Operation *op, Frame &frame,
                                llvm::StringRef name) const;

  /// The number that `value` is in this layer, `otherwise` without one.
  /// \returns an error at `op` when it is none.
  llvm::Expected<double> number(mlir::Operation *op,
                                std::optional<mlir::Attribute> value,
                                llvm::StringRef what, double otherwise) const;
};

/// A new f32 tensor [rows, columns] of which element [i, j] is valueAt(i, j).
template <typename ValueAt>
llvm::Expected<Tensor> makeRows(int64_t rows, int64_t columns,
                                ValueAt valueAt) {
  llvm::Expected<Tensor> tensor =
      Tensor::zeros(ElementType::F32, {rows, columns});
  if (!tensor)
    return tensor;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      tensor->store(i * columns + j, Element::of(double(valueAt(i, j))));
  return tensor;
}

/// Defines the only result of `op`.
llvm::Error defineResult(mlir::Operation *op, Frame &frame,
                         llvm::Expected<Tensor> tensor);

/// 1 / sqrt(mean(x²) + eps) of `count` elements from `first` on.
double rmsScale(const Tensor &x, int64_t first, int64_t count, double eps);

/// An activation function at x.
double activate(double x, gpt::Activation activation);

/// Rows N and sequences B of a step, and N / B.
/// \returns an error at `op` when B does not divide N.
llvm::Expected<int64_t> tokensPerSequence(mlir::Operation *op, int64_t rows,
                                          int64_t sequences);

void addGptPositionEvaluators(Registry &registry,
                              std::shared_ptr<GptContext> context);
void addGptHeadEvaluators(Registry &registry,
                          std::shared_ptr<GptContext> context);
void addGptAttentionEvaluator(Registry &registry,
                              std::shared_ptr<GptContext> context);
void addGptExpertEvaluators(Registry &registry,
                            std::shared_ptr<GptContext> context);
void addGptRankEvaluators(Registry &registry);
void addGptSampleEvaluator(Registry &registry);

} // namespace tilegpt::reference

#endif
