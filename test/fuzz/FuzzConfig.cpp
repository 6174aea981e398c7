// Any text is either a config all of whose sizes make sense or an error.
#include "TileGPT/Runtime/Weights/ModelConfig.h"
#include <cstdlib>

using namespace tilegpt::runtime;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const auto config =
      ModelConfig::parse({reinterpret_cast<const char *>(data), size}, "fuzz");
  if (!config)
    return 0;
  const bool good = config->layers > 0 && config->heads > 0 &&
                    config->width > 0 && config->width % config->heads == 0 &&
                    config->innerWidth > 0 && config->context > 0 &&
                    config->vocabulary > 0 && config->epsilon > 0 &&
                    config->bosToken.value_or(0) < config->vocabulary &&
                    config->eosToken.value_or(0) < config->vocabulary;
  if (!good)
    std::abort();
  return 0;
}
