// Parses expressions by precedence climbing; the base of the parser of
// statements.
#ifndef TILEGPT_LIB_RUNTIME_CHAT_EXPRESSIONPARSER_H
#define TILEGPT_LIB_RUNTIME_CHAT_EXPRESSIONPARSER_H

#include "Lexer.h"
#include "Syntax.h"

namespace tilegpt::runtime::chat {

/// After the first error every parse returns nothing.
class ExpressionParser {
protected:
  explicit ExpressionParser(std::vector<Token> tokens)
      : tokens(std::move(tokens)) {}

  /// Maximum nesting of expressions and statements, to protect the stack.
  static constexpr int mostLevels = 200;

  /// One level of nesting.
  struct Nesting {
    explicit Nesting(ExpressionParser &parser);
    ~Nesting() { --parser.depth; }
    Nesting(const Nesting &) = delete;
    Nesting &operator=(const Nesting &) = delete;
    ExpressionParser &parser;
  };

  const Token &peek(size_t ahead = 0) const {
    return tokens[std::min(at + ahead, tokens.size() - 1)];
  }
  Token next() { return tokens[at < tokens.size() - 1 ? at++ : at]; }
  bool is(Token::Kind kind) const { return peek().kind == kind; }
  bool isSign(std::string_view sign) const {
    return is(Token::Sign) && peek().text == sign;
  }
  bool isName(std::string_view name) const {
    return is(Token::Name) && peek().text == name;
  }
  bool takeSign(std::string_view sign);
  bool takeName(std::string_view name);
  void fail(std::string what);
  NodePointer make(Node::Kind kind, std::string name = "") const;
  /// Appends an operand, which may be null. Chained operators nest without
  /// recursion of the parser.
  void adopt(Node &node, NodePointer part);

  std::string name();
  /// `a`, `a, b` or `a, (b, c)`, of which brackets are names too.
  std::vector<std::string> names();
  /// The next token, for messages.
  std::string found() const;
  NodePointer expression();
  /// One expression, or a list of comma-separated expressions.
  NodePointer expressions();
  /// An expression other than `a if b else c`.
  NodePointer choiceLess() { return binary(0); }

  /// The filter whose name is next, applied to `object`.
  NodePointer filter(NodePointer object);

  std::string problem;
  int problemLine = 0;
  /// The branches of conditions around what is parsed. There, Jinja rejects an
  /// unknown filter or test when it is applied.
  int branches = 0;

private:
  void appendNames(std::vector<std::string> &names);
  void rejectUnknown(std::string_view sort, std::string_view name);
  NodePointer binary(int level);
  NodePointer comparison();
  NodePointer unary();
  NodePointer signedValue();
  NodePointer postfix();
  NodePointer primary();
  NodePointer test(NodePointer object);
  bool isArgument() const;
  NodePointer subscript(NodePointer object);
  NodePointer listUntil(std::string_view end, NodePointer list);
  NodePointer map();
  void arguments(Node &call);
  std::string binaryOperator(int level);

  std::vector<Token> tokens;
  size_t at = 0;
  int depth = 0;
};

} // namespace tilegpt::runtime::chat

#endif // TILEGPT_LIB_RUNTIME_CHAT_EXPRESSIONPARSER_H
