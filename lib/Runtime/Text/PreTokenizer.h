// Splits text into pieces that BPE encodes independently: the pre-tokenizers of
// tokenizer.json.
#ifndef TILEGPT_LIB_RUNTIME_TEXT_PRETOKENIZER_H
#define TILEGPT_LIB_RUNTIME_TEXT_PRETOKENIZER_H

#include "Pattern.h"
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace tilegpt::runtime {

/// How matches of a pattern and the parts between them form pieces.
enum class SplitBehavior : uint8_t {
  Isolated,           ///< pieces of their own, all of them
  Removed,            ///< matches vanish
  MergedWithPrevious, ///< a match ends the piece before it
  MergedWithNext,     ///< a match starts the next piece
  Contiguous,         ///< matches that touch each other are one piece
};

struct SplitStep {
  enum class Kind : uint8_t {
    Split,       ///< by `pattern`
    PrefixSpace, ///< adds a space before a piece without one
    Metaspace,   ///< spaces become `mark`, which also begins pieces
  };
  /// When Metaspace prepends a mark.
  enum class Prepend : uint8_t { Always, First, Never };

  Kind kind = Kind::Split;
  Pattern pattern = {};
  SplitBehavior behavior = SplitBehavior::Isolated;
  bool invert = false; ///< swap the roles of matches and the text between them
  std::string mark = {};
  Prepend prepend = Prepend::Always;
  bool splits = true; ///< Metaspace: also begin a piece at every mark
  /// Split after ByteLevel: the pattern sees a character of the byte alphabet
  /// for each byte.
  bool seesBytes = false;
};

/// The pieces of one text: views into the text or into `changed`.
struct Pieces {
  std::vector<std::string_view> list;
  std::deque<std::string> changed;
  bool areBytes = false; ///< as they are, none of them escaped; any of them
};

class PreTokenizer {
public:
  PreTokenizer() = default;
  explicit PreTokenizer(std::vector<SplitStep> steps)
      : steps(std::move(steps)) {}

  /// The pieces are not empty.
  /// \param text     valid UTF-8 that stays alive.
  /// \param isFirst  whether it is the start of the encoded text.
  /// \returns Failure if a pattern exceeds its match limit.
  Result<void> split(std::string_view text, bool isFirst, Pieces &pieces) const;

private:
  std::vector<SplitStep> steps;
};

/// GPT-2's pattern, by which ByteLevel splits.
Pattern gpt2Pattern();

/// The pattern of Qwen 2 and later models.
Pattern qwen2Pattern();

} // namespace tilegpt::runtime

#endif // TILEGPT_LIB_RUNTIME_TEXT_PRETOKENIZER_H
