// Pass managers for a whole module.
#include "TileGPT/Target/LLVM/Optimize.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

/// \param makePasses  creates the passes with the builder.
static void run(Module &module, TargetMachine &machine,
                const PipelineTuningOptions &tuning,
                function_ref<ModulePassManager(PassBuilder &)> makePasses) {
  PassBuilder builder(&machine, tuning);
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager callGraph;
  ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);
  makePasses(builder).run(module, modules);
}

void tilegpt::target::optimizeScalar(Module &module, TargetMachine &machine) {
  PipelineTuningOptions tuning;
  tuning.LoopUnrolling = false;
  tuning.LoopVectorization = false;
  tuning.LoopInterleaving = false;
  tuning.SLPVectorization = false;
  run(module, machine, tuning, [](PassBuilder &builder) {
    return builder.buildPerModuleDefaultPipeline(OptimizationLevel::O2);
  });
}

void tilegpt::target::runPasses(Module &module, TargetMachine &machine,
                                StringRef passes) {
  run(module, machine, PipelineTuningOptions(), [&](PassBuilder &builder) {
    ModulePassManager manager;
    cantFail(builder.parsePassPipeline(manager, passes));
    return manager;
  });
}
