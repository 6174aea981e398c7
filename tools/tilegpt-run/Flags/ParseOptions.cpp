// Parses the command line with CLI11 and rewords its errors to one line that
// names the argument.
#include "Flags/ParseOptions.h"
#include "Flags/AddFlags.h"
#include "Flags/CheckOptions.h"
#include "Flags/CommandLine.h"
#include "Flags/VerbHelp.h"
#include <cstdlib>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace tilegpt;
using namespace tilegpt::run;

/// Whether what is in the place of the model is a checkpoint: a folder or a
/// file of tensors, or nothing that there is, such as
/// "meta-llama/Llama-3.2-1B", but no name of a model.
static bool isCheckpoint(const std::filesystem::path &model) {
  std::error_code ignored;
  const std::filesystem::path kind = model.extension();
  return is_directory(model, ignored) || kind == ".safetensors" ||
         kind == ".gguf" ||
         (!model.empty() && !exists(model, ignored) && kind != ".mlir" &&
          kind != ".tgb" && kind != ".tileirbc");
}

/// Whether a text is continued that is piped or redirected to standard input:
/// there is no other prompt.
static bool readsInput(const Options &options) {
  struct stat input;
  return options.runs() && !options.hasPrompt() && options.bench.empty() &&
         !options.chat && !options.tune && !options.profile &&
         ::fstat(STDIN_FILENO, &input) == 0 &&
         (S_ISFIFO(input.st_mode) || S_ISREG(input.st_mode));
}

/// Defaults from the environment, overridden by the command line and its file.
static void takeDefaults(Options &options) {
  const auto take = [](std::filesystem::path &path, const char *variable) {
    const char *value = std::getenv(variable);
    if (path.empty() && value)
      path = value;
  };
  if (options.runsKernel() || options.listsOnly())
    return;
  if (options.weights.empty() && isCheckpoint(options.model))
    std::swap(options.weights, options.model);
  take(options.model, "TILEGPT_MODEL");
  if (!options.randomWeights)
    take(options.weights, "TILEGPT_WEIGHTS");
  if (readsInput(options))
    options.promptFile = "-";
}

/// Opening a pipe without a writer would block, and reading a device might not
/// end.
static std::string refuseDevice(const std::string &path) {
  std::error_code error;
  return !std::filesystem::exists(path, error) ||
                 std::filesystem::is_regular_file(path, error)
             ? ""
             : "cannot read '" + path + "': not a regular file";
}

runtime::Result<std::optional<Options>>
run::parseOptions(int argc, const char *const *argv) {
  Options options;
  CLI::App app("Compiles a model, or loads a compiled one, and continues a "
               "prompt.\nText goes to stdout, everything else to stderr.\n",
               "tilegpt-run");
  app.set_version_flag("--version", "tilegpt-run " TILEGPT_VERSION);
  app.get_formatter()->column_width(34);
  addFlags(app, options);
  app.set_config("--config", "",
                 "file of default flags, one per line: temp = 0.7")
      ->type_name("FILE")
      ->check(refuseDevice, "");
  app.allow_config_extras(CLI::config_extras_mode::error);
  app.footer(
      "\ntilegpt-run tune MODEL --out FILE … finds faster kernel parameters "
      "for --tuning.\ntilegpt-run profile MODEL … shows where the time of a "
      "step goes and what would help.\nBoth list their own flags with "
      "--help.\ntilegpt-run cache list|clear lists or "
      "clears the cache of compiled kernels.\n\nEnvironment: TILEGPT_MODEL and "
      "TILEGPT_WEIGHTS are the default model and checkpoint.\n\nExit codes: 0 "
      "success, 1 compilation or execution failed, 2 wrong usage, 3 malformed "
      "or inconsistent file,\n4 device or memory, 5 result differs from the "
      "expected one, 130 interrupted, 143 terminated.");

  // The command is not a flag: the flags of any run follow it.
  const std::string_view verb = argc > 1 ? argv[1] : "";
  options.profile = verb == "profile";
  options.tune = verb == "tune";
  if (options.profile || options.tune) {
    --argc;
    ++argv;
  }
  if (auto parsed = parseCommandLine(app, argc, argv,
                                     [&] { describeVerb(app, options); });
      !parsed)
    return tl::unexpected(parsed.error());
  else if (!*parsed)
    return std::nullopt;
  for (const CLI::Option *option : app.parse_order())
    if (const std::string name = option->get_name();
        name == "--input" || name == "--output")
      options.areOutputs.push_back(name == "--output");
  const std::span words(argv + 1, size_t(argc) - 1);
  if (auto checked = checkFunctionFlags(app, words, options); !checked)
    return tl::unexpected(checked.error());
  if (auto checked = checkVerb(app, words, options); !checked)
    return tl::unexpected(checked.error());
  takeDefaults(options);
  if (auto checked = checkTogether(options); !checked)
    return tl::unexpected(checked.error());
  if (auto checked = checkEffects(app, words, options); !checked)
    return tl::unexpected(checked.error());
  return options;
}
