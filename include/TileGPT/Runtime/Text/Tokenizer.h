// Byte-pair encoding and unigram models: from text to token ids and
// back. Every string of bytes, valid UTF-8 or not, has ids; those of a
// byte-level tokenizer without a normalizer decode to the same bytes.
#ifndef TILEGPT_RUNTIME_TEXT_TOKENIZER_H
#define TILEGPT_RUNTIME_TEXT_TOKENIZER_H

#include "TileGPT/Runtime/Error.h"
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilegpt::runtime {

/// Immutable once loaded, and thus thread-safe.
///
/// Bytes that are not part of a UTF-8 character are split from their neighbours
/// like punctuation.
class Tokenizer {
public:
  /// Loads `tokenizer.json` or, without one, `vocab.json` and `merges.txt`, or
  /// `tokenizer.model` or `tekken.json`, with the settings of `tokenizer_config.json`,
  /// `special_tokens_map.json` and `added_tokens.json`.
  /// \param folder      the folder of the files.
  /// \param vocabulary  the model's number of tokens, if known. Added tokens
  ///                    outside, such as Gemma's for images, are skipped;
  ///                    other tokens outside are errors.
  /// \returns BadInput if a file is missing or malformed, or uses an
  /// unsupported feature (docs/Text.md).
  static Result<Tokenizer> open(const std::filesystem::path &folder,
                                std::optional<int64_t> vocabulary = {});

  /// The same for the content of a `tokenizer.json`.
  /// \param where  starts the messages: "tokenizer: 'tokenizer.json'".
  static Result<Tokenizer> fromJson(std::string_view text,
                                    std::string_view where,
                                    std::optional<int64_t> vocabulary = {});

  /// The same for the contents of a `vocab.json` and a `merges.txt`. The token
  /// "<|endoftext|>" is special if the vocabulary has it.
  static Result<Tokenizer> fromVocabAndMerges(std::string_view vocab,
                                              std::string_view vocabWhere,
                                              std::string_view merges,
                                              std::string_view mergesWhere);

  /// The same for the content of a `tokenizer.model`, a SentencePiece file.
  static Result<Tokenizer> fromSentencePiece(std::string_view bytes,
                                             std::string_view where);

  Tokenizer(Tokenizer &&) noexcept;
  Tokenizer &operator=(Tokenizer &&) noexcept;
  ~Tokenizer();

  /// Ids are 0 to size() - 1; some of them may be no token.
  int32_t size() const;

  /// Special tokens to add before and after each text.
  struct Frame {
    std::vector<int32_t> before, after;
  };
  /// The post-processor's template; empty without one.
  const Frame &frame() const;

  /// How special tokens in user text are encoded.
  enum class SpecialText {
    Plain,  ///< as text
    Tokens, ///< as special tokens
  };

  /// \param text  any bytes, at most 2 GiB.
  /// \returns Failure for longer text, or if PCRE2 fails, which is not
  /// expected.
  Result<std::vector<int32_t>>
  encode(std::string_view text, SpecialText special = SpecialText::Plain) const;

  /// The bytes of the ids, which need not be UTF-8. Removes spaces that
  /// encoding has added before a text.
  /// \returns BadInput for an id that is not a token.
  Result<std::string> decode(std::span<const int32_t> ids) const;

  /// The maximum number of spaces that decode() removes from the start of a
  /// text.
  size_t spacesInFront() const;

  /// The bytes of one token, or nothing if there is no such token.
  std::optional<std::string_view> bytes(int32_t id) const;

  /// Whether a token has a meaning for the model but is not text, such as "<
  /// endoftext
  /// >".
  bool isSpecial(int32_t id) const;

  /// The id of a special token by its text.
  std::optional<int32_t> specialId(std::string_view text) const;

private:
  struct Parts;
  explicit Tokenizer(std::unique_ptr<const Parts> parts);
  static Result<Tokenizer> create(struct TokenizerSource source);

  std::unique_ptr<const Parts> parts;
};

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_TEXT_TOKENIZER_H
