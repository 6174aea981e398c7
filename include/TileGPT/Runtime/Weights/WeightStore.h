// The weights of a session from a checkpoint on disk, converted to the types
// and layouts that the kernels expect.
#ifndef TILEGPT_RUNTIME_WEIGHTS_WEIGHTSTORE_H
#define TILEGPT_RUNTIME_WEIGHTS_WEIGHTSTORE_H

#include "TileGPT/Bundle/WeightShard.h"
#include "TileGPT/Runtime/Config/ModelTables.h"
#include "TileGPT/Runtime/Cpu/ThreadPool.h"
#include "TileGPT/Runtime/Model/WeightProvider.h"
#include "TileGPT/Runtime/Weights/Checkpoint.h"
#include "TileGPT/Runtime/Weights/WeightMemory.h"
#include <map>
#include <string_view>

namespace tilegpt::runtime {

/// How a checkpoint stores matrices that a model's table declares as possibly
/// transposed.
enum class WeightsLayout : uint8_t {
  Auto,   ///< decided by the shape of the table's witness
  Conv1d, ///< [in, out]: Hugging Face's GPT-2
  Linear, ///< [out, in]: every torch.nn.Linear
};

class WeightStore final : public WeightProvider {
public:
  struct Options {
    WeightsLayout layout = WeightsLayout::Auto;
    /// Threads for conversion; 0 means every CPU this process may run on.
    unsigned threads = 0;
    /// The rank whose part of sharded weights is read.
    bundle::Rank rank = {};
  };

  /// Opens a folder or a safetensors file.
  /// \param table  of the model: names, layouts, ignored tensors.
  static Result<std::unique_ptr<WeightStore>>
  open(const std::filesystem::path &path, const WeightTable &table,
       const Options &options);
  static Result<std::unique_ptr<WeightStore>>
  open(const std::filesystem::path &path, const WeightTable &table) {
    return open(path, table, Options());
  }

  const Checkpoint &checkpoint() const { return files; }

  /// Sets the sizes of interleaved rows that depend on settings of the
  /// checkpoint's config.
  void setInterleaved(std::vector<Interleaving> rows) {
    table.interleaved = std::move(rows);
  }

  /// Sets the sizes from config.json, for messages about tensors whose shape
  /// does not match.
  void setSizes(std::vector<std::pair<std::string, int64_t>> keys) {
    sizes = std::move(keys);
  }

  /// Whether the checkpoint has no separate head, for a config that does not
  /// specify it.
  bool isHeadTied() const;

  /// Checks names, shapes and types of all weights, determines the layout, and
  /// rejects a checkpoint with tensors that are neither requested nor ignored
  /// by the table.
  Result<void> prepare(std::span<const WeightNeed> needs) override;

  /// A tensor with the right type, layout and alignment in the file is used in
  /// place; others are converted once and kept for further requests.
  /// \returns BadInput as for WeightProvider, also if the file has been
  /// truncated meanwhile; Device if memory runs out.
  Result<const void *> find(std::string_view name, bundle::ElementType type,
                            std::span<const int64_t> shape) override;

private:
  /// The stored tensors that make up one weight, from top to bottom.
  using Parts = std::vector<const Checkpoint::Entry *>;

  WeightStore(Checkpoint files, const WeightTable &table,
              const Options &options);
  Result<void> decideLayout(std::span<const WeightNeed> needs);
  Result<void> refuseUnused(std::span<const WeightNeed> needs) const;
  bool mayBeTransposed(std::string_view name) const;
  bool isTransposed(std::string_view name) const;
  const Interleaving *interleavingOf(std::string_view name) const;
  /// The rows of a stored tensor as a matrix, or as the order of its rows says.
  int64_t rowsOf(std::string_view name, const StoredTensor &tensor) const;
  /// The rows at the start of a stored tensor that are not read.
  int64_t skippedRows(std::string_view name) const;
  std::string layoutHint(std::string_view name, const StoredTensor &tensor,
                         std::span<const int64_t> expected) const;
  std::string sizeHint(std::span<const int64_t> expected,
                       std::span<const int64_t> found) const;
  Result<const Checkpoint::Entry *>
  checkPart(std::string_view name, std::span<const int64_t> expected) const;
  Result<Parts> check(const WeightNeed &need) const;
  /// Writes one stored tensor to `to`, [out, in].
  void bring(std::string_view name, const Checkpoint::Entry &entry,
             bundle::ElementType type, std::byte *to);
  /// A part of a stored tensor, as rows and columns of [out, in].
  struct Block {
    int64_t firstRow, rows, firstColumn, columns;
    int64_t stored = 0; ///< rows of the tensor; 0: as rowsOf() has them
  };
  /// Writes a block to `to`, with a row pitch of `stride` elements.
  void bringBlock(std::string_view name, const Checkpoint::Entry &entry,
                  const Block &block, bundle::ElementType type, std::byte *to,
                  int64_t stride);
  /// bringBlock() for experts that are stored transposed.
  void bringTurned(std::string_view name, const Checkpoint::Entry &entry,
                   const Block &block, bundle::ElementType type, std::byte *to,
                   int64_t stride);
  /// Writes the rank's part of a weight to `to`, which is zeroed.
  /// \param shape  of the part.
  void bringPart(std::string_view name, const bundle::WeightShard &shard,
                 const Parts &parts, bundle::ElementType type, std::byte *to,
                 std::span<const int64_t> shape);

  Checkpoint files;
  WeightTable table;
  std::vector<std::pair<std::string, int64_t>> sizes;
  bundle::Rank rank;
  WeightsLayout asked;
  WeightsLayout layout;
  cpu::ThreadPool pool;
  std::map<std::pair<std::string, bundle::ElementType>, const void *,
           std::less<>>
      converted;
  /// Converted tensors are packed in a few large chunks.
  WeightMemory memory;
};

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_WEIGHTS_WEIGHTSTORE_H
