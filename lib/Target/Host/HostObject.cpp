// Lowers the LLVM dialect to an ELF object; tools can stop after each step.
#include "TileGPT/Target/Host/HostObject.h"
#include "StoreSingleElements.h"
#include "TileGPT/Target/LLVM/Optimize.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace tilegpt;
using namespace tilegpt::target;

llvm::Expected<std::unique_ptr<llvm::Module>>
target::translateToLLVM(mlir::ModuleOp module, const HostTarget &target,
                        llvm::LLVMContext &context) {
  mlir::registerBuiltinDialectTranslation(*module.getContext());
  mlir::registerLLVMDialectTranslation(*module.getContext());
  std::unique_ptr<llvm::Module> translated =
      mlir::translateModuleToLLVMIR(module, context, "tilegpt");
  if (!translated)
    return llvm::createStringError(
        "host: the module does not translate to LLVM IR");

  translated->setTargetTriple(llvm::Triple(HostTarget::triple));
  translated->setDataLayout(target.createMachine()->createDataLayout());
  // Memory of the program: every kernel that uses it defines it, and the linker
  // keeps one definition.
  for (llvm::GlobalVariable &global : translated->globals())
    if (global.hasExternalLinkage() && !global.isDeclaration()) {
      global.setLinkage(llvm::GlobalValue::LinkOnceODRLinkage);
      global.setVisibility(llvm::GlobalValue::HiddenVisibility);
    }
  for (llvm::Function &function : *translated) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr(llvm::Attribute::NoUnwind);
    function.addFnAttr("tune-cpu", target.cpu());
    // Otherwise LLVM prefers 256 bits on processors that may reduce their
    // clock; kernels use the width for which they were vectorized.
    function.addFnAttr("prefer-vector-width",
                       llvm::utostr(target.vectorBits()));
  }
  return translated;
}

/// Kernels are explicit vector code whose hot loops are already unrolled up to
/// the register limit. This is O2 without the passes that take most of its time
/// without effect on such code: SLP vectorization, loop vectorization and
/// induction variable rewriting. Only loops with small trip counts are
/// unrolled: more would create remainder loops for short ones and merge loops
/// that read one row of memory after the other.
static constexpr llvm::StringLiteral hostPasses =
    "cgscc(inline),"
    "function<eager-inv>(sroa<modify-cfg>,early-cse<memssa>,simplifycfg,"
    "instcombine<no-verify-fixpoint>,loop-simplify,lcssa,"
    "loop-mssa(loop-rotate,licm),"
    "loop-unroll<O2;full-unroll-max=4;no-partial;no-peeling;no-runtime;"
    "no-upperbound>,"
    "sroa<modify-cfg>,gvn,sccp,dse,instcombine<no-verify-fixpoint>,"
    "simplifycfg),"
    "globaldce";

void target::optimize(llvm::Module &module, const HostTarget &target) {
  const std::unique_ptr<llvm::TargetMachine> machine = target.createMachine();
  runPasses(module, *machine, hostPasses);
  storeSingleElements(module);
}

llvm::Expected<HostObject> target::emitObject(llvm::Module &module,
                                              const HostTarget &target) {
  HostObject object;
  llvm::raw_svector_ostream stream(object);
  const std::unique_ptr<llvm::TargetMachine> machine = target.createMachine();
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr,
                                   llvm::CodeGenFileType::ObjectFile))
    return llvm::createStringError("host: LLVM has no code emitter for " +
                                   HostTarget::triple);
  passes.run(module);
  return object;
}

llvm::Expected<HostObject> target::compileObject(mlir::ModuleOp module,
                                                 const HostTarget &target) {
  llvm::LLVMContext context;
  auto translated = translateToLLVM(module, target, context);
  if (!translated)
    return translated.takeError();
  optimize(**translated, target);
  return emitObject(**translated, target);
}
