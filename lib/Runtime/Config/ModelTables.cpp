// Reads the tables of a model from JSON and checks their form.
#include "TileGPT/Runtime/Config/ModelTables.h"
#include "TileGPT/Runtime/Data/Json.h"
#include <algorithm>

using namespace tilegpt::runtime;

namespace {

/// The scalar a JSON value is, if it is one.
std::optional<SettingScalar> scalarOf(JsonValue value) {
  switch (value.kind()) {
  case JsonKind::Boolean:
    return value.boolean();
  case JsonKind::Integer:
    return value.integer();
  case JsonKind::Number:
    return value.number();
  case JsonKind::String:
    return std::string(value.string());
  default:
    return std::nullopt;
  }
}

/// Functions return false once `problem` is set.
class TableReader {
public:
  explicit TableReader(ModelTables &tables) : tables(tables) {}

  std::string problem;

  bool read(JsonValue root) {
    if (!object(root, "the tables") ||
        !members(root, "the tables", {"config", "weights", "settings"}))
      return false;
    const auto part = [&](std::string_view key, auto read) {
      const auto value = root.find(key);
      return !value || (this->*read)(*value);
    };
    return part("settings", &TableReader::settings) &&
           part("config", &TableReader::config) &&
           part("weights", &TableReader::weights);
  }

private:
  template <typename... Parts>
  bool fail(const Parts &...parts) {
    problem = concat(parts...);
    return false;
  }

  bool object(JsonValue value, std::string_view what) {
    return value.is(JsonKind::Object) ||
           fail("expected ", what, " to be a table in braces, got ",
                describe(value.kind()));
  }

  /// Checks that `value` has no other members.
  bool members(JsonValue value, std::string_view what,
               std::initializer_list<std::string_view> known) {
    for (const JsonValue member : value)
      if (std::ranges::find(known, member.key()) == known.end())
        return fail(what, " has no entry '", member.key(), "'");
    return true;
  }

  bool word(JsonValue value, const std::string &what, std::string &result) {
    if (!value.is(JsonKind::String))
      return fail("expected ", what, " to be a string, got ",
                  describe(value.kind()));
    if (value.string().empty())
      return fail("expected ", what, " to be a string that is not empty");
    result = value.string();
    return true;
  }

  /// A word or a list of words.
  bool words(JsonValue value, const std::string &what,
             std::vector<std::string> &result) {
    if (value.is(JsonKind::String))
      return word(value, what, result.emplace_back());
    if (!value.is(JsonKind::Array))
      return fail("expected ", what, " to be a list of strings, got ",
                  describe(value.kind()));
    for (const JsonValue element : value)
      if (!word(element, what, result.emplace_back()))
        return false;
    return true;
  }

  bool scalar(JsonValue value, const std::string &what, SettingScalar &result) {
    const auto read = scalarOf(value);
    if (!read)
      return fail("expected ", what,
                  " to be a number, a string, true or false, got ",
                  describe(value.kind()));
    result = *read;
    return true;
  }

  /// Checks that `--configure` accepts the value.
  bool settable(const SettingScalar &value, const std::string &what) {
    const auto *text = std::get_if<std::string>(&value);
    return !text || isWord(*text) ||
           fail("expected ", what,
                " to be a word of letters, digits, '_', '-' and '.', got '",
                *text, "'");
  }

  template <typename Pairs>
  bool pairs(JsonValue value, const std::string &what, Pairs &result) {
    if (!object(value, what))
      return false;
    for (const JsonValue member : value) {
      auto &pair = result.emplace_back();
      pair.first = member.key();
      if (!scalar(member, concat(what, ".", member.key()), pair.second))
        return false;
    }
    return true;
  }

  /// Like pairs(), with a pair for each element if a member is a list.
  bool values(JsonValue value, const std::string &what,
              std::vector<std::pair<std::string, SettingScalar>> &result) {
    if (!object(value, what))
      return false;
    for (const JsonValue member : value) {
      const std::string name = concat(what, ".", member.key());
      auto add = [&](JsonValue element) {
        auto &pair = result.emplace_back();
        pair.first = member.key();
        return scalar(element, name, pair.second);
      };
      if (!member.is(JsonKind::Array)) {
        if (!add(member))
          return false;
        continue;
      }
      const size_t before = result.size();
      for (const JsonValue element : member)
        if (!add(element))
          return false;
      if (result.size() == before)
        return fail("expected ", name,
                    " to be a value or a list of values, got an empty list");
    }
    return true;
  }

