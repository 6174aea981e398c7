// The tensors of checkpoints of multimodal models: those of their text model
// have a prefix, the others are not read.
#ifndef TILEGPT_LIB_RUNTIME_WEIGHTS_MULTIMODALNAMES_H
#define TILEGPT_LIB_RUNTIME_WEIGHTS_MULTIMODALNAMES_H

#include <algorithm>
#include <string>
#include <string_view>

namespace tilegpt::runtime {

/// The name that the tensor has in a checkpoint of the text model alone.
inline std::string textName(std::string_view name) {
  constexpr std::string_view whole = "language_model.";
  if (name.starts_with(whole))
    return std::string(name.substr(whole.size()));
  for (const std::string_view prefix :
       {"model.language_model.", "model.text_model."})
    if (name.starts_with(prefix))
      return "model." + std::string(name.substr(prefix.size()));
  return std::string(name);
}

/// Whether the name says that the tensor is of the text model of a multimodal
/// one. In a checkpoint with such names all others are of other parts, except
/// a head.
inline bool isOfTextModel(std::string_view name) {
  return textName(name) != name;
}

/// Whether the tensor belongs to the encoder of images or audio, or to what
/// connects it with the text model, in a checkpoint whose text model has no
/// names of its own.
inline bool isOfOtherModality(std::string_view name) {
  constexpr std::string_view model = "model.";
  if (name.starts_with(model))
    name.remove_prefix(model.size());
  constexpr std::string_view prefixes[] = {
      "vision_tower.",   "vision_model.",         "visual.",
      "image_newline",   "audio_tower.",          "connector.",
      "vision_adapter.", "multi_modal_projector."};
  return std::ranges::any_of(prefixes, [&](std::string_view prefix) {
    return name.starts_with(prefix);
  });
}

} // namespace tilegpt::runtime

#endif // TILEGPT_LIB_RUNTIME_WEIGHTS_MULTIMODALNAMES_H
