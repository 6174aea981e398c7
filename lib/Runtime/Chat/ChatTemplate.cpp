// Finds the template of a checkpoint and applies it like Hugging Face's
// apply_chat_template().
#include "TileGPT/Runtime/Chat/ChatTemplate.h"
#include "Evaluator.h"
#include "TileGPT/Runtime/Data/Json.h"
#include "TileGPT/Runtime/Data/MappedFile.h"

namespace tilegpt::runtime {

using chat::List;
using chat::Map;

ChatTemplate::ChatTemplate(std::unique_ptr<const chat::Node> body,
                           std::string where, SpecialTokens tokens)
    : body(std::move(body)), where(std::move(where)),
      tokens(std::move(tokens)) {}
ChatTemplate::ChatTemplate(ChatTemplate &&) noexcept = default;
ChatTemplate &ChatTemplate::operator=(ChatTemplate &&) noexcept = default;
ChatTemplate::~ChatTemplate() = default;

Result<ChatTemplate> ChatTemplate::parse(std::string_view text,
                                         std::string_view where,
                                         SpecialTokens tokens) {
  auto body = chat::parseTemplate(text);
  if (!body)
    return makeError(ErrorCode::BadInput, where, " ", body.error().message);
  return ChatTemplate(std::move(*body), std::string(where), std::move(tokens));
}

std::string ChatTemplate::endToken() const {
  const auto end = tokens.find("eos_token");
  return end == tokens.end() ? std::string() : end->second;
}

/// Adds the special tokens of a file that are not yet known. A token is a
/// string or an object that contains one.
static void addTokens(JsonValue file, SpecialTokens &tokens) {
  for (const char *name : {"bos_token", "eos_token", "unk_token", "sep_token",
                           "pad_token", "cls_token", "mask_token"}) {
    auto value = file.find(name);
    if (value && value->is(JsonKind::Object))
      value = value->find("content");
    if (value && value->is(JsonKind::String))
      tokens.try_emplace(name, value->string());
  }
}

/// A file of the tokenizer, which has an object; nothing if there is none.
static Result<std::optional<JsonDocument>>
readObject(const std::filesystem::path &file) {
  if (!mayExist(file))
    return std::nullopt;
  auto read = JsonDocument::read(file, "chat");
  if (!read)
    return tl::unexpected(read.error());
  if (!read->root().is(JsonKind::Object))
    return makeError(ErrorCode::BadInput, "chat: '", file.string(),
                     "' expected an object, got ",
                     describe(read->root().kind()));
  return std::move(*read);
}

/// The template in a tokenizer_config.json or a chat_template.json: a string,
/// or the one named "default" in a list.
static std::optional<std::string_view> templateIn(JsonValue file) {
  const auto value = file.find("chat_template");
  if (!value)
    return std::nullopt;
  if (value->is(JsonKind::String))
    return value->string();
  if (value->is(JsonKind::Array))
    for (const JsonValue element : *value) {
      if (!element.is(JsonKind::Object))
        continue;
      const auto name = element.find("name");
      const auto text = element.find("template");
      if (name && text && name->is(JsonKind::String) &&
          text->is(JsonKind::String) && name->string() == "default")
        return text->string();
    }
  return std::nullopt;
}

Result<ChatTemplate> ChatTemplate::open(const std::filesystem::path &folder) {
  const std::filesystem::path file = folder / "chat_template.jinja";
  const std::filesystem::path config = folder / "tokenizer_config.json";
  const auto document = readObject(config);
  if (!document)
    return tl::unexpected(document.error());
  const auto map = readObject(folder / "special_tokens_map.json");
  if (!map)
    return tl::unexpected(map.error());
  SpecialTokens tokens;
  for (const auto *source : {&*document, &*map})
    if (*source)
      addTokens((*source)->root(), tokens);
  if (mayExist(file)) {
    const auto text = MappedFile::open(file, "chat");
    if (!text)
      return tl::unexpected(text.error());
    return parse(text->text(), concat("chat: '", file.string(), "'"),
                 std::move(tokens));
  }
  const std::filesystem::path processor = folder / "chat_template.json";
  const auto other = readObject(processor);
  if (!other)
    return tl::unexpected(other.error());
  for (const auto &[source, path] :
       {std::pair(&*document, &config), std::pair(&*other, &processor)})
    if (const auto text =
            *source ? templateIn((*source)->root()) : std::nullopt)
      return parse(*text, concat("chat: '", path->string(), "': chat_template"),
                   std::move(tokens));
  return makeError(ErrorCode::BadInput, "chat: expected '", file.string(),
                   "' or a chat_template in '", config.string(), "' or '",
                   processor.string(),
                   "', found none; the model is not made for --chat");
}

Result<std::string>
ChatTemplate::render(std::span<const ChatMessage> messages) const {
  List list;
  for (const ChatMessage &message : messages) {
    Map members;
    members.set("role", message.role);
    members.set("content", message.content);
    list.emplace_back(std::move(members));
  }
  Map variables;
  variables.set("messages", std::move(list));
  variables.set("add_generation_prompt", true);
  for (const auto &[name, token] : tokens)
    variables.set(name, token);
  variables.set("tools", chat::None());
  variables.set("documents", chat::None());
  auto text = chat::Evaluator(std::move(variables)).run(*body);
  if (!text)
    return makeError(text.error().code, where, " ", text.error().message);
  return text;
}

} // namespace tilegpt::runtime
