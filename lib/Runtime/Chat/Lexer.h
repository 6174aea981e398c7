// Splits a template into text, tags and the words within tags.
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
  std::string text; ///< of a string: what it stands for
  int line = 1;
};

/// White space around tags goes as Hugging Face sets Jinja up: the line break
/// behind a block tag, and spaces in front of one that begins a line.
/// \returns BadInput for a tag or a string without an end, and for a character
/// that begins no word. The message has no place in front but "line N: ".
Result<std::vector<Token>> splitTemplate(std::string_view text);

} // namespace tilegpt::runtime::chat

#endif // TILEGPT_LIB_RUNTIME_CHAT_LEXER_H
