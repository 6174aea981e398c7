// The chat template of a checkpoint: from messages to the prompt format that a
// model was trained on. Supports the part of Jinja that published models use
// (docs/Text.md).
#ifndef TILEGPT_RUNTIME_CHAT_CHATTEMPLATE_H
#define TILEGPT_RUNTIME_CHAT_CHATTEMPLATE_H

#include "TileGPT/Runtime/Error.h"
#include <filesystem>
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

class ChatTemplate {
public:
  /// Special tokens that templates refer to.
  struct Tokens {
    std::string begin, end;
  };

  /// Reads `chat_template.jinja`, or the template in `tokenizer_config.json`,
  /// which also defines the special tokens.
  /// \returns BadInput without a template, or for one that is malformed or uses
  /// an unsupported feature, which the message names.
  static Result<ChatTemplate> open(const std::filesystem::path &folder);

  /// \param where  starts the messages: "chat: 'chat_template.jinja'".
  static Result<ChatTemplate> parse(std::string_view text,
                                    std::string_view where, Tokens tokens = {});

  ChatTemplate(ChatTemplate &&) noexcept;
  ChatTemplate &operator=(ChatTemplate &&) noexcept;
  ~ChatTemplate();

  /// Renders a conversation with a prompt for the assistant's reply.
  /// \returns BadInput for errors raised by the template, such as a system
  /// message for a model that does not support it.
  Result<std::string> render(std::span<const ChatMessage> messages) const;

  /// The token that ends an assistant message; empty if no file defines one.
  const std::string &endToken() const { return tokens.end; }

private:
  ChatTemplate(std::unique_ptr<const chat::Node> body, std::string where,
               Tokens tokens);

  std::unique_ptr<const chat::Node> body;
  std::string where;
  Tokens tokens;
};

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_CHAT_CHATTEMPLATE_H
