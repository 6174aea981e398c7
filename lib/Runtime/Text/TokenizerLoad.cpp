// Builds a tokenizer from the contents of its files and checks them for
// consistency.
#include "ByteAlphabet.h"
#include "TileGPT/Runtime/Data/Utf8.h"
#include "TokenizerParts.h"
#include <algorithm>
#include <charconv>
#include <functional>
#include <utility>

using namespace tilegpt::runtime;

/// Keeps ids far below the limit of int32_t; the largest vocabularies in use
/// have a quarter of a million tokens.
static constexpr size_t maxTokens = size_t(1) << 24;

/// The number of ids for `tokens`: equal to their count, so that distinct ids
/// in range are 0 to n - 1. Ids of added tokens after the vocabulary may have
/// gaps.
static size_t countIds(std::span<const TokenizerSource::Token> tokens,
                       const StringIndex &added) {
  const auto count = int64_t(tokens.size());
  int64_t behindVocabulary = 0, behindAll = count;
  for (const auto &[text, id, score] : tokens) {
    if (!added.find(text))
      behindVocabulary = std::max(behindVocabulary, id);
    if (id < 2 * count)
      behindAll = std::max(behindAll, id + 1);
  }
  const auto below =
      std::ranges::count_if(tokens, [&](const TokenizerSource::Token &token) {
        return token.id >= 0 && token.id <= behindVocabulary;
      });
  return size_t(below <= behindVocabulary ? count : behindAll);
}

/// The byte of a token of the form "<0x0A>", if it is one.
static std::optional<uint8_t> fallbackByte(std::string_view text) {
  uint8_t byte;
  if (text.size() != 6 || !text.starts_with("<0x") || text[5] != '>')
    return std::nullopt;
  const auto [end, error] =
      std::from_chars(text.data() + 3, text.data() + 5, byte, 16);
  return error == std::errc() && end == text.data() + 5 ? std::optional(byte)
                                                        : std::nullopt;
}

/// Fills the pool in the order of the ids.
/// \param index  gets the texts of source.tokens, in that order.
Result<void> Tokenizer::Parts::addTokens(const TokenizerSource &source,
                                         StringIndex &index) {
  const std::string_view where = source.vocabWhere;
  std::vector<TokenizerSource::Token> tokens = source.tokens;
  for (const auto &token : tokens)
    index.add(token.text);
  // Added tokens may be in the vocabulary, too, or have ids after it.
  StringIndex addedTexts(source.added.size());
  for (const auto &token : source.added) {
    const auto [text, id] = std::pair(token.text, token.id);
    if (!addedTexts.add(text).second)
      return badTokenizer(where, "has the added token '", text, "' twice");
    if (const auto known = index.find(text); !known)
      tokens.push_back({text, id});
    else if (tokens[*known].id != id)
      return badTokenizer(where, "gives the added token '", text, "' the id ",
                          id, ", but the vocabulary the id ",
                          tokens[*known].id);
  }
  if (tokens.size() > maxTokens)
    return badTokenizer(where, "has ", tokens.size(),
                        " tokens, more than the limit of ", maxTokens);

  const size_t idCount = countIds(tokens, addedTexts);
  std::vector<std::string_view> texts(idCount);
  for (const auto &[text, id, score] : tokens) {
    if (id < 0 || size_t(id) >= idCount)
      return badTokenizer(where, "has ", tokens.size(), " tokens, but token '",
                          text, "' has the id ", id, "; expected the ids 0 to ",
                          tokens.size() - 1);
    std::string_view &place = texts[size_t(id)];
    if (place.data())
      return badTokenizer(where, "gives the id ", id, " to both '", place,
                          "' and '", text, "'");
    place = text;
  }
  std::vector<bool> isAdded(idCount);
  std::vector<AddedToken> inText, inNormalized;
  for (const auto &token : source.added) {
    isAdded[size_t(token.id)] = !token.isNormalForm;
    if (token.special)
      specialIds.push_back(int32_t(token.id));
    Result<std::string> searched(token.text);
    if (token.isNormalized && !token.isNormalForm)
      searched = source.pipeline.normalizer.apply(std::string(token.text));
    if (!searched)
      return tl::unexpected(searched.error());
    (token.isNormalized || token.isNormalForm ? inNormalized : inText)
        .push_back({std::move(*searched), int32_t(token.id), token.special,
                    token.takesSpaceBefore, token.takesSpaceBehind,
                    token.isWholeWord});
  }
  added = AddedTokens(std::move(inText));
  addedNormalized = AddedTokens(std::move(inNormalized));

  byteIds.fill(-1);
  marksEnds = !source.endOfWord.empty();
  for (const auto &token : source.tokens)
    addSymbol(source, token.text, int32_t(token.id));
  ends.reserve(texts.size());
  for (size_t id = 0; id < texts.size(); ++id) {
    if (texts[id].data())
      pool += pipeline.decoder.separator;
    if (!texts[id].data())
      leftOut.insert(int32_t(id));
    else if (isAdded[id] && source.pipeline.isByteLevel)
      pool += texts[id];
    else if (auto good = addToken(source, texts[id]); !good)
      return good;
    ends.push_back(pool.size());
  }
  return {};
}

