// Keys that Hugging Face's library writes to the config.json of any model and
// that do not affect what the model computes.
#ifndef TILEGPT_LIB_RUNTIME_CONFIG_COMMONKEYS_H
#define TILEGPT_LIB_RUNTIME_CONFIG_COMMONKEYS_H

#include <algorithm>
#include <string_view>

namespace tilegpt::runtime {

inline bool isCommonKey(std::string_view key) {
  constexpr std::string_view keys[] = {
      // Origin and loading.
      "architectures", "model_type", "_name_or_path", "name_or_path",
      "transformers_version", "transformers.js_config", "dtype", "torch_dtype",
      "auto_map", "tokenizer_class", "_attn_implementation",
      "_attn_implementation_autoset", "attn_implementation",
      "_flash_attn_2_enabled", "use_cache", "torchscript", "use_bfloat16",
      "tf_legacy_loss", "unsloth_fixed", "unsloth_version", "is_llama_config",
      "_commit_hash",
      // Training.
      "initializer_range", "initializer_factor", "gradient_checkpointing",
      "neftune_noise_alpha",
      // Tokens: read separately, or meant for other kinds of models.
      "bos_token_id", "eos_token_id", "pad_token_id", "sep_token_id",
      "cls_token_id", "unk_token_id", "decoder_start_token_id",
      "forced_bos_token_id", "forced_eos_token_id",
      // Classification.
      "id2label", "label2id", "num_labels", "_num_labels", "problem_type",
      "finetuning_task", "task_specific_params", "summary_activation",
      "summary_first_dropout", "summary_proj_to_labels", "summary_type",
      "summary_use_proj",
      // Defaults of generate().
      "bad_words_ids", "begin_suppress_tokens", "diversity_penalty",
      "do_sample", "early_stopping", "encoder_no_repeat_ngram_size",
      "exponential_decay_length_penalty", "length_penalty", "max_length",
      "min_length", "no_repeat_ngram_size", "num_beam_groups", "num_beams",
      "num_return_sequences", "output_attentions", "output_hidden_states",
      "output_scores", "prefix", "remove_invalid_values", "repetition_penalty",
      "return_dict", "return_dict_in_generate", "suppress_tokens",
      "cache_implementation", "temperature", "top_k", "top_p", "typical_p",
      // Unsupported submodels.
      "cross_attention_hidden_size", "chunk_size_feed_forward", "is_decoder"};
  return std::ranges::find(keys, key) != std::end(keys) ||
         key.ends_with("_dropout") || key.ends_with("_dropout_prob") ||
         key.ends_with("_pdrop") || key == "dropout";
}

/// Keys that select another architecture unless they are false.
inline constexpr std::string_view falseKeys[] = {
    "add_cross_attention", "is_encoder_decoder", "tie_encoder_decoder"};

} // namespace tilegpt::runtime

#endif // TILEGPT_LIB_RUNTIME_CONFIG_COMMONKEYS_H
