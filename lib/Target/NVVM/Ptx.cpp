// Drives LLVM for one device module.
#include "TileGPT/Target/NVVM/Ptx.h"
#include "TileGPT/Target/LLVM/Optimize.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace tilegpt;
using namespace tilegpt::target;

/// LLVM's NVPTX backend, registered once.
static const llvm::Target &nvptx() {
  static const llvm::Target &backend = []() -> const llvm::Target & {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    // Only this global option of the backend makes shared memory pointers 32
    // bits wide; the data layout of the module does not.
    const auto &options = llvm::cl::getRegisteredOptions();
    const auto shortPointers = options.find("nvptx-short-ptr");
    if (shortPointers == options.end())
      llvm::reportFatalInternalError(
          "LLVM's NVPTX backend has no option nvptx-short-ptr");
    // Set as the default value: lld, which links host code, resets all options
    // to their defaults.
    static_cast<llvm::cl::opt<bool> *>(shortPointers->second)
        ->setInitialValue(true);

    std::string error;
    const llvm::Target *target = llvm::TargetRegistry::lookupTarget(
        llvm::Triple(GpuTarget::triple), error);
    if (!target)
      llvm::reportFatalInternalError(llvm::Twine(error));
    return *target;
  }();
  return backend;
}

static std::unique_ptr<llvm::TargetMachine>
createMachine(const GpuTarget &target) {
  return std::unique_ptr<llvm::TargetMachine>(nvptx().createTargetMachine(
      llvm::Triple(GpuTarget::triple), target.name,
      "+ptx" + llvm::utostr(target.ptxVersion), llvm::TargetOptions(),
      llvm::Reloc::PIC_, std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

/// Devices have no libraries: every callee must be defined in the module, an
/// intrinsic, or one of the functions that the driver provides for prints.
static llvm::Error checkCalls(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    if (function.isDeclaration() && !function.isIntrinsic() &&
        !function.use_empty() && function.getName() != "vprintf")
      return llvm::createStringError(
          "gpu: a kernel calls '" + function.getName() +
          "', which neither the module nor the hardware provides");
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<llvm::Module>>
target::translateToLLVM(mlir::ModuleOp module, llvm::LLVMContext &context) {
  mlir::MLIRContext *mlirContext = module.getContext();
  module->setAttr(mlir::LLVM::LLVMDialect::getTargetTripleAttrName(),
                  mlir::StringAttr::get(mlirContext, GpuTarget::triple));
  module->setAttr(mlir::LLVM::LLVMDialect::getDataLayoutAttrName(),
                  mlir::StringAttr::get(mlirContext, GpuTarget::dataLayout));
  std::unique_ptr<llvm::Module> translated =
      mlir::translateModuleToLLVMIR(module, context, "tilegpt");
  if (!translated)
    return llvm::createStringError(
        "gpu: the module does not translate to LLVM IR");
  if (llvm::Error error = checkCalls(*translated))
    return std::move(error);
  return translated;
}

/// Whether a kernel has branches that repeat the same computation next to
/// different code: ptxas schedules instructions within a basic block and hides
/// latencies behind independent instructions there. Such computations must not
/// be hoisted or sunk out of the branches.
static bool keepsBranches(const llvm::Module &module) {
  return llvm::any_of(module, [](const llvm::Function &function) {
    return function.hasFnAttribute(keepsBranchesAttribute);
  });
}

/// LLVM's O2 for such a kernel: `simplifycfg` neither hoists nor sinks common
/// code of branches, and loops are not unrolled.
static constexpr llvm::StringLiteral branchPasses =
    "inferattrs,function<eager-inv>(lower-expect,simplifycfg,sroa<modify-cfg>,"
    "early-cse),"
    "ipsccp,globalopt,function<eager-inv>(mem2reg,"
    "instcombine<no-verify-fixpoint>,simplifycfg<switch-range-to-icmp>),"
    "cgscc(inline,function<eager-inv>(sroa<modify-cfg>,early-cse<memssa>,"
    "speculative-execution<only-if-divergent-target>,jump-threading,"
    "correlated-propagation,simplifycfg<switch-range-to-icmp>,"
    "instcombine<no-verify-fixpoint>,aggressive-instcombine,"
    "simplifycfg<switch-range-to-icmp>,reassociate,constraint-elimination,"
    "loop-mssa(loop-instsimplify,loop-simplifycfg,licm<no-allowspeculation>,"
    "loop-rotate,licm,simple-loop-unswitch<no-nontrivial;trivial>),"
    "simplifycfg<switch-range-to-icmp>,instcombine<no-verify-fixpoint>,"
    "loop(loop-idiom,indvars,loop-deletion),sroa<modify-cfg>,vector-combine,"
    "mldst-motion<no-split-footer-bb>,gvn,sccp,bdce,"
    "instcombine<no-verify-fixpoint>,jump-threading,correlated-propagation,"
    "adce,memcpyopt,dse,move-auto-init,loop-mssa(licm),"
    "simplifycfg<switch-range-to-icmp;switch-to-arithmetic>,"
    "instcombine<no-verify-fixpoint>)),"
    "globalopt,globaldce,function<eager-inv>(float2int,"
    "lower-constant-intrinsics,loop(loop-rotate,loop-deletion),"
    "infer-alignment,loop-load-elim,instcombine<no-verify-fixpoint>,"
    "simplifycfg<forward-switch-cond;switch-range-to-icmp;"
    "switch-to-arithmetic;switch-to-lookup;no-keep-loops>,"
    "vector-combine,instcombine<no-verify-fixpoint>,sroa<preserve-cfg>,"
    "infer-alignment,instcombine<no-verify-fixpoint>,loop-mssa(licm),"
    "alignment-from-assumptions,loop-sink,instsimplify,div-rem-pairs,"
    "simplifycfg<switch-range-to-icmp;switch-to-arithmetic;"
    "speculate-unpredictables>),globaldce,constmerge";

void target::optimize(llvm::Module &module, const GpuTarget &target) {
  const std::unique_ptr<llvm::TargetMachine> machine = createMachine(target);
  if (keepsBranches(module))
    return runPasses(module, *machine, branchPasses);
  // Unrolling and vectorization were decided earlier; register estimates depend
  // on these decisions.
  optimizeScalar(module, *machine);
}

/// Like `TargetMachine::addPassesToEmitFile`, without MachineCSE if branches
/// are kept: it hoists common code of two blocks.
static bool addPtxPasses(llvm::legacy::PassManager &passes,
                         llvm::TargetMachine &machine, bool keepsBranches,
                         llvm::raw_pwrite_stream &stream) {
  llvm::TargetPassConfig *config = machine.createPassConfig(passes);
  if (keepsBranches)
    config->disablePass(&llvm::MachineCSELegacyID);
  passes.add(config);
  auto *info = new llvm::MachineModuleInfoWrapperPass(&machine);
  passes.add(info);
  if (config->addISelPasses())
    return false;
  config->addMachinePasses();
  config->setInitialized();
  if (machine.addAsmPrinter(passes, stream, /*DwoOut=*/nullptr,
                            llvm::CodeGenFileType::AssemblyFile,
                            info->getMMI().getContext()))
    return false;
  passes.add(llvm::createFreeMachineFunctionPass());
  return true;
}

llvm::Expected<std::string> target::emitPtx(llvm::Module &module,
                                            const GpuTarget &target) {
  const std::unique_ptr<llvm::TargetMachine> machine = createMachine(target);
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  if (!addPtxPasses(passes, *machine, keepsBranches(module), stream))
    return llvm::createStringError("gpu: LLVM has no emitter of PTX text");
  passes.run(module);
  return text.str().str();
}
