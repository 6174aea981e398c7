// Finds the files of a tokenizer and combines what they say.
#include "TileGPT/Runtime/Data/MappedFile.h"
#include "TileGPT/Runtime/Data/StringIndex.h"
#include "TileGPT/Runtime/Text/Tokenizer.h"
#include "TokenizerSettings.h"
#include "TokenizerSource.h"
#include <algorithm>
#include <charconv>
#include <utility>

using namespace tilegpt::runtime;

/// Replaces what a template puts around a text by the tokens that the settings
/// ask for, if they say anything about it.
static void applyFrame(const TokenizerSettings &settings,
                       TokenizerSource &source) {
  if (!settings.addsBegin && !settings.addsEnd)
    return;
  const auto exists = [&](std::string_view text) {
    return !text.empty() && (std::ranges::find(source.added, text,
                                               &TokenizerSource::Added::text) !=
                                 source.added.end() ||
                             std::ranges::find(source.tokens, text,
                                               &TokenizerSource::Token::text) !=
                                 source.tokens.end());
  };
  const auto set = [&](std::optional<bool> adds, std::string_view text,
                       std::vector<std::string> &side) {
    side.clear();
    if (adds.value_or(false) && exists(text))
      side.emplace_back(text);
  };
  set(settings.addsBegin, settings.begin, source.pipeline.before);
  set(settings.addsEnd, settings.end, source.pipeline.after);
}

/// An entry of "added_tokens_decoder": "32000": {"content": "<pad>", …}, or of
/// added_tokens.json: "<pad>": 32000.
static std::optional<TokenizerSource::Added> readAddedToken(JsonValue entry) {
  if (entry.is(JsonKind::Integer))
    return TokenizerSource::Added{entry.key(), entry.integer(), false};
  TokenizerSource::Added token = {tokenText(entry), -1, false};
  const std::string_view id = entry.key();
  const auto [end, error] =
      std::from_chars(id.data(), id.data() + id.size(), token.id);
  if (token.text.empty() || error != std::errc() ||
      end != id.data() + id.size())
    return std::nullopt;
  const std::pair<std::string_view, bool *> flags[] = {
      {"special", &token.special},
      {"lstrip", &token.takesSpaceBefore},
      {"rstrip", &token.takesSpaceBehind},
      {"single_word", &token.isWholeWord},
      {"normalized", &token.isNormalized}};
  for (const auto &[key, flag] : flags)
    if (const auto value = entry.find(key))
      *flag = value->is(JsonKind::Boolean) && value->boolean();
  return token;
}

/// Adds the special and added tokens of the settings to a vocabulary whose file
/// does not list them.
static Result<void> applyAddedTokens(const TokenizerSettings &settings,
                                     TokenizerSource &source) {
  StringIndex index(source.tokens.size());
  for (const auto &token : source.tokens)
    index.add(token.text);
  const auto known = [&](std::string_view text) {
    return std::ranges::find(source.added, text,
                             &TokenizerSource::Added::text) !=
           source.added.end();
  };
  const auto isSpecial = [&](std::string_view text) {
    return std::ranges::find(settings.special, text) != settings.special.end();
  };
  if (settings.addedTokens)
    for (const JsonValue entry : *settings.addedTokens) {
      auto token = readAddedToken(entry);
      if (!token)
        return badTokenizer(source.vocabWhere, "has the added token '",
                            entry.key(),
                            "' in the file beside it without a text and an id");
      token->special |= isSpecial(token->text);
      if (!known(token->text))
        source.added.push_back(*token);
    }
  for (const std::string_view text : settings.special)
    if (const auto number = index.find(text); number && !known(text))
      source.added.push_back({text, source.tokens[*number].id, true});
  return {};
}

