// What a runtime-only build says to a model that is not compiled.
#include "CacheCommand.h"
#include "LoadModel.h"
#include "RunKernel.h"

using namespace tilegpt;
using namespace tilegpt::run;

runtime::Result<std::vector<std::byte>>
run::compileSource(const Options &options, const LoadRequest &, Progress &) {
  return runtime::makeError(
      runtime::ErrorCode::Usage,
      "model: this build runs compiled models (.tgb) only; compile '",
      options.model.string(), "' with --save in a full build");
}

runtime::Result<int> run::runCacheCommand(int, const char *const *) {
  return runtime::makeError(runtime::ErrorCode::Usage,
                            "cache: this build runs compiled models (.tgb) "
                            "only and keeps no kernels");
}

runtime::Result<int> run::runKernel(const Options &options) {
  return runtime::makeError(
      runtime::ErrorCode::Usage,
      "--function: this build runs compiled models (.tgb) only; run '",
      options.function, "' in a full build");
}
