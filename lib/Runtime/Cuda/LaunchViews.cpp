// Computes the words of views from expressions over parameters.
#include "TileGPT/Runtime/Cuda/LaunchViews.h"
#include "TileGPT/Runtime/Cuda/TensorMap.h"
#include "TileGPT/Runtime/Engine/Evaluate.h"
#include <algorithm>
#include <numeric>

using namespace tilegpt;
using namespace tilegpt::cuda;
using bundle::ElementType;
using bundle::LaunchView;
using runtime::ErrorCode;
using runtime::makeError;
using runtime::Result;

/// Address, sizes, strides.
static size_t wordsOf(const LaunchView &view) { return 1 + 2 * view.rank; }

ParameterList
LaunchViews::parametersFor(std::vector<uint8_t> declaredBytes) const {
  size_t words = declaredBytes.size();
  for (const LaunchView &view : views)
    words += wordsOf(view);
  return {words, tensorMaps.size(), std::move(declaredBytes)};
}

static ElementType integerOf(uint8_t bytes) {
  switch (bytes) {
  case 1:
    return ElementType::I8;
  case 2:
    return ElementType::I16;
  case 4:
    return ElementType::I32;
  default:
    return ElementType::I64;
  }
}

Result<void>
LaunchViews::addWords(std::vector<uint64_t> &words,
                      std::span<const uint8_t> declaredBytes) const {
  if (views.empty())
    return {};
  std::vector<bundle::Argument> arguments(declaredBytes.size());
  std::vector<uint32_t> firstWord(declaredBytes.size());
  std::iota(firstWord.begin(), firstWord.end(), 0);
  std::ranges::transform(declaredBytes, arguments.begin(), [](uint8_t bytes) {
    bundle::Argument argument;
    argument.kind = bundle::ArgumentKind::Scalar;
    argument.type = integerOf(bytes);
    return argument;
  });
  const std::vector<uint64_t> declared = words;
  for (const LaunchView &view : views) {
    words.push_back(declared[view.pointer]);
    for (size_t i = 0; i < 2 * size_t(view.rank); ++i) {
      const auto value = runtime::evaluate(
          std::span(expressions)
              .subspan(view.words[i].first, view.words[i].count),
          {arguments, firstWord, declared});
      if (!value || *value < 0)
        return makeError(ErrorCode::Failure, "the view of parameter ",
                         view.pointer, " expected a ",
                         i < view.rank ? "size" : "stride", " along axis ",
                         i % view.rank, " from 0 to 2^63 - 1, got ",
                         value ? std::to_string(*value) : "one beyond");
      words.push_back(uint64_t(*value));
    }
  }
  return {};
}

/// The L2 promotion size: two cache lines if rows are aligned to them, which is
/// known only at launch time.
static bundle::L2Promotion promotionOf(const bundle::TensorMap &map,
                                       const uint64_t *view) {
  constexpr uint64_t lineBytes = 128;
  const uint64_t *const strides = view + 1 + map.rank;
  const bool isAligned =
      std::all_of(strides, strides + map.rank - 1, [&](uint64_t stride) {
        return stride * uint64_t(byteWidth(map.type)) % lineBytes == 0;
      });
  return isAligned ? bundle::L2Promotion::Bytes256 : map.l2Promotion;
}

Result<void> LaunchViews::setTensorMaps(const Driver &driver,
                                        std::span<const uint64_t> words,
                                        LaunchParameters &parameters) const {
  size_t all = 0;
  for (const LaunchView &view : views)
    all += wordsOf(view);
  const size_t declared = words.size() - all;
  for (size_t number = 0; number < tensorMaps.size(); ++number) {
    bundle::TensorMap map = tensorMaps[number];
    size_t first = declared;
    const size_t wanted = map.argument - declared;
    for (size_t before = 0; before < wanted; ++before)
      first += wordsOf(views[before]);
    map.l2Promotion = promotionOf(map, &words[first]);
    auto encoded = encodeTensorMap(driver, map, &words[first]);
    if (!encoded)
      return makeError(
          encoded.error().code, "the view of parameter ", views[wanted].pointer,
          " is not what the kernel assumes: ", encoded.error().message);
    parameters.setTensorMap(number, *encoded);
  }
  return {};
}