  bool settings(JsonValue value) {
    if (!object(value, "settings"))
      return false;
    for (const JsonValue member : value) {
      const std::string what = concat("settings.", member.key());
      SettingValue setting;
      setting.isList = member.is(JsonKind::Array);
      if (!setting.isList &&
          !scalar(member, what, setting.elements.emplace_back()))
        return false;
      if (setting.isList)
        for (const JsonValue element : member)
          if (!scalar(element, what, setting.elements.emplace_back()))
            return false;
      if (setting.elements.empty() ||
          std::ranges::any_of(setting.elements, [&](const auto &element) {
            return element.index() != setting.elements[0].index();
          }))
        return fail("expected ", what,
                    " to be a list of values of one type, one or more");
      for (const SettingScalar &element : setting.elements)
        if (!settable(element, what))
          return false;
      tables.settings.emplace_back(member.key(), std::move(setting));
    }
    return true;
  }

  bool config(JsonValue value) {
    ConfigTable &config = tables.config;
    if (!object(value, "config") ||
        !members(value, "the table config",
                 {"model_type", "section", "settings", "required", "defaults",
                  "ignored", "quantized"}))
      return false;
    if (const auto quantized = value.find("quantized");
        quantized && !words(*quantized, "config.quantized", config.quantized))
      return false;
    if (const auto types = value.find("model_type");
        types && !words(*types, "config.model_type", config.modelTypes))
      return false;
    if (const auto section = value.find("section");
        section && !word(*section, "config.section", config.section))
      return false;
    if (const auto required = value.find("required");
        required && !values(*required, "config.required", config.required))
      return false;
    if (const auto ignored = value.find("ignored");
        ignored && !words(*ignored, "config.ignored", config.ignored))
      return false;
    return defaults(value) && rules(value);
  }

  bool defaults(JsonValue config) {
    const auto value = config.find("defaults");
    if (!value)
      return true;
    if (!object(*value, "config.defaults"))
      return false;
    for (const JsonValue member : *value) {
      if (!member.is(JsonKind::Integer) || member.integer() < 0)
        return fail("expected config.defaults.", member.key(),
                    " to be the id of a token, got ", describe(member.kind()));
      tables.config.defaults.emplace_back(member.key(), member.integer());
    }
    return true;
  }

  bool rules(JsonValue config) {
    const auto value = config.find("settings");
    if (!value)
      return true;
    if (!object(*value, "config.settings"))
      return false;
    for (const JsonValue member : *value)
      if (!rule(member))
        return false;
    return true;
  }

  bool rule(JsonValue value) {
    const std::string what = concat("config.settings.", value.key());
    ConfigRule &rule = tables.config.rules.emplace_back();
    rule.setting = value.key();
    const SettingValue *setting = find(tables.settings, rule.setting);
    if (!setting)
      return fail(what, " names a setting that the model does not have");
    if (!value.is(JsonKind::Object))
      return words(value, what, rule.keys) && hasKeys(rule, what);
    if (!members(value, what,
                 {"keys", "values", "needs", "every", "first", "at",
                  "any_length", "null", "above", "sum", "under"}))
      return false;
    if (const auto keys = value.find("keys");
        keys && !words(*keys, what + ".keys", rule.keys))
      return false;
    if (const auto words = value.find("values");
        words && !pairs(*words, what + ".values", rule.values))
      return false;
    const auto hasType = [&](const SettingScalar &scalar) {
      return scalar.index() == setting->elements[0].index();
    };
    for (const auto &[text, meaning] : rule.values) {
      const std::string where = concat(what, ".values.", text);
      if (!hasType(meaning))
        return fail("expected ", where, " to be ",
                    describeType(setting->elements[0]),
                    ", as the setting is, got ", format(meaning));
      if (!settable(meaning, where))
        return false;
    }
    if (const auto needs = value.find("needs")) {
      if (!object(*needs, what + ".needs"))
        return false;
      for (const JsonValue member : *needs) {
        auto &[word, settings] = rule.needs.emplace_back();
        word = member.key();
        if (!words(member, concat(what, ".needs.", word), settings))
          return false;
      }
    }
    if (const auto null = value.find("null")) {
      rule.null = scalarOf(*null);
      if (setting->isList || !rule.null || !hasType(*rule.null))
        return fail("expected ", what, ".null to be ",
                    describeType(setting->elements[0]),
                    ", as the setting is, which is no list");
      if (!settable(*rule.null, what + ".null"))
        return false;
    }
    if (const auto above = value.find("above")) {
      if (above->is(JsonKind::Integer) || above->is(JsonKind::Number))
        rule.above = above->number();
      if (setting->isList || !rule.above ||
          !std::holds_alternative<double>(setting->elements[0]))
        return fail("expected ", what,
                    ".above to be a number, for a setting that is one");
    }
    if (const auto sum = value.find("sum")) {
      rule.isSum = sum->is(JsonKind::Boolean) && sum->boolean();
      if (!rule.isSum || rule.setting != "head_dim")
        return fail("expected ", what, ".sum to be true, for head_dim");
    }
    if (const auto under = value.find("under")) {
      rule.isUnder = under->is(JsonKind::Boolean) && under->boolean();
      if (!rule.isUnder || rule.setting != "context")
        return fail("expected ", what, ".under to be true, for context");
    }
    if (const auto any = value.find("any_length")) {
      rule.anyLength = any->is(JsonKind::Boolean) && any->boolean();
      if (!rule.anyLength || !setting->isList)
        return fail("expected ", what, ".any_length to be true, for a list");
    }
    if (value.find("every") && value.find("first"))
      return fail(what, " has both every and first");
    return two(value, "every", what, rule.every, *setting) &&
           two(value, "first", what, rule.first, *setting) &&
           two(value, "at", what, rule.at, *setting) && hasKeys(rule, what);
  }

