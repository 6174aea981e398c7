// Collectives in a star topology: rank 0 gathers the data of all ranks and
// sends the result to all.
#include "TileGPT/Runtime/Ranks/Group.h"
#include "Connections.h"
#include "TileGPT/Runtime/FloatBits.h"
#include <algorithm>
#include <cstring>

using namespace tilegpt;
using namespace tilegpt::runtime;
using bundle::ElementType;

namespace {

float widen(float value) { return value; }
float widen(BFloat value) { return toFloat(value); }
float widen(Half value) { return toFloat(value); }
void narrow(float value, float &to) { to = value; }
void narrow(float value, BFloat &to) { to = toBFloat(value); }
void narrow(float value, Half &to) { to = toHalf(value); }

/// Sums `ranks` consecutive arrays of `count` elements.
template <typename T>
void sum(const std::byte *parts, int64_t ranks, std::byte *out, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    float total = 0;
    for (int64_t rank = 0; rank < ranks; ++rank) {
      T value;
      std::memcpy(&value, parts + (rank * count + i) * int64_t(sizeof(T)),
                  sizeof(T));
      total += widen(value);
    }
    T rounded;
    narrow(total, rounded);
    std::memcpy(out + i * int64_t(sizeof(T)), &rounded, sizeof(T));
  }
}

void sumAs(ElementType type, const std::byte *parts, int64_t ranks,
           std::byte *out, int64_t count) {
  if (type == ElementType::BF16)
    sum<BFloat>(parts, ranks, out, count);
  else if (type == ElementType::F16)
    sum<Half>(parts, ranks, out, count);
  else
    sum<float>(parts, ranks, out, count);
}

} // namespace

Group::Group(bundle::Rank self, std::unique_ptr<Connections> connections)
    : self(self), connections(std::move(connections)) {}
Group::~Group() = default;

bool Group::firstHasLeft() const { return connections->firstHasLeft(); }
bool Group::someHaveLeft() const { return connections->someHaveLeft(); }

Result<std::unique_ptr<Group>> Group::join(const RankEnvironment &environment,
                                           GroupOptions options) {
  auto connections =
      std::make_unique<Connections>(environment, std::move(options));
  if (environment.rank.count > 1)
    if (auto opened = connections->open(); !opened)
      return tl::unexpected(opened.error());
  return std::unique_ptr<Group>(
      new Group(environment.rank, std::move(connections)));
}

Result<void> Group::allReduce(ElementType type, const std::byte *in,
                              std::byte *out, int64_t count) {
  const auto bytes = size_t(count * bundle::byteWidth(type));
  if (self.number != 0) {
    if (auto sent = connections->send(0, {in, bytes}); !sent)
      return sent;
    return connections->receive(0, {out, bytes});
  }
  scratch.resize(bytes * size_t(self.count));
  std::memcpy(scratch.data(), in, bytes);
  for (int64_t rank = 1; rank < self.count; ++rank)
    if (auto got = connections->receive(
            rank, {scratch.data() + size_t(rank) * bytes, bytes});
        !got)
      return got;
  sumAs(type, scratch.data(), self.count, out, count);
  for (int64_t rank = 1; rank < self.count; ++rank)
    if (auto sent = connections->send(rank, {out, bytes}); !sent)
      return sent;
  return {};
}

Result<void> Group::allGather(const std::byte *in, std::byte *out,
                              int64_t bytes) {
  const auto part = size_t(bytes);
  if (self.number != 0) {
    if (auto sent = connections->send(0, {in, part}); !sent)
      return sent;
    return connections->receive(0, {out, part * size_t(self.count)});
  }
  std::memmove(out, in, part);
  for (int64_t rank = 1; rank < self.count; ++rank)
    if (auto got =
            connections->receive(rank, {out + size_t(rank) * part, part});
        !got)
      return got;
  for (int64_t rank = 1; rank < self.count; ++rank)
    if (auto sent = connections->send(rank, {out, part * size_t(self.count)});
        !sent)
      return sent;
  return {};
}

Result<std::vector<std::string>> Group::gather(const std::string &text) {
  // Lengths first, then texts padded to the longest.
  const auto mine = uint64_t(text.size());
  std::vector<uint64_t> sizes(size_t(self.count));
  if (auto done =
          allGather(reinterpret_cast<const std::byte *>(&mine),
                    reinterpret_cast<std::byte *>(sizes.data()), sizeof(mine));
      !done)
    return tl::unexpected(done.error());
  const uint64_t longest = *std::ranges::max_element(sizes);
  std::string padded = text, all(longest * sizes.size(), '\0');
  padded.resize(longest);
  if (auto done = allGather(reinterpret_cast<const std::byte *>(padded.data()),
                            reinterpret_cast<std::byte *>(all.data()),
                            int64_t(longest));
      !done)
    return tl::unexpected(done.error());
  std::vector<std::string> texts;
  texts.reserve(sizes.size());
  for (size_t rank = 0; rank < sizes.size(); ++rank)
    texts.push_back(all.substr(rank * longest, sizes[rank]));
  return texts;
}

Result<void> Group::agree(std::string_view what, const std::string &text) {
  const auto texts = gather(text);
  if (!texts)
    return tl::unexpected(texts.error());
  for (size_t rank = 1; rank < texts->size(); ++rank)
    if ((*texts)[rank] != texts->front())
      return makeError(ErrorCode::Device, "ranks: expected the same ", what,
                       " on all ranks, but rank 0 has ", texts->front(),
                       " and rank ", rank, " has ", (*texts)[rank]);
  return {};
}
