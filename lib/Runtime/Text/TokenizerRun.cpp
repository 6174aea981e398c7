// Encodes text and decodes ids: added tokens first, then pieces, then merges.
#include "EscapedBytes.h"
#include "TileGPT/Runtime/Data/Utf8.h"
#include "TileGPT/Runtime/Text/Tokenizer.h"
#include "TokenizerParts.h"
#include <algorithm>
#include <utility>

using namespace tilegpt::runtime;

static constexpr size_t maxTextBytes = size_t(1) << 31;

/// Unicode's White_Space property.
static bool isWhiteSpace(char32_t c) {
  return (c >= '\t' && c <= '\r') || c == ' ' || c == 0x85 || c == 0xA0 ||
         c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 ||
         c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

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
    if (const auto byte = escapedByte(step.character)) {
      addBytes({&*byte, 1});
    } else if (const auto known = characterIds.find(step.character);
               known != characterIds.end()) {
      symbols.push_back(known->second);
      lastIsUnknown = false;
    } else {
      addBytes(piece.substr(0, step.bytes));
    }
    piece.remove_prefix(step.bytes);
  }
}

void Tokenizer::Parts::encodePiece(std::string_view piece, Scratch &scratch,
                                   std::vector<int32_t> &ids) const {
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

/// Text without added tokens.
Result<void> Tokenizer::Parts::encodePlain(std::string_view text, bool isFirst,
                                           Scratch &scratch,
                                           std::vector<int32_t> &ids) const {
  const auto normal = pipeline.normalizer.apply(escapeBytes(text));
  if (!normal)
    return tl::unexpected(normal.error());
  if (auto split =
          pipeline.preTokenizer.split(*normal, isFirst, scratch.pieces);
      !split)
    return split;
  for (const std::string_view piece : scratch.pieces.list)
    encodePiece(piece, scratch, ids);
  return {};
}

/// The leading or trailing white space of `text`, in bytes.
static size_t spaceInFront(std::string_view text) {
  size_t size = 0;
  while (size < text.size()) {
    const Utf8Step step = firstCharacter(text.substr(size));
    if (!step.valid || !isWhiteSpace(step.character))
      break;
    size += step.bytes;
  }
  return size;
}
static size_t spaceAtEnd(std::string_view text) {
  size_t size = 0;
  for (;;) {
    size_t begin = text.size() - size;
    do {
      if (begin == 0)
        return size;
      --begin;
    } while ((uint8_t(text[begin]) & 0xC0) == 0x80);
    const Utf8Step step = firstCharacter(text.substr(begin));
    if (!step.valid || begin + step.bytes != text.size() - size ||
        !isWhiteSpace(step.character))
      return size;
    size = text.size() - begin;
  }
}

/// Moves `position` to the first added token at or after it; returns none at
/// the end.
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
  Parts::Scratch scratch(parts->merges);
  for (size_t position = 0; position < text.size();) {
    const size_t start = position;
    const AddedToken *token = parts->findAdded(text, special, position);
    std::string_view plain = text.substr(start, position - start);
    if (token && token->takesSpaceBefore)
      plain.remove_suffix(spaceAtEnd(plain));
    if (auto good = parts->encodePlain(plain, start == 0, scratch, ids); !good)
      return tl::unexpected(std::move(good.error()));
    if (!token)
      break;
    ids.push_back(token->id);
    position += token->text.size();
    if (token->takesSpaceBehind)
      position += spaceInFront(text.substr(position));
  }
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
  const size_t spaces =
      std::min({spacesInFront(), text.find_first_not_of(' '), text.size()});
  return text.substr(spaces);
}
