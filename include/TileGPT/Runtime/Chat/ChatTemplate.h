// The chat template of a checkpoint: from messages to the prompt format that a
// model was trained on. Supports the part of Jinja that published models use
// (docs/Text.md).
#ifndef TILEGPT_RUNTIME_CHAT_CHATTEMPLATE_H
#define TILEGPT_RUNTIME_CHAT_CHATTEMPLATE_H

#include "TileGPT/Runtime/Error.h"
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace tilegpt::runtime {

namespace chat {
struct Node;
} // namespace chat

struct ChatMessage {
  std::string role; ///< "system", "user" or "assistant"
  std::string content;
};

/// Special tokens by the names that templates have for them: `bos_token`,
/// `eos_token`, `unk_token`, `sep_token`, `pad_token`, `cls_token`,
/// `mask_token`. Templates find others undefined.
using SpecialTokens = std::map<std::string, std::string, std::less<>>;

class ChatTemplate {
public:
  /// Reads `chat_template.jinja`, or the template in `tokenizer_config.json`,
  /// which also defines the special tokens, or in `chat_template.json`;
  /// `special_tokens_map.json` defines the tokens that the former lacks.
  /// \returns BadInput without a template, or for one that is malformed or uses
  /// an unsupported feature, which the message names.
  static Result<ChatTemplate> open(const std::filesystem::path &folder);

  /// \param where  starts the messages: "chat: 'chat_template.jinja'".
  static Result<ChatTemplate> parse(std::string_view text,
                                    std::string_view where,
                                    SpecialTokens tokens = {});

  ChatTemplate(ChatTemplate &&) noexcept;
  ChatTemplate &operator=(ChatTemplate &&) noexcept;
  ~ChatTemplate();

  /// Renders a conversation with a prompt for the assistant's reply.
  /// \returns BadInput for errors raised by the template, such as a system
  /// message for a model that does not support it.
  Result<std::string> render(std::span<const ChatMessage> messages) const;

  /// The token that ends an assistant message; empty if no file defines one.
  std::string endToken() const;

private:
  ChatTemplate(std::unique_ptr<const chat::Node> body, std::string where,
               SpecialTokens tokens);

  std::unique_ptr<const chat::Node> body;
  std::string where;
  SpecialTokens tokens;
};

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_CHAT_CHATTEMPLATE_H
