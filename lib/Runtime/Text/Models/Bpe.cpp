// The merge loop. A heap holds candidate merges and a linked list the tokens,
// so a merge costs O(log n) regardless of the piece length.
#include "Bpe.h"
#include <algorithm>
#include <bit>
#include <functional>

using namespace tilegpt::runtime;

MergeTable::MergeTable(size_t merges)
    : entries(std::bit_ceil(2 * merges + 1)), mask(entries.size() - 1) {
  results.reserve(merges);
}

uint32_t MergeTable::add(int32_t left, int32_t right, int32_t result) {
  const uint64_t key = keyOf(left, right);
  size_t i = slot(key);
  for (; entries[i].rank != none; i = (i + 1) & mask)
    if (entries[i].key == key)
      return entries[i].rank;
  entries[i] = {key, uint32_t(results.size())};
  results.push_back(result);
  return none;
}

/// Looks up the merge of a node and the next one; the caller restores the heap
/// order for a new candidate.
void BpeEncoder::rankPair(uint32_t index, uint32_t size) {
  Node &node = nodes[index];
  node.rank = node.next == size ? MergeTable::none
                                : merges.rank(node.id, nodes[node.next].id);
  if (node.rank != MergeTable::none)
    heap.push_back(uint64_t(node.rank) << 32 | index);
}

void BpeEncoder::encode(std::span<const int32_t> symbols,
                        std::vector<int32_t> &ids) {
  const auto size = uint32_t(symbols.size());
  nodes.resize(size);
  heap.clear();
  for (uint32_t i = 0; i < size; ++i)
    nodes[i] = {symbols[i], i - 1, i + 1, MergeTable::none};
  for (uint32_t i = 0; i < size; ++i)
    rankPair(i, size);
  std::ranges::make_heap(heap, std::greater());

  const auto candidate = [&](uint32_t index) {
    const size_t before = heap.size();
    rankPair(index, size);
    if (heap.size() != before)
      std::ranges::push_heap(heap, std::greater());
  };
  while (!heap.empty()) {
    std::ranges::pop_heap(heap, std::greater());
    const auto rank = uint32_t(heap.back() >> 32);
    const auto index = uint32_t(heap.back());
    heap.pop_back();
    Node &left = nodes[index];
    if (left.rank != rank)
      continue;
    Node &right = nodes[left.next];
    right.rank = MergeTable::none;
    left.id = merges.result(rank);
    left.next = right.next;
    if (left.next != size)
      nodes[left.next].previous = index;
    candidate(index);
    if (index != 0)
      candidate(left.previous);
  }
  for (uint32_t i = 0; i < size; i = nodes[i].next)
    ids.push_back(nodes[i].id);
}
