// Runs the steps of a pre-tokenizer on the pieces.
#include "PreTokenizer.h"
#include "ByteAlphabet.h"
#include "EscapedBytes.h"
#include <utility>

using namespace tilegpt::runtime;

namespace {

/// A part of a piece, and whether the pattern matched it.
struct Part {
  size_t begin, end;
  bool isMatch;
};

/// Splits `text` into matches and the parts between them.
Result<std::vector<Part>> partsOf(std::string_view text,
                                  const SplitStep &step) {
  const auto matches = step.pattern.find(text);
  if (!matches)
    return tl::unexpected(matches.error());
  std::vector<Part> parts;
  size_t position = 0;
  const auto add = [&](size_t end, bool isMatch) {
    if (position < end)
      parts.push_back({position, end, isMatch != step.invert});
    position = end;
  };
  for (const auto &[begin, end] : *matches) {
    add(begin, false);
    add(end, true);
  }
  add(text.size(), false);
  return parts;
}

/// Joins parts according to the behavior and appends them as pieces.
void arrange(std::string_view text, std::vector<Part> parts,
             SplitBehavior behavior, std::vector<std::string_view> &pieces) {
  const auto join = [&](auto belongs) {
    size_t kept = 0;
    for (size_t i = 0; i < parts.size(); ++i)
      if (kept > 0 && belongs(parts[kept - 1], parts[i]))
        parts[kept - 1] = {parts[kept - 1].begin, parts[i].end,
                           parts[i].isMatch};
      else
        parts[kept++] = parts[i];
    parts.resize(kept);
  };
  switch (behavior) {
  case SplitBehavior::Isolated:
    break;
  case SplitBehavior::Removed:
    std::erase_if(parts, [](const Part &part) { return part.isMatch; });
    break;
  case SplitBehavior::MergedWithPrevious:
    join([](const Part &left, const Part &right) {
      return right.isMatch && !left.isMatch;
    });
    break;
  case SplitBehavior::MergedWithNext:
    join([](const Part &left, const Part &right) {
      return left.isMatch && !right.isMatch;
    });
    break;
  case SplitBehavior::Contiguous:
    join([](const Part &left, const Part &right) {
      return left.isMatch == right.isMatch;
    });
    break;
  }
  for (const Part &part : parts)
    pieces.push_back(text.substr(part.begin, part.end - part.begin));
}

/// `text` with every space replaced by the mark, and a leading mark if needed.
std::string withMarks(std::string_view text, bool isFirst,
                      const SplitStep &step) {
  std::string marked;
  marked.reserve(text.size() + step.mark.size());
  for (const char c : text)
    if (c == ' ')
      marked += step.mark;
    else
      marked += c;
  const bool prepends = step.prepend == SplitStep::Prepend::Always ||
                        (step.prepend == SplitStep::Prepend::First && isFirst);
  return prepends && !marked.starts_with(step.mark) ? step.mark + marked
                                                    : marked;
}

/// Like partsOf(), on bytes spelled as characters; a part may end within a
/// character of the text.
Result<std::vector<Part>> partsOfBytes(std::string_view bytes,
                                       const SplitStep &step) {
  std::string spelt;
  for (const char byte : bytes)
    appendUtf8(spelt, byteAlphabet[uint8_t(byte)]);
  auto parts = partsOf(spelt, step);
  if (!parts)
    return parts;
  size_t at = 0, count = 0;
  const auto bytesBefore = [&](size_t end) {
    for (; at < end; ++count)
      at += firstCharacter(std::string_view(spelt).substr(at)).bytes;
    return count;
  };
  for (Part &part : *parts) {
    part.begin = bytesBefore(part.begin);
    part.end = bytesBefore(part.end);
  }
  return parts;
}

} // namespace

Result<void> PreTokenizer::split(std::string_view text, bool isFirst,
                                 Pieces &pieces) const {
  pieces.list.clear();
  pieces.changed.clear();
  pieces.areBytes = false;
  if (!text.empty())
    pieces.list.push_back(text);
  for (const SplitStep &step : steps) {
    const std::vector<std::string_view> before = std::exchange(pieces.list, {});
    for (size_t i = 0; i < before.size(); ++i) {
      std::string_view piece = before[i];
      if (step.kind == SplitStep::Kind::PrefixSpace) {
        if (!piece.starts_with(' '))
          piece = pieces.changed.emplace_back(" " + std::string(piece));
      } else if (step.kind == SplitStep::Kind::Metaspace) {
        piece = pieces.changed.emplace_back(
            withMarks(piece, isFirst && i == 0, step));
      }
      if (step.kind == SplitStep::Kind::PrefixSpace || !step.splits) {
        pieces.list.push_back(piece);
        continue;
      }
      if (step.seesBytes && !pieces.areBytes && hasEscapedBytes(piece)) {
        std::string &bytes = pieces.changed.emplace_back();
        appendUnescaped(bytes, piece);
        piece = bytes;
      }
      auto parts =
          step.seesBytes ? partsOfBytes(piece, step) : partsOf(piece, step);
      if (!parts)
        return tl::unexpected(std::move(parts.error()));
      arrange(piece, std::move(*parts), step.behavior, pieces.list);
    }
    pieces.areBytes |= step.seesBytes;
  }
  return {};
}

Pattern tilegpt::runtime::gpt2Pattern() {
  return Pattern::regex("'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+|"
                        " ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+")
      .value();
}

Pattern tilegpt::runtime::qwen2Pattern() {
  return Pattern::regex("(?i:'s|'t|'re|'ve|'m|'ll|'d)|"
                        "[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}|"
                        " ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|"
                        "\\s+(?!\\S)|\\s+")
      .value();
}
