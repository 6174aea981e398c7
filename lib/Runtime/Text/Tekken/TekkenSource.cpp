// Makes a byte-level tokenizer from a tekken.json, the file of Mistral's
// models: the bytes of every token in the order in which they are merged, a
// pattern and special tokens, whose ids come first.
#include "ByteAlphabet.h"
#include "JsonParts.h"
#include "TileGPT/Runtime/Data/Base64.h"
#include "TileGPT/Runtime/Data/StringIndex.h"
#include "TileGPT/Runtime/Data/Utf8.h"
#include "TokenizerSource.h"
#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

using namespace tilegpt::runtime;

namespace {

/// The special tokens of files that do not list them.
constexpr std::array<std::string_view, 20> usualSpecials = {
    "<unk>",
    "<s>",
    "</s>",
    "[INST]",
    "[/INST]",
    "[AVAILABLE_TOOLS]",
    "[/AVAILABLE_TOOLS]",
    "[TOOL_RESULTS]",
    "[/TOOL_RESULTS]",
    "[TOOL_CALLS]",
    "[IMG]",
    "<pad>",
    "[IMG_BREAK]",
    "[IMG_END]",
    "[PREFIX]",
    "[MIDDLE]",
    "[SUFFIX]",
    "[SYSTEM_PROMPT]",
    "[/SYSTEM_PROMPT]",
    "[TOOL_CONTENT]"};

/// Functions return an error for what the file lacks.
class TekkenReader {
public:
  TekkenReader(JsonValue root, TokenizerSource &source)
      : root(root), source(source) {}

  Result<void> read() {
    const auto config = root.find("config");
    if (!config || !config->is(JsonKind::Object))
      return fail("has no 'config', an object");
    const auto size = count(*config, "default_vocab_size"),
               specials = count(*config, "default_num_special_tokens");
    const auto pattern = config->find("pattern");
    if (!size || !specials || *size < *specials || !pattern ||
        !pattern->is(JsonKind::String))
      return fail("expected a 'config' with a 'pattern', a text, and "
                  "'default_vocab_size' and 'default_num_special_tokens', "
                  "numbers");
    if (auto good = addSpecials(*specials); !good)
      return good;
    if (auto good = addTokens(*specials, *size - *specials); !good)
      return good;
    addMerges(*specials);
    return setPipeline(pattern->string());
  }

private:
  template <typename... Parts>
  tl::unexpected<Error> fail(const Parts &...problem) const {
    return badTokenizer(source.vocabWhere, problem...);
  }

  static std::optional<int64_t> count(JsonValue object, std::string_view key) {
    const auto value = object.find(key);
    constexpr int64_t most = int64_t(1) << 24;
    return value && value->is(JsonKind::Integer) && value->integer() >= 0 &&
                   value->integer() <= most
               ? std::optional(value->integer())
               : std::nullopt;
  }

  Result<void> addSpecials(int64_t size) {
    std::vector<std::string> texts;
    texts.reserve(size_t(size));
    for (int64_t id = 0; id < size; ++id)
      texts.push_back(concat("<SPECIAL_", id, ">"));
    const auto listed = present(root, "special_tokens");
    for (size_t i = 0; !listed && i < usualSpecials.size(); ++i)
      if (i < texts.size())
        texts[i] = usualSpecials[i];
    if (listed && !listed->is(JsonKind::Array))
      return fail("expected 'special_tokens' to be an array, got ",
                  describe(listed->kind()));
    if (listed)
      for (const JsonValue token : *listed) {
        const auto text =
            token.is(JsonKind::Object) ? token.find("token_str") : std::nullopt;
        const auto rank =
            token.is(JsonKind::Object) ? count(token, "rank") : std::nullopt;
        if (!text || !text->is(JsonKind::String) || text->string().empty() ||
            !rank || *rank >= size)
          return fail("expected each of 'special_tokens' to have a "
                      "'token_str', a text, and a 'rank' below ",
                      size);
        texts[size_t(*rank)] = text->string();
      }
    for (int64_t id = 0; id < size; ++id) {
      const std::string_view text =
          source.texts.emplace_back(std::move(texts[size_t(id)]));
      source.tokens.push_back({text, id});
      source.added.push_back({text, id, true});
    }
    if (size > 1)
      source.pipeline.before.emplace_back(source.tokens[1].text);
    return {};
  }

  Result<void> addTokens(int64_t first, int64_t size) {
    const auto vocab = root.find("vocab");
    if (!vocab || !vocab->is(JsonKind::Array) || int64_t(vocab->size()) < size)
      return fail("expected a 'vocab' of ", size, " tokens or more");
    for (const JsonValue token : *vocab) {
      const auto rank = int64_t(bytes.size());
      if (rank == size)
        break;
      const auto text =
          token.is(JsonKind::Object) ? token.find("token_bytes") : std::nullopt;
      auto decoded = text && text->is(JsonKind::String)
                         ? decodeBase64(text->string())
                         : std::nullopt;
      if (!decoded || decoded->empty())
        return fail("expected token ", rank,
                    " to have 'token_bytes', bytes in base64");
      std::string shown;
      for (const char byte : *decoded)
        appendUtf8(shown, byteAlphabet[uint8_t(byte)]);
      source.tokens.push_back(
          {source.texts.emplace_back(std::move(shown)), first + rank});
      bytes.push_back(std::move(*decoded));
    }
    return {};
  }

  /// All pairs of tokens that make a token, in the order of its rank.
  void addMerges(int64_t first) {
    StringIndex index(bytes.size());
    for (const std::string &token : bytes)
      index.add(token);
    std::vector<std::array<size_t, 3>> pairs;
    for (size_t rank = 0; rank < bytes.size(); ++rank) {
      const std::string_view token = bytes[rank];
      for (size_t at = 1; at < token.size(); ++at) {
        const auto left = index.find(token.substr(0, at)),
                   right = index.find(token.substr(at));
        if (left && right)
          pairs.push_back({rank, *left, *right});
      }
    }
    std::ranges::sort(pairs);
    const auto textOf = [&](size_t rank) {
      return source.tokens[size_t(first) + rank].text;
    };
    for (const auto &[rank, left, right] : pairs)
      source.merges.push_back({textOf(left), textOf(right), rank});
  }

  Result<void> setPipeline(std::string_view expression) {
    auto pattern = Pattern::regex(expression);
    if (!pattern)
      return fail("has a 'pattern' that ", pattern.error().message);
    std::vector<SplitStep> steps;
    steps.push_back({SplitStep::Kind::Split, std::move(*pattern)});
    source.pipeline.isByteLevel = true;
    source.pipeline.preTokenizer = PreTokenizer(std::move(steps));
    source.ignoresMerges = true;
    return {};
  }

  JsonValue root;
  TokenizerSource &source;
  std::vector<std::string> bytes; ///< of the tokens, by rank
};

} // namespace

Result<TokenizerSource> tilegpt::runtime::parseTekken(std::string_view text,
                                                      std::string_view where) {
  auto document = JsonDocument::parse(text, where);
  if (!document)
    return tl::unexpected(std::move(document.error()));
  if (!document->root().is(JsonKind::Object))
    return badTokenizer(where, "expected an object, got ",
                        describe(document->root().kind()));
  TokenizerSource source;
  source.vocabWhere = where;
  source.mergesWhere = concat(where, " token ");
  if (auto good = TekkenReader(document->root(), source).read(); !good)
    return tl::unexpected(std::move(good.error()));
  return source;
}
