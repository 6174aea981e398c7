// Parses the values of flags that are more than one number.
#include "Flags/FlagValues.h"
#include "TileGPT/Runtime/Error.h"
#include <algorithm>

using namespace tilegpt;

std::optional<std::vector<int32_t>> run::parseTokens(std::string_view text) {
  std::vector<int32_t> tokens;
  while (true) {
    const size_t separator = text.find_first_of(", ");
    const auto token = parseNumber<int32_t>(text.substr(0, separator));
    if (!token)
      return std::nullopt;
    tokens.push_back(*token);
    if (separator == text.npos)
      return tokens;
    text.remove_prefix(separator + 1);
  }
}

std::optional<std::pair<int32_t, float>>
run::parseLogitBias(std::string_view text) {
  const size_t sign = text.find_first_of("+-");
  if (sign == text.npos)
    return std::nullopt;
  const auto token = parseNumber<int32_t>(text.substr(0, sign));
  const auto bias = parseNumber<float>(text.substr(sign + 1));
  if (!token || !bias)
    return std::nullopt;
  return std::pair(*token, text[sign] == '-' ? -*bias : *bias);
}

static constexpr std::pair<std::string_view, bundle::PlanKind> kinds[] = {
    {"prefill", bundle::PlanKind::Prefill},
    {"score", bundle::PlanKind::Score},
    {"decode", bundle::PlanKind::Decode}};

std::string_view run::BenchTest::kindName() const {
  return std::ranges::find(
             kinds, kind,
             &std::pair<std::string_view, bundle::PlanKind>::second)
      ->first;
}

std::string run::BenchTest::name() const {
  return runtime::concat(kindName(), ":", tokens, "x", sequences, "@", depth);
}

static std::optional<run::BenchTest> parseBenchTest(std::string_view text) {
  run::BenchTest test;
  const size_t colon = text.find(':');
  const auto *const kind =
      std::ranges::find(kinds, text.substr(0, colon),
                        &std::pair<std::string_view, bundle::PlanKind>::first);
  if (colon == text.npos || kind == std::end(kinds))
    return std::nullopt;
  test.kind = kind->second;
  text.remove_prefix(colon + 1);

  // Products of two such numbers fit 64 bits.
  constexpr int64_t most = int64_t(1) << 30;
  // The number after `mark`, at the end of the text.
  const auto cut = [&](char mark, int64_t &value, int64_t least) {
    const size_t at = text.find(mark);
    if (at == text.npos)
      return true;
    const auto number = run::parseNumber<int64_t>(text.substr(at + 1));
    text = text.substr(0, at);
    value = number.value_or(least - 1);
    return value >= least && value <= most;
  };
  if (!cut('@', test.depth, 0) || !cut('x', test.sequences, 1))
    return std::nullopt;
  const auto tokens = run::parseNumber<int64_t>(text);
  test.tokens = tokens.value_or(0);
  if (test.tokens < 1 || test.tokens > most ||
      (test.kind == bundle::PlanKind::Decode && test.tokens != 1))
    return std::nullopt;
  return test;
}

std::optional<std::vector<run::BenchTest>>
run::parseBenchTests(std::string_view text) {
  std::vector<BenchTest> tests;
  while (true) {
    const size_t comma = text.find(',');
    const auto test = parseBenchTest(text.substr(0, comma));
    if (!test)
      return std::nullopt;
    tests.push_back(*test);
    if (comma == text.npos)
      return tests;
    text.remove_prefix(comma + 1);
  }
}
