// Byte-pair encoding of one piece of text: starts from the tokens of its bytes
// or characters and applies the merge of lowest rank until none applies, in O(n
// log n) and without recursion.
#ifndef TILEGPT_LIB_RUNTIME_TEXT_MODELS_BPE_H
#define TILEGPT_LIB_RUNTIME_TEXT_MODELS_BPE_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tilegpt::runtime {

/// Merges by token pair: a hash table with linear probing and a load factor of
/// at most one half.
class MergeTable {
public:
  static constexpr uint32_t none = ~uint32_t(0);

  explicit MergeTable(size_t merges);

  /// Merges are added in the order of their rank.
  /// \returns the rank of an existing merge of this pair, or none.
  uint32_t add(int32_t left, int32_t right, int32_t result);

  /// The rank of the merge of two adjacent tokens, or none.
  uint32_t rank(int32_t left, int32_t right) const {
    const uint64_t key = keyOf(left, right);
    for (size_t i = slot(key);; i = (i + 1) & mask)
      if (entries[i].rank == none || entries[i].key == key)
        return entries[i].rank;
  }

  /// The result of a merge.
  int32_t result(uint32_t rank) const { return results[rank]; }

private:
  struct Entry {
    uint64_t key = 0;
    uint32_t rank = none;
  };
  static uint64_t keyOf(int32_t left, int32_t right) {
    return uint64_t(uint32_t(left)) << 32 | uint32_t(right);
  }
  size_t slot(uint64_t key) const {
    // Fibonacci hashing: the high bits of the product depend on all of the key.
    return size_t(key * 0x9E3779B97F4A7C15 >> 32) & mask;
  }

  std::vector<Entry> entries;
  size_t mask;
  std::vector<int32_t> results;
};

/// Encodes pieces one after the other and reuses its memory.
class BpeEncoder {
public:
  explicit BpeEncoder(const MergeTable &merges) : merges(merges) {}

  /// Appends the tokens of `symbols`, fewer than 2^32, after all merges.
  void encode(std::span<const int32_t> symbols, std::vector<int32_t> &ids);

private:
  /// A token of the piece, linked to its neighbours; it stays at the index of
  /// its first symbol.
  struct Node {
    int32_t id;
    uint32_t previous, next;
    /// The rank of the merge with the next node; none if the node was merged.
    uint32_t rank;
  };
  void rankPair(uint32_t index, uint32_t size);

  const MergeTable &merges;
  std::vector<Node> nodes;
  /// Min-heap of rank << 32 | index: equal ranks merge from left to right. An
  /// entry is stale unless the node at `index` still has that rank.
  std::vector<uint64_t> heap;
};

} // namespace tilegpt::runtime

#endif // TILEGPT_LIB_RUNTIME_TEXT_MODELS_BPE_H
