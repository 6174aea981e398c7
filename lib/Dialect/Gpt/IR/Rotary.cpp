// Frequencies of rotary embedding and how longer contexts stretch them, as
// Hugging Face's modeling_rope_utils.py has them.
#include "TileGPT/Dialect/Gpt/IR/Rotary.h"
#include "TileGPT/Dialect/Gpt/IR/Settings.h"
#include "TileGPT/Dialect/Gpt/IR/Values.h"
#include <algorithm>
#include <cmath>
#include <numbers>

using namespace mlir;

namespace tilegpt::gpt {

double RotaryNumbers::frequencyOf(int64_t pair) const {
  double plain = std::exp2(rate * double(pair));
  if (!factors.empty())
    return plain / factors[pair];
  double kept = std::clamp(constant + linear * double(pair) + frequency * plain,
                           0.0, 1.0);
  return plain * (kept + (1 - kept) * stretch);
}

namespace {

/// Reads the values of one op.
class Reader {
public:
  Reader(RotaryOp op, Layer layer, int64_t capacity)
      : op(op), layer(layer), capacity(capacity) {}

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
    const bool mayBeNegative = name == "factor" && scaling == "linear";
    if (mayBeNegative ? *found == 0 : !(*found > 0))
      return op.emitOpError("expected ")
             << name << " to be "
             << (mayBeNegative ? "another number than 0" : "positive")
             << ", found " << *found;
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

  /// The pair that completes this many turns within the original context.
  double pairOf(double turns, const RotaryNumbers &numbers) const {
    return std::log2(original / (turns * 2 * std::numbers::pi)) / -numbers.rate;
  }

  void setYarn(RotaryNumbers &numbers) const {
    double first = pairOf(high, numbers), last = pairOf(low, numbers);
    if (truncates) {
      first = std::floor(first);
      last = std::ceil(last);
    }
    first = std::max(first, 0.0);
    last = std::min(last, double(numbers.features - 1));
    double span = first == last ? 0.001 : last - first;
    numbers.constant = 1 + first / span;
    numbers.linear = -1 / span;
  }

  LogicalResult setFactors(RotaryNumbers &numbers);
  LogicalResult setAmplitude(RotaryNumbers &numbers, double usual);

  RotaryOp op;
  Layer layer;
  int64_t capacity;
  StringRef scaling = "none";
  double factor = 1, low = 1, high = 1, original = 1;
  bool truncates = true;
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
  if (!llvm::is_contained({"linear", "llama3", "yarn", "longrope"}, scaling))
    return op.emitOpError("has the scaling \"")
           << scaling
           << "\"; there are none, linear, llama3, yarn and longrope";
  if (failed(need("factor", op.getFactor(), factor)))
    return failure();
  if (scaling == "longrope") {
    if (failed(need("original", op.getOriginal(), original)) ||
        failed(setFactors(numbers)))
      return failure();
    double usual =
        factor > 1 ? std::sqrt(1 + std::log(factor) / std::log(original)) : 1;
    if (failed(setAmplitude(numbers, usual)))
      return failure();
    return numbers;
  }
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
  if (op.getTruncate()) {
    FailureOr<int64_t> given =
        getInteger(op, *op.getTruncate(), "truncate", layer);
    if (failed(given))
      return failure();
    if (*given != 0 && *given != 1)
      return op.emitOpError("expected truncate to be 0 or 1, found ") << *given;
    truncates = *given == 1;
  }
  setYarn(numbers);
  if (failed(
          setAmplitude(numbers, factor > 1 ? 0.1 * std::log(factor) + 1 : 1)))
    return failure();
  return numbers;
}

LogicalResult Reader::setAmplitude(RotaryNumbers &numbers, double usual) {
  numbers.amplitude = usual;
  if (!op.getAmplitude())
    return success();
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
  return success();
}

LogicalResult Reader::setFactors(RotaryNumbers &numbers) {
  if (!op.getShortFactors())
    return op.emitOpError(
        "has the scaling \"longrope\", which takes factors(…)");
  ModelOp model = getModel(op);
  int64_t tokens =
      capacity ? capacity
               : std::min(int64_t(model.getContext()), int64_t(original));
  StringRef name =
      double(tokens) > original ? *op.getLongFactors() : *op.getShortFactors();
  auto list = dyn_cast_or_null<ArrayAttr>(getSetting(model, name));
  if (!list || !isa<FloatAttr>(list[0]))
    return op.emitOpError("expected the setting '")
           << name << "' to be a list of numbers";
  if (int64_t(list.size()) != numbers.features / 2)
    return op.emitOpError("expected the setting '")
           << name << "' to have a factor for each of " << numbers.features / 2
           << " pairs of features, found " << list.size();
  for (auto factor : list.getAsRange<FloatAttr>()) {
    numbers.factors.push_back(factor.getValueAsDouble());
    if (!(numbers.factors.back() > 0))
      return op.emitOpError("expected the setting '")
             << name << "' to hold positive factors, found "
             << numbers.factors.back();
  }
  return success();
}

FailureOr<int64_t> getUsualCapacity(ModelOp model) {
  int64_t capacity = model.getContext();
  WalkResult walk = model.walk([&](RotaryOp op) {
    if (!op.getShortFactors() || !op.getOriginal() || !op.getScaling())
      return WalkResult::advance();
    FailureOr<StringRef> scaling =
        getWord(op, *op.getScaling(), "the scaling", 0);
    FailureOr<double> original =
        getNumber(op, *op.getOriginal(), "original", 0);
    if (failed(scaling) || failed(original))
      return WalkResult::interrupt();
    if (*scaling == "longrope" && *original >= 1)
      capacity = std::min(capacity, int64_t(*original));
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  return capacity;
}

FailureOr<RotaryNumbers> getRotaryNumbers(RotaryOp op, Layer layer,
                                          int64_t capacity) {
  return Reader(op, layer, capacity).read();
}

} // namespace tilegpt::gpt
