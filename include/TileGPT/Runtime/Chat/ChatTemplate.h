// The chat template of a checkpoint: from messages to the text a model was
// trained on. Templates are written in Jinja, of which this understands what
// those of published models use (docs/Text.md).
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
  /// Special tokens that templates name.
  struct Tokens {
    std::string begin, end;
  };

  /// Reads `chat_template.jinja`, or the template in `tokenizer_config.json`,
  /// which also says what the special tokens are.
  /// \returns BadInput without a template, and for one that is broken or uses
  /// what is not understood, which the message names.
  static Result<ChatTemplate> open(const std::filesystem::path &folder);

  /// \param where  starts the messages: "chat: 'chat_template.jinja'".
  static Result<ChatTemplate> parse(std::string_view text,
                                    std::string_view where, Tokens tokens = {});

  ChatTemplate(ChatTemplate &&) noexcept;
  ChatTemplate &operator=(ChatTemplate &&) noexcept;
  ~ChatTemplate();

  /// The text of a conversation that the assistant is to continue.
  /// \returns BadInput for what the template itself refuses, such as a system
  /// message where the model takes none.
  Result<std::string> render(std::span<const ChatMessage> messages) const;

  /// What ends a message of the assistant's; empty if no file says.
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
