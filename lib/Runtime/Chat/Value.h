// Values of a template: what Python would call objects.
#ifndef TILEGPT_LIB_RUNTIME_CHAT_VALUE_H
#define TILEGPT_LIB_RUNTIME_CHAT_VALUE_H

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tilegpt::runtime::chat {

struct Node;
struct Function;
class Value;

struct Undefined {
  bool operator==(const Undefined &) const = default;
};
struct None {
  bool operator==(const None &) const = default;
};
using List = std::vector<Value>;
/// In the order of insertion. A namespace is one that
/// `{% set ns.name = … %}` may change.
struct Map {
  std::vector<std::pair<Value, Value>> members;
  bool isNamespace = false;
  /// What calling it does, for the `loop` of a recursive loop.
  std::shared_ptr<const Function> call = nullptr;
  const Value *find(std::string_view key) const;
  const Value *findKey(const Value &key) const;
  void set(Value key, Value value);
};
/// A macro, a recursive loop, or a function that the language itself has, by
/// name.
struct Function {
  std::string name;
  const Node *macro = nullptr;
  /// The variables of the place where it is written, but for a macro that
  /// sees only global variables.
  std::shared_ptr<const std::vector<Map>> closure = nullptr;
  /// What a function of `loop` knows of its loop.
  std::shared_ptr<std::vector<Value>> state = nullptr;
};

/// How `tojson` writes.
struct JsonStyle {
  int indent = -1; ///< spaces per level, -1 for one line
  bool isSorted = false, isAscii = false;
  std::string separator = ", ", colon = ": ";
};

class Value {
public:
  Value() = default;
  Value(None value) : data(value) {}
  Value(bool value) : data(value) {}
  Value(int64_t value) : data(value) {}
  Value(double value) : data(value) {}
  Value(std::string value) : data(std::move(value)) {}
  Value(std::string_view value) : data(std::string(value)) {}
  Value(const char *value) : data(std::string(value)) {}
  Value(List value);
  Value(Map value);
  Value(Function value);
  /// A list that cannot be changed, which prints in round brackets.
  static Value tuple(List elements);
  /// A tuple of two, whose elements are also the members `grouper` and `list`.
  static Value group(Value grouper, List list);

  template <typename T>
  bool is() const {
    return std::holds_alternative<T>(data);
  }
  bool isString() const { return is<std::string>(); }
  bool isUndefined() const { return is<Undefined>(); }
  bool isNumber() const { return is<int64_t>() || is<double>(); }
  const std::string &string() const { return std::get<std::string>(data); }
  int64_t integer() const { return std::get<int64_t>(data); }
  bool boolean() const { return std::get<bool>(data); }
  double number() const {
    return is<double>() ? std::get<double>(data) : double(integer());
  }
  /// As comparisons take it, for which true is 1; nothing unless a number or a
  /// truth value.
  std::optional<double> comparable() const {
    if (is<bool>())
      return boolean() ? 1 : 0;
    return isNumber() ? std::optional(number()) : std::nullopt;
  }
  /// Null if the value has another type.
  const List *list() const { return pointee<List>(); }
  bool isTuple() const { return isFixed; }
  bool isGroup() const { return hasNames; }
  /// Whether this may be the key of a map: neither a list nor a map, nor a
  /// tuple of such.
  bool isKey() const;
  Map *map() const { return pointee<Map>(); }
  const Function *function() const { return pointee<Function>(); }

  /// The nesting depth of lists and maps. A namespace and a function with
  /// variables count as the maximum, so that no value can contain itself.
  int depth() const { return levels; }
  static constexpr int mostLevels = 64;
  /// The number of nested values; shared ones count once per occurrence.
  size_t weight() const { return values; }

  /// The truth value, as in `if`.
  bool isTrue() const;
  bool operator==(const Value &other) const;
  /// As `{{ }}` prints it.
  std::string text() const;
  /// As Python's json.dumps writes it.
  std::string json(const JsonStyle &style = {}, int depth = 0) const;
  /// "a string", for messages.
  std::string_view kind() const;

private:
  template <typename T>
  T *pointee() const {
    const auto *pointer = std::get_if<std::shared_ptr<T>>(&data);
    return pointer ? pointer->get() : nullptr;
  }

  std::variant<Undefined, None, bool, int64_t, double, std::string,
               std::shared_ptr<List>, std::shared_ptr<Map>,
               std::shared_ptr<Function>>
      data;
  bool isFixed = false, hasNames = false;
  int levels = 0;
  size_t values = 1;
};

} // namespace tilegpt::runtime::chat

#endif // TILEGPT_LIB_RUNTIME_CHAT_VALUE_H
