// Any text is either a config with valid sizes or an error, parsed with GPT-2's
// tables or with the tables that precede a zero byte.
#include "Gpt2Tables.h"
#include "TileGPT/Runtime/Config/ModelConfig.h"
#include <cstdlib>

using namespace tilegpt::runtime;

static void check(std::string_view text, const ModelTables &tables) {
  const auto config = ModelConfig::parse(text, "fuzz", tables);
  if (!config)
    return;
  for (const auto &[name, value] : config->settings) {
    const SettingValue *like = find(tables.settings, name);
    if (!like || value.elements.empty())
      std::abort();
    const auto *size = std::get_if<int64_t>(&value.elements.front());
    const bool isSize = name == "layers" || name == "width" || name == "vocab";
    if (value.elements[0].index() != like->elements[0].index() ||
        (isSize && (!size || *size < 1)) ||
        format(value).find_first_of(" \"\n") != std::string::npos)
      std::abort();
  }
  for (const int32_t token : config->eosTokens)
    if (token < 0 || token >= config->vocabulary)
      std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  const size_t cut = text.find('\0');
  if (cut == text.npos) {
    check(text, tilegpt::test::gpt2Tables());
    return 0;
  }
  const auto tables = ModelTables::parse(text.substr(0, cut), "fuzz");
  if (tables)
    check(text.substr(cut + 1), *tables);
  return 0;
}
