// Reads the members of tokenizer.json, with messages that name them.
#ifndef TILEGPT_LIB_RUNTIME_TEXT_JSONPARTS_H
#define TILEGPT_LIB_RUNTIME_TEXT_JSONPARTS_H

#include "TileGPT/Runtime/Data/Json.h"
#include <optional>
#include <string>

namespace tilegpt::runtime {

/// A member that is present and not null.
inline std::optional<JsonValue> present(JsonValue object,
                                        std::string_view key) {
  const auto value = object.find(key);
  return value && !value->is(JsonKind::Null) ? value : std::nullopt;
}

/// The "type" of a part; empty when it has none.
inline std::string_view typeOf(JsonValue part) {
  const auto type =
      part.is(JsonKind::Object) ? part.find("type") : std::nullopt;
  return type && type->is(JsonKind::String) ? type->string()
                                            : std::string_view();
}

/// Reads one component of a pipeline. After an invalid value `problem` is set
/// and subsequent results are meaningless.
class PartReader {
public:
  /// \param name  of the part in messages: "pre_tokenizer".
  PartReader(std::string_view name, std::string &problem)
      : name(name), problem(problem) {}

  template <typename... Parts>
  void fail(const Parts &...parts) {
    if (problem.empty())
      problem = concat(parts...);
  }
  bool failed() const { return !problem.empty(); }

  /// A component of an unsupported kind.
  void unknown(JsonValue part) {
    fail("has the ", name, " '", typeOf(part), "', which is not supported");
  }

  std::string text(JsonValue part, std::string_view key) {
    const auto value = part.find(key);
    if (value && value->is(JsonKind::String))
      return std::string(value->string());
    fail("expected '", key, "' of the ", name, " '", typeOf(part),
         "' to be a string");
    return {};
  }

  bool flag(JsonValue part, std::string_view key, bool otherwise) {
    const auto value = present(part, key);
    if (!value)
      return otherwise;
    if (!value->is(JsonKind::Boolean))
      fail("expected '", key, "' of the ", name, " '", typeOf(part),
           "' to be a boolean, got ", describe(value->kind()));
    return value->is(JsonKind::Boolean) && value->boolean();
  }

  size_t count(JsonValue part, std::string_view key) {
    const auto value = part.find(key);
    constexpr int64_t most = 1 << 20;
    if (value && value->is(JsonKind::Integer) && value->integer() >= 0 &&
        value->integer() <= most)
      return size_t(value->integer());
    fail("expected '", key, "' of the ", name, " '", typeOf(part),
         "' to be an integer from 0 to ", most);
    return 0;
  }

  std::string_view name;
  std::string &problem;
};

/// Calls `read` with a component, or with each component of a sequence.
/// \param key  of the list in a sequence: "normalizers".
template <typename Read>
void forEachPart(JsonValue part, std::string_view key, PartReader &reader,
                 const Read &read) {
  if (typeOf(part) != "Sequence")
    return read(part);
  const auto list = part.find(key);
  if (!list || !list->is(JsonKind::Array))
    return reader.fail("expected '", key, "' of the ", reader.name,
                       " 'Sequence' to be an array");
  for (const JsonValue element : *list) {
    if (reader.failed())
      return;
    forEachPart(element, key, reader, read);
  }
}

} // namespace tilegpt::runtime

#endif // TILEGPT_LIB_RUNTIME_TEXT_JSONPARTS_H
