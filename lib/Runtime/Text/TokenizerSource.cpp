// Reads the two layouts tokenizers are published in: everything in one
// tokenizer.json, or GPT-2's original vocab.json and merges.txt.
#include "TokenizerSource.h"
#include <algorithm>

using namespace tilegpt::runtime;

namespace {

template <typename... Parts>
tl::unexpected<Error> failed(std::string_view where, const Parts &...problem) {
  return makeError(ErrorCode::BadInput, where, " ", problem...);
}

/// A member that is there and not null.
std::optional<JsonValue> present(JsonValue object, std::string_view key) {
  const auto value = object.find(key);
  return value && !value->is(JsonKind::Null) ? value : std::nullopt;
}

Result<JsonValue> member(JsonValue object, std::string_view key, JsonKind kind,
                         std::string_view where) {
  const auto value = object.find(key);
  if (!value)
    return failed(where, "has no '", key, "'");
  if (!value->is(kind))
    return failed(where, "expected '", key, "' to be ", describe(kind),
                  ", got ", describe(value->kind()));
  return *value;
}

Result<void> readVocab(JsonValue vocab, TokenizerSource &source) {
  source.tokens.reserve(vocab.size());
  for (JsonValue token : vocab) {
    if (!token.is(JsonKind::Integer))
      return failed(source.vocabWhere, "expected the id of token '",
                    token.key(), "' to be an integer, got ",
                    describe(token.kind()));
    source.tokens.push_back({token.key(), token.integer()});
  }
  return {};
}

/// "left right".
bool readMerge(std::string_view text, size_t position,
               TokenizerSource &source) {
  const size_t space = text.find(' ');
  if (space == 0 || space >= text.size() - 1 ||
      text.find(' ', space + 1) != std::string_view::npos)
    return false;
  source.merges.push_back(
      {text.substr(0, space), text.substr(space + 1), position});
  return true;
}

Result<void> readMerges(JsonValue merges, TokenizerSource &source) {
  source.merges.reserve(merges.size());
  size_t position = 0;
  for (JsonValue merge : merges) {
    bool good = false;
    if (merge.is(JsonKind::String)) {
      good = readMerge(merge.string(), position, source);
    } else if (merge.is(JsonKind::Array) && merge.size() == 2) {
      const JsonValue left = *merge.begin(), right = *++merge.begin();
      good = left.is(JsonKind::String) && right.is(JsonKind::String);
      if (good)
        source.merges.push_back({left.string(), right.string(), position});
    }
    if (!good)
      return failed(concat(source.mergesWhere, position, ":"),
                    "expected two tokens, as \"left right\" or [\"left\", "
                    "\"right\"]");
    ++position;
  }
  return {};
}

Result<void> readAdded(JsonValue list, TokenizerSource &source) {
  const std::string_view where = source.vocabWhere;
  for (JsonValue added : list) {
    if (!added.is(JsonKind::Object))
      return failed(where, "expected 'added_tokens' to hold objects, got ",
                    describe(added.kind()));
    const auto text = member(added, "content", JsonKind::String, where);
    if (!text)
      return tl::unexpected(text.error());
    const auto id = member(added, "id", JsonKind::Integer, where);
    if (!id)
      return tl::unexpected(id.error());
    if (text->string().empty())
      return failed(where, "has an added token without text");
    for (const std::string_view flag : {"lstrip", "rstrip", "single_word"})
      if (const auto value = present(added, flag);
          value && !(value->is(JsonKind::Boolean) && !value->boolean()))
        return failed(where, "sets '", flag, "' of the added token '",
                      text->string(), "', which is not supported");
    const auto special = present(added, "special");
    if (special && !special->is(JsonKind::Boolean))
      return failed(where, "expected 'special' to be a boolean, got ",
                    describe(special->kind()));
    source.added.push_back(
        {text->string(), id->integer(), special && special->boolean()});
  }
  return {};
}

bool isByteLevel(JsonValue part) {
  const auto type =
      part.is(JsonKind::Object) ? part.find("type") : std::nullopt;
  return type && type->is(JsonKind::String) && type->string() == "ByteLevel";
}

/// Whether words are split as GPT-2 splits them. 'use_regex' is younger than
/// the format: files without it mean true.
bool splitsLikeGpt2(JsonValue splitter) {
  if (!isByteLevel(splitter))
    return false;
  const auto prefix = splitter.find("add_prefix_space");
  const auto regex = splitter.find("use_regex");
  return prefix && prefix->is(JsonKind::Boolean) && !prefix->boolean() &&
         (!regex || (regex->is(JsonKind::Boolean) && regex->boolean()));
}

/// Everything outside 'model' that changes which ids a text gets.
Result<void> checkPipeline(JsonValue root, std::string_view where) {
  if (present(root, "normalizer"))
    return failed(where, "has a 'normalizer', which GPT-2's tokenizer has not; "
                         "expected null");
  const auto splitter = present(root, "pre_tokenizer");
  if (!splitter || !splitsLikeGpt2(*splitter))
    return failed(where, "expected 'pre_tokenizer' to be GPT-2's ByteLevel "
                         "with add_prefix_space false and use_regex true");
  for (const std::string_view key : {"decoder", "post_processor"})
    if (const auto part = present(root, key); part && !isByteLevel(*part))
      return failed(where, "expected '", key, "' to be ByteLevel or null");
  return {};
}

/// Settings of the model that would change its merges.
Result<void> checkModel(JsonValue model, std::string_view where) {
  const auto type = model.find("type");
  if (!type || !type->is(JsonKind::String) || type->string() != "BPE")
    return failed(where, "expected the type of 'model' to be \"BPE\"");
  if (const auto dropout = present(model, "dropout"))
    return failed(where, "sets 'dropout', which is for training; expected "
                         "null");
  for (const std::string_view key :
       {"continuing_subword_prefix", "end_of_word_suffix"})
    if (const auto value = present(model, key);
        value && !(value->is(JsonKind::String) && value->string().empty()))
      return failed(where, "sets '", key,
                    "', which GPT-2's tokenizer does not; expected null");
  if (const auto value = present(model, "ignore_merges");
      value && !(value->is(JsonKind::Boolean) && !value->boolean()))
    return failed(where, "sets 'ignore_merges', which is not supported");
  return {};
}

} // namespace

