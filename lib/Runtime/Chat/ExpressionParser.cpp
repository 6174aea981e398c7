// The grammar of Jinja's expressions, in order of increasing precedence.
#include "ExpressionParser.h"
#include <algorithm>
#include <array>
#include <charconv>

namespace tilegpt::runtime::chat {

/// Binary operators by precedence; `not` is between `and` and the comparisons.
static constexpr int notLevel = 2, comparisonLevel = 3, tightest = 7;

static constexpr std::array<std::string_view, 16> operatorsOf[] = {
    {"or"},
    {"and"},
    {},
    {"==", "!=", "<", ">", "<=", ">=", "in"},
    {"+", "-"},
    {"~"},
    {"*", "/", "//", "%"},
    {"**"}};

ExpressionParser::Nesting::Nesting(ExpressionParser &parser) : parser(parser) {
  if (++parser.depth > mostLevels)
    parser.fail(concat("is nested more than ", mostLevels, " levels deep"));
}

bool ExpressionParser::takeSign(std::string_view sign) {
  const bool isNext = problem.empty() && isSign(sign);
  if (isNext)
    next();
  return isNext;
}

bool ExpressionParser::takeName(std::string_view name) {
  const bool isNext = problem.empty() && isName(name);
  if (isNext)
    next();
  return isNext;
}

void ExpressionParser::fail(std::string what) {
  if (!problem.empty())
    return;
  problem = std::move(what);
  problemLine = peek().line;
}

NodePointer ExpressionParser::make(Node::Kind kind, std::string name) const {
  auto node = std::make_unique<Node>();
  node->kind = kind;
  node->line = peek().line;
  node->name = std::move(name);
  return node;
}

void ExpressionParser::adopt(Node &node, NodePointer part) {
  if (part)
    node.levels = std::max(node.levels, part->levels + 1);
  if (node.levels > mostLevels)
    fail(concat("is nested more than ", mostLevels, " levels deep"));
  node.children.push_back(std::move(part));
}

std::string ExpressionParser::name() {
  if (is(Token::Name))
    return next().text;
  fail(concat("expected a name, found ", found()));
  return "";
}

void ExpressionParser::appendNames(std::vector<std::string> &names) {
  const Nesting nesting(*this);
  if (!takeSign("(")) {
    names.push_back(name());
    return;
  }
  names.push_back("(");
  do
    appendNames(names);
  while (takeSign(","));
  if (!takeSign(")"))
    fail(concat("expected ')', found ", found()));
  names.push_back(")");
}

std::vector<std::string> ExpressionParser::names() {
  const bool hasBracket = isSign("(");
  std::vector<std::string> result;
  appendNames(result);
  if (hasBracket && !isSign(",") && result.size() > 2)
    return {result.begin() + 1, result.end() - 1};
  while (takeSign(","))
    appendNames(result);
  return result;
}

std::string ExpressionParser::found() const {
  switch (peek().kind) {
  case Token::End:
    return "the end of the template";
  case Token::EndBlock:
    return "%}";
  case Token::EndPrint:
    return "}}";
  default:
    return concat("'", peek().text, "'");
  }
}

NodePointer ExpressionParser::expressions() {
  NodePointer first = expression();
  if (!isSign(","))
    return first;
  NodePointer list = make(Node::TupleOf);
  adopt(*list, std::move(first));
  while (takeSign(",") && !is(Token::EndBlock))
    adopt(*list, expression());
  return list;
}

NodePointer ExpressionParser::expression() {
  const Nesting nesting(*this);
  if (!problem.empty())
    return nullptr;
  NodePointer value = binary(0);
  while (takeName("if")) {
    NodePointer choice = make(Node::Choose);
    adopt(*choice, binary(0));
    adopt(*choice, std::move(value));
    adopt(*choice, takeName("else") ? expression() : nullptr);
    value = std::move(choice);
  }
  return value;
}

/// Consumes an operator of this level; empty if the next token is none.
std::string ExpressionParser::binaryOperator(int level) {
  if (level == comparisonLevel && isName("not") && peek(1).text == "in") {
    next();
    next();
    return "not in";
  }
  for (const std::string_view sign : operatorsOf[level])
    if (!sign.empty() &&
        ((is(Token::Sign) || is(Token::Name)) && peek().text == sign))
      return next().text;
  return "";
}

NodePointer ExpressionParser::binary(int level) {
  if (!problem.empty())
    return nullptr;
  if (level > tightest)
    return unary();
  if (level == notLevel) {
    if (!takeName("not"))
      return binary(level + 1);
    const Nesting nesting(*this);
    NodePointer node = make(Node::Unary, "not");
    adopt(*node, binary(level));
    return node;
  }
  if (level == comparisonLevel)
    return comparison();
  NodePointer left = binary(level + 1);
  while (problem.empty()) {
    NodePointer node = make(Node::Binary);
    node->name = binaryOperator(level);
    if (node->name.empty())
      break;
    adopt(*node, std::move(left));
    adopt(*node, binary(level + 1));
    left = std::move(node);
  }
  return left;
}

/// `a < b < c` is `a < b and b < c`.
NodePointer ExpressionParser::comparison() {
  NodePointer node = make(Node::Compare);
  adopt(*node, binary(comparisonLevel + 1));
  while (problem.empty()) {
    std::string sign = binaryOperator(comparisonLevel);
    if (sign.empty())
      break;
    node->names.push_back(std::move(sign));
    ++node->levels;
    adopt(*node, binary(comparisonLevel + 1));
  }
  return node->names.empty() ? std::move(node->children[0]) : std::move(node);
}

/// Filters and tests apply to a value with its sign: `-1 | abs` is 1.
NodePointer ExpressionParser::unary() {
  NodePointer value = signedValue();
  while (problem.empty()) {
    if (takeSign("|"))
      value = filter(std::move(value));
    else if (takeName("is"))
      value = test(std::move(value));
    else
      break;
  }
  return value;
}

NodePointer ExpressionParser::signedValue() {
  const Nesting nesting(*this);
  if (!isSign("-") && !isSign("+"))
    return postfix();
  NodePointer node = make(Node::Unary, next().text);
  adopt(*node, problem.empty() ? signedValue() : nullptr);
  return node;
}

NodePointer ExpressionParser::postfix() {
  NodePointer value = primary();
  while (problem.empty()) {
    if (takeSign(".")) {
      const bool isIndex = is(Token::Integer); // `list.0`
      NodePointer member =
          isIndex ? make(Node::Index) : make(Node::Member, name());
      adopt(*member, std::move(value));
      if (isIndex)
        adopt(*member, primary());
      value = std::move(member);
    } else if (takeSign("[")) {
      value = subscript(std::move(value));
    } else if (isSign("(")) {
      NodePointer call = make(Node::Call);
      adopt(*call, std::move(value));
      arguments(*call);
      value = std::move(call);
    } else {
      break;
    }
  }
  return value;
}

void ExpressionParser::rejectUnknown(std::string_view sort,
                                     std::string_view name) {
  if (problem.empty() && branches == 0)
    fail(concat("uses the ", sort, " '", name, "', which is not supported"));
}

NodePointer ExpressionParser::filter(NodePointer object) {
  NodePointer node = make(Node::Filter, name());
  if (!isFilter(node->name))
    rejectUnknown("filter", node->name);
  adopt(*node, std::move(object));
  if (isSign("("))
    arguments(*node);
  return node;
}

/// Whether the argument of a test follows without brackets: `x is in [1, 2]`.
bool ExpressionParser::isArgument() const {
  constexpr std::string_view others[] = {"and", "or",  "if", "else",
                                         "in",  "not", "is"};
  return is(Token::String) || is(Token::Integer) || is(Token::Number) ||
         isSign("[") || isSign("{") ||
         (is(Token::Name) &&
          std::ranges::find(others, peek().text) == std::end(others));
}

NodePointer ExpressionParser::test(NodePointer object) {
  const bool isNegated = takeName("not");
  NodePointer node = make(Node::Test, name());
  if (!isTest(node->name))
    rejectUnknown("test", node->name);
  adopt(*node, std::move(object));
  if (isSign("("))
    arguments(*node);
  else if (isArgument())
    adopt(*node, postfix());
  if (!isNegated)
    return node;
  NodePointer negation = make(Node::Unary, "not");
  adopt(*negation, std::move(node));
  return negation;
}

/// After the opening bracket.
NodePointer ExpressionParser::subscript(NodePointer object) {
  NodePointer parts[3];
  size_t colons = 0;
  while (problem.empty() && !isSign("]")) {
    if (takeSign(":")) {
      if (++colons > 2)
        fail("found a third ':' between brackets");
      continue;
    }
    parts[colons] = expression();
    if (!isSign("]") && !isSign(":"))
      fail(concat("expected ']', found ", found()));
  }
  if (colons == 0 && !parts[0])
    fail("expected an index between brackets");
  takeSign("]");
  NodePointer node = make(colons > 0 ? Node::Slice : Node::Index);
  adopt(*node, std::move(object));
  for (size_t i = 0; i < (colons > 0 ? 3 : 1); ++i)
    adopt(*node, std::move(parts[i]));
  return node;
}

void ExpressionParser::arguments(Node &call) {
  takeSign("(");
  while (problem.empty() && !takeSign(")")) {
    if (is(Token::Name) && peek(1).kind == Token::Sign && peek(1).text == "=") {
      call.names.push_back(name());
      takeSign("=");
    } else if (isSign("*") || isSign("**")) {
      call.names.push_back(next().text);
    } else if (!call.names.empty()) {
      fail("found an argument without a name behind one with a name");
    }
    adopt(call, expression());
    if (!isSign(")") && !takeSign(","))
      fail(concat("expected ')', found ", found()));
  }
}

NodePointer ExpressionParser::listUntil(std::string_view end,
                                        NodePointer list) {
  while (problem.empty() && !takeSign(end)) {
    adopt(*list, expression());
    if (!isSign(end) && !takeSign(","))
      fail(concat("expected '", end, "', found ", found()));
  }
  return list;
}

NodePointer ExpressionParser::map() {
  NodePointer node = make(Node::MapOf);
  while (problem.empty() && !takeSign("}")) {
    adopt(*node, expression());
    if (!takeSign(":"))
      fail(concat("expected ':', found ", found()));
    adopt(*node, expression());
    if (!isSign("}") && !takeSign(","))
      fail(concat("expected '}', found ", found()));
  }
  return node;
}

NodePointer ExpressionParser::primary() {
  if (!problem.empty())
    return nullptr;
  NodePointer node = make(Node::Literal);
  const std::string text = peek().text;
  if (is(Token::String)) {
    next();
    std::string joined = text;
    while (is(Token::String))
      joined += next().text;
    node->value = joined;
    return node;
  }
  if (is(Token::Integer) || is(Token::Number)) {
    int64_t integer = 0;
    double number = 0;
    const char *end = text.data() + text.size();
    const auto error = is(Token::Integer)
                           ? std::from_chars(text.data(), end, integer).ec
                           : std::from_chars(text.data(), end, number).ec;
    if (error != std::errc())
      fail(concat("has the number ", text, ", which is too large"));
    node->value = is(Token::Integer) ? Value(integer) : Value(number);
    next();
    return node;
  }
  if (is(Token::Name)) {
    next();
    if (text == "true" || text == "True" || text == "false" || text == "False")
      node->value = text == "true" || text == "True";
    else if (text == "none" || text == "None")
      node->value = None();
    else
      node->kind = Node::Variable;
    node->name = text;
    return node;
  }
  if (takeSign("["))
    return listUntil("]", make(Node::ListOf));
  if (takeSign("{"))
    return map();
  if (takeSign("(")) {
    if (takeSign(")"))
      return make(Node::TupleOf);
    NodePointer inner = expression();
    if (takeSign(",")) {
      NodePointer list = make(Node::TupleOf);
      adopt(*list, std::move(inner));
      return listUntil(")", std::move(list));
    }
    if (!takeSign(")"))
      fail(concat("expected ')', found ", found()));
    return inner;
  }
  fail(is(Token::End) ? "ends within a tag"
                      : concat("expected an expression, found ", found()));
  return nullptr;
}

} // namespace tilegpt::runtime::chat
