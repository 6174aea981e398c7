// Encodes text and decodes ids: added tokens first, then pieces, then merges or
// the unigram model.
#include "EscapedBytes.h"
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
  if (id < 0 || id >= size() || parts->leftOut.contains(id))
    return std::nullopt;
  const size_t begin = id == 0 ? 0 : parts->ends[size_t(id) - 1];
  return std::string_view(parts->pool)
      .substr(begin, parts->ends[size_t(id)] - begin);
}

bool Tokenizer::isSpecial(int32_t id) const {
  return std::ranges::find(parts->specialIds, id) != parts->specialIds.end();
}

std::optional<int32_t> Tokenizer::specialId(std::string_view text) const {
  const size_t separator = parts->pipeline.decoder.separator.size();
  for (const int32_t id : parts->specialIds)
    if (const auto token = bytes(id); token && token->substr(separator) == text)
      return id;
  return std::nullopt;
}

const Tokenizer::Frame &Tokenizer::frame() const { return parts->frame; }

size_t Tokenizer::spacesInFront() const {
  return parts->pipeline.decoder.stripSpaces;
}

/// The initial tokens before merges.
void Tokenizer::Parts::appendSymbols(std::string_view piece,
                                     Scratch &scratch) const {
  std::vector<int32_t> &symbols = scratch.symbols;
  bool lastIsUnknown = false;
  const auto addUnknown = [&] {
    if (!lastIsUnknown || !fusesUnknown)
      symbols.push_back(unknownId);
    lastIsUnknown = true;
  };
  const auto addBytes = [&](std::string_view bytes) {
    const bool areKnown = std::ranges::all_of(
        bytes, [&](char byte) { return byteIds[uint8_t(byte)] >= 0; });
    if (!areKnown && !pipeline.isByteLevel)
      return addUnknown();
    for (const char byte : bytes)
      if (const int32_t id = byteIds[uint8_t(byte)]; id >= 0) {
        symbols.push_back(id);
        lastIsUnknown = false;
      } else {
        addUnknown();
      }
  };
  if (pipeline.isByteLevel)
    return addBytes(piece);
  while (!piece.empty()) {
    const Utf8Step step = firstCharacter(piece);
    const auto &known = marksEnds && step.bytes == piece.size()
                            ? lastCharacterIds
                            : characterIds;
    if (const auto byte = escapedByte(step.character)) {
      addBytes({&*byte, 1});
    } else if (const auto found = known.find(step.character);
               found != known.end()) {
      symbols.push_back(found->second);
      lastIsUnknown = false;
    } else {
      addBytes(piece.substr(0, step.bytes));
    }
    piece.remove_prefix(step.bytes);
  }
}

/// Characters in a row that are no tokens: their bytes, or one unknown token.
void Tokenizer::Parts::appendUnknown(std::string_view text, Scratch &scratch,
                                     std::vector<int32_t> &ids) const {
  scratch.bytes.clear();
  appendUnescaped(scratch.bytes, text);
  const size_t count = ids.size();
  for (const char byte : scratch.bytes)
    ids.push_back(byteIds[uint8_t(byte)]);
  if (std::ranges::find(ids.begin() + ptrdiff_t(count), ids.end(), -1) ==
      ids.end())
    return;
  ids.resize(count);
  ids.push_back(unknownId);
}

void Tokenizer::Parts::encodeUnigram(std::string_view piece, Scratch &scratch,
                                     std::vector<int32_t> &ids) const {
  unigram->split(piece, scratch.parts);
  const std::span<const UnigramPart> parts = scratch.parts;
  for (size_t i = 0; i < parts.size();) {
    if (parts[i].token >= 0) {
      ids.push_back(parts[i++].token);
      continue;
    }
    const size_t begin = parts[i].begin;
    size_t end = begin;
    for (; i < parts.size() && parts[i].token < 0; ++i)
      end = parts[i].end;
    appendUnknown(piece.substr(begin, end - begin), scratch, ids);
  }
}

void Tokenizer::Parts::encodePiece(std::string_view piece, Scratch &scratch,
                                   std::vector<int32_t> &ids) const {
  if (unigram)
    return encodeUnigram(piece, scratch, ids);
  if (pipeline.isByteLevel && !scratch.pieces.areBytes &&
      hasEscapedBytes(piece)) {
    scratch.bytes.clear();
    appendUnescaped(scratch.bytes, piece);
    piece = scratch.bytes;
  }
  if (!wholeIds.empty())
    if (const auto known = whole.find(piece)) {
      ids.push_back(wholeIds[*known]);
      return;
    }
  scratch.symbols.clear();
  appendSymbols(piece, scratch);
  scratch.bpe.encode(scratch.symbols, ids);
}

/// Encodes text between the added tokens that are searched before
/// normalization.
Result<void> Tokenizer::Parts::encodePlain(std::string_view text, bool isFirst,
                                           SpecialText special,
                                           Scratch &scratch,
                                           std::vector<int32_t> &ids) const {
  if (text.empty())
    return {};
  const auto normal = pipeline.normalizer.apply(escapeBytes(text));
  if (!normal)
    return tl::unexpected(normal.error());
  const auto onText = [&](std::string_view plain, size_t offset) {
    auto split = pipeline.preTokenizer.split(plain, isFirst && offset == 0,
                                             scratch.pieces);
    if (split)
      for (const std::string_view piece : scratch.pieces.list)
        encodePiece(piece, scratch, ids);
    return split;
  };
  const auto onToken = [&](int32_t id) { ids.push_back(id); };
  return addedNormalized.split(*normal, special, onText, onToken);
}

Result<std::vector<int32_t>> Tokenizer::encode(std::string_view text,
                                               SpecialText special) const {
  if (text.size() > maxTextBytes)
    return makeError(ErrorCode::Failure,
                     "tokenizer: expected a text of at most ", maxTextBytes,
                     " bytes, got ", text.size());
  std::vector<int32_t> ids;
  Parts::Scratch scratch(parts->merges);
  const auto onText = [&](std::string_view plain, size_t offset) {
    return parts->encodePlain(plain, offset == 0, special, scratch, ids);
  };
  const auto onToken = [&](int32_t id) { ids.push_back(id); };
  if (auto good = parts->added.split(text, special, onText, onToken); !good)
    return tl::unexpected(std::move(good.error()));
  return ids;
}

Result<std::string> Tokenizer::decode(std::span<const int32_t> ids) const {
  std::string text;
  for (const int32_t id : ids) {
    const auto token = bytes(id);
    if (!token)
      return makeError(ErrorCode::BadInput,
                       "tokenizer: expected tokens from 0 to ", size() - 1,
                       ", got ", id);
    text += *token;
  }
  if (parts->pipeline.decoder.stripsLastSpace && text.ends_with(' '))
    text.pop_back();
  const size_t spaces =
      std::min({spacesInFront(), text.find_first_not_of(' '), text.size()});
  return text.substr(spaces);
}
