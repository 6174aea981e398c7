// Puts a tokenizer together from what its files say, checking the parts against
// each other.
#include "ByteAlphabet.h"
#include "TileGPT/Runtime/Data/MappedFile.h"
#include "TileGPT/Runtime/Data/Utf8.h"
#include "TokenizerParts.h"
#include <algorithm>
#include <functional>
#include <utility>

using namespace tilegpt::runtime;

/// Keeps ids far from the end of int32_t; the largest vocabularies in use have
/// a quarter of a million tokens.
static constexpr size_t maxTokens = size_t(1) << 24;

template <typename... Parts>
static tl::unexpected<Error> failed(std::string_view where,
                                    const Parts &...problem) {
  return makeError(ErrorCode::BadInput, where, " ", problem...);
}

/// Fills the pool in the order of the ids.
/// \param index  gets the texts of source.tokens, in that order.
Result<void> Tokenizer::Parts::addTokens(const TokenizerSource &source,
                                         StringIndex &index) {
  const std::string_view where = source.vocabWhere;
  std::vector<TokenizerSource::Token> tokens = source.tokens;
  for (const auto &token : tokens)
    index.add(token.text);
  // Added tokens may be in the vocabulary, too, or have ids behind it.
  StringIndex addedTexts(source.added.size());
  for (const auto &[text, id, special] : source.added) {
    if (!addedTexts.add(text).second)
      return failed(where, "has the added token '", text, "' twice");
    if (const auto known = index.find(text); !known)
      tokens.push_back({text, id});
    else if (tokens[*known].id != id)
      return failed(where, "gives the added token '", text, "' the id ", id,
                    ", but the vocabulary the id ", tokens[*known].id);
  }
  if (tokens.size() > maxTokens)
    return failed(where, "has ", tokens.size(),
                  " tokens, more than the limit of ", maxTokens);

  // As many different ids as tokens, none of them too large: 0 to n - 1.
  std::vector<std::string_view> texts(tokens.size());
  for (const auto &[text, id] : tokens) {
    if (id < 0 || size_t(id) >= tokens.size())
      return failed(where, "has ", tokens.size(), " tokens, but token '", text,
                    "' has the id ", id, "; expected the ids 0 to ",
                    tokens.size() - 1);
    std::string_view &place = texts[size_t(id)];
    if (place.data())
      return failed(where, "gives the id ", id, " to both '", place, "' and '",
                    text, "'");
    place = text;
  }
  std::vector<bool> isAdded(tokens.size());
  for (const auto &[text, id, special] : source.added) {
    added.push_back({std::string(text), int32_t(id), special});
    startsAdded[uint8_t(text.front())] = true;
    isAdded[size_t(id)] = true;
  }
  std::ranges::sort(added, std::greater(), [](const AddedToken &token) {
    return std::pair(token.text.size(), std::string_view(token.text));
  });

  byteIds.fill(-1);
  ends.reserve(texts.size());
  for (size_t id = 0; id < texts.size(); ++id) {
    const size_t begin = pool.size();
    if (isAdded[id])
      pool += texts[id];
    else if (!appendBytes(texts[id]))
      return failed(where, "has the token '", texts[id],
                    "', which holds a character that stands for no byte; "
                    "expected GPT-2's byte-level vocabulary");
    else if (pool.size() == begin + 1)
      byteIds[uint8_t(pool[begin])] = int32_t(id);
    ends.push_back(pool.size());
  }
  const auto missing = std::ranges::find(byteIds, -1);
  if (missing != byteIds.end())
    return failed(where, "has no token for the byte ",
                  missing - byteIds.begin(), "; expected one for every byte");
  return {};
}

/// From the byte alphabet into the pool.
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

/// \param index  numbers source.tokens by their text.
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
        return failed(concat(source.mergesWhere, merge.position, ":"), "'",
                      texts[i], "' is not in the vocabulary");
      ids[i] = int32_t(source.tokens[*found].id);
    }
    const uint32_t earlier = merges.add(ids[0], ids[1], ids[2]);
    if (earlier != MergeTable::none)
      return failed(concat(source.mergesWhere, merge.position, ":"), "'",
                    merge.left, " ", merge.right, "' was merged before, at ",
                    source.merges[earlier].position);
  }
  return {};
}

Result<Tokenizer> Tokenizer::create(const TokenizerSource &source) {
  auto parts = std::make_unique<Parts>();
  StringIndex index(source.tokens.size());
  Result<void> good = parts->addTokens(source, index);
  if (good)
    good = parts->addMerges(source, index);
  if (!good)
    return tl::unexpected(std::move(good.error()));
  return Tokenizer(std::move(parts));
}

Result<Tokenizer> Tokenizer::fromJson(std::string_view text,
                                      std::string_view where) {
  const auto source = parseTokenizerJson(text, where);
  if (!source)
    return tl::unexpected(source.error());
  return create(*source);
}

Result<Tokenizer> Tokenizer::fromVocabAndMerges(std::string_view vocab,
                                                std::string_view vocabWhere,
                                                std::string_view merges,
                                                std::string_view mergesWhere) {
  const auto source =
      parseVocabAndMerges(vocab, vocabWhere, merges, mergesWhere);
  if (!source)
    return tl::unexpected(source.error());
  return create(*source);
}

Result<Tokenizer> Tokenizer::open(const std::filesystem::path &folder,
                                  std::optional<int64_t> vocabulary) {
  const std::string_view room = "tokenizer";
  const auto whereOf = [&](const std::filesystem::path &path) {
    return concat(room, ": '", path.string(), "'");
  };
  const auto json = folder / "tokenizer.json", vocab = folder / "vocab.json",
             merges = folder / "merges.txt";
  const bool single = exists(json);
  if (!single && !exists(vocab))
    return makeError(ErrorCode::BadInput, room, ": expected '", json.string(),
                     "' or 'vocab.json' and 'merges.txt' there, found neither");
  const std::string where = whereOf(single ? json : vocab);
  auto tokenizer = [&]() -> Result<Tokenizer> {
    const auto first = MappedFile::open(single ? json : vocab, room);
    if (!first)
      return tl::unexpected(first.error());
    if (single)
      return fromJson(first->text(), where);
    const auto second = MappedFile::open(merges, room);
    if (!second)
      return tl::unexpected(second.error());
    return fromVocabAndMerges(first->text(), where, second->text(),
                              whereOf(merges));
  }();
  if (tokenizer && vocabulary && tokenizer->size() > *vocabulary)
    return makeError(ErrorCode::BadInput, where, " has the token '",
                     *tokenizer->bytes(int32_t(*vocabulary)), "' with the id ",
                     *vocabulary, ", but the model knows ", *vocabulary,
                     " tokens; take the tokenizer the model was trained with");
  return tokenizer;
}
