// The configuration of the text model in that of a multimodal model.
#ifndef TILEGPT_LIB_RUNTIME_CONFIG_TEXTSECTION_H
#define TILEGPT_LIB_RUNTIME_CONFIG_TEXTSECTION_H

#include "TileGPT/Runtime/Data/Json.h"
#include <algorithm>
#include <optional>

namespace tilegpt::runtime {

/// The member with the configuration of the text model, which names its own
/// model_type, if the file is that of a multimodal model whose text model
/// computes the same without images and sound. Not PaliGemma: it attends to
/// later tokens of the prompt.
inline std::optional<JsonValue> findTextSection(JsonValue file) {
  constexpr std::string_view types[] = {"audioflamingo3",
                                        "aya_vision",
                                        "cohere2_vision",
                                        "deepseek_vl",
                                        "deepseek_vl_hybrid",
                                        "exaone4_5",
                                        "fast_vlm",
                                        "fuyu",
                                        "glmasr",
                                        "got_ocr2",
                                        "granite_speech",
                                        "hyperclovax_vision_v2",
                                        "idefics2",
                                        "idefics3",
                                        "internvl",
                                        "janus",
                                        "lfm2_vl",
                                        "lighton_ocr",
                                        "llama4",
                                        "llava",
                                        "llava_next",
                                        "llava_next_video",
                                        "llava_onevision",
                                        "mistral3",
                                        "ovis2",
                                        "perception_lm",
                                        "qwen2_5_vl",
                                        "qwen2_audio",
                                        "qwen2_vl",
                                        "qwen3_vl",
                                        "qwen3_vl_moe",
                                        "smolvlm",
                                        "vibevoice_asr",
                                        "video_llama_3",
                                        "video_llava",
                                        "vipllava",
                                        "voxtral"};
  const auto type = file.find("model_type");
  const auto section = file.find("text_config");
  if (!type || !type->is(JsonKind::String) || !section ||
      !section->is(JsonKind::Object) ||
      std::ranges::find(types, type->string()) == std::end(types))
    return std::nullopt;
  const auto own = section->find("model_type");
  return own && own->is(JsonKind::String) ? section : std::nullopt;
}

} // namespace tilegpt::runtime

#endif // TILEGPT_LIB_RUNTIME_CONFIG_TEXTSECTION_H