/// Registers a vocabulary token for a single byte or character, from which
/// merges start. It may also be an added token.
void Tokenizer::Parts::addSymbol(const TokenizerSource &source,
                                 std::string_view text, int32_t id) {
  const auto byte = source.hasByteTokens ? fallbackByte(text) : std::nullopt;
  if (byte && !source.pipeline.isByteLevel) {
    byteIds[*byte] = id;
    return;
  }
  const Utf8Step step = text.empty() ? Utf8Step() : firstCharacter(text);
  if (!text.empty() && !source.endOfWord.empty() &&
      text.substr(step.bytes) == source.endOfWord)
    lastCharacterIds.emplace(step.character, id);
  if (text.empty() || step.bytes != text.size())
    return;
  if (!source.pipeline.isByteLevel)
    characterIds.emplace(step.character, id);
  else if (const auto letter = byteOf(step.character))
    byteIds[*letter] = id;
}

/// Adds the decoded form of a vocabulary token to the pool.
Result<void> Tokenizer::Parts::addToken(const TokenizerSource &source,
                                        std::string_view text) {
  if (source.pipeline.isByteLevel) {
    if (!appendBytes(text))
      return badTokenizer(source.vocabWhere, "has the token '", text,
                          "', which contains a character that maps to no byte; "
                          "expected GPT-2's byte-level vocabulary");
    return {};
  }
  if (const auto byte =
          source.hasByteTokens ? fallbackByte(text) : std::nullopt) {
    pool += char(*byte);
    return {};
  }
  return appendDecoded(source, text);
}

/// The same for the decoder.
Result<void> Tokenizer::Parts::appendDecoded(const TokenizerSource &source,
                                             std::string_view text) {
  const size_t most = mostBytesOf(text.size());
  std::string decoded(text);
  for (const auto &[from, to] : pipeline.decoder.replacements) {
    std::string next;
    size_t position = 0;
    for (size_t at; next.size() <= most &&
                    (at = decoded.find(from, position)) != decoded.npos;
         position = at + from.size())
      next.append(decoded, position, at - position).append(to);
    decoded = next.append(decoded, position);
    if (decoded.size() > most)
      return badTokenizer(source.vocabWhere,
                          "has decoders that make more than ", most,
                          " bytes of the token '", text, "'");
  }
  pool += decoded;
  return {};
}

/// Handling of characters without a token; every text must have ids.
Result<void> Tokenizer::Parts::addUnknown(const TokenizerSource &source,
                                          const StringIndex &index) {
  if (!source.unknown.empty()) {
    const auto known = index.find(source.unknown);
    const auto added = std::ranges::find(source.added, source.unknown,
                                         &TokenizerSource::Added::text);
    if (!known && added == source.added.end())
      return badTokenizer(source.vocabWhere, "has no token for its unk_token '",
                          source.unknown, "'");
    unknownId = int32_t(known ? source.tokens[*known].id : added->id);
    fusesUnknown = source.fusesUnknown;
    return {};
  }
  const auto missing = std::ranges::find(byteIds, -1);
  if (missing == byteIds.end())
    return {};
  if (!source.pipeline.isByteLevel && !source.hasByteTokens)
    return badTokenizer(source.vocabWhere, "has neither an ",
                        source.isUnigram ? "unk_id" : "unk_token",
                        " nor byte_fallback, so it has no ids for some texts");
  return badTokenizer(source.vocabWhere, "has no token for the byte ",
                      missing - byteIds.begin(),
                      "; expected one for every byte");
}

Result<void> Tokenizer::Parts::addFrame(const TokenizerSource &source,
                                        const StringIndex &index) {
  const std::pair<const std::vector<std::string> *, std::vector<int32_t> *>
      sides[] = {{&source.pipeline.before, &frame.before},
                 {&source.pipeline.after, &frame.after}};
  for (const auto &[texts, ids] : sides)
    for (const std::string &text : *texts) {
      const auto token =
          std::ranges::find(source.added, text, &TokenizerSource::Added::text);
      const auto known = index.find(text);
      if (token == source.added.end() && !known)
        return badTokenizer(source.vocabWhere, "has the post_processor put '",
                            text, "' around a text, which is no token");
      ids->push_back(int32_t(
          token == source.added.end() ? source.tokens[*known].id : token->id));
    }
  return {};
}

std::vector<bool> Tokenizer::Parts::specialTokens() const {
  std::vector<bool> isSpecial(ends.size());
  for (const int32_t id : specialIds)
    isSpecial[size_t(id)] = true;
  return isSpecial;
}

