// Splits a template into text, tags and the tokens in tags.
#ifndef TILEGPT_LIB_RUNTIME_CHAT_LEXER_H
#define TILEGPT_LIB_RUNTIME_CHAT_LEXER_H

#include "TileGPT/Runtime/Error.h"
#include <string>
#include <string_view>
#include <vector>

namespace tilegpt::runtime::chat {

struct Token {
  enum Kind {
    Text,       ///< between tags
    BeginPrint, ///< {{
    EndPrint,   ///< }}
    BeginBlock, ///< {%
    EndBlock,   ///< %}
    Name,
    Integer,
    Number,
    String,
    Sign, ///< an operator or a bracket
    End,
  };
  Kind kind = End;
  std::string text; ///< the value of a string
  int line = 1;
};

/// Strips white space around tags as in Hugging Face's configuration of Jinja:
/// the line break after a block tag, and spaces before one at the start of a
/// line.
/// \returns BadInput for an unterminated tag or string and for an unexpected
/// character. The message starts with "line N: ".
Result<std::vector<Token>> splitTemplate(std::string_view text);

} // namespace tilegpt::runtime::chat

#endif // TILEGPT_LIB_RUNTIME_CHAT_LEXER_H
