// Runs a template on the variables it is given.
#ifndef TILEGPT_LIB_RUNTIME_CHAT_EVALUATOR_H
#define TILEGPT_LIB_RUNTIME_CHAT_EVALUATOR_H

#include "Syntax.h"
#include <optional>
#include <span>

namespace tilegpt::runtime::chat {

/// Arguments of a call, a filter or a test, in their order and by name.
struct Arguments {
  List values;
  std::vector<std::pair<std::string, Value>> named;

  /// The argument at `place` or of this name; undefined if there is none.
  Value get(size_t place, std::string_view name = "") const;
};

/// After the first problem everything evaluates to nothing.
class Evaluator {
public:
  explicit Evaluator(Map variables);

  /// \returns BadInput for what the template refuses by raise_exception(), for
  /// operations on values they are not for, and for templates without an end;
  /// the message starts with "line N: ".
  Result<std::string> run(const Node &body);

private:
  enum class Flow { Next, Break, Continue };

  /// A statement or expression within others, of which there are not too many
  /// for the stack.
  class Level {
  public:
    explicit Level(Evaluator &evaluator);
    ~Level() { --evaluator.levels; }
    Level(const Level &) = delete;
    Level &operator=(const Level &) = delete;

  private:
    Evaluator &evaluator;
  };

  // Statements.
  Flow execute(const Node &node);
  Flow loop(const Node &node);
  void assign(const Node &node, const Value &value);
  void bind(std::span<const std::string> names, const Value &value);
  void write(std::string_view text);

  // Expressions.
  Value evaluate(const Node *node);
  Value evaluateKind(const Node &node);
  Value binary(const Node &node);
  Value arithmetic(std::string_view sign, const Value &a, const Value &b);
  Value compare(std::string_view sign, const Value &a, const Value &b);
  bool contains(const Value &all, const Value &one);
  Value member(const Value &object, std::string_view name);
  Value index(const Value &object, const Value &key);
  Value slice(const Node &node);
  Value call(const Node &node);
  Value callFunction(const Function &function, const Arguments &arguments);
  Value callMacro(const Node &macro, const Arguments &arguments);
  Arguments arguments(const Node &node);

  // Filters.cpp, Methods.cpp
  Value filter(const Value &object, std::string_view name,
               const Arguments &arguments);
  Value selected(const Value &object, std::string_view name,
                 const Arguments &arguments);
  bool test(const Value &object, std::string_view name,
            const Arguments &arguments);
  Value method(const Value &object, std::string_view name,
               const Arguments &arguments);
  Value stringMethod(const std::string &text, std::string_view name,
                     const Arguments &arguments);
  /// The elements of a list, the keys of a map, the characters of a string.
  List elementsOf(const Value &value);

  Value fail(std::string what);
  /// Counts work, so that no template runs for ever.
  bool step(size_t count = 1);
  Value checked(Value value);
  const Value *find(std::string_view name) const;

  std::vector<Map> scopes;
  std::string output;
  std::string problem;
  int line = 1;
  int depth = 0, levels = 0;
  size_t steps = 0;
};

/// White space at both ends; `sides` 1: in front, 2: behind, 3: both.
std::string strip(std::string_view text, std::string_view characters,
                  int sides);
/// The texts of the characters of UTF-8.
std::vector<std::string_view> charactersOf(std::string_view text);

} // namespace tilegpt::runtime::chat

#endif // TILEGPT_LIB_RUNTIME_CHAT_EVALUATOR_H