/// Pieces that are tokens without merges. Text never becomes a special token.
void Tokenizer::Parts::addWhole(const TokenizerSource &source) {
  whole = StringIndex(source.tokens.size());
  const std::vector<bool> isSpecial = specialTokens();
  for (const auto &token : source.tokens) {
    if (isSpecial[size_t(token.id)])
      continue;
    std::string &text = wholeTexts.emplace_back(token.text);
    if (source.pipeline.isByteLevel) {
      text.clear();
      for (std::string_view rest = token.text; !rest.empty();) {
        const Utf8Step step = firstCharacter(rest);
        if (const auto byte = byteOf(step.character))
          text += char(*byte);
        rest.remove_prefix(step.bytes);
      }
    }
    if (whole.add(text).second)
      wholeIds.push_back(int32_t(token.id));
  }
}

/// The tokens that text may become: neither special tokens, nor those that
/// stand for unknown characters or single bytes.
void Tokenizer::Parts::addUnigram(const TokenizerSource &source) {
  std::vector<Unigram::Token> tokens;
  const std::vector<bool> isSpecial = specialTokens();
  double lowest = 0;
  for (const auto &[text, id, score] : source.tokens) {
    lowest = std::min(lowest, score);
    const bool isByte = source.hasByteTokens && fallbackByte(text).has_value();
    if (!text.empty() && !isByte && id != unknownId && !isSpecial[size_t(id)])
      tokens.push_back({text, int32_t(id), score});
  }
  unigram.emplace(tokens, lowest, source.sumsSingle);
}

/// Adds a token in the byte alphabet to the pool.
bool Tokenizer::Parts::appendBytes(std::string_view text) {
  while (!text.empty()) {
    const Utf8Step step = firstCharacter(text);
    const auto byte = byteOf(step.character);
    if (!byte)
      return false;
    pool += char(*byte);
    text.remove_prefix(step.bytes);
  }
  return true;
}

/// \param index  maps token texts to their indices in source.tokens.
Result<void> Tokenizer::Parts::addMerges(const TokenizerSource &source,
                                         const StringIndex &index) {
  merges = MergeTable(source.merges.size());
  std::string joined;
  for (const auto &merge : source.merges) {
    joined.assign(merge.left).append(merge.right);
    int32_t ids[3];
    const std::string_view texts[] = {merge.left, merge.right, joined};
    for (int i = 0; i < 3; ++i) {
      const auto found = index.find(texts[i]);
      if (!found)
        return badTokenizer(concat(source.mergesWhere, merge.position, ":"),
                            "'", texts[i], "' is not in the vocabulary");
      ids[i] = int32_t(source.tokens[*found].id);
    }
    const uint32_t earlier = merges.add(ids[0], ids[1], ids[2]);
    if (earlier != MergeTable::none)
      return badTokenizer(concat(source.mergesWhere, merge.position, ":"), "'",
                          merge.left, " ", merge.right,
                          "' was merged before, at ",
                          source.merges[earlier].position);
  }
  return {};
}

/// Checks that merges reach every token that two others make, which fails for
/// truncated files. Vocabularies may have tokens that no text becomes.
Result<void> Tokenizer::Parts::checkReached(const TokenizerSource &source,
                                            const StringIndex &index) const {
  const auto isJoined = [&](std::string_view text) {
    for (size_t at = firstCharacter(text).bytes; at < text.size();
         at += firstCharacter(text.substr(at)).bytes)
      if (index.find(text.substr(0, at)) && index.find(text.substr(at)))
        return true;
    return false;
  };
  std::vector<bool> reached(ends.size());
  for (size_t rank = 0; rank < source.merges.size(); ++rank)
    reached[size_t(merges.result(uint32_t(rank)))] = true;
  for (const auto &token : source.added)
    reached[size_t(token.id)] = true;
  for (const auto &token : source.tokens) {
    const auto id = size_t(token.id);
    const size_t bytes = ends[id] - (id == 0 ? 0 : ends[id - 1]);
    if (bytes > 1 && !reached[id] && isJoined(token.text))
      return badTokenizer(source.vocabWhere, "has the token '", token.text,
                          "' (id ", id,
                          "), which no merge produces; the merges are "
                          "incomplete, download them again");
  }
  return {};
}

Result<Tokenizer> Tokenizer::create(TokenizerSource source) {
  auto parts = std::make_unique<Parts>();
  parts->pipeline.decoder = source.pipeline.decoder;
  StringIndex index(source.tokens.size());
  Result<void> good = parts->addTokens(source, index);
  if (good)
    good = parts->addUnknown(source, index);
  if (good)
    good = parts->addFrame(source, index);
  if (good && source.isUnigram)
    parts->addUnigram(source);
  else if (good)
    good = parts->addMerges(source, index);
  if (good && source.ignoresMerges)
    parts->addWhole(source);
  else if (good && source.pipeline.isByteLevel)
    good = parts->checkReached(source, index);
  if (!good)
    return tl::unexpected(std::move(good.error()));
  parts->pipeline = std::move(source.pipeline);
  return Tokenizer(std::move(parts));
}
