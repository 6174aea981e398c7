// Parses statements: {% … %} tags and their bodies.
#include "ExpressionParser.h"
#include <algorithm>

namespace tilegpt::runtime::chat {

namespace {

class Parser : ExpressionParser {
public:
  explicit Parser(std::vector<Token> tokens)
      : ExpressionParser(std::move(tokens)) {}

  Result<NodePointer> run() {
    NodePointer body = sequence({});
    if (problem.empty() && !is(Token::End))
      fail(concat("found '{% ", peek(1).text, " %}' without its beginning"));
    if (!problem.empty())
      return makeError(ErrorCode::BadInput, "line ", problemLine, ": ",
                       problem);
    return body;
  }

private:
  /// Whether a block tag with one of these names is next.
  bool atTag(std::initializer_list<std::string_view> names) const {
    return is(Token::BeginBlock) && peek(1).kind == Token::Name &&
           std::ranges::find(names, peek(1).text) != names.end();
  }
  void endTag() {
    if (problem.empty() && !is(Token::EndBlock))
      fail(concat("expected %}, found ", found()));
    next();
  }
  /// `{% name %}`.
  void tag(std::string_view name) {
    if (!atTag({name})) {
      const std::string found = is(Token::BeginBlock)
                                    ? concat("'{% ", peek(1).text, " %}'")
                                    : ExpressionParser::found();
      const auto &[beginning, line] = begun.back();
      return fail(concat("expected {% ", name, " %} for '{% ", beginning,
                         " %}' of line ", line, ", found ", found));
    }
    next();
    next();
    endTag();
  }

  /// Statements up to a tag with one of these names, or the end.
  NodePointer sequence(std::initializer_list<std::string_view> ends) {
    NodePointer result = make(Node::Sequence);
    const Nesting nesting(*this);
    while (problem.empty() && !is(Token::End) && !atTag(ends)) {
      if (is(Token::Text)) {
        result->children.push_back(make(Node::Text, next().text));
      } else if (is(Token::BeginPrint)) {
        NodePointer print = make(Node::Print);
        next();
        print->children.push_back(expression());
        if (problem.empty() && !is(Token::EndPrint))
          fail(concat("expected }}, found ", found()));
        next();
        result->children.push_back(std::move(print));
      } else if (NodePointer node = statement()) {
        result->children.push_back(std::move(node));
      } else if (problem.empty()) {
        break; // an end that nothing here began
      }
    }
    return result;
  }

  NodePointer statement() {
    const std::string name = peek(1).text;
    if (name.starts_with("end") || name == "else" || name == "elif")
      return nullptr;
    next();
    NodePointer node = make(Node::Break);
    next();
    begun.emplace_back(name, node->line);
    node = statement(name, std::move(node));
    begun.pop_back();
    return node;
  }

  NodePointer statement(std::string_view name, NodePointer node) {
    if (name == "if")
      return ifStatement(std::move(node));
    if (name == "for")
      return forStatement(std::move(node));
    if (name == "set")
      return setStatement(std::move(node));
    if (name == "macro")
      return macro(std::move(node));
    if (name == "break" || name == "continue") {
      node->kind = name == "break" ? Node::Break : Node::Continue;
      endTag();
      return node;
    }
    if (name == "with")
      return withStatement(std::move(node));
    if (name == "filter")
      return filterBlock(std::move(node));
    if (name == "call")
      return callBlock(std::move(node));
    if (name == "block")
      return block(std::move(node));
    if (name == "autoescape")
      return autoescape(std::move(node));
    if (name == "generation") { // marks what training counts
      endTag();
      NodePointer body = sequence({"endgeneration"});
      tag("endgeneration");
      return body;
    }
    fail(concat("uses the statement '", name, "', which is not supported"));
    return nullptr;
  }

  /// After `if` or `elif`.
  NodePointer ifStatement(NodePointer node) {
    node->kind = Node::If;
    ++branches;
    node->children.push_back(expression());
    endTag();
    node->children.push_back(sequence({"elif", "else", "endif"}));
    --branches;
    node->children.push_back(nullptr);
    if (atTag({"elif"})) {
      const Nesting nesting(*this);
      next();
      NodePointer rest = make(Node::If);
      next();
      node->children[2] = ifStatement(std::move(rest));
      return node;
    }
    if (atTag({"else"})) {
      tag("else");
      ++branches;
      node->children[2] = sequence({"endif"});
      --branches;
    }
    tag("endif");
    return node;
  }

  NodePointer forStatement(NodePointer node) {
    node->kind = Node::For;
    node->names = names();
    if (!takeName("in"))
      fail(concat("expected 'in', found ", found()));
    node->children.push_back(choiceLess());
    node->children.push_back(takeName("if") ? expression() : nullptr);
    if (takeName("recursive"))
      node->name = "recursive";
    endTag();
    node->children.push_back(sequence({"else", "endfor"}));
    node->children.push_back(nullptr);
    if (atTag({"else"})) {
      tag("else");
      node->children[3] = sequence({"endfor"});
    }
    tag("endfor");
    return node;
  }

