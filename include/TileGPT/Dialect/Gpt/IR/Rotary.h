// What gpt.rotary computes, in numbers.
#ifndef TILEGPT_DIALECT_GPT_IR_ROTARY_H
#define TILEGPT_DIALECT_GPT_IR_ROTARY_H

#include "TileGPT/Dialect/Gpt/IR/GptOps.h"

namespace tilegpt::gpt {

/// Pair i of features turns by f(i) radians from one position to the next:
/// f(i) = 2^(rate·i)·(m(i) + (1 − m(i))·stretch), where
/// m(i) = constant + linear·i + frequency·2^(rate·i), kept within 0 … 1. Where
/// there are `factors`, f(i) = 2^(rate·i) / factors[i].
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

/// The tokens that a cache holds unless a caller says otherwise: the context of
/// the model, or what it was trained with first, where rotation goes by other
/// factors beyond. Fails with an error for values out of range.
mlir::FailureOr<int64_t> getUsualCapacity(ModelOp model);

/// The numbers of `op` in the settings of its model.
/// \param layer     of patterns over the layers, where they are not written
///                  out.
/// \param capacity  tokens that the cache holds; 0: the usual capacity.
/// \returns failure with an error on `op` for values out of range, a scaling
/// that is not known, and one that lacks a number.
mlir::FailureOr<RotaryNumbers> getRotaryNumbers(RotaryOp op, Layer layer = {},
                                                int64_t capacity = 0);

} // namespace tilegpt::gpt

#endif
