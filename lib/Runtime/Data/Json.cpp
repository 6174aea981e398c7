// Builds documents from the events of nlohmann's parser, which is iterative and
// reports every key, so that nesting and duplicates are rejected during the
// parse.
#include "TileGPT/Runtime/Data/Json.h"
#include "TileGPT/Runtime/Data/MappedFile.h"
#include "TileGPT/Runtime/Data/StringIndex.h"
#include "TileGPT/Runtime/Data/Utf8.h"
#include <algorithm>
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

using namespace tilegpt::runtime;

namespace tilegpt::runtime {

/// Appends nodes in document order: an object or array, then its contents. A
/// string is never longer than its source, so the pool is reserved once and
/// views into it stay valid.
class JsonBuilder {
public:
  JsonBuilder(JsonValue::Storage &storage, std::string_view source)
      : storage(storage), source(source) {
    storage.strings.reserve(source.size());
  }

  /// The reason why a callback returned false.
  std::string problem;

  // What nlohmann::json::sax_parse calls; false stops it.
  bool null() { return add(JsonKind::Null); }
  bool boolean(bool value) {
    add(JsonKind::Boolean);
    storage.nodes.back().integer = value;
    return true;
  }
  bool number_integer(int64_t value) {
    add(JsonKind::Integer);
    storage.nodes.back().integer = value;
    return true;
  }
  bool number_unsigned(uint64_t value) {
    return value <= uint64_t(std::numeric_limits<int64_t>::max())
               ? number_integer(int64_t(value))
               : number_float(double(value), {});
  }
  bool number_float(double value, const std::string &) {
    add(JsonKind::Number);
    storage.nodes.back().number = value;
    return true;
  }
  bool string(const std::string &value) {
    add(JsonKind::String);
    storage.nodes.back().text = intern(value);
    return true;
  }
  bool start_array(size_t) { return open(JsonKind::Array); }
  bool start_object(size_t) { return open(JsonKind::Object); }
  bool end_array() { return close(); }
  bool end_object() { return keysAreUnique() && close(); }
  bool key(const std::string &value) {
    pendingKey = intern(value);
    return true;
  }
  bool parse_error(size_t position, const std::string &,
                   const nlohmann::json::exception &) {
    problem = describeJsonError(source, position);
    return false;
  }
  /// Part of the interface, but only nlohmann's binary formats have such
  /// values.
  bool binary(const nlohmann::json::binary_t &) { return false; }

private:
  static constexpr size_t maxDepth = 64;

  JsonValue::Slice intern(std::string_view text) {
    const auto first = uint32_t(storage.strings.size());
    storage.strings += text;
    return {first, uint32_t(text.size())};
  }

  bool add(JsonKind kind) {
    if (!parents.empty())
      ++storage.nodes[parents.back()].count;
    JsonValue::Node node;
    node.kind = kind;
    node.key = std::exchange(pendingKey, {});
    node.end = uint32_t(storage.nodes.size() + 1);
    storage.nodes.push_back(node);
    return true;
  }

  bool open(JsonKind kind) {
    if (parents.size() == maxDepth) {
      problem = concat("is nested deeper than ", maxDepth, " levels");
      return false;
    }
    add(kind);
    parents.push_back(uint32_t(storage.nodes.size() - 1));
    return true;
  }

  bool close() {
    storage.nodes[parents.back()].end = uint32_t(storage.nodes.size());
    parents.pop_back();
    return true;
  }

  bool keysAreUnique() {
    const JsonValue object(storage, parents.back());
    StringIndex keys(object.size());
    storage.nodes[parents.back()].end = uint32_t(storage.nodes.size());
    for (JsonValue member : object)
      if (!keys.add(member.key()).second) {
        problem = concat("has the key '", member.key(), "' twice");
        return false;
      }
    return true;
  }

  JsonValue::Storage &storage;
  std::string_view source;
  std::vector<uint32_t> parents;
  JsonValue::Slice pendingKey;
};

} // namespace tilegpt::runtime

std::string_view tilegpt::runtime::describe(JsonKind kind) {
  constexpr std::string_view names[] = {"null",     "a boolean", "an integer",
                                        "a number", "a string",  "an array",
                                        "an object"};
  return names[size_t(kind)];
}

double JsonValue::number() const {
  return is(JsonKind::Integer) ? double(integer()) : node().number;
}

std::optional<JsonValue> JsonValue::find(std::string_view key) const {
  for (JsonValue member : *this)
    if (member.key() == key)
      return member;
  return std::nullopt;
}

std::string tilegpt::runtime::describeJsonError(std::string_view text,
                                                size_t position) {
  const std::string_view read = text.substr(0, position);
  const auto line = std::count(read.begin(), read.end(), '\n') + 1;
  const size_t lineStart = read.rfind('\n') + 1; // npos + 1 is 0
  return concat(position > text.size() ? "ends too early, at line "
                                       : "is not valid JSON at line ",
                line, ", column ",
                std::max(read.size() - lineStart, size_t(1)));
}

Result<JsonDocument> JsonDocument::parse(std::string_view text,
                                         std::string_view where) {
  constexpr size_t maxBytes = size_t(1) << 30;
  const auto failed = [&](const auto &...problem) {
    return makeError(ErrorCode::BadInput, where, " ", problem...);
  };
  if (text.size() > maxBytes)
    return failed("has ", text.size(), " bytes, more than the limit of ",
                  maxBytes);
  if (const auto offset = findInvalidUtf8(text))
    return failed("is not UTF-8 at byte ", *offset);
  JsonDocument document;
  JsonBuilder builder(document.storage, text);
  if (!nlohmann::json::sax_parse(text.begin(), text.end(), &builder))
    return failed(builder.problem);
  return document;
}

Result<JsonDocument> JsonDocument::read(const std::filesystem::path &path,
                                        std::string_view room) {
  const auto file = MappedFile::open(path, room);
  if (!file)
    return tl::unexpected(file.error());
  return parse(file->text(), concat(room, ": '", path.string(), "'"));
}

std::string tilegpt::runtime::quoteJson(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof(escape), "\\u%04x", c);
      result += escape;
    } else {
      result += c;
    }
  }
  return result + '"';
}
