// Normalizes the arguments, parses them with CLI11 and rewords its errors.
#include "Flags/CommandLine.h"
#include "Flags/EditDistance.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <optional>

using namespace tilegpt;
using run::editDistance;
using runtime::ErrorCode;

/// Long flags, without dashes.
static std::vector<std::string> longNames(const CLI::App &app) {
  std::vector<std::string> names;
  for (const CLI::Option *option : app.get_options())
    for (const std::string &name : option->get_lnames())
      names.push_back(name);
  return names;
}

static std::string flagOf(const std::string &argument) {
  return argument.substr(0, argument.find('='));
}

/// The flag that an unknown one stands for: by the name that it has in Hugging
/// Face's, vLLM's or Ollama's programs, or by a typing error.
static std::optional<std::string>
suggestFlag(std::string flag, const std::vector<std::string> &names) {
  constexpr std::pair<std::string_view, std::string_view> synonyms[] = {
      {"context-length", "ctx-size"},
      {"input", "prompt"},
      {"logprobs", "dump-logits"},
      {"max-length", "n-predict"},
      {"max-model-len", "ctx-size"},
      {"max-new-tokens", "n-predict"},
      {"max-tokens", "n-predict"},
      {"model-path", "weights"},
      {"num-ctx", "ctx-size"},
      {"num-predict", "n-predict"},
      {"repetition-penalty", "repeat-penalty"},
      {"stop", "reverse-prompt"},
      {"system-prompt", "system"},
      {"temperature", "temp"},
      {"tensor-parallel-size", "tp"}};
  std::ranges::replace(flag, '_', '-');
  for (const auto &[other, name] : synonyms)
    if (flag == other && std::ranges::find(names, name) != names.end())
      return std::string(name);
  const auto distance = [&](const std::string &name) {
    return editDistance(flag, name);
  };
  const auto nearest = std::ranges::min_element(names, {}, distance);
  constexpr size_t mostEdits = 2;
  return nearest != names.end() && distance(*nearest) <= mostEdits
             ? std::optional(*nearest)
             : std::nullopt;
}

/// Whether an argument is a long flag with one dash, which CLI11 would read as
/// a short flag and its value.
static bool hasOneDash(const CLI::App &app, const std::string &argument) {
  constexpr size_t leastLong = 3;
  const std::string flag = flagOf(argument);
  const std::vector<std::string> names = longNames(app);
  return flag.starts_with("-") && flag.size() > leastLong &&
         std::ranges::find(names, flag.substr(1)) != names.end();
}

static std::string describeUnknown(const CLI::App &app,
                                   const std::string &argument) {
  if (!argument.starts_with("-"))
    return "unexpected argument '" + argument + "'; see --help";
  const std::string flag = flagOf(argument);
  const std::string message = "unknown flag '" + flag + "'";
  if (!flag.starts_with("--") && !hasOneDash(app, flag))
    return message + "; see --help";
  const auto meant =
      suggestFlag(flag.substr(flag.starts_with("--") ? 2 : 1), longNames(app));
  return message +
         (meant ? "; did you mean '--" + *meant + "'?" : "; see --help");
}

/// Arguments in CLI11's order, last first, with `_` replaced by `-` in the
/// names of existing flags.
static std::vector<std::string> normalize(const CLI::App &app, int argc,
                                          const char *const *argv) {
  const std::vector<std::string> names = longNames(app);
  std::vector<std::string> arguments(argv + 1, argv + argc);
  for (std::string &argument : arguments) {
    if (!argument.starts_with("--"))
      continue;
    std::string flag = flagOf(argument);
    std::replace(flag.begin(), flag.end(), '_', '-');
    if (std::find(names.begin(), names.end(), flag.substr(2)) != names.end())
      argument.replace(0, flag.size(), flag);
  }
  std::reverse(arguments.begin(), arguments.end());
  return arguments;
}

runtime::Result<bool>
run::parseCommandLine(CLI::App &app, int argc, const char *const *argv,
                      const std::function<void()> &beforeHelp) {
  app.allow_extras();
  const auto wrong = [](const std::string &message) {
    return runtime::makeError(ErrorCode::Usage, message);
  };
  const std::span words(argv + 1, argv + argc);
  if (const auto word = std::ranges::find_if(
          words, [&](const char *word) { return hasOneDash(app, word); });
      word != words.end())
    return wrong(describeUnknown(app, *word));
  try {
    app.parse(normalize(app, argc, argv));
  } catch (const CLI::CallForHelp &) {
    if (beforeHelp)
      beforeHelp();
    std::cout << app.help() << std::flush;
    return false;
  } catch (const CLI::CallForVersion &) {
    std::cout << app.version() << "\n" << std::flush;
    return false;
  } catch (const CLI::ArgumentMismatch &mismatch) {
    const std::string what = mismatch.what();
    return wrong("expected a value after '" + what.substr(0, what.find(':')) +
                 "'");
  } catch (const CLI::FileError &error) {
    return wrong("--config: cannot read the file: " +
                 std::string(error.what()));
  } catch (const CLI::ConfigError &error) {
    return wrong("--config: " + std::string(error.what()));
  } catch (const CLI::ParseError &error) {
    return wrong(error.what());
  }
  if (const auto extras = app.remaining(); !extras.empty())
    return wrong(describeUnknown(app, extras.front()));
  return true;
}

bool run::isWritten(const CLI::Option &option,
                    std::span<const char *const> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string word) {
    if (!word.starts_with("-"))
      return false;
    // The value may directly follow the letter of a short flag.
    word = word.starts_with("--") ? flagOf(word) : word.substr(0, 2);
    std::replace(word.begin(), word.end(), '_', '-');
    return option.check_name(word);
  });
}