  NodePointer setStatement(NodePointer node) {
    node->kind = Node::Set;
    node->names = names();
    if (takeSign(".")) {
      node->isMember = true;
      node->names.push_back(name());
    }
    if (takeSign("=")) {
      node->children.push_back(expressions());
      endTag();
      return node;
    }
    if (!isSign("|") && !is(Token::EndBlock))
      fail(concat("expected '=', found ", found()));
    if (!node->isMember && node->names.size() != 1)
      fail("expected '='");
    node->children.push_back(filteredBody("endset", nullptr));
    return node;
  }

  /// `| filter | filter %}…{% end %}`, or the same after the first filter: the
  /// text of the body through the filters.
  NodePointer filteredBody(std::string_view end, NodePointer capture) {
    NodePointer text = capture ? std::move(capture) : make(Node::Capture);
    Node &innermost = bodyOf(*text);
    while (takeSign("|"))
      text = filter(std::move(text));
    endTag();
    innermost.children.push_back(sequence({end}));
    tag(end);
    return text;
  }
  static Node &bodyOf(Node &node) {
    return node.kind == Node::Capture ? node : bodyOf(*node.children[0]);
  }

  NodePointer filterBlock(NodePointer node) {
    node->kind = Node::Print;
    NodePointer text = filter(make(Node::Capture));
    if (problem.empty())
      node->children.push_back(filteredBody("endfilter", std::move(text)));
    return node;
  }

  NodePointer withStatement(NodePointer node) {
    node->kind = Node::With;
    while (problem.empty() && !is(Token::EndBlock)) {
      node->names.push_back(name());
      if (!takeSign("="))
        fail(concat("expected '=', found ", found()));
      node->children.push_back(expression());
      if (!is(Token::EndBlock) && !takeSign(","))
        fail(concat("expected %}, found ", found()));
    }
    endTag();
    node->children.push_back(sequence({"endwith"}));
    tag("endwith");
    return node;
  }

  NodePointer callBlock(NodePointer node) {
    node->kind = Node::CallBlock;
    NodePointer caller = make(Node::Macro, "caller");
    caller->children.push_back(nullptr);
    if (takeSign("("))
      parameters(*caller);
    NodePointer call = expression();
    if (problem.empty() && call->kind != Node::Call)
      fail("expected a call of a macro");
    endTag();
    caller->children[0] = sequence({"endcall"});
    tag("endcall");
    node->children.push_back(std::move(call));
    node->children.push_back(std::move(caller));
    return node;
  }

  /// A part that a template which extends this one could replace.
  NodePointer block(NodePointer node) {
    node->kind = Node::Block;
    node->name = name();
    node->isMember = takeName("scoped");
    endTag();
    node->children.push_back(sequence({"endblock"}));
    if (atTag({"endblock"}) && peek(2).kind == Token::Name) {
      next();
      next();
      if (const std::string end = name(); end != node->name)
        fail(concat("expected {% endblock ", node->name, " %}, found '", end,
                    "'"));
      endTag();
      return node;
    }
    tag("endblock");
    return node;
  }

  /// Only `{% autoescape false %}`: what is written otherwise, too, is not
  /// escaped.
  NodePointer autoescape(NodePointer node) {
    node->kind = Node::With;
    const NodePointer isOn = expression();
    if (problem.empty() &&
        (isOn->kind != Node::Literal || isOn->value.isTrue()))
      fail("uses the statement 'autoescape' with another value than false, "
           "which is not supported");
    endTag();
    node->children.push_back(sequence({"endautoescape"}));
    tag("endautoescape");
    return node;
  }

  NodePointer macro(NodePointer node) {
    node->kind = Node::Macro;
    node->name = name();
    node->children.push_back(nullptr);
    if (!takeSign("("))
      fail("expected '(' and parameters");
    parameters(*node);
    endTag();
    node->children[0] = sequence({"endmacro"});
    tag("endmacro");
    return node;
  }

  /// The statements around what is parsed, and the lines they begin in.
  std::vector<std::pair<std::string, int>> begun;

  /// After the opening bracket.
  void parameters(Node &macro) {
    while (problem.empty() && !takeSign(")")) {
      macro.names.push_back(name());
      if (takeSign("="))
        macro.children.push_back(expression());
      else if (macro.children.size() > 1)
        fail(concat("expected a default for '", macro.names.back(), "'"));
      if (!isSign(")") && !takeSign(","))
        fail(concat("expected ')', found ", found()));
    }
  }
};

} // namespace

Result<NodePointer> parseTemplate(std::string_view text) {
  auto tokens = splitTemplate(text);
  if (!tokens)
    return tl::unexpected(tokens.error());
  return Parser(std::move(*tokens)).run();
}

} // namespace tilegpt::runtime::chat
