// Evaluates a template on its variables.
#ifndef TILEGPT_LIB_RUNTIME_CHAT_EVALUATOR_H
#define TILEGPT_LIB_RUNTIME_CHAT_EVALUATOR_H

#include "Syntax.h"
#include <optional>
#include <span>

namespace tilegpt::runtime::chat {

/// Positional and keyword arguments of a call, a filter or a test.
struct Arguments {
  List values;
  std::vector<std::pair<std::string, Value>> named;

  /// The argument at position `place` or with this name; undefined if absent.
  Value get(size_t place, std::string_view name = "") const;
};

/// After the first error every evaluation returns nothing.
class Evaluator {
public:
  explicit Evaluator(Map variables);

  /// \returns BadInput if the template calls raise_exception(), applies an
  /// operation to a value of the wrong type or does not terminate; the message
  /// starts with "line N: ".
  Result<std::string> run(const Node &body);

private:
  enum class Flow { Next, Break, Continue };

  /// Evaluates a nested statement or expression; the depth is limited to
  /// protect the stack.
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
  Flow iterate(const Node &node, List elements, int64_t level);
  void assign(const Node &node, const Value &value);
  void bind(std::span<const std::string> names, const Value &value);
  void write(std::string_view text);

  // Expressions.
  Value evaluate(const Node *node);
  Value evaluateKind(const Node &node);
  Value binary(const Node &node);
  Value arithmetic(std::string_view sign, const Value &a, const Value &b);
  Value power(const Value &a, const Value &b);
  bool relation(std::string_view sign, const Value &a, const Value &b);
  Value compare(std::string_view sign, const Value &a, const Value &b);
  bool contains(const Value &all, const Value &one);
  Value member(const Value &object, std::string_view name);
  Value index(const Value &object, const Value &key);
  /// The member that a path such as `a.b.0` or an index leads to, for filters.
  Value attribute(const Value &object, const Value &path);
  Value slice(const Node &node);
  /// \param caller  the macro of a call block; undefined without one.
  Value call(const Node &node, const Value &caller = {});
  Value callFunction(const Function &function, const Arguments &arguments);
  Value makeCounter(std::string_view name, const Arguments &arguments);
  Value count(const Function &function);
  Value callLoop(const Function &function, const Arguments &arguments);
  Value callMacro(const Function &function, const Arguments &arguments);
  /// The text that statements write, whose variables end with them.
  std::string captured(const Node &body);
  Arguments arguments(const Node &node);

  // Filters and methods.
  Value filter(const Value &object, std::string_view name,
               const Arguments &arguments);
  Value selected(const Value &object, std::string_view name,
                 const Arguments &arguments);
  Value indent(const std::string &text, const Arguments &arguments);
  Value round(const Value &object, const Arguments &arguments);
  Value folded(std::string_view name, const List &elements,
               const Arguments &arguments);
  Value textFilter(const Value &object, std::string_view name,
                   const Arguments &arguments);
  Value toNumber(const Value &object, std::string_view name,
                 const Arguments &arguments);
  Value group(const Value &object, const Arguments &arguments);
  Value batch(const List &elements, const Arguments &arguments);
  Value divide(const List &elements, const Arguments &arguments);
  Value truncate(const std::string &text, const Arguments &arguments);
  Value formatted(const std::string &text, const Arguments &arguments);
  Value padTo(const std::string &text, std::string_view name,
              const Arguments &arguments);
  Value sort(const Value &object, const Arguments &arguments);
  Value sortMap(const Value &object, const Arguments &arguments);
  /// The elements in the order of their keys; equal keys keep their order.
  Value sorted(const List &elements, List keys, bool isCaseSensitive,
               bool isReverse);
  bool test(const Value &object, std::string_view name,
            const Arguments &arguments);
  Value method(const Value &object, std::string_view name,
               const Arguments &arguments);
  Value fieldOf(std::string_view field, const Arguments &arguments);
  Value stringMethod(const std::string &text, std::string_view name,
                     const Arguments &arguments);
  /// The elements of a list, the keys of a map, the characters of a string.
  List elementsOf(const Value &value);

  Value fail(std::string what);
  /// Counts steps, so that every template terminates.
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

/// Whether this is a filter for Evaluator::textFilter().
bool isTextFilter(std::string_view name);
/// The value as a count from 0; `otherwise` if it is no integer.
size_t toCount(const Value &value, size_t otherwise);

} // namespace tilegpt::runtime::chat

#endif // TILEGPT_LIB_RUNTIME_CHAT_EVALUATOR_H
