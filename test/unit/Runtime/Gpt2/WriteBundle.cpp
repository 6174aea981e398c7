// Writes the handwritten model to a file, for tests of tools: write-gpt2-bundle
// CONFIG.json OUT.tgb [ARCHITECTURE].
#include "Gpt2Bundle.h"
#include "Gpt2Tables.h"
#include <cstdio>

using namespace tilegpt;

int main(int argc, char **argv) {
  if (argc != 3 && argc != 4) {
    std::fprintf(stderr, "usage: %s CONFIG.json OUT.tgb [ARCHITECTURE]\n",
                 argv[0]);
    return int(runtime::ErrorCode::Usage);
  }
  const auto config = runtime::ModelConfig::read(argv[1], test::gpt2Tables());
  const auto saved =
      config ? bundle::save(test::gpt2Bundle(test::Gpt2Sizes(*config),
                                             argc == 4 ? argv[3] : "x86_64")
                                .bytes(),
                            argv[2])
             : tl::make_unexpected(config.error());
  if (saved)
    return 0;
  std::fprintf(stderr, "%s\n", saved.error().message.c_str());
  return exitCode(saved.error().code);
}
