// The unigram model of SentencePiece: splits a piece of text into the tokens
// with the largest sum of scores, the logarithms of their probabilities.
#ifndef TILEGPT_LIB_RUNTIME_TEXT_MODELS_UNIGRAM_H
#define TILEGPT_LIB_RUNTIME_TEXT_MODELS_UNIGRAM_H

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tilegpt::runtime {

/// Tokens by their bytes: a trie whose nodes are found by their parent and the
/// byte behind it, in a hash table with linear probing and a load factor of at
/// most one half.
class TokenTrie {
public:
  static constexpr uint32_t none = ~uint32_t(0);
  static constexpr uint32_t root = 0;

  /// Adds a token; the last one added with a text counts.
  void add(std::string_view text, int32_t token);

  /// The node behind `node` and a byte, or none.
  uint32_t next(uint32_t node, char byte) const {
    return slots[slotOf(node, byte)];
  }

  /// The token that ends at a node, or -1.
  int32_t token(uint32_t node) const { return nodes[node].token; }

private:
  struct Node {
    uint32_t parent;
    int32_t token;
    char byte; ///< that leads from the parent to it
  };
  size_t slotOf(uint32_t node, char byte) const {
    const uint64_t key = uint64_t(node) << 8 | uint8_t(byte);
    size_t i = size_t(key * 0x9E3779B97F4A7C15 >> 32) & (slots.size() - 1);
    while (slots[i] != none &&
           (nodes[slots[i]].parent != node || nodes[slots[i]].byte != byte))
      i = (i + 1) & (slots.size() - 1);
    return i;
  }
  void grow();

  std::vector<Node> nodes = {{none, -1, 0}};
  std::vector<uint32_t> slots = std::vector<uint32_t>(1024, none);
};

/// A part of a piece: bytes [begin, end) and their token, or -1 for characters
/// that are no token.
struct UnigramPart {
  size_t begin, end;
  int32_t token;
};

class Unigram {
public:
  struct Token {
    std::string_view text;
    int32_t id;
    double score;
  };
  /// \param tokens  those that text may become; the texts are copied.
  /// \param lowest  the lowest score of the whole vocabulary. A character
  ///                without a token costs ten more.
  /// \param sumsSingle  sums are rounded to single precision, as SentencePiece
  ///                    does, so that the same splits tie.
  Unigram(std::span<const Token> tokens, double lowest, bool sumsSingle);

  /// Replaces `parts` by those of a piece, valid UTF-8, from left to right.
  /// Takes O(n) for n bytes and a bounded token length. Of two splits with the
  /// same score that end alike, the one whose last token is longer wins.
  void split(std::string_view piece, std::vector<UnigramPart> &parts) const;

private:
  TokenTrie trie;
  std::vector<double> scores; ///< by id
  double unknownScore;
  bool sumsSingle;
};

} // namespace tilegpt::runtime

#endif // TILEGPT_LIB_RUNTIME_TEXT_MODELS_UNIGRAM_H
