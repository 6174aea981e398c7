// The sizes of a GPT-2 class model, from the config.json beside its weights.
// Read and checked once; everything that needs a size takes it from here.
#ifndef TILEGPT_RUNTIME_WEIGHTS_MODELCONFIG_H
#define TILEGPT_RUNTIME_WEIGHTS_MODELCONFIG_H

#include "TileGPT/Runtime/Error.h"
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

namespace tilegpt::runtime {

enum class Activation : uint8_t {
  GeluTanh, ///< 0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))
  Gelu,     ///< 0.5 x (1 + erf(x / sqrt(2)))
};

/// Understands Hugging Face's GPT-2 and minGPT's own files. All sizes are
/// positive, and width is a multiple of heads.
struct ModelConfig {
  int64_t layers = 0;     ///< L; n_layer
  int64_t heads = 0;      ///< H; n_head
  int64_t width = 0;      ///< C; n_embd
  int64_t innerWidth = 0; ///< of the MLP; n_inner, 4 C by default
  int64_t context = 0;    ///< positions; n_positions, n_ctx or block_size
  int64_t vocabulary = 0; ///< V; vocab_size
  double epsilon = 1e-5;  ///< layer_norm_epsilon
  Activation activation = Activation::GeluTanh;
  /// tie_word_embeddings; without it, only the weights can tell: the head is
  /// tied if they have no lm_head.weight.
  std::optional<bool> tied;
  /// Tokens a text begins and ends with. Hugging Face's default of 50256 holds
  /// where the vocabulary has it.
  std::optional<int32_t> bosToken, eosToken;

  /// Reads a config.json.
  /// \returns BadInput for a size that is missing, no positive integer or
  /// implausibly large, for heads that do not divide the width, and for every
  /// setting that asks for another architecture.
  static Result<ModelConfig> read(const std::filesystem::path &path);

  /// The same for the content of a file.
  /// \param where  starts the messages: "config: 'config.json'".
  static Result<ModelConfig> parse(std::string_view text,
                                   std::string_view where);
};

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_WEIGHTS_MODELCONFIG_H
