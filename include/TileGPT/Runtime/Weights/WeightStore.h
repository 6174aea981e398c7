// The weights of a session from a checkpoint on disk: checked against the
// config, converted to the type kernels use, with linear weights as [out, in].
#ifndef TILEGPT_RUNTIME_WEIGHTS_WEIGHTSTORE_H
#define TILEGPT_RUNTIME_WEIGHTS_WEIGHTSTORE_H

#include "TileGPT/Runtime/Cpu/Memory.h"
#include "TileGPT/Runtime/Cpu/ThreadPool.h"
#include "TileGPT/Runtime/Model/WeightProvider.h"
#include "TileGPT/Runtime/Weights/Checkpoint.h"
#include "TileGPT/Runtime/Weights/ModelConfig.h"
#include <map>
#include <optional>
#include <string_view>

namespace tilegpt::runtime {

/// How a checkpoint stores the matrices of its linear layers.
enum class WeightsLayout : uint8_t {
  Auto,   ///< decided by the shape of h.0.attn.c_attn.weight
  Conv1d, ///< [in, out]: Hugging Face's GPT-2
  Linear, ///< [out, in]: minGPT and every torch.nn.Linear
};

/// The inverse of the flag's values "auto", "conv1d" and "linear".
std::optional<WeightsLayout> parseWeightsLayout(std::string_view text);

class WeightStore final : public WeightProvider {
public:
  struct Options {
    WeightsLayout layout = WeightsLayout::Auto;
    /// Threads that convert; 0 means every CPU this process may run on.
    unsigned threads = 0;
  };

  /// Opens a folder or a safetensors file; a config.json beside the weights is
  /// read and every tensor it implies checked.
  static Result<std::unique_ptr<WeightStore>>
  open(const std::filesystem::path &path, const Options &options);
  static Result<std::unique_ptr<WeightStore>>
  open(const std::filesystem::path &path) {
    return open(path, Options());
  }

  /// The config.json, if there is one, with `tied` decided.
  const std::optional<ModelConfig> &config() const { return modelConfig; }
  const Checkpoint &checkpoint() const { return files; }

  /// Linear weights are asked for as [out, in] and transposed if need be;
  /// "lm_head.weight" is "wte.weight" where the head is tied. A tensor that has
  /// the right type, layout and alignment in the file is used in place; the
  /// others are converted once and kept, also if asked for again.
  /// \returns BadInput as WeightProvider says, also if the file has been
  /// truncated meanwhile; Device if memory runs out.
  Result<const void *> find(std::string_view name, bundle::ElementType type,
                            std::span<const int64_t> shape) override;

private:
  WeightStore(Checkpoint files, const Options &options);
  Result<void> decideLayout();
  Result<void> checkConfig(const std::filesystem::path &configPath) const;
  bool isTransposed(std::string_view name) const;
  std::string layoutHint(std::string_view name, const StoredTensor &tensor,
                         std::span<const int64_t> expected) const;
  Result<const Checkpoint::Entry *>
  check(std::string_view name, std::span<const int64_t> expected) const;
  Result<std::byte *> allocate(size_t bytes);

  Checkpoint files;
  std::optional<ModelConfig> modelConfig;
  WeightsLayout asked;
  WeightsLayout layout;
  cpu::ThreadPool pool;
  std::map<std::pair<const StoredTensor *, bundle::ElementType>, const void *>
      converted;
  /// Converted tensors lie one after the other in a few large pieces.
  std::vector<cpu::Memory> memory;
  size_t used = 0; ///< of the last piece
};

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_WEIGHTS_WEIGHTSTORE_H
