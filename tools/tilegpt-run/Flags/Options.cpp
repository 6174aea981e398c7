// Values derived from the command line.
#include "Flags/Options.h"

using namespace tilegpt::run;

std::filesystem::path Options::weightsFolder() const {
  std::error_code ignored;
  return is_directory(weights, ignored) ? weights : weights.parent_path();
}
