// The tensors of a checkpoint on disk, in one safetensors file or several
// shards with an index, under the names the model uses.
#ifndef TILEGPT_RUNTIME_WEIGHTS_CHECKPOINT_H
#define TILEGPT_RUNTIME_WEIGHTS_CHECKPOINT_H

#include "TileGPT/Runtime/Config/ModelTables.h"
#include "TileGPT/Runtime/Data/Safetensors.h"
#include "TileGPT/Runtime/Error.h"
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilegpt::runtime {

class Checkpoint {
public:
  /// A tensor and the file that holds it; of a tensor that is split, one of its
  /// parts.
  struct Entry {
    const StoredTensor *tensor;
    const Safetensors *file;
    const std::filesystem::path *path;
    /// How many groups of parts the rows of the file are, and which part of
    /// each this is.
    int64_t groups = 1, parts = 1, part = 0;
    /// Whether the file has the matrices of experts [E, O, K] as [E, K, O].
    bool isTransposed = false;
    /// The scales of blocks of numbers, and the file that holds them. Of MXFP4,
    /// `tensor` then has the shape of the numbers.
    const StoredTensor *scales = nullptr;
    const Safetensors *scalesFile = nullptr;
    /// Rows and columns of an f8 matrix that share a scale; 0 for MXFP4.
    int64_t blockRows = 0, blockColumns = 0;

    /// Whether the bytes are the numbers in their order.
    bool isPlain() const { return parts == 1 && !isTransposed && !scales; }
    /// Where the file has a row.
    int64_t storedRow(int64_t row) const {
      const int64_t piece = parts == 1 ? 0 : tensor->shape[0] / groups;
      return parts == 1 ? row
                        : (row / piece * parts + part) * piece + row % piece;
    }
    /// All of a tensor that is split.
    std::span<const std::byte> bytes() const { return file->bytes(*tensor); }
    /// What messages call the type and the shape.
    std::string description() const;
  };

  /// Rejects a path to a file of PyTorch or llama.cpp, to a folder with weights
  /// only in such a format, or to an adapter without its model.
  /// \returns BadInput with instructions.
  static Result<void> refuseOtherFormats(const std::filesystem::path &path);

  /// Opens a folder with `model.safetensors` or `model.safetensors.index.json`,
  /// or one file.
  /// \param strip  prefixes that names in the files may have; the longest match
  /// is removed.
  /// \param split  tensors that hold several, which are entries of their own.
  /// \param transposedExperts  tensors X [E, in, out], which become X.weight
  /// with the shape [E, out, in].
  /// \returns BadInput if there is none, a file is malformed or of another
  /// format, or the index and its shards disagree.
  static Result<Checkpoint>
  open(const std::filesystem::path &path,
       std::span<const std::string> strip = {},
       std::span<const SplitTensor> split = {},
       std::span<const std::string> transposedExperts = {});

  /// \param name  without prefix, whether or not the file has one.
  const Entry *find(std::string_view name) const;

  /// By name, in alphabetical order.
  const std::map<std::string, Entry, std::less<>> &tensors() const {
    return entries;
  }

  /// A fingerprint: differs for checkpoints that differ in a name, a type, a
  /// shape, or in the first, middle or last bytes of a tensor, without reading
  /// all data.
  std::string identity() const;

  /// The file or the index that was opened.
  const std::filesystem::path &path() const { return opened; }

private:
  struct Shard {
    std::filesystem::path path;
    Safetensors file;
  };
  explicit Checkpoint(std::span<const std::string> strip)
      : prefixes(strip.begin(), strip.end()) {}
  std::string_view canonicalName(std::string_view name) const;
  Result<void> openShards(const std::filesystem::path &index);
  Result<void> add(const std::filesystem::path &path);
  /// Removes what is not of the text model, if that has names of its own.
  void dropOtherModalities();
  void split(const SplitTensor &rule);
  void joinBlocks();
  void joinScales();
  void transpose(const std::string &pattern);

  std::vector<std::string> prefixes;
  std::filesystem::path opened;
  /// Entries point here; the shards do not move.
  std::vector<std::unique_ptr<Shard>> shards;
  std::map<std::string, Entry, std::less<>> entries;
  /// Of tensors that are split, transposed or in blocks.
  std::deque<StoredTensor> parts;
};

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_WEIGHTS_CHECKPOINT_H
