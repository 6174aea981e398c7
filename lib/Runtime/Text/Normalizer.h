// Preprocessing of text before it is split: the normalizers of tokenizer.json.
#ifndef TILEGPT_LIB_RUNTIME_TEXT_NORMALIZER_H
#define TILEGPT_LIB_RUNTIME_TEXT_NORMALIZER_H

#include "Pattern.h"
#include "SentencePiece/CharacterMap.h"
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tilegpt::runtime {

struct NormalizerStep {
  enum class Kind : uint8_t {
    Nfc, ///< Unicode's normal forms
    Nfd,
    Nfkc,
    Nfkd,
    Lowercase,
    Prepend,  ///< adds `content` before a nonempty text
    Replace,  ///< each match of `pattern` by `content`
    Surround, ///< puts `content` before and behind each match of `pattern`
    Map,      ///< characters by `map`
  };
  Kind kind;
  std::string content = {};
  Pattern pattern = {};
  std::shared_ptr<const CharacterMap> map = {};

  /// The parameters are those of CharacterMap::parse.
  static Result<NormalizerStep> mapBy(std::string_view table,
                                      CharacterMap::Sequences sequences);
};

/// The maximum size in bytes of a text of this size after normalizers or
/// decoders. Unicode's normal forms are at most eleven times as long.
constexpr size_t mostBytesOf(size_t size) { return 64 * size + 1024; }

class Normalizer {
public:
  Normalizer() = default;
  explicit Normalizer(std::vector<NormalizerStep> steps)
      : steps(std::move(steps)) {}

  bool isIdentity() const { return steps.empty(); }

  /// \param text  valid UTF-8.
  /// \returns Failure if a pattern exceeds its match limit, memory is exhausted
  /// or the text exceeds mostBytesOf() its size.
  Result<std::string> apply(std::string text) const;

private:
  std::vector<NormalizerStep> steps;
};

} // namespace tilegpt::runtime

#endif // TILEGPT_LIB_RUNTIME_TEXT_NORMALIZER_H
