// What the evaluators of gpt ops share: the layer that is being run, and how
// weights are found by name.
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
};

/// Rows N and sequences B of a step, and N / B.
/// \returns an error at `op` when B does not divide N.
llvm::Expected<int64_t> tokensPerSequence(mlir::Operation *op, int64_t rows,
                                          int64_t sequences);

void addGptAttentionEvaluator(Registry &registry,
                              std::shared_ptr<GptContext> context);
void addGptSampleEvaluator(Registry &registry);

} // namespace tilegpt::reference

#endif
