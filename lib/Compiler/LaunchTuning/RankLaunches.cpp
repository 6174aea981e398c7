// Ranks choices by the cost model: the candidates of tuning, in its order.
#include "DeviceCode.h"
#include "LaunchTuning/CompilePool.h"
#include "TileGPT/Compiler/TuneLaunches.h"
#include "TileGPT/Runtime/Cpu/ThreadPool.h"
#include "llvm/ADT/STLExtras.h"
#include <cstdio>

using namespace tilegpt;
using namespace tilegpt::compiler;
using runtime::Result;

/// The outcome of a choice, in a few words.
static std::string describe(const CompilePool::Outcome &outcome) {
  if (!outcome)
    return outcome.error().why == Refusal::IsSlow       ? "spills registers"
           : outcome.error().why == Refusal::DoesNotFit ? "does not fit"
                                                        : "does not compile";
  const bundle::DeviceKernel &launch = outcome->gpu->launch;
  // Unknown without ptxas.
  return launch.registers == 0
             ? runtime::concat(launch.threads, " threads")
             : runtime::concat(launch.threads, " threads, ", launch.registers,
                               " registers");
}

/// "linear 1024x768xbf16,…".
static std::string describe(const runtime::TunableLaunch &launch) {
  std::string text = launch.kernel + " ";
  for (const std::string &operand : launch.key.operands)
    text += (text.back() == ' ' ? "" : ",") + operand;
  return text + "\n";
}

Result<void> compiler::rankLaunches(const LaunchRanking &ranking) {
  auto target = findDeviceTarget(ranking.architecture);
  if (!target)
    return tl::unexpected(target.error());
  LaunchCompiler compiler;
  compiler.phases.kernels = ranking.kernels;
  compiler.phases.compileForGpu(ranking.architecture);
  compiler.gpu = &target->gpu;
  if (target->ptxas)
    compiler.ptxas = &*target->ptxas;
  auto launches = readLaunches(ranking.path, compiler.phases);
  if (!launches)
    return tl::unexpected(launches.error());
  CompilePool pool(compiler, cpu::ThreadPool(ranking.threads).threads());
  for (const LaunchText &launch : *launches) {
    ranking.print(describe(launch.tunable));
    const auto choices =
        llvm::ArrayRef(launch.tunable.ranked).take_front(ranking.most);
    std::vector<std::future<CompilePool::Outcome>> outcomes;
    for (const runtime::RankedChoice &each : choices)
      outcomes.push_back(pool.submit(launch, each.choice, /*isUrgent=*/false));
    for (auto [each, outcome] : llvm::zip_equal(choices, outcomes)) {
      char cycles[32];
      std::snprintf(cycles, sizeof(cycles), "%10.0f cycles ", each.cycles);
      ranking.print(runtime::concat(cycles, runtime::describe(each.choice),
                                    ": ", describe(outcome.get()), "\n"));
    }
    if (choices.empty())
      ranking.print("  no product that a producer feeds: nothing is ranked\n");
  }
  return {};
}
