// Reads and tokenizes the text.
#include "Prompt.h"
#include "Flags/Escapes.h"
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>

using namespace tilegpt;
using namespace tilegpt::run;
using runtime::ErrorCode;
using runtime::makeError;

/// Reading an endless device would exhaust memory.
static constexpr size_t maxPromptBytes = size_t(1) << 31;

static runtime::Result<std::string> readAll(std::istream &stream,
                                            const std::filesystem::path &path) {
  std::string text;
  char piece[1 << 16];
  while (stream.read(piece, sizeof(piece)) || stream.gcount() > 0) {
    text.append(piece, size_t(stream.gcount()));
    if (text.size() > maxPromptBytes)
      return makeError(ErrorCode::BadInput, "prompt: '", path.string(),
                       "' is longer than 2 GiB");
  }
  return text;
}

static runtime::Result<std::string>
readFile(const std::filesystem::path &path) {
  if (path == "-")
    return readAll(std::cin, path);
  const auto failed = [&](const char *reason) {
    return makeError(ErrorCode::BadInput, "prompt: cannot read '",
                     path.string(), "': ", reason);
  };
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return failed(std::strerror(errno));
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    return failed("it is a folder");
  return readAll(file, path);
}

runtime::Result<std::string> run::readText(const Options &options) {
  runtime::Result<std::string> text = options.prompt.value_or("");
  if (!options.promptFile.empty())
    text = readFile(options.promptFile);
  if (text && options.escape)
    text = unescape(*text);
  return text;
}

runtime::Result<std::vector<int32_t>>
run::encodeChat(const runtime::ChatTemplate &format,
                std::span<const runtime::ChatMessage> messages,
                const runtime::Tokenizer &tokenizer) {
  const auto text = format.render(messages);
  if (!text)
    return tl::unexpected(text.error());
  auto ids = tokenizer.encode(*text, runtime::Tokenizer::SpecialText::Tokens);
  if (ids && ids->empty())
    return makeError(ErrorCode::BadInput,
                     "chat: the template produces no text from the messages");
  return ids;
}

std::vector<runtime::ChatMessage> run::beginChat(const Options &options,
                                                 std::string message) {
  std::vector<runtime::ChatMessage> messages;
  if (options.system)
    messages.push_back({"system", *options.system});
  messages.push_back({"user", std::move(message)});
  return messages;
}

runtime::Result<std::vector<int32_t>>
run::readPrompt(const Options &options, const runtime::ChatTemplate *format,
                const runtime::Tokenizer *tokenizer,
                std::optional<int32_t> start) {
  std::vector<int32_t> ids;
  if (options.tokens) {
    ids = *options.tokens;
  } else {
    auto text = readText(options);
    if (!text)
      return tl::unexpected(text.error());
    if (format)
      return encodeChat(*format, beginChat(options, std::move(*text)),
                        *tokenizer);
    auto encoded =
        tokenizer->encode(*text, runtime::Tokenizer::SpecialText::Tokens);
    if (!encoded)
      return encoded;
    // The tokens that a template appends would end the text to be continued.
    ids = tokenizer->frame().before;
    ids.insert(ids.end(), encoded->begin(), encoded->end());
  }
  if (!ids.empty())
    return ids;
  if (!start)
    return makeError(ErrorCode::Usage,
                     "prompt: it is empty and the model has no start token; "
                     "pass --prompt or --tokens");
  return std::vector{*start};
}
