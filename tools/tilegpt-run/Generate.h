// Continues a prompt and streams the generated text.
#ifndef TILEGPT_TOOLS_RUN_GENERATE_H
#define TILEGPT_TOOLS_RUN_GENERATE_H

#include "Flags/Options.h"
#include "Report.h"
#include "TileGPT/Runtime/Text/Tokenizer.h"

namespace tilegpt::run {

/// \param tokenizer null if the options ask for ids.
/// \param endOfText tokens of which each ends the text, unless the options say
/// otherwise.
/// \param report    gets times, stop reason and seed, also after an error.
/// \param tokens    if not null, gets the tokens that are generated.
/// \returns the exit code: 0, or 128 + the signal that ended it.
runtime::Result<int> generateText(const Options &options,
                                  runtime::Session &session,
                                  const runtime::Tokenizer *tokenizer,
                                  std::span<const int32_t> prompt,
                                  std::span<const int32_t> endOfText,
                                  Report &report,
                                  std::vector<int32_t> *tokens = nullptr);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_GENERATE_H
