// Reads the two layouts of tokenizer files: a single tokenizer.json, or GPT-2's
// original vocab.json and merges.txt.
#include "TokenizerSource.h"
#include "JsonParts.h"
#include "TileGPT/Runtime/Data/StringIndex.h"
#include <algorithm>

using namespace tilegpt::runtime;

namespace {

Result<JsonValue> member(JsonValue object, std::string_view key, JsonKind kind,
                         std::string_view where) {
  const auto value = object.find(key);
  if (!value)
    return badTokenizer(where, "has no '", key, "'");
  if (!value->is(kind))
    return badTokenizer(where, "expected '", key, "' to be ", describe(kind),
                        ", got ", describe(value->kind()));
  return *value;
}

Result<void> readVocab(JsonValue vocab, TokenizerSource &source) {
  source.tokens.reserve(vocab.size());
  for (JsonValue token : vocab) {
    if (!token.is(JsonKind::Integer))
      return badTokenizer(source.vocabWhere, "expected the id of token '",
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
      return badTokenizer(
          concat(source.mergesWhere, position, ":"),
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
      return badTokenizer(where,
                          "expected 'added_tokens' to hold objects, got ",
                          describe(added.kind()));
    const auto text = member(added, "content", JsonKind::String, where);
    if (!text)
      return tl::unexpected(text.error());
    const auto id = member(added, "id", JsonKind::Integer, where);
    if (!id)
      return tl::unexpected(id.error());
    if (text->string().empty())
      return badTokenizer(where, "has an added token without text");
    bool flags[5] = {}; // as below
    constexpr std::string_view names[5] = {"special", "lstrip", "rstrip",
                                           "single_word", "normalized"};
    for (size_t i = 0; i < std::size(names); ++i)
      if (const auto flag = present(added, names[i])) {
        if (!flag->is(JsonKind::Boolean))
          return badTokenizer(where, "expected '", names[i],
                              "' to be a boolean, got ",
                              describe(flag->kind()));
        flags[i] = flag->boolean();
      }
    const auto [special, before, behind, word, normalized] = flags;
    source.added.push_back({text->string(), id->integer(), special, before,
                            behind, word, normalized});
  }
  return {};
}

Result<void> readFlag(JsonValue model, std::string_view key, bool &flag,
                      std::string_view where) {
  if (const auto value = present(model, key)) {
    if (!value->is(JsonKind::Boolean))
      return badTokenizer(where, "expected '", key, "' to be a boolean, got ",
                          describe(value->kind()));
    flag = value->boolean();
  }
  return {};
}

/// A unigram model: tokens with scores, and the id for unknown characters.
Result<void> readUnigram(JsonValue model, TokenizerSource &source) {
  const std::string_view where = source.vocabWhere;
  if (auto good = readFlag(model, "byte_fallback", source.hasByteTokens, where);
      !good)
    return good;
  const auto vocab = member(model, "vocab", JsonKind::Array, where);
  if (!vocab)
    return tl::unexpected(vocab.error());
  source.isUnigram = true;
  source.tokens.reserve(vocab->size());
  StringIndex texts(vocab->size());
  for (const JsonValue token : *vocab) {
    const size_t id = source.tokens.size();
    if (!token.is(JsonKind::Array) || token.size() != 2 ||
        !(*token.begin()).is(JsonKind::String) ||
        !((*++token.begin()).is(JsonKind::Number) ||
          (*++token.begin()).is(JsonKind::Integer)))
      return badTokenizer(where, "expected token ", id,
                          " to be a text and a score, as [\"text\", -1.5]");
    const std::string_view text = (*token.begin()).string();
    if (const auto [first, isNew] = texts.add(text); !isNew)
      return badTokenizer(where, "gives the token '", text, "' the ids ", first,
                          " and ", id);
    source.tokens.push_back({text, int64_t(id), (*++token.begin()).number()});
  }
  const auto unknown = present(model, "unk_id");
  if (!unknown)
    return {};
  if (!unknown->is(JsonKind::Integer) || unknown->integer() < 0 ||
      size_t(unknown->integer()) >= source.tokens.size())
    return badTokenizer(where, "expected 'unk_id' to be an integer from 0 to ",
                        source.tokens.size() - 1);
  source.unknown = source.tokens[size_t(unknown->integer())].text;
  return {};
}

/// A BPE model; rejects settings that would change its merges.
Result<void> readBpe(JsonValue model, TokenizerSource &source) {
  const std::string_view where = source.vocabWhere;
  if (present(model, "dropout"))
    return badTokenizer(where,
                        "sets 'dropout', which is for training; expected "
                        "null");
  if (const auto prefix = present(model, "continuing_subword_prefix");
      prefix && !(prefix->is(JsonKind::String) && prefix->string().empty()))
    return badTokenizer(where, "sets 'continuing_subword_prefix', which is not "
                               "supported; expected null");
  if (const auto suffix = present(model, "end_of_word_suffix")) {
    if (!suffix->is(JsonKind::String))
      return badTokenizer(where,
                          "expected 'end_of_word_suffix' to be a string, got ",
                          describe(suffix->kind()));
    source.endOfWord = suffix->string();
    if (!source.endOfWord.empty() && source.pipeline.isByteLevel)
      return badTokenizer(where, "sets 'end_of_word_suffix' behind a "
                                 "pre_tokenizer that is ByteLevel, which is "
                                 "not supported");
  }
  const std::pair<std::string_view, bool *> flags[] = {
      {"ignore_merges", &source.ignoresMerges},
      {"byte_fallback", &source.hasByteTokens},
      {"fuse_unk", &source.fusesUnknown}};
  for (const auto &[key, flag] : flags)
    if (auto good = readFlag(model, key, *flag, where); !good)
      return good;
  if (const auto unknown = present(model, "unk_token")) {
    if (!unknown->is(JsonKind::String))
      return badTokenizer(where, "expected 'unk_token' to be a string, got ",
                          describe(unknown->kind()));
    source.unknown = unknown->string();
  }
  const auto vocab = member(model, "vocab", JsonKind::Object, where);
  if (!vocab)
    return tl::unexpected(vocab.error());
  const auto merges = member(model, "merges", JsonKind::Array, where);
  if (!merges)
    return tl::unexpected(merges.error());
  auto good = readVocab(*vocab, source);
  return good ? readMerges(*merges, source) : good;
}

Result<void> readModel(JsonValue model, TokenizerSource &source) {
  const std::string_view type = typeOf(model);
  if (type == "Unigram" && source.pipeline.isByteLevel)
    return badTokenizer(source.vocabWhere,
                        "has a 'model' of type 'Unigram' behind a "
                        "pre_tokenizer that is ByteLevel, which is not "
                        "supported");
  if (type == "Unigram")
    return readUnigram(model, source);
  // Files without 'type' are identified by their merges.
  if (type == "BPE" || (!model.find("type") && model.find("merges")))
    return readBpe(model, source);
  return badTokenizer(source.vocabWhere, "has a 'model' of type '", type,
                      "', which is not supported; expected BPE or Unigram");
}

/// The pre-tokenizer of a vocab.json: GPT-2's, or that of the class.
void splitByteLevel(const TokenizerSettings &settings,
                    TokenizerPipeline &pipeline) {
  pipeline.isByteLevel = true;
  std::vector<SplitStep> steps;
  const bool isQwen = settings.className == "Qwen2Tokenizer";
  if (isQwen) {
    std::vector<NormalizerStep> normalizers;
    normalizers.push_back({NormalizerStep::Kind::Nfc});
    pipeline.normalizer = Normalizer(std::move(normalizers));
  }
  if (settings.addsSpace)
    steps.push_back({SplitStep::Kind::PrefixSpace});
  steps.push_back(
      {SplitStep::Kind::Split, isQwen ? qwen2Pattern() : gpt2Pattern()});
  pipeline.preTokenizer = PreTokenizer(std::move(steps));
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
    return badTokenizer(where, "expected an object, got ",
                        describe(root.kind()));
  auto pipeline = parsePipeline(root, where);
  if (!pipeline)
    return tl::unexpected(std::move(pipeline.error()));
  source.pipeline = std::move(*pipeline);
  const auto model = member(root, "model", JsonKind::Object, where);
  if (!model)
    return tl::unexpected(model.error());
  Result<void> good = readModel(*model, source);
  if (const auto added = present(root, "added_tokens"); good && added) {
    if (!added->is(JsonKind::Array))
      return badTokenizer(where, "expected 'added_tokens' to be an array, got ",
                          describe(added->kind()));
    good = readAdded(*added, source);
  }
  if (!good)
    return tl::unexpected(std::move(good.error()));
  return source;
}

Result<TokenizerSource> tilegpt::runtime::parseVocabAndMerges(
    std::string_view vocab, std::string_view vocabWhere,
    std::string_view merges, std::string_view mergesWhere,
    const TokenizerSettings &settings) {
  auto document = JsonDocument::parse(vocab, vocabWhere);
  if (!document)
    return tl::unexpected(std::move(document.error()));
  TokenizerSource source;
  source.vocabWhere = vocabWhere;
  source.mergesWhere = concat(mergesWhere, " line ");
  source.documents.push_back(std::move(*document));
  const JsonValue root = source.documents.front().root();
  if (!root.is(JsonKind::Object))
    return badTokenizer(vocabWhere, "expected an object of tokens, got ",
                        describe(root.kind()));
  if (auto good = readVocab(root, source); !good)
    return tl::unexpected(std::move(good.error()));
  splitByteLevel(settings, source.pipeline);
  // They do not list special tokens; GPT-2's only one has this name.
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
      return badTokenizer(concat(source.mergesWhere, line, ":"),
                          "expected two tokens with a space between");
  }
  return source;
}
