// The prompt as token ids, from the command line, a file or standard input.
#ifndef TILEGPT_TOOLS_RUN_PROMPT_H
#define TILEGPT_TOOLS_RUN_PROMPT_H

#include "Flags/Options.h"
#include "TileGPT/Runtime/Chat/ChatTemplate.h"
#include "TileGPT/Runtime/Text/Tokenizer.h"

namespace tilegpt::run {

/// The text that is given, from the command line, a file or standard input.
/// \returns BadInput if the file cannot be read.
runtime::Result<std::string> readText(const Options &options);

/// The ids of a conversation in the format of a template, in which special
/// tokens are spelled out.
runtime::Result<std::vector<int32_t>>
encodeChat(const runtime::ChatTemplate &format,
           std::span<const runtime::ChatMessage> messages,
           const runtime::Tokenizer &tokenizer);

/// The messages of a chat that begins with this one of the user's.
std::vector<runtime::ChatMessage> beginChat(const Options &options,
                                            std::string message);

/// \param format    null if the prompt is no message.
/// \param tokenizer null if the options give ids and request ids.
/// \param start     the token for an empty prompt, if the model has one.
/// \returns at least one id; BadInput if the file cannot be read, Usage for an
/// empty prompt without a start token.
runtime::Result<std::vector<int32_t>>
readPrompt(const Options &options, const runtime::ChatTemplate *format,
           const runtime::Tokenizer *tokenizer, std::optional<int32_t> start);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_PROMPT_H
