// A talk with the model: lines of standard input are messages to it.
#ifndef TILEGPT_TOOLS_RUN_CHAT_H
#define TILEGPT_TOOLS_RUN_CHAT_H

#include "Generate.h"
#include "TileGPT/Runtime/Chat/ChatTemplate.h"

namespace tilegpt::run {

/// Answers line after line until standard input ends. What of the conversation
/// is in the session's cache already is not computed again.
/// \param endOfText tokens of which each ends an answer.
/// \param report    gets times and stop reason of the last answer.
/// \returns the exit code; OutOfRange when the conversation does not fit in the
/// cache any more.
runtime::Result<int> talk(const Options &options, runtime::Session &session,
                          const runtime::ChatTemplate &format,
                          const runtime::Tokenizer &tokenizer,
                          std::span<const int32_t> endOfText, Report &report);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_CHAT_H