  /// Two elements of a list, if the entry `name` specifies them.
  bool two(JsonValue value, std::string_view name, const std::string &what,
           std::optional<std::array<SettingScalar, 2>> &result,
           const SettingValue &setting) {
    const auto entry = value.find(name);
    if (!entry)
      return true;
    const std::string where = concat(what, ".", name);
    std::vector<SettingScalar> pair;
    if (entry->is(JsonKind::Array))
      for (const JsonValue element : *entry)
        if (const auto read = scalarOf(element))
          pair.push_back(*read);
    if (!setting.isList || pair.size() != 2 || entry->size() != 2 ||
        pair[0].index() != setting.elements[0].index() ||
        pair[1].index() != pair[0].index())
      return fail("expected ", where,
                  " to be two elements of a setting that is a list");
    result = {pair[0], pair[1]};
    return settable(pair[0], where) && settable(pair[1], where);
  }

  bool hasKeys(const ConfigRule &rule, const std::string &what) {
    return !rule.keys.empty() || fail(what, " names no key of config.json");
  }

  bool weights(JsonValue value) {
    WeightTable &weights = tables.weights;
    if (!object(value, "weights") ||
        !members(value, "the table weights",
                 {"strip", "tied", "ignored", "transposed", "witness",
                  "transposed_experts", "split", "interleaved", "skipped"}))
      return false;
    const auto list = [&](std::string_view key, auto &result) {
      const auto member = value.find(key);
      return !member || words(*member, concat("weights.", key), result);
    };
    if (!list("strip", weights.strip) || !list("ignored", weights.ignored) ||
        !list("transposed", weights.transposed) ||
        !list("transposed_experts", weights.transposedExperts))
      return false;
    if (const auto witness = value.find("witness");
        witness && !word(*witness, "weights.witness", weights.witness))
      return false;
    if (!weights.transposed.empty() &&
        std::ranges::none_of(weights.transposed, [&](const auto &pattern) {
          return matches(weights.witness, pattern);
        }))
      return fail("expected weights.witness to be one of those in "
                  "weights.transposed, got '",
                  weights.witness, "'");
    return tied(value) && split(value) && interleaved(value) && skipped(value);
  }

  bool skipped(JsonValue weights) {
    const auto value = weights.find("skipped");
    if (!value)
      return true;
    if (!object(*value, "weights.skipped"))
      return false;
    for (const JsonValue member : *value) {
      if (!member.is(JsonKind::Integer) || member.integer() < 1 ||
          member.integer() > INT32_MAX)
        return fail("expected weights.skipped.", member.key(),
                    " to be a number of rows, got ", describe(member.kind()));
      tables.weights.skipped.emplace_back(member.key(), member.integer());
    }
    return true;
  }

