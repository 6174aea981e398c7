// Flags with parsed values.
#ifndef TILEGPT_TOOLS_RUN_FLAGTABLE_H
#define TILEGPT_TOOLS_RUN_FLAGTABLE_H

#include "Flags/FlagValues.h"
#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

namespace tilegpt::run {

/// Adds flags whose values are parsed and checked.
class FlagTable {
public:
  explicit FlagTable(CLI::App &app) : app(app) {}

  void group(std::string name) { current = std::move(name); }

  /// A flag with a value.
  /// \param names     in CLI11's syntax: "-t,--temp".
  /// \param expected  what `parse` accepts, for its error: "an integer".
  /// \param parse     std::string_view → std::optional<T>.
  /// \param assign    takes the T that `parse` returned.
  template <typename Parse, typename Assign>
  CLI::Option *value(const char *names, const char *valueName,
                     const std::string &expected, const Parse &parse,
                     const Assign &assign, const std::string &help) {
    return add(
        names, valueName, expected,
        [=](std::string_view text) {
          auto parsed = parse(text);
          if (parsed)
            assign(std::move(*parsed));
          return bool(parsed);
        },
        help);
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
                    const char *valueName, const std::string &help);

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
              const std::string &help);

private:
  /// Parses and stores a value; false if it is not one of the expected values.
  using Read = std::function<bool(std::string_view)>;

  /// Templates only wrap this: CLI11 is instantiated once, not once per flag.
  CLI::Option *add(const char *names, const char *valueName,
                   const std::string &expected, Read read,
                   const std::string &help);

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