/// Drops the added tokens beyond the vocabulary size of the model.
static void leaveOut(TokenizerSource &source, int64_t vocabulary) {
  StringIndex outside(source.added.size());
  for (const auto &token : source.added)
    if (token.id >= vocabulary)
      outside.add(token.text);
  std::erase_if(source.added, [&](const TokenizerSource::Added &token) {
    return token.id >= vocabulary;
  });
  std::erase_if(source.tokens, [&](const TokenizerSource::Token &token) {
    return token.id >= vocabulary && outside.find(token.text);
  });
}

Result<Tokenizer> Tokenizer::fromJson(std::string_view text,
                                      std::string_view where,
                                      std::optional<int64_t> vocabulary) {
  auto source = parseTokenizerJson(text, where);
  if (!source)
    return tl::unexpected(source.error());
  if (vocabulary)
    leaveOut(*source, *vocabulary);
  return create(std::move(*source));
}

Result<Tokenizer> Tokenizer::fromVocabAndMerges(std::string_view vocab,
                                                std::string_view vocabWhere,
                                                std::string_view merges,
                                                std::string_view mergesWhere) {
  auto source = parseVocabAndMerges(vocab, vocabWhere, merges, mergesWhere, {});
  if (!source)
    return tl::unexpected(source.error());
  return create(std::move(*source));
}

Result<Tokenizer> Tokenizer::fromSentencePiece(std::string_view bytes,
                                               std::string_view where) {
  auto source = parseSentencePiece(bytes, where, {});
  if (!source)
    return tl::unexpected(source.error());
  return create(std::move(*source));
}

Result<Tokenizer> Tokenizer::open(const std::filesystem::path &folder,
                                  std::optional<int64_t> vocabulary) {
  const std::string_view room = "tokenizer";
  const auto whereOf = [&](const std::filesystem::path &path) {
    return concat(room, ": '", path.string(), "'");
  };
  const auto json = folder / "tokenizer.json", vocab = folder / "vocab.json",
             pieces = folder / "tokenizer.model",
             tekken = folder / "tekken.json";
  const bool isJson = mayExist(json), isPair = !isJson && mayExist(vocab),
             isTekken = !isJson && !isPair && !mayExist(pieces);
  if (isTekken && !mayExist(tekken))
    return makeError(ErrorCode::BadInput, room, ": expected '", json.string(),
                     "', or 'vocab.json' and 'merges.txt', or "
                     "'tokenizer.model' or 'tekken.json' there, found none; "
                     "ids need none: pass --tokens and --print-ids");
  const auto settings = readTokenizerSettings(folder);
  if (!settings)
    return tl::unexpected(settings.error());
  const auto &path = isJson     ? json
                     : isPair   ? vocab
                     : isTekken ? tekken
                                : pieces;
  const std::string where = whereOf(path);
  const auto file = MappedFile::open(path, room);
  if (!file)
    return tl::unexpected(file.error());
  std::optional<MappedFile> merges;
  if (isPair) {
    auto second = MappedFile::open(folder / "merges.txt", room);
    if (!second)
      return tl::unexpected(second.error());
    merges = std::move(*second);
  }
  auto source =
      isJson   ? parseTokenizerJson(file->text(), where)
      : isPair ? parseVocabAndMerges(file->text(), where, merges->text(),
                                     whereOf(folder / "merges.txt"), *settings)
      : isTekken ? parseTekken(file->text(), where)
                 : parseSentencePiece(file->text(), where, *settings);
  if (!source)
    return tl::unexpected(source.error());
  if (!isJson)
    if (auto good = applyAddedTokens(*settings, *source); !good)
      return tl::unexpected(std::move(good.error()));
  applyFrame(*settings, *source);
  if (vocabulary)
    leaveOut(*source, *vocabulary);
  auto tokenizer = create(std::move(*source));
  if (tokenizer && vocabulary && tokenizer->size() > *vocabulary)
    return badTokenizer(
        where, "has the token '", *tokenizer->bytes(int32_t(*vocabulary)),
        "' with the id ", *vocabulary, ", but the model knows ", *vocabulary,
        " tokens; take the tokenizer the model was trained with");
  return tokenizer;
}
