// Which part of a weight each of several ranks holds. Parts have the same size
// on all ranks, so that one compiled model serves them; the loader derives the
// rank's part from the name of the weight.
#ifndef TILEGPT_BUNDLE_WEIGHTSHARD_H
#define TILEGPT_BUNDLE_WEIGHTSHARD_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilegpt::bundle {

/// One of the ranks that run a model together.
struct Rank {
  int64_t number = 0; ///< 0 … count - 1
  int64_t count = 1;

  friend constexpr bool operator==(const Rank &, const Rank &) = default;
};

/// As text: `rows 3x768/2` cuts each of three groups of 768 rows in two; `rows
/// 3x25*64/2` in 13 and 12 times 64 rows; `rows 2048/4, 2x512/2` also gives two
/// neighbouring ranks of four the same rows of the last two groups; `columns
/// 768/2` cuts columns; `first` gives the whole tensor to rank 0 and zeros to
/// the others. `begin 768/2` is not a part of the weight but a single i32: the
/// first row of the rank's part of `rows 768/2`.
/// i32: which row of it comes first in a rank's part of `rows 768/2`.
struct WeightShard {
  enum class Axis : uint8_t { Rows, Columns, First, Begin };

  /// `count` consecutive runs of `units` times `unit` rows or columns, each
  /// split between units into `pieces`, the last of which may be shorter than
  /// the others.
  struct Group {
    int64_t count = 1;
    int64_t units = 0;
    int64_t unit = 1;
    int64_t pieces = 1;

    /// Rows or columns of one run.
    constexpr int64_t size() const { return units * unit; }
    /// … of a piece of it; the last one is padded with zeros.
    constexpr int64_t pieceSize() const {
      return (units + pieces - 1) / pieces * unit;
    }
    friend constexpr bool operator==(const Group &, const Group &) = default;
  };

  /// Rows or columns [first, first + count) of the whole, which become those
  /// from `at` on of the part.
  struct Run {
    int64_t first = 0;
    int64_t count = 0;
    int64_t at = 0;

    friend constexpr bool operator==(const Run &, const Run &) = default;
  };

  Axis axis = Axis::Rows;
  std::vector<Group> groups; ///< empty for First

  /// \returns nothing for text of another form, for sizes below 1 and for
  /// sizes whose sum is more than 2^40.
  static std::optional<WeightShard> parse(std::string_view text);
  /// What parse() reads.
  std::string format() const;

  /// Rows or columns of all groups, whole and of one rank's part.
  int64_t wholeSize() const;
  int64_t partSize() const;

  /// For Begin: the first row of the part of `rank`.
  int64_t beginOf(Rank rank) const;

  /// What `rank` holds. Where there are fewer pieces than ranks, neighbouring
  /// ranks hold the same.
  std::vector<Run> runsOf(Rank rank) const;

  friend bool operator==(const WeightShard &, const WeightShard &) = default;
};

/// A weight as requested by a compiled model: "c_attn.weight[rows 3x768/2]" is
/// a part of "c_attn.weight".
struct ShardedName {
  std::string_view whole;
  std::optional<WeightShard> shard; ///< nothing: all ranks hold all of it
};

/// \returns nothing for a name with a malformed part in brackets.
std::optional<ShardedName> parseShardedName(std::string_view name);

/// "whole[shard]".
std::string shardedName(std::string_view whole, std::string_view shard);

} // namespace tilegpt::bundle

#endif // TILEGPT_BUNDLE_WEIGHTSHARD_H
