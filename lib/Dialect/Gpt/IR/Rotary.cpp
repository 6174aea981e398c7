// Frequencies of rotary embedding and how longer contexts stretch them, as
// Hugging Face's modeling_rope_utils.py has them.
#include "TileGPT/Dialect/Gpt/IR/Rotary.h"
#include <algorithm>
#include <cmath>
#include <numbers>

using namespace mlir;

namespace tilegpt::gpt {

double RotaryNumbers::frequencyOf(int64_t pair) const {
  double plain = std::exp2(rate * double(pair));
  double kept = std::clamp(constant + linear * double(pair) + frequency * plain,
                           0.0, 1.0);
  return plain * (kept + (1 - kept) * stretch);
}

namespace {

/// Reads the values of one op.
class Reader {
public:
  Reader(RotaryOp op, Layer layer) : op(op), layer(layer) {}

  FailureOr<RotaryNumbers> read();

private:
  /// A number that the scaling needs.
  LogicalResult need(StringRef name, std::optional<Attribute> value,
                     double &number) {
    if (!value)
      return op.emitOpError("has the scaling \"")
             << scaling << "\", which takes " << name << "(…)";
    FailureOr<double> found = getNumber(op, *value, name, layer);
    if (failed(found))
      return failure();
    if (!(*found > 0))
      return op.emitOpError("expected ")
             << name << " to be positive, found " << *found;
    number = *found;
    return success();
  }

  LogicalResult readRanges() {
    if (failed(need("low", op.getLow(), low)) ||
        failed(need("high", op.getHigh(), high)) ||
        failed(need("original", op.getOriginal(), original)))
      return failure();
    if (low < high)
      return success();
    return op.emitOpError("expected low (")
           << low << ") to be less than high (" << high << ")";
  }

  void setLlama3(RotaryNumbers &numbers) const {
    numbers.constant = -low / (high - low);
    numbers.frequency = original / (2 * std::numbers::pi) / (high - low);
  }

  /// The pair that makes so many turns within the original context.
  double pairOf(double turns, const RotaryNumbers &numbers) const {
    return std::log2(original / (turns * 2 * std::numbers::pi)) / -numbers.rate;
  }

  void setYarn(RotaryNumbers &numbers) const {
    double first = std::max(std::floor(pairOf(high, numbers)), 0.0);
    double last =
        std::min(std::ceil(pairOf(low, numbers)), double(numbers.features - 1));
    double span = first == last ? 0.001 : last - first;
    numbers.constant = 1 + first / span;
    numbers.linear = -1 / span;
  }

  RotaryOp op;
  Layer layer;
  StringRef scaling = "none";
  double factor = 1, low = 1, high = 1, original = 1;
};

} // namespace

FailureOr<RotaryNumbers> Reader::read() {
  RotaryNumbers numbers;
  numbers.features = getModel(op).getHeadWidth();
  if (op.getFeatures()) {
    FailureOr<int64_t> features =
        getInteger(op, *op.getFeatures(), "features", layer);
    if (failed(features))
      return failure();
    if (*features < 0 || *features > numbers.features || *features % 2 != 0)
      return op.emitOpError("expected features to be an even number from 0 to "
                            "head_dim (")
             << numbers.features << "), found " << *features;
    numbers.features = *features;
  }
  FailureOr<double> theta = getNumber(op, op.getTheta(), "theta", layer);
  if (failed(theta))
    return failure();
  if (!(*theta > 1))
    return op.emitOpError("expected theta to be above 1, found ") << *theta;
  if (numbers.features == 0)
    return numbers;
  numbers.rate = -2 * std::log2(*theta) / double(numbers.features);

  if (op.getScaling()) {
    FailureOr<StringRef> word =
        getWord(op, *op.getScaling(), "the scaling", layer);
    if (failed(word))
      return failure();
    scaling = *word;
  }
  if (scaling == "none")
    return numbers;
  if (!llvm::is_contained({"linear", "llama3", "yarn"}, scaling))
    return op.emitOpError("has the scaling \"")
           << scaling << "\"; there are none, linear, llama3 and yarn";
  if (failed(need("factor", op.getFactor(), factor)))
    return failure();
  numbers.stretch = 1 / factor;
  numbers.constant = 0;
  if (scaling == "linear")
    return numbers;
  if (failed(readRanges()))
    return failure();
  if (scaling == "llama3") {
    setLlama3(numbers);
    return numbers;
  }
  setYarn(numbers);
  numbers.amplitude = factor > 1 ? 0.1 * std::log(factor) + 1 : 1;
  if (!op.getAmplitude())
    return numbers;
  FailureOr<double> amplitude =
      getNumber(op, *op.getAmplitude(), "amplitude", layer);
  if (failed(amplitude))
    return failure();
  if (*amplitude < 0)
    return op.emitOpError("expected amplitude to be positive, or 0 for what "
                          "the factor makes it, found ")
           << *amplitude;
  if (*amplitude > 0)
    numbers.amplitude = *amplitude;
  return numbers;
}

FailureOr<RotaryNumbers> getRotaryNumbers(RotaryOp op, Layer layer) {
  return Reader(op, layer).read();
}

} // namespace tilegpt::gpt
