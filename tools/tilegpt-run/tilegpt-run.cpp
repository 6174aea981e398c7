// Runs a GPT-2 class model from the command line.
#include "CacheCommand.h"
#include "Flags/ModelFile.h"
#include "Flags/ParseOptions.h"
#include "Load/ChooseEngine.h"
#include "Load/LoadModel.h"
#include "Ranks/RunRanks.h"
#include "Run.h"
#include "RunKernel.h"
#include "Terminal/Console.h"

using namespace tilegpt::run;

int main(int argc, char **argv) {
  prepareStreams();
  if (argc > 1 && std::string_view(argv[1]) == "cache") {
    const auto code = runCacheCommand(argc - 1, argv + 1);
    return code ? *code : reportError(code.error());
  }
  const auto options = parseOptions(argc, argv);
  if (!options)
    return reportError(options.error());
  if (!*options)
    return 0;
  if ((*options)->listDevices) {
    const auto written = writeOutput(listDevices());
    return written ? 0 : reportError(written.error());
  }
  if ((*options)->listModels) {
    const auto models = listModels();
    if (!models)
      return reportError(models.error());
    const auto written = writeOutput(*models);
    return written ? 0 : reportError(written.error());
  }
  if (const auto checked = checkModelFile((*options)->model); !checked)
    return reportError(checked.error());
  const auto tunesAlone = tunesLaunches(**options);
  if (!tunesAlone)
    return reportError(tunesAlone.error());
  if (*tunesAlone) {
    const auto code = tuneLaunches(**options);
    return code ? *code : reportError(code.error());
  }
  const auto code = (*options)->runsKernel()
                        ? runKernel(**options)
                        : runRanks(**options, argv, runModel);
  return code ? *code : reportError(code.error());
}
