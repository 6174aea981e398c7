// The syntax tree of a template and its parser.
#ifndef TILEGPT_LIB_RUNTIME_CHAT_SYNTAX_H
#define TILEGPT_LIB_RUNTIME_CHAT_SYNTAX_H

#include "TileGPT/Runtime/Error.h"
#include "Value.h"
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tilegpt::runtime::chat {

/// A statement or expression. The comment of each kind lists its `children`;
/// absent ones are null.
struct Node {
  enum Kind {
    // Statements.
    Sequence,  ///< statements
    Text,      ///< of `name`
    Print,     ///< value
    If,        ///< condition, then, else
    For,       ///< sequence, condition, body, else; into `names`; `name` is
               ///< "recursive" if the body may call `loop`
    Set,       ///< value; into `names`, or the member names[1] of names[0]
    With,      ///< values, then body; into `names`
    Macro,     ///< body, then defaults of the last parameters; `name`(`names`)
    Block,     ///< as Macro without parameters, written where it stands;
               ///< isMember if it sees the variables around it
    CallBlock, ///< call, and the macro that it gets as `caller`
    Break,
    Continue,
    // Expressions.
    Literal, ///< of `value`
    Variable,
    ListOf,  ///< elements
    TupleOf, ///< elements
    MapOf,   ///< key, value, key, value, …
    Member,  ///< object; `name`
    Index,   ///< object, index
    Slice,   ///< object, begin, end, step
    Call,    ///< callee, arguments; the last of them have `names`, of which
             ///< "*" is a list of arguments and "**" a map of named ones
    Filter,  ///< object, arguments; as Call
    Test,    ///< object, arguments; `name`
    Unary,   ///< operand; `name` is the operator
    Binary,  ///< left, right; `name` is the operator
    Compare, ///< operands, `names` are the operators between them
    Choose,  ///< condition, then, else
    Capture, ///< statements; the text they write
  };
  Kind kind;
  int line;
  std::string name;
  std::vector<std::string> names; ///< "(" and ")" enclose those of a part
  std::vector<std::unique_ptr<Node>> children;
  Value value;
  bool isMember = false; ///< of Set: names are an object and its member
  int levels = 1;        ///< of an expression: its height as a tree
};
using NodePointer = std::unique_ptr<Node>;

/// \returns BadInput for invalid syntax and unsupported statements, filters and
/// tests; the message starts with "line N: ".
Result<NodePointer> parseTemplate(std::string_view text);

/// Whether there is such a filter or test.
bool isFilter(std::string_view name);
bool isTest(std::string_view name);

} // namespace tilegpt::runtime::chat

#endif // TILEGPT_LIB_RUNTIME_CHAT_SYNTAX_H
