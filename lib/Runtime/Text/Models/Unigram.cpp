// The best split of a text by dynamic programming over its characters
// (Viterbi).
#include "Unigram.h"
#include "TileGPT/Runtime/Data/Utf8.h"
#include <algorithm>
#include <limits>

using namespace tilegpt::runtime;

void TokenTrie::add(std::string_view text, int32_t token) {
  uint32_t node = root;
  for (const char byte : text) {
    const size_t slot = slotOf(node, byte);
    uint32_t to = slots[slot];
    if (to == none) {
      to = uint32_t(nodes.size());
      nodes.push_back({node, -1, byte});
      slots[slot] = to;
      if (2 * nodes.size() > slots.size())
        grow();
    }
    node = to;
  }
  nodes[node].token = token;
}

void TokenTrie::grow() {
  slots.assign(2 * slots.size(), none);
  for (uint32_t node = 1; node < nodes.size(); ++node)
    slots[slotOf(nodes[node].parent, nodes[node].byte)] = node;
}

Unigram::Unigram(std::span<const Token> tokens, double lowest, bool sumsSingle)
    : unknownScore(sumsSingle ? double(float(lowest - 10)) : lowest - 10),
      sumsSingle(sumsSingle) {
  int32_t largest = -1;
  for (const Token &token : tokens)
    largest = std::max(largest, token.id);
  scores.resize(size_t(largest) + 1);
  for (const Token &token : tokens) {
    trie.add(token.text, token.id);
    scores[size_t(token.id)] = token.score;
  }
}

void Unigram::split(std::string_view piece,
                    std::vector<UnigramPart> &parts) const {
  /// The best split of the text before a position.
  struct Best {
    double score = -std::numeric_limits<double>::infinity();
    size_t begin = 0; ///< of its last part
    int32_t token = -1;
  };
  std::vector<Best> best(piece.size() + 1);
  best[0].score = 0;
  for (size_t begin = 0; begin < piece.size();) {
    const double before = best[begin].score;
    const auto consider = [&](size_t end, double score, int32_t token) {
      const double sum =
          sumsSingle ? double(float(before + score)) : before + score;
      if (sum > best[end].score)
        best[end] = {sum, begin, token};
    };
    const size_t character = firstCharacter(piece.substr(begin)).bytes;
    bool isKnown = false;
    uint32_t node = TokenTrie::root;
    for (size_t end = begin; end < piece.size();) {
      node = trie.next(node, piece[end++]);
      if (node == TokenTrie::none)
        break;
      if (const int32_t token = trie.token(node); token >= 0) {
        consider(end, scores[size_t(token)], token);
        isKnown |= end == begin + character;
      }
    }
    if (!isKnown)
      consider(begin + character, unknownScore, -1);
    begin += character;
  }
  parts.clear();
  for (size_t end = piece.size(); end > 0; end = best[end].begin)
    parts.push_back({best[end].begin, end, best[end].token});
  std::ranges::reverse(parts);
}
