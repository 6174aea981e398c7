// Tiny models of all families with random weights, written by Hugging Face
// transformers, with its f32 results and its bf16 error: the archives
// families.tar.xz and more-families.tar.xz in test/data, which CMake unpacks
// into the build folder.
#ifndef TILEGPT_TEST_UNIT_FAMILIES_H
#define TILEGPT_TEST_UNIT_FAMILIES_H

#include "SourceFolder.h"
#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace tilegpt::test {

/// A configuration and the model text it instantiates.
struct Family {
  const char *name;
  const char *model;
  /// The sizes in config.json, in the form `--configure` takes.
  const char *settings;

  std::filesystem::path folder() const {
    const char *moved = std::getenv("TILEGPT_TEST_ROOT");
    std::filesystem::path data =
        moved ? std::filesystem::path(moved) / "test/data" : TILEGPT_DATA_DIR;
    return data / "families" / name;
  }
  /// The name in the form GoogleTest accepts.
  std::string identifier() const {
    std::string result = name;
    std::replace(result.begin(), result.end(), '-', '_');
    return result;
  }
};

inline constexpr Family families[] = {
    {"llama", "llama",
     "layers=3 heads=4 kv_heads=2 head_dim=16 width=64 inner=176 context=128 "
     "vocab=259 eps=1e-5 tied=false"},
    {"llama3-scaled", "llama",
     "layers=3 heads=4 kv_heads=2 head_dim=16 width=64 inner=176 context=128 "
     "vocab=259 eps=1e-5 tied=true rope_theta=500000.0 rope_type=llama3 "
     "rope_factor=8.0 rope_low=1.0 rope_high=4.0 rope_original=32"},
    {"mistral-window", "mistral",
     "layers=3 heads=4 kv_heads=2 head_dim=16 width=64 inner=176 context=128 "
     "vocab=259 eps=1e-5 tied=false window=16"},
    {"qwen2", "qwen2",
     "layers=3 heads=4 kv_heads=2 width=64 inner=176 context=128 vocab=259 "
     "eps=1e-5 tied=true"},
    {"qwen3", "qwen3",
     "layers=3 heads=4 kv_heads=2 head_dim=32 width=64 inner=176 context=128 "
     "vocab=259 eps=1e-5 tied=true"},
    {"smollm3-nope", "smollm3",
     "layers=4 heads=4 kv_heads=2 width=64 inner=176 context=128 vocab=259 "
     "eps=1e-5 tied=true"},
    {"gemma3", "gemma3",
     "layers=6 heads=4 kv_heads=2 head_dim=32 width=64 inner=176 context=128 "
     "vocab=259 eps=1e-5 tied=true window=16 query_pre_attn_scalar=32"},
    {"phi3", "phi3",
     "layers=3 heads=4 kv_heads=2 width=64 inner=176 context=128 vocab=259 "
     "eps=1e-5 tied=false"},
    {"gpt-neox", "gpt-neox",
     "layers=3 heads=4 width=64 inner=256 context=128 vocab=259 eps=1e-5 "
     "tied=false"},
    {"llama-yarn", "llama",
     "layers=2 heads=4 kv_heads=2 head_dim=32 width=64 inner=96 context=128 "
     "vocab=259 eps=1e-5 tied=true rope_type=yarn rope_factor=4.0 "
     "rope_original=32"},
    {"gemma2", "gemma2",
     "layers=4 heads=4 kv_heads=2 head_dim=32 width=64 inner=96 context=128 "
     "vocab=259 eps=1e-5 tied=true window=16 query_pre_attn_scalar=24 "
     "score_cap=5.0 logit_cap=3.0"},
    {"qwen3-moe", "qwen3-moe",
     "layers=2 heads=4 kv_heads=2 head_dim=8 width=32 inner=48 context=128 "
     "vocab=259 eps=1e-6 tied=false experts=8 experts_per_token=2 "
     "expert_inner=16 normalize_shares=true"},
    {"mixtral", "mixtral",
     "layers=2 heads=4 kv_heads=2 width=32 inner=16 context=128 vocab=259 "
     "eps=1e-5 tied=false experts=4"},
    {"gemma", "gemma",
     "layers=3 heads=4 kv_heads=1 head_dim=32 width=64 inner=96 context=128 "
     "vocab=259 eps=1e-5 tied=true"},
    {"phi", "phi",
     "layers=3 heads=4 width=64 inner=160 context=128 vocab=259 eps=1e-5"},
    {"stablelm", "stablelm",
     "layers=3 heads=4 kv_heads=2 width=64 inner=96 context=128 vocab=259 "
     "eps=1e-5 tied=false qkv_bias=true"},
    {"starcoder2", "starcoder2",
     "layers=3 heads=4 kv_heads=2 width=64 inner=160 context=128 vocab=259 "
     "eps=1e-5 tied=true window=16"},
    {"gpt-neo", "gpt-neo",
     "layers=2 heads=4 width=64 context=128 vocab=259 eps=1e-5 tied=true "
     "window=16"},
    {"gpt-bigcode", "gpt-bigcode",
     "layers=2 heads=4 width=64 context=128 vocab=259 eps=1e-5 tied=true"},
    {"falcon", "falcon",
     "layers=2 heads=4 width=64 context=128 vocab=259 eps=1e-5 tied=true "
     "biases=true"},
    {"exaone4", "exaone4",
     "layers=2 heads=4 kv_heads=2 head_dim=32 width=64 inner=96 context=128 "
     "vocab=259 eps=1e-5 tied=false window=16 sliding=[1,0]"},
    {"gptj", "gptj",
     "layers=2 heads=4 width=64 context=128 vocab=259 eps=1e-5 rotary=8"},
    {"glm", "glm",
     "layers=2 heads=4 kv_heads=2 head_dim=32 width=64 inner=96 context=128 "
     "vocab=259 eps=1e-5 tied=false"},
    {"glm4", "glm4",
     "layers=2 heads=4 kv_heads=2 head_dim=32 width=64 inner=96 context=128 "
     "vocab=259 eps=1e-5 tied=false"},
    {"helium", "helium",
     "layers=2 heads=4 kv_heads=2 head_dim=16 width=64 inner=96 context=128 "
     "vocab=259 eps=1e-5 tied=false"},
    {"ernie4_5", "ernie4_5",
     "layers=2 heads=4 kv_heads=2 head_dim=32 width=64 inner=96 context=128 "
     "vocab=259 eps=1e-5 tied=true biases=true"},
    {"seed_oss", "seed_oss",
     "layers=2 heads=4 kv_heads=2 head_dim=32 width=64 inner=96 context=128 "
     "vocab=259 eps=1e-5 tied=false"},
    {"olmo", "olmo",
     "layers=2 heads=4 kv_heads=2 width=64 inner=48 context=128 vocab=259 "
     "tied=true"},
    {"olmo2", "olmo2",
     "layers=2 heads=4 kv_heads=2 width=64 inner=48 context=128 vocab=259 "
     "tied=true"},
    {"olmo3", "olmo3",
     "layers=4 heads=4 kv_heads=2 width=64 inner=48 context=128 vocab=259 "
     "tied=true window=16 rope_theta=10000.0 rope_type=yarn rope_factor=4.0 "
     "rope_original=32 rope_amplitude=1.1"},
    {"olmoe", "olmoe",
     "layers=2 heads=4 width=32 context=128 vocab=259 tied=true experts=4 "
     "experts_per_token=2 expert_inner=16"},
    {"granite", "granite",
     "layers=2 heads=4 kv_heads=2 width=64 inner=48 context=128 vocab=259 "
     "tied=true embedding_multiplier=3.0 attention_multiplier=0.125 "
     "residual_multiplier=0.5 logits_scaling=2.0"},
    {"arcee", "arcee",
     "layers=2 heads=4 kv_heads=2 head_dim=16 width=64 inner=48 context=128 "
     "vocab=259 tied=true"},
    {"nemotron", "nemotron",
     "layers=2 heads=4 kv_heads=2 head_dim=16 width=64 inner=48 context=128 "
     "vocab=259 tied=true"},
    {"cohere", "cohere",
     "layers=2 heads=4 kv_heads=2 width=64 inner=48 context=128 vocab=259 "
     "logit_scale=0.25"},
    {"cohere2", "cohere2",
     "layers=4 heads=4 kv_heads=2 width=64 inner=48 context=128 vocab=259 "
     "logit_scale=0.25 window=16"},
    {"opt", "opt", "layers=2 heads=4 width=64 inner=48 context=128 vocab=259"},
    {"qwen2-moe", "qwen2-moe",
     "layers=2 heads=4 kv_heads=2 width=32 inner=48 context=128 vocab=259 "
     "tied=true experts=4 experts_per_token=2 expert_inner=16 "
     "shared_inner=24"},
    {"bloom", "bloom",
     "layers=2 heads=12 width=96 context=128 vocab=259 tied=true"},
    {"mpt", "mpt",
     "layers=2 heads=7 width=56 context=128 vocab=259 tied=true "
     "clip_qkv=1.5"},
    {"granitemoe", "granitemoe",
     "layers=2 heads=4 kv_heads=2 width=32 inner=16 context=128 vocab=259 "
     "tied=true experts=4 experts_per_token=2 embedding_multiplier=3.0 "
     "attention_multiplier=0.25 residual_multiplier=0.5 logits_scaling=2.0"},
    {"granitemoeshared", "granitemoe",
     "layers=2 heads=4 kv_heads=2 width=32 inner=16 context=128 vocab=259 "
     "tied=true experts=5 experts_per_token=2 shared=24 "
     "embedding_multiplier=3.0 attention_multiplier=0.25 "
     "residual_multiplier=0.5 logits_scaling=2.0"},
    {"cwm", "mistral",
     "layers=2 heads=4 kv_heads=2 head_dim=8 width=32 inner=48 context=128 "
     "vocab=259 eps=1e-5 tied=true window=8 sliding=[0,1] rope_type=llama3 "
     "rope_theta=1000000.0 rope_factor=16.0 rope_low=1.0 rope_high=4.0 "
     "rope_original=8192"},
    {"ministral3", "ministral3",
     "layers=2 heads=4 kv_heads=2 head_dim=8 width=32 inner=48 context=64 "
     "vocab=259 eps=1e-5 tied=true rope_theta=10000.0 rope_type=yarn "
     "rope_factor=4.0 rope_original=64 rope_mscale=1.0 rope_mscale_all=1.0"},
    {"jais2", "jais2",
     "layers=2 heads=4 kv_heads=2 head_dim=8 width=32 inner=48 context=128 "
     "vocab=259 eps=1e-5 tied=true"},
    {"dots1", "dots1",
     "layers=2 heads=4 kv_heads=2 head_dim=8 width=32 inner=48 context=128 "
     "vocab=259 tied=true dense=[1,0] experts=5 experts_per_token=2 "
     "expert_inner=16 shared=1 normalize_shares=true share_scale=1.5 window=8 "
     "sliding=[0,1]"},
    {"solar_open", "solar_open",
     "layers=2 heads=4 kv_heads=2 head_dim=8 width=32 context=128 vocab=259 "
     "tied=true experts=5 experts_per_token=2 expert_inner=16 share_scale=1.5"},
    {"youtu", "youtu",
     "layers=2 heads=4 head_dim=12 width=32 inner=48 context=128 vocab=259 "
     "tied=true query_rank=10 latent_rank=12 turned_dim=4 other_dim=8 "
     "value_dim=6"},
    {"hyperclovax", "hyperclovax",
     "layers=2 heads=4 kv_heads=2 head_dim=8 width=32 inner=48 context=128 "
     "vocab=259 tied=true embedding_multiplier=3.0 attention_multiplier=0.25 "
     "residual_multiplier=0.5 logits_scaling=0.5"},
    {"minimax_m2", "minimax_m2",
     "layers=2 heads=4 kv_heads=2 head_dim=8 width=32 inner=16 context=128 "
     "vocab=259 tied=true experts=5 experts_per_token=2 rotary=4"},
    {"vaultgemma", "vaultgemma",
     "layers=2 heads=4 kv_heads=2 head_dim=16 width=32 inner=48 context=128 "
     "vocab=259 tied=true query_pre_attn_scalar=12 window=8 score_cap=5.0"},
    {"flex_olmo", "flex_olmo",
     "layers=2 heads=4 kv_heads=4 width=32 context=128 vocab=259 tied=true "
     "experts=5 experts_per_token=2 expert_inner=16"},
    {"falcon_grouped", "falcon_grouped",
     "layers=2 heads=4 kv_heads=2 width=64 context=128 vocab=259 tied=true"},
    {"falcon_grouped-one-norm", "falcon_grouped",
     "layers=2 heads=4 kv_heads=2 width=64 inner=48 context=128 vocab=259 "
     "tied=true biases=true norms=1"},
    {"granitemoehybrid", "granitemoehybrid",
     "layers=2 heads=4 kv_heads=2 width=64 inner=48 context=128 vocab=259 "
     "tied=true embedding_multiplier=3.0 attention_multiplier=0.125 "
     "residual_multiplier=0.5 logits_scaling=2.0 rotates=true"},
    {"exaone", "exaone",
     "layers=2 heads=4 kv_heads=2 width=64 inner=48 context=128 vocab=259 "
     "eps=1e-6 tied=true"},
    {"internlm2", "internlm2",
     "layers=2 heads=4 kv_heads=2 width=64 inner=48 context=128 vocab=259 "
     "tied=false biases=false"},
    {"internlm3", "internlm3",
     "layers=2 heads=4 kv_heads=2 head_dim=24 width=64 inner=48 context=128 "
     "vocab=259 tied=true"},
    {"minicpm", "minicpm",
     "layers=2 heads=4 kv_heads=2 width=64 inner=48 context=128 vocab=259 "
     "tied=true scale_emb=12.0 scale_depth=1.4 dim_model_base=16.0"},
    {"stablelm-12b", "stablelm",
     "layers=2 heads=4 kv_heads=2 width=32 inner=48 context=128 vocab=259 "
     "tied=true qk_norm=true parallel=true"},
    {"cohere-plus", "cohere",
     "layers=2 heads=4 kv_heads=2 width=32 inner=48 context=128 vocab=259 "
     "logit_scale=0.25 qk_norm=true"},
    {"phi-norms", "phi",
     "layers=2 heads=4 kv_heads=2 width=32 inner=48 context=128 vocab=259 "
     "qk_norm=true"},
    {"persimmon", "persimmon",
     "layers=2 heads=4 width=32 inner=48 context=128 vocab=259 tied=true"},
    {"apertus", "apertus",
     "layers=2 heads=4 kv_heads=2 width=32 inner=48 context=128 vocab=259 "
     "tied=true rope_theta=10000.0 rope_type=llama3 rope_factor=8.0 "
     "rope_low=1.0 rope_high=4.0 rope_original=32"},
    {"hunyuan_v1_dense", "hunyuan_v1_dense",
     "layers=2 heads=4 kv_heads=2 head_dim=16 width=32 inner=48 context=128 "
     "vocab=259 tied=true rope_alpha=50.0"},
    {"glm4_moe", "glm4_moe",
     "layers=2 heads=4 kv_heads=2 head_dim=8 width=32 inner=48 context=128 "
     "vocab=259 tied=true qk_norm=true dense=[1,0] experts=5 "
     "experts_per_token=2 expert_inner=16 share_scale=1.5"},
    {"ernie4_5_moe", "ernie4_5_moe",
     "layers=2 heads=4 kv_heads=2 head_dim=8 width=32 inner=48 context=128 "
     "vocab=259 tied=true dense=[1,0] experts=6 experts_per_token=2 "
     "expert_inner=16"},
    {"deepseek_v2", "deepseek_v2",
     "layers=2 heads=4 head_dim=12 width=32 inner=48 context=128 vocab=259 "
     "tied=true latent_rank=12 turned_dim=4 other_dim=8 value_dim=6 dense=[0] "
     "experts=6 experts_per_token=3 expert_inner=16 share_scale=1.5 grouped=1 "
     "groups=3 chosen_groups=2"},
    {"deepseek_v3", "deepseek_v3",
     "layers=2 heads=4 head_dim=12 width=32 inner=48 context=128 vocab=259 "
     "tied=true query_rank=10 latent_rank=12 turned_dim=4 other_dim=8 "
     "value_dim=6 dense=[1,0] experts=8 experts_per_token=3 expert_inner=16 "
     "groups=4 chosen_groups=2 rope_type=yarn rope_factor=4.0 "
     "rope_original=32 rope_mscale=0.9 rope_mscale_all=0.7"},
    {"lfm2", "lfm2",
     "layers=2 heads=4 kv_heads=2 width=32 context=128 vocab=259 tied=true "
     "attends=[0,1] taps=3 conv_bias=true ff=48 multiple_of=8"},
    {"lfm2_moe", "lfm2_moe",
     "layers=2 heads=4 kv_heads=2 width=32 inner=48 context=128 vocab=259 "
     "tied=true attends=[0,1] taps=4 dense=[1,0] experts=5 "
     "experts_per_token=2 expert_inner=16"},
    {"glm4_moe_lite", "deepseek_v3",
     "layers=2 heads=4 head_dim=12 width=32 inner=48 context=128 vocab=259 "
     "eps=1e-5 tied=true query_rank=10 latent_rank=12 turned_dim=4 "
     "other_dim=8 value_dim=12 dense=[1,0] experts=5 experts_per_token=2 "
     "expert_inner=16 share_scale=1.8 groups=1 chosen_groups=1"},
    {"gpt-oss", "gpt-oss",
     "layers=2 heads=4 kv_heads=2 head_dim=8 width=32 inner=16 context=128 "
     "vocab=259 tied=true experts=5 experts_per_token=2 window=8 limit=1.25 "
     "rope_theta=10000.0 rope_factor=4.0 rope_original=32 rope_truncate=false"},
    {"codegen", "codegen",
     "layers=2 heads=4 width=32 inner=48 context=128 vocab=259 rotary=4"},
    {"hunyuan_v1_moe", "hunyuan_v1_moe",
     "layers=2 heads=4 kv_heads=2 head_dim=8 width=32 inner=16 context=128 "
     "vocab=259 tied=true experts=5 experts_per_token=2 rope_alpha=50.0"},
    {"exaone_moe", "exaone_moe",
     "layers=2 heads=4 kv_heads=2 head_dim=8 width=32 inner=48 context=128 "
     "vocab=259 tied=true window=8 sliding=[1,0] dense=[1,0] experts=5 "
     "experts_per_token=2 expert_inner=16 share_scale=1.5 rope_theta=10000.0"},
    {"granite_swa", "granite_swa",
     "layers=2 heads=4 kv_heads=2 width=32 inner=48 context=128 vocab=259 "
     "eps=1e-5 tied=true window=8 sliding=[0,1] rope_theta=[0.0,10000.0] "
     "embedding_multiplier=3.0 attention_multiplier=0.25 "
     "residual_multiplier=0.5 logits_scaling=2.0"},
    {"minicpm3", "minicpm3",
     "layers=2 heads=4 head_dim=12 width=32 inner=48 context=128 vocab=259 "
     "tied=true query_rank=10 latent_rank=12 turned_dim=4 other_dim=8 "
     "value_dim=6 scale_emb=3.0 scale_depth=1.4 dim_model_base=16.0"},
    {"openai-gpt", "openai-gpt",
     "layers=2 heads=4 width=32 context=128 vocab=259"},
    {"nanochat", "nanochat",
     "layers=2 heads=4 kv_heads=2 width=32 inner=48 context=128 vocab=259"},
    {"phimoe", "phimoe",
     "layers=2 heads=4 kv_heads=2 width=32 inner=16 context=128 vocab=259 "
     "attention_bias=true head_bias=true experts=5 jitter=0.05 "
     "rope_theta=10000.0 rope_type=longrope rope_factor=2.0 rope_original=64 "
     "rope_amplitude=1.25 rope_short=[1.0,1.5,2.0,3.0] "
     "rope_long=[1.0,2.0,4.0,8.0]"},
    {"llama4_text", "llama4_text",
     "layers=4 heads=4 kv_heads=2 head_dim=8 width=32 inner=48 context=127 "
     "vocab=259 tied=true routed=[0,1] experts=4 expert_inner=16"},
    {"opt-projected", "opt",
     "layers=2 heads=4 width=32 inner=48 context=128 vocab=259 tied=true "
     "embedding=24 norms_first=false"},
    {"xglm", "xglm",
     "layers=2 heads=4 width=32 inner=48 context=128 vocab=259 tied=true"},
    {"biogpt", "biogpt",
     "layers=2 heads=4 width=32 inner=48 context=128 vocab=259 tied=true"},
    {"afmoe", "afmoe",
     "layers=3 heads=4 kv_heads=2 head_dim=8 width=32 inner=48 context=128 "
     "vocab=259 scaled=true window=8 sliding=[1,0,1] dense=[1,0,0] experts=5 "
     "experts_per_token=2 expert_inner=16 shared=1 share_scale=1.5"},
    {"mellum", "mellum",
     "layers=2 heads=4 kv_heads=2 head_dim=8 width=32 inner=48 context=128 "
     "vocab=259 tied=true window=8 sliding=[0,1] dense=[0,1] experts=5 "
     "experts_per_token=2 expert_inner=16 rope_type=yarn rope_factor=4.0 "
     "rope_original=32"},
};

/// Families that several ranks can run: norms of the heads of all ranks
/// together, and latent keys and values, cannot be split.
inline std::vector<Family> familiesThatSplit() {
  std::vector<Family> found;
  for (const Family &family : families) {
    std::ifstream file(sourceFolder() / "models" /
                       (std::string(family.model) + ".mlir"));
    const std::string text(std::istreambuf_iterator<char>(file), {});
    const auto has = [&](const char *part) {
      return text.find(part) != std::string::npos;
    };
    if (!has("gpt.qk_norm") && !has("gpt.latent_heads"))
      found.push_back(family);
  }
  return found;
}

} // namespace tilegpt::test

#endif // TILEGPT_TEST_UNIT_FAMILIES_H
