// The parameters of gpt.rotary, evaluated.
#ifndef TILEGPT_DIALECT_GPT_IR_ROTARY_H
#define TILEGPT_DIALECT_GPT_IR_ROTARY_H

#include "TileGPT/Dialect/Gpt/IR/GptOps.h"

namespace tilegpt::gpt {

/// Feature pair i rotates by f(i) radians per position: f(i) = 2^(rate·i)·(m(i)
/// + (1 − m(i))·stretch), where m(i) = constant + linear·i +
/// frequency·2^(rate·i), clamped to 0 … 1. With `factors`, f(i) = 2^(rate·i) /
/// factors[i].
struct RotaryNumbers {
  int64_t features = 0; ///< R: features 0 … R − 1 of a head turn
  double rate = 0;      ///< −2·log₂(θ) / R
  double stretch = 1;   ///< 1 / factor
  double constant = 1, linear = 0, frequency = 0;
  double amplitude = 1;              ///< what turns is multiplied by
  mlir::SmallVector<double> factors; ///< R / 2 or none

  /// f(i), for i < R / 2.
  double frequencyOf(int64_t pair) const;

  friend bool operator==(const RotaryNumbers &,
                         const RotaryNumbers &) = default;
};

/// The default capacity of a cache in tokens: the model's context, or its
/// original context if RoPE uses other factors beyond it. Fails with an error
/// for values out of range.
mlir::FailureOr<int64_t> getUsualCapacity(ModelOp model);

/// The parameters of `op` for the settings of its model.
/// \param layer     index for patterns over the layers, if they are not
/// unrolled.
/// \param capacity  tokens that the cache holds; 0: the default capacity.
/// \returns failure with an error on `op` for values out of range, an unknown
/// kind of scaling, or one that lacks a parameter.
mlir::FailureOr<RotaryNumbers> getRotaryNumbers(RotaryOp op, Layer layer = {},
                                                int64_t capacity = 0);

} // namespace tilegpt::gpt

#endif
