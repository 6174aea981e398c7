// Compiles the functions of a module one by one, on several threads, and links
// them. A thread needs an LLVMContext of its own, so functions travel as
// bitcode, of which each thread reads only what its function reaches.
#include "TileGPT/Target/Host/HostImage.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/IRMover.h"
#include <atomic>
#include <thread>

using namespace tilegpt;
using namespace tilegpt::target;

/// A module with one public function of `bitcode` and the private ones and
/// constants it reaches.
static llvm::Expected<std::unique_ptr<llvm::Module>>
extractFunction(llvm::MemoryBufferRef bitcode, llvm::StringRef name,
                llvm::LLVMContext &context) {
  auto source = llvm::getLazyBitcodeModule(bitcode, context);
  if (!source)
    return source.takeError();
  auto extracted = std::make_unique<llvm::Module>(name, context);
  extracted->setDataLayout((*source)->getDataLayout());
  extracted->setTargetTriple((*source)->getTargetTriple());
  llvm::GlobalValue *function = (*source)->getFunction(name);
  llvm::IRMover mover(*extracted);
  if (llvm::Error error = mover.move(std::move(*source), {function}, {},
                                     /*IsPerformingImport=*/false))
    return std::move(error);
  return extracted;
}

static llvm::Expected<HostObject> compileFunction(llvm::MemoryBufferRef bitcode,
                                                  llvm::StringRef name,
                                                  const HostTarget &target) {
  llvm::LLVMContext context;
  auto module = extractFunction(bitcode, name, context);
  if (!module)
    return module.takeError();
  optimize(**module, target);
  return emitObject(**module, target);
}

llvm::Expected<HostImage> target::compileImage(mlir::ModuleOp module,
                                               const HostTarget &target,
                                               unsigned threads) {
  std::vector<std::string> names;
  llvm::SmallVector<char, 0> bitcode;
  {
    llvm::LLVMContext context;
    auto translated = translateToLLVM(module, target, context);
    if (!translated)
      return translated.takeError();
    for (const llvm::Function &function : **translated)
      if (!function.isDeclaration() && !function.hasLocalLinkage())
        names.push_back(function.getName().str());
    llvm::raw_svector_ostream stream(bitcode);
    llvm::WriteBitcodeToFile(**translated, stream);
  }
  const llvm::MemoryBufferRef buffer(
      llvm::StringRef(bitcode.data(), bitcode.size()), "tilegpt");

  std::vector<HostObject> objects(names.size());
  std::vector<std::string> errors(names.size());
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t i; (i = next.fetch_add(1)) < names.size();) {
      llvm::Expected<HostObject> object =
          compileFunction(buffer, names[i], target);
      if (object)
        objects[i] = std::move(*object);
      else
        errors[i] = llvm::toString(object.takeError());
    }
  };
  std::vector<std::thread> helpers;
  for (size_t i = 1; i < std::min<size_t>(threads, names.size()); ++i)
    helpers.emplace_back(work);
  work();
  for (std::thread &helper : helpers)
    helper.join();

  for (size_t i = 0; i < names.size(); ++i)
    if (!errors[i].empty())
      return llvm::createStringError("host: cannot compile '" + names[i] +
                                     "': " + errors[i]);
  return linkImage(objects);
}
