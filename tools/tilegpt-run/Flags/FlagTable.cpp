// Adds flags to CLI11's table.
#include "Flags/FlagTable.h"

using namespace tilegpt::run;

/// "--temp" of "-t,--temp"; "--model" of "model,-m,--model".
static std::string longName(std::string_view names) {
  const size_t dashes = names.find("--");
  const std::string_view rest = names.substr(dashes == names.npos ? 0 : dashes);
  return std::string(rest.substr(0, rest.find(',')));
}

CLI::Option *FlagTable::path(const char *names, std::filesystem::path &target,
                             const char *valueName, const std::string &help) {
  return add(
      names, valueName, "a path",
      [&target](std::string_view text) {
        target = text;
        return !text.empty();
      },
      help);
}

void FlagTable::toggle(const char *names, bool &target, bool meaning,
                       const std::string &help) {
  app.add_flag_callback(
         names, [&target, meaning] { target = meaning; }, help)
      ->group(current);
}

CLI::Option *FlagTable::add(const char *names, const char *valueName,
                            const std::string &expected, Read read,
                            const std::string &help) {
  const CLI::callback_t readAll =
      [expected, name = longName(names),
       read = std::move(read)](const std::vector<std::string> &texts) {
        for (const std::string &text : texts)
          if (!read(text))
            throw CLI::ValidationError("expected " + expected + " for " + name +
                                       ", got '" + text + "'");
        return true;
      };
  return app.add_option(names, readAll, help)
      ->type_name(valueName)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
      ->group(current);
}
