// Flags are shown in another group if a verb takes them: groups have a meaning
// when flags are checked, so only the help changes them.
#include "Flags/VerbHelp.h"
#include "Flags/AddFlags.h"
#include <algorithm>

using namespace tilegpt::run;

namespace {
/// What the help of a verb says.
struct Verb {
  const char *name, *description, *footer;
  /// Its own flags, and flags of a run that it refuses.
  std::vector<std::string_view> own, refused;
};
} // namespace

static Verb tuneVerb() {
  return {"tilegpt-run tune",
          "Measures alternative kernel parameters, fusions and row ranges on "
          "the steps of --bench.\n--out FILE receives the faster ones as "
          "records, to be passed as --tuning FILE; --verify FILE\nmeasures "
          "records again. A .mlir file of functions that launch kernels, "
          "without a model, is\nmeasured launch by launch.\n",
          "\nCtrl-C ends the measurements; what has been decided is written. "
          "--verify exits with code 5\nif fewer than nine tenths of the "
          "records are still faster. docs/Tuning.md has the details.",
          {"bench", "budget", "out", "verify", "times"},
          {"json", "repetitions", "tuning", "save", "tp", "collectives",
           "overlap-exchanges", "explain-fusion"}};
}

static Verb profileVerb() {
  return {"tilegpt-run profile",
          "Measures the steps of --bench and reports for each kernel its time, "
          "its bound, why it is not\nfaster and what would help.\n",
          "\ndocs/Tuning.md explains the columns and the advice.",
          {"bench", "repetitions", "json", "trace"},
          {"budget", "out", "verify", "times", "save", "explain-fusion"}};
}

void tilegpt::run::describeVerb(CLI::App &app, const Options &options) {
  if (!options.tune && !options.profile)
    return;
  const Verb verb = options.tune ? tuneVerb() : profileVerb();
  app.name(verb.name);
  app.description(verb.description);
  app.footer(verb.footer);
  constexpr std::string_view ofText[] = {"Generation", "Sampling", "Output",
                                         kernelGroup};
  constexpr std::string_view ofPrompt[] = {
      "prompt", "file",         "escape",      "chat",
      "system", "list-devices", "list-models", "version"};
  const auto contains = [](const auto &names, std::string_view name) {
    return std::ranges::find(names, name) != std::end(names);
  };
  for (CLI::Option *option : app.get_options()) {
    if (option->get_lnames().empty())
      continue;
    const std::string name = option->get_lnames().front();
    if (contains(verb.own, name))
      option->group("Measuring");
    else if (name == "ctx-size")
      option->group("How to run it");
    else if (contains(ofText, option->get_group()) ||
             contains(ofPrompt, name) || contains(verb.refused, name))
      option->group("");
  }
}
