// A chat with the model: each line of standard input is a message.
#ifndef TILEGPT_TOOLS_RUN_CHAT_H
#define TILEGPT_TOOLS_RUN_CHAT_H

#include "Generate.h"
#include "TileGPT/Runtime/Chat/ChatTemplate.h"

namespace tilegpt::run {

/// Answers line by line until standard input ends. The part of the conversation
/// in the KV cache is not recomputed.
/// \param endOfText tokens that end an answer.
/// \param report    receives times and stop reason of the last answer.
/// \returns the exit code; OutOfRange if the conversation exceeds the cache.
runtime::Result<int> talk(const Options &options, runtime::Session &session,
                          const runtime::ChatTemplate &format,
                          const runtime::Tokenizer &tokenizer,
                          std::span<const int32_t> endOfText, Report &report);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_CHAT_H
