// Flags whose values go through parsers.
#ifndef TILEGPT_TOOLS_RUN_FLAGTABLE_H
#define TILEGPT_TOOLS_RUN_FLAGTABLE_H

#include "Flags/FlagValues.h"
#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

namespace tilegpt::run {

/// Adds flags whose value goes through a parser that may refuse it.
class FlagTable {
public:
  explicit FlagTable(CLI::App &app) : app(app) {}

  void group(std::string name) { current = std::move(name); }

  template <typename Parse, typename Assign>
  CLI::Option *value(const char *names, const char *valueName,
                     const std::string &expected, const Parse &parse,
                     const Assign &assign, const std::string &help) {
    const auto read = [=](const std::vector<std::string> &texts) {
      for (const std::string &text : texts) {
        auto parsed = parse(std::string_view(text));
        if (!parsed)
          throw CLI::ValidationError("expected " + expected + " for " +
                                     longName(names) + ", got '" + text + "'");
        assign(std::move(*parsed));
      }
      return true;
    };
    return app.add_option(names, read, help)
        ->type_name(valueName)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
        ->group(current);
  }

  template <typename T>
  CLI::Option *number(const char *names, T &target, const std::string &help) {
    return value(
               names, "N",
               std::is_unsigned_v<T>   ? "a count, 0 or more,"
               : std::is_integral_v<T> ? "an integer"
                                       : "a number",
               [](std::string_view text) { return parseNumber<T>(text); },
               [&target](T parsed) { target = parsed; }, help)
        ->default_str(text(target));
  }

  CLI::Option *path(const char *names, std::filesystem::path &target,
                    const char *valueName, const std::string &help) {
    return value(
        names, valueName, "a path",
        [](std::string_view text) {
          return text.empty() ? std::nullopt
                              : std::optional<std::filesystem::path>(text);
        },
        [&target](std::filesystem::path parsed) { target = std::move(parsed); },
        help);
  }

  /// One of a few words; the first is the default.
  template <typename T>
  CLI::Option *choice(const char *names, T &target,
                      std::vector<std::pair<std::string, T>> words,
                      const std::string &help) {
    std::string all;
    for (const auto &[word, meaning] : words)
      all += (all.empty() ? "" : "|") + word;
    const std::string first = words.front().first;
    const std::string expected = (words.size() > 1 ? "one of " : "") + all;
    return value(
               names, "WORD", expected,
               [words = std::move(words)](std::string_view text) {
                 std::optional<T> found;
                 for (const auto &[word, meaning] : words)
                   if (word == text)
                     found = meaning;
                 return found;
               },
               [&target](T parsed) { target = std::move(parsed); }, help)
        ->type_name(all)
        ->default_str(first);
  }

  void toggle(const char *names, bool &target, bool meaning,
              const std::string &help) {
    app.add_flag_callback(
           names, [&target, meaning] { target = meaning; }, help)
        ->group(current);
  }

private:
  /// "--temp" of "-t,--temp"; "--model" of "model,-m,--model".
  static std::string longName(std::string_view names) {
    const size_t dashes = names.find("--");
    const std::string_view rest =
        names.substr(dashes == names.npos ? 0 : dashes);
    return std::string(rest.substr(0, rest.find(',')));
  }

  template <typename T>
  static std::string text(T value) {
    std::ostringstream stream;
    stream << value;
    return stream.str();
  }

  CLI::App &app;
  std::string current;
};

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_FLAGTABLE_H
