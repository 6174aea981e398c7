// Puts a tokenizer together from what its files say, checking the parts against
// each other, and runs text through it.
#include "TileGPT/Runtime/Text/Tokenizer.h"
#include "Bpe.h"
#include "ByteAlphabet.h"
#include "PreTokenizer.h"
#include "TileGPT/Runtime/Data/MappedFile.h"
#include "TileGPT/Runtime/Data/StringIndex.h"
#include "TileGPT/Runtime/Data/Utf8.h"
#include "TokenizerSource.h"
#include <algorithm>
#include <utility>

using namespace tilegpt::runtime;

namespace {

constexpr size_t maxTextBytes = size_t(1) << 31;
/// Keeps ids far from the end of int32_t; the largest vocabularies in use have
/// a quarter of a million tokens.
constexpr size_t maxTokens = size_t(1) << 24;

struct AddedToken {
  std::string text;
  int32_t id;
  bool special;
};

template <typename... Parts>
tl::unexpected<Error> failed(std::string_view where, const Parts &...problem) {
  return makeError(ErrorCode::BadInput, where, " ", problem...);
}

} // namespace

struct Tokenizer::Parts {
  PreTokenizer splitter;
  /// The bytes of all tokens, and where each one's end.
  std::string pool;
  std::vector<size_t> ends;
  std::array<int32_t, 256> byteIds;
  MergeTable merges{0};
  /// By length, longest first, so that the first that fits is the right one.
  std::vector<AddedToken> added;
  /// Whether an added token starts with this byte.
  std::array<bool, 256> startsAdded = {};

  Result<void> addTokens(const TokenizerSource &source, StringIndex &index);
  bool appendBytes(std::string_view text);
  Result<void> addMerges(const TokenizerSource &source,
                         const StringIndex &index);
  Result<void> encodePlain(std::string_view text, BpeEncoder &bpe,
                           std::vector<int32_t> &ids) const;
  const AddedToken *findAdded(std::string_view text, SpecialText special,
                              size_t &position) const;
};

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

Tokenizer::Tokenizer(std::unique_ptr<const Parts> parts)
    : parts(std::move(parts)) {}
Tokenizer::Tokenizer(Tokenizer &&) noexcept = default;
Tokenizer &Tokenizer::operator=(Tokenizer &&) noexcept = default;
Tokenizer::~Tokenizer() = default;

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

int32_t Tokenizer::size() const { return int32_t(parts->ends.size()); }

std::optional<std::string_view> Tokenizer::bytes(int32_t id) const {
  if (id < 0 || id >= size())
    return std::nullopt;
  const size_t begin = id == 0 ? 0 : parts->ends[size_t(id) - 1];
  return std::string_view(parts->pool)
      .substr(begin, parts->ends[size_t(id)] - begin);
}

bool Tokenizer::isSpecial(int32_t id) const {
  return std::ranges::any_of(parts->added, [&](const AddedToken &token) {
    return token.id == id && token.special;
  });
}

std::optional<int32_t> Tokenizer::specialId(std::string_view text) const {
  for (const AddedToken &token : parts->added)
    if (token.special && token.text == text)
      return token.id;
  return std::nullopt;
}

/// Text without added tokens.
Result<void> Tokenizer::Parts::encodePlain(std::string_view text,
                                           BpeEncoder &bpe,
                                           std::vector<int32_t> &ids) const {
  // The splitter needs UTF-8. A control character takes the place of every byte
  // that is none: for the pattern it is neither space, letter nor digit.
  constexpr char placeholder = '\x01';
  std::string repaired;
  if (const auto invalid = findInvalidUtf8(text)) {
    repaired = text;
    for (size_t i = *invalid; i < text.size();) {
      const Utf8Step step = firstCharacter(text.substr(i));
      if (!step.valid)
        std::fill_n(repaired.begin() + ptrdiff_t(i), step.bytes, placeholder);
      i += step.bytes;
    }
  }
  PreTokenizer::Pass pass(splitter, repaired.empty() ? text : repaired);
  for (size_t position = 0; position < text.size();) {
    const auto size = pass.next();
    if (!size)
      return tl::unexpected(size.error());
    bpe.encode(text.substr(position, *size), ids);
    position += *size;
  }
  return {};
}

/// The first added token at or behind `position`, which is moved to it; at the
/// end there is none.
const AddedToken *Tokenizer::Parts::findAdded(std::string_view text,
                                              SpecialText special,
                                              size_t &position) const {
  for (; position < text.size(); ++position) {
    if (!startsAdded[uint8_t(text[position])])
      continue;
    for (const AddedToken &token : added)
      if ((special == SpecialText::Tokens || !token.special) &&
          text.substr(position).starts_with(token.text))
        return &token;
  }
  return nullptr;
}

Result<std::vector<int32_t>> Tokenizer::encode(std::string_view text,
                                               SpecialText special) const {
  if (text.size() > maxTextBytes)
    return makeError(ErrorCode::Failure,
                     "tokenizer: expected a text of at most ", maxTextBytes,
                     " bytes, got ", text.size());
  std::vector<int32_t> ids;
  BpeEncoder bpe(parts->merges, parts->byteIds);
  for (size_t position = 0; position < text.size();) {
    const size_t start = position;
    const AddedToken *token = parts->findAdded(text, special, position);
    if (auto good =
            parts->encodePlain(text.substr(start, position - start), bpe, ids);
        !good)
      return tl::unexpected(std::move(good.error()));
    if (token) {
      ids.push_back(token->id);
      position += token->text.size();
    }
  }
  return ids;
}

Result<std::string> Tokenizer::decode(std::span<const int32_t> ids) const {
  std::string text;
  for (const int32_t id : ids) {
    const auto token = bytes(id);
    if (!token)
      return makeError(ErrorCode::BadInput,
                       "tokenizer: expected ids from 0 to ", size() - 1,
                       ", got ", id);
    text += *token;
  }
  return text;
}
