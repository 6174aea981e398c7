// The error of a runtime-only build for a model that is not compiled.
#include "CacheCommand.h"
#include "Load/LoadModel.h"
#include "RunKernel.h"

using namespace tilegpt;
using namespace tilegpt::run;

runtime::Result<OpenedModel> run::openSource(const Options &options) {
  return runtime::makeError(
      runtime::ErrorCode::Usage,
      "model: this build runs compiled models (.tgb) only; compile ",
      options.model.empty() ? "one" : "'" + options.model.string() + "'",
      " with --save in a full build");
}

runtime::Result<std::string> run::listModels() {
  return runtime::makeError(runtime::ErrorCode::Usage,
                            "--list-models: this build runs compiled models "
                            "(.tgb) only and has no built-in ones");
}

runtime::Result<std::vector<std::byte>>
run::compileSource(const Options &options, const compiler::ModelSource &,
                   const LoadRequest &, Progress &) {
  return tl::unexpected(openSource(options).error());
}

runtime::Result<int> run::runCacheCommand(int, const char *const *) {
  return runtime::makeError(runtime::ErrorCode::Usage,
                            "cache: this build runs compiled models (.tgb) "
                            "only and has no kernel cache");
}

runtime::Result<int> run::runKernel(const Options &options) {
  return runtime::makeError(
      runtime::ErrorCode::Usage,
      "--function: this build runs compiled models (.tgb) only; run '",
      options.function, "' in a full build");
}

runtime::Result<bool> run::tunesLaunches(const Options &) { return false; }

runtime::Result<int> run::tuneLaunches(const Options &options) {
  return tl::unexpected(openSource(options).error());
}
