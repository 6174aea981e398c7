// Runs text through a tokenizer and ids back: added tokens first, then pieces,
// then merges.
#include "TileGPT/Runtime/Data/Utf8.h"
#include "TileGPT/Runtime/Text/Tokenizer.h"
#include "TokenizerParts.h"
#include <algorithm>
#include <utility>

using namespace tilegpt::runtime;

static constexpr size_t maxTextBytes = size_t(1) << 31;

Tokenizer::Tokenizer(std::unique_ptr<const Parts> parts)
    : parts(std::move(parts)) {}
Tokenizer::Tokenizer(Tokenizer &&) noexcept = default;
Tokenizer &Tokenizer::operator=(Tokenizer &&) noexcept = default;
Tokenizer::~Tokenizer() = default;

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
