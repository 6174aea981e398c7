// What the model continues: from the command line, a file or standard input, as
// token ids.
#ifndef TILEGPT_TOOLS_RUN_PROMPT_H
#define TILEGPT_TOOLS_RUN_PROMPT_H

#include "Flags/Options.h"
#include "TileGPT/Runtime/Text/Tokenizer.h"

namespace tilegpt::run {

/// \param tokenizer null if the options give ids and ask for ids.
/// \param start     the token an empty prompt stands for, if the model has one.
/// \returns at least one id; BadInput if the file cannot be read, Usage for an
/// empty prompt where there is no start token.
runtime::Result<std::vector<int32_t>>
readPrompt(const Options &options, const runtime::Tokenizer *tokenizer,
           std::optional<int32_t> start);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_PROMPT_H
