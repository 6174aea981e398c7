// Strict JSON parser for untrusted files: UTF-8 only, no duplicate keys,
// limited nesting. The document keeps the order of the file and uses one
// allocation for all strings and one for all values.
#ifndef TILEGPT_RUNTIME_DATA_JSON_H
#define TILEGPT_RUNTIME_DATA_JSON_H

#include "TileGPT/Runtime/Error.h"
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilegpt::runtime {

enum class JsonKind : uint8_t {
  Null,
  Boolean,
  Integer, ///< fits in 64 bits with a sign
  Number,  ///< any other number
  String,
  Array,
  Object,
};

/// With its article, for messages: "a string", "null".
std::string_view describe(JsonKind kind);

/// One value of a JsonDocument, which must stay alive. An accessor requires its
/// kind of value.
class JsonValue {
public:
  JsonKind kind() const { return node().kind; }
  bool is(JsonKind kind) const { return node().kind == kind; }
  bool boolean() const { return node().integer != 0; }
  int64_t integer() const { return node().integer; }
  /// Of an Integer or a Number.
  double number() const;
  std::string_view string() const { return slice(node().text); }

  /// The key of this value in an object; empty in an array.
  std::string_view key() const { return slice(node().key); }
  /// The number of elements of an array or members of an object.
  uint32_t size() const { return node().count; }
  /// The member of an object with this key.
  std::optional<JsonValue> find(std::string_view key) const;

  class Iterator;
  Iterator begin() const;
  Iterator end() const;

private:
  friend class JsonDocument;
  friend class JsonBuilder;

  struct Slice {
    uint32_t first = 0, size = 0;
  };
  struct Node {
    JsonKind kind = JsonKind::Null;
    Slice key;
    Slice text;
    uint32_t count = 0;
    /// The value after this one and its contents: the next sibling.
    uint32_t end = 0;
    union {
      int64_t integer = 0;
      double number;
    };
  };
  struct Storage {
    std::vector<Node> nodes;
    std::string strings;
  };

  JsonValue(const Storage &storage, uint32_t index)
      : storage(&storage), index(index) {}
  const Node &node() const { return storage->nodes[index]; }
  std::string_view slice(Slice slice) const {
    return std::string_view(storage->strings).substr(slice.first, slice.size);
  }

  const Storage *storage;
  uint32_t index;
};

class JsonValue::Iterator {
public:
  using value_type = JsonValue;
  using difference_type = std::ptrdiff_t;
  JsonValue operator*() const { return value; }
  Iterator &operator++() {
    value.index = value.node().end;
    return *this;
  }
  bool operator==(const Iterator &other) const {
    return value.index == other.value.index;
  }

private:
  friend class JsonValue;
  explicit Iterator(JsonValue value) : value(value) {}
  JsonValue value;
};

class JsonDocument {
public:
  /// \param where  starts every message: "config: 'model/config.json'".
  /// \returns BadInput unless the text is one JSON value in UTF-8 without
  /// duplicate keys, nested at most 64 levels deep.
  static Result<JsonDocument> parse(std::string_view text,
                                    std::string_view where);

  /// Reads a file of at most 1 GiB.
  /// \param room  starts every message, before the path: "config".
  static Result<JsonDocument> read(const std::filesystem::path &path,
                                   std::string_view room);

  JsonValue root() const { return {storage, 0}; }

private:
  JsonValue::Storage storage;
};

inline JsonValue::Iterator JsonValue::begin() const {
  return Iterator({*storage, index + 1});
}
inline JsonValue::Iterator JsonValue::end() const {
  return Iterator({*storage, node().end});
}

/// The reason why `text`, of which a parser read `position` bytes, is not valid
/// JSON: "is not valid JSON at line 3, column 7".
std::string describeJsonError(std::string_view text, size_t position);

/// A JSON string, including quotes.
std::string quoteJson(std::string_view text);

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_DATA_JSON_H