Result<TokenizerSource>
tilegpt::runtime::parseTokenizerJson(std::string_view text,
                                     std::string_view where) {
  auto document = JsonDocument::parse(text, where);
  if (!document)
    return tl::unexpected(std::move(document.error()));
  TokenizerSource source;
  source.vocabWhere = where;
  source.mergesWhere = concat(where, " merge ");
  source.documents.push_back(std::move(*document));
  const JsonValue root = source.documents.front().root();
  if (!root.is(JsonKind::Object))
    return failed(where, "expected an object, got ", describe(root.kind()));
  if (auto good = checkPipeline(root, where); !good)
    return tl::unexpected(std::move(good.error()));
  const auto model = member(root, "model", JsonKind::Object, where);
  if (!model)
    return tl::unexpected(model.error());
  if (auto good = checkModel(*model, where); !good)
    return tl::unexpected(std::move(good.error()));
  const auto vocab = member(*model, "vocab", JsonKind::Object, where);
  if (!vocab)
    return tl::unexpected(vocab.error());
  const auto merges = member(*model, "merges", JsonKind::Array, where);
  if (!merges)
    return tl::unexpected(merges.error());

  Result<void> good = readVocab(*vocab, source);
  if (good)
    good = readMerges(*merges, source);
  if (const auto added = present(root, "added_tokens"); good && added) {
    if (!added->is(JsonKind::Array))
      return failed(where, "expected 'added_tokens' to be an array, got ",
                    describe(added->kind()));
    good = readAdded(*added, source);
  }
  if (!good)
    return tl::unexpected(std::move(good.error()));
  return source;
}

Result<TokenizerSource> tilegpt::runtime::parseVocabAndMerges(
    std::string_view vocab, std::string_view vocabWhere,
    std::string_view merges, std::string_view mergesWhere) {
  auto document = JsonDocument::parse(vocab, vocabWhere);
  if (!document)
    return tl::unexpected(std::move(document.error()));
  TokenizerSource source;
  source.vocabWhere = vocabWhere;
  source.mergesWhere = concat(mergesWhere, " line ");
  source.documents.push_back(std::move(*document));
  const JsonValue root = source.documents.front().root();
  if (!root.is(JsonKind::Object))
    return failed(vocabWhere, "expected an object of tokens, got ",
                  describe(root.kind()));
  if (auto good = readVocab(root, source); !good)
    return tl::unexpected(std::move(good.error()));
  // These files have no list of special tokens; GPT-2's only one has this name.
  constexpr std::string_view endOfText = "<|endoftext|>";
  for (const TokenizerSource::Token &token : source.tokens)
    if (token.text == endOfText)
      source.added.push_back({endOfText, token.id, true});

  size_t line = 0;
  while (!merges.empty()) {
    const size_t end = std::min(merges.find('\n'), merges.size());
    std::string_view text = merges.substr(0, end);
    merges.remove_prefix(std::min(end + 1, merges.size()));
    ++line;
    if (text.ends_with('\r'))
      text.remove_suffix(1);
    // Only the first line can be the header; "# #" further down is a merge.
    if (text.empty() || (line == 1 && text.starts_with("#version")))
      continue;
    if (!readMerge(text, line, source))
      return failed(concat(source.mergesWhere, line, ":"),
                    "expected two tokens with a space between");
  }
  return source;
}
