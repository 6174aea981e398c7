// lld's link-time optimiser, which nothing here runs, asks for LLVM's Polly
// extension. This answers for it, so a static tool need not carry Polly.
#include "llvm/Config/llvm-config.h"
#include "llvm/Plugins/PassPlugin.h"

llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "none", LLVM_VERSION_STRING,
          [](llvm::PassBuilder &) {}};
}