  bool tied(JsonValue weights) {
    const auto value = weights.find("tied");
    if (!value)
      return true;
    if (!object(*value, "weights.tied"))
      return false;
    for (const JsonValue member : *value) {
      auto &pair = tables.weights.tied.emplace_back();
      pair.first = member.key();
      if (!word(member, concat("weights.tied.", member.key()), pair.second))
        return false;
    }
    return true;
  }

  bool split(JsonValue weights) {
    const auto value = weights.find("split");
    if (!value)
      return true;
    if (!object(*value, "weights.split"))
      return false;
    for (const JsonValue member : *value) {
      SplitTensor &rule = tables.weights.split.emplace_back();
      rule.name = member.key();
      rule.groups = 0;
      const bool isList = member.is(JsonKind::Array);
      if (isList)
        for (const JsonValue element : member) {
          if (rule.groups == 0 && isSize(element, 1))
            rule.groups = element.integer();
          else if (rule.groups > 0 && element.is(JsonKind::String))
            rule.parts.emplace_back(element.string());
        }
      if (!isList || rule.parts.size() < 2 ||
          rule.parts.size() + 1 != member.size())
        return fail("expected weights.split.", member.key(),
                    " to be a number of groups and the names of two parts or "
                    "more, got ",
                    describe(member.kind()));
    }
    return true;
  }

  bool interleaved(JsonValue weights) {
    const auto value = weights.find("interleaved");
    if (!value)
      return true;
    if (!object(*value, "weights.interleaved"))
      return false;
    for (const JsonValue member : *value)
      if (!interleaving(member))
        return fail("expected weights.interleaved.", member.key(),
                    " to be three to five sizes, got ",
                    describe(member.kind()));
    return true;
  }

  static bool isSize(JsonValue value, int64_t least) {
    return value.is(JsonKind::Integer) && value.integer() >= least &&
           value.integer() <= INT32_MAX;
  }

  /// ([groups,] outer, parts, inner[, rest]); `parts` are a number, or a list
  /// of their sizes.
  bool interleaving(JsonValue member) {
    if (!member.is(JsonKind::Array) || member.size() < 3 || member.size() > 5)
      return false;
    std::vector<JsonValue> sizes;
    for (const JsonValue size : member)
      sizes.push_back(size);
    const size_t outer = sizes.size() == 3 ? 0 : 1, parts = outer + 1;
    Interleaving rows;
    rows.name = member.key();
    for (size_t i = 0; i < sizes.size(); ++i)
      if (i != parts && !isSize(sizes[i], i == 4 ? 0 : 1))
        return false;
    if (isSize(sizes[parts], 1)) {
      rows.parts.assign(size_t(sizes[parts].integer()), 1);
    } else {
      if (!sizes[parts].is(JsonKind::Array) || sizes[parts].size() == 0)
        return false;
      for (const JsonValue part : sizes[parts]) {
        if (!isSize(part, 1))
          return false;
        rows.parts.push_back(part.integer());
      }
    }
    rows.outer = sizes[outer].integer();
    rows.inner = sizes[parts + 1].integer();
    if (outer == 1)
      rows.groups = sizes[0].integer();
    if (sizes.size() == 5)
      rows.rest = sizes[4].integer();
    tables.weights.interleaved.push_back(std::move(rows));
    return true;
  }

  ModelTables &tables;
};

} // namespace

Result<ModelTables> ModelTables::parse(std::string_view json,
                                       std::string_view where) {
  const auto document = JsonDocument::parse(json, where);
  if (!document)
    return tl::unexpected(document.error());
  ModelTables tables;
  TableReader reader(tables);
  if (!reader.read(document->root()))
    return makeError(ErrorCode::BadInput, where, " ", reader.problem);
  return tables;
}

bool tilegpt::runtime::matches(std::string_view name,
                               std::string_view pattern) {
  constexpr std::string_view placeholder = "{l}";
  for (size_t at; (at = pattern.find(placeholder)) != pattern.npos;) {
    if (!name.starts_with(pattern.substr(0, at)))
      return false;
    name.remove_prefix(at);
    pattern.remove_prefix(at + placeholder.size());
    const size_t digits =
        std::min(name.find_first_not_of("0123456789"), name.size());
    if (digits == 0)
      return false;
    name.remove_prefix(digits);
  }
  return name == pattern ||
         (pattern.ends_with('.') && name.starts_with(pattern));
}
