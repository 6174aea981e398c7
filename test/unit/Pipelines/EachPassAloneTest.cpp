// Runs every pass of the tree alone on IR of every phase, as users of
// tilegpt-opt eventually do. A pass must transform the IR, leave it alone or
// report what it expects; it must not crash, hang, fail silently or produce
// invalid IR.
//
// Uses only a few kernels unless TILEGPT_TEST_ALL_PASSES is set.
#include "SourceFolder.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/Tile/Transforms/BindKernel.h"
#include "TileGPT/Library/Library.h"
#include "TileGPT/Pipelines/Phases.h"
#include "TileGPT/Pipelines/Registration.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Regex.h"
#include <csignal>
#include <gtest/gtest.h>
#include <mutex>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace tilegpt;

namespace {

/// The command line names of the passes in all `Passes.td` files, and of the
/// two pipelines.
std::vector<std::string> passNames() {
  std::vector<std::string> names = {"tile-to-cpu", "tile-to-gpu"};
  const std::filesystem::path headers = test::sourceFolder() / "include";
  for (const auto &entry :
       std::filesystem::recursive_directory_iterator(headers)) {
    if (entry.path().filename() != "Passes.td")
      continue;
    auto file = llvm::cantFail(llvm::errorOrToExpected(
        llvm::MemoryBuffer::getFile(entry.path().string())));
    llvm::StringRef text = file->getBuffer();
    for (llvm::SmallVector<llvm::StringRef> found;
         llvm::Regex(": Pass<\"([^\"]+)\"").match(text, &found);
         text = text.substr(found[0].end() - text.begin()))
      names.push_back(found[1].str());
  }
  llvm::sort(names);
  return names;
}

/// The state of one pass in its process, shared with the waiting parent.
struct Progress {
  unsigned pass;     ///< the current pass
  char finding[512]; ///< empty if there is none
};

void runPass(ModuleOp input, const std::string &name, Progress &progress) {
  std::string said;
  ScopedDiagnosticHandler handler(input.getContext(), [&](Diagnostic &one) {
    if (one.getSeverity() == DiagnosticSeverity::Error)
      said += one.str() + "\n";
    return success();
  });
  auto note = [&](const std::string &text) {
    progress.finding[text.copy(progress.finding, sizeof progress.finding - 1)] =
        0;
  };
  OwningOpRef<ModuleOp> module = input.clone();
  PassManager pm(input.getContext(), ModuleOp::getOperationName(),
                 PassManager::Nesting::Implicit);
  pm.enableVerifier(false);
  const auto onError = [&](const Twine &) { return failure(); };
  const PassRegistryEntry *entry = PassInfo::lookup(name);
  if (!entry)
    entry = PassPipelineInfo::lookup(name);
  if (!entry || failed(entry->addToPipeline(pm, "", onError)))
    return note("cannot be made");
  if (failed(pm.run(*module))) {
    if (said.empty())
      note("fails without a message");
  } else if (failed(verify(*module))) {
    note("leaves IR that does not verify: " + said);
  }
}

class EachPassAlone : public testing::Test {
protected:
  EachPassAlone() : context(registry()) {
    // A forked process only has the calling thread.
    context.disableMultithreading();
    progress = static_cast<Progress *>(
        ::mmap(nullptr, sizeof *progress, PROT_READ | PROT_WRITE,
               MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  }
  ~EachPassAlone() override { ::munmap(progress, sizeof *progress); }

  static DialectRegistry registry() {
    static std::once_flag once;
    std::call_once(once, registerPasses);
    DialectRegistry registry;
    registerDialects(registry);
    return registry;
  }

  OwningOpRef<ModuleOp> parse(std::string_view text) {
    return parseSourceString<ModuleOp>(text, &context);
  }

  /// Runs every pass on `module`, each in a process of its own.
  void sweep(ModuleOp module, const std::string &what) {
    static const std::vector<std::string> passes = passNames();
    ASSERT_GT(passes.size(), 60u);
    for (*progress = {}; progress->pass < passes.size(); ++progress->pass) {
      const pid_t child = ::fork();
      ASSERT_GE(child, 0);
      if (child == 0) {
        for (int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE})
          ::signal(signal, SIG_DFL);
        const rlimit noCore{0, 0};
        ::setrlimit(RLIMIT_CORE, &noCore);
        for (; progress->pass < passes.size(); ++progress->pass) {
          // CPU time: other processes do not count. Ends with SIGPROF.
          const itimerval limit{{}, {secondsPerPass, 0}};
          ::setitimer(ITIMER_PROF, &limit, nullptr);
          runPass(module, passes[progress->pass], *progress);
          if (progress->finding[0])
            break;
        }
        ::_exit(0);
      }
      int status = 0;
      ASSERT_EQ(::waitpid(child, &status, 0), child);
      if (progress->pass == passes.size())
        break;
      const std::string &pass = passes[progress->pass];
      if (WIFSIGNALED(status))
        ADD_FAILURE() << "--" << pass << " on " << what << ": "
                      << ::strsignal(WTERMSIG(status));
      else
        ADD_FAILURE() << "--" << pass << " on " << what << ": "
                      << (progress->finding[0] ? progress->finding
                                               : "ends the process");
      progress->finding[0] = 0;
    }
  }

  /// Runs every pass on the text and on the result of every phase of the
  /// branch; device modules one by one.
  void sweepPhases(ModuleOp module, const std::string &name,
                   const PhaseOptions &options) {
    sweep(module, name);
    auto after = [&](Phase phase) {
      const std::string what =
          name + " behind " + nameOf(phase).str() +
          (options.branch() == Branch::Gpu ? " for " + options.gpu : "");
      auto devices = module.getOps<ModuleOp>();
      if (devices.empty())
        sweep(module, what);
      for (ModuleOp device : devices)
        sweep(device, what);
      return success();
    };
    EXPECT_TRUE(
        succeeded(runPhases(module, Phase::Graph,
                            phasesOf(options.branch()).back(), options, after)))
        << name;
  }

  static constexpr time_t secondsPerPass = 20;
  MLIRContext context;
  Progress *progress;
};

} // namespace

static bool takesAll() { return std::getenv("TILEGPT_TEST_ALL_PASSES"); }

static PhaseOptions optionsFor(llvm::StringRef gpu) {
  PhaseOptions options;
  if (!gpu.empty())
    options.compileForGpu(gpu.str());
  return options;
}

TEST_F(EachPassAlone, OnKernels) {
  const std::set<std::string_view> few = {
      "add", "attention", "embed", "experts", "heads", "linear", "softmax"};
  for (const library::File &file : library::kernels()) {
    if (!takesAll() && !few.contains(file.name))
      continue;
    for (const char *gpu : {"", "sm_80", "sm_90a"}) {
      OwningOpRef<ModuleOp> module = parse(file.text);
      ASSERT_TRUE(module);
      if (!*gpu)
        sweep(*module, std::string(file.name) + " as it is written");
      // Without a launch, a kernel's tile sizes need to be bound explicitly.
      for (bool isOpen = true; isOpen;) {
        isOpen = false;
        for (tile::KernelOp kernel : module->getOps<tile::KernelOp>())
          for (tile::ParamAttr param : tile::openParameters(kernel)) {
            const char *value = param.getName() == "G" ? "=4" : "=64";
            isOpen =
                !tile::bindParameter(*module, param.getName().str() + value);
            ASSERT_TRUE(isOpen);
            break;
          }
      }
      sweepPhases(*module, std::string(file.name), optionsFor(gpu));
    }
  }
}

TEST_F(EachPassAlone, OnModels) {
  for (const library::File &file : library::models()) {
    if (!takesAll() && file.name != "nano")
      continue;
    OwningOpRef<ModuleOp> module = parse(file.text);
    ASSERT_TRUE(module);
    sweep(*module, std::string(file.name));
  }
  for (const char *gpu : {"", "sm_90a"}) {
    OwningOpRef<ModuleOp> module =
        parse(library::find(library::models(), "nano")->text);
    PhaseOptions options = optionsFor(gpu);
    options.plans = {"decode:1-1"};
    sweepPhases(*module, "nano", options);
  }
}
