// Reading and parsing of `.mlir` text and bytecode.
#include "TileGPT/Compiler/Source.h"
#include "CudaTileSource.h"
#include "Diagnostics.h"
#include "TileGPT/Compiler/Text/ExplainError.h"
#include "TileGPT/Pipelines/Phases.h"
#include "TileGPT/Pipelines/Registration.h"
#include "TileGPT/Target/CudaTile/Bytecode.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/SourceMgr.h"
#include <cstring>
#include <pthread.h>

using namespace mlir;
using tilegpt::runtime::Error;
using tilegpt::runtime::ErrorCode;
using tilegpt::runtime::Result;

namespace tilegpt::compiler {

static tl::unexpected<Error> badInput(const Twine &message) {
  return tl::unexpected(Error{ErrorCode::BadInput, message.str()});
}

using Source = std::unique_ptr<llvm::MemoryBuffer>;

/// Makes a source of the bytes of `file`.
static Result<Source> check(Source file) {
  const StringRef name = file->getBufferIdentifier();
  if (target::cudatile::isBytecode(file->getBuffer())) {
    if (file->getBufferSize() > maxSourceBytes)
      return badInput(name + ": expected at most " + Twine(maxSourceBytes) +
                      " bytes of bytecode, found " +
                      Twine(file->getBufferSize()));
    return file;
  }
  if (std::optional<std::string> text = wrapBareEntries(file->getBuffer()))
    file = llvm::MemoryBuffer::getMemBufferCopy(*text, name);
  if (Result<void> checked = checkSource(file->getBuffer(), name); !checked)
    return tl::unexpected(checked.error());
  return file;
}

Result<Source> makeSource(StringRef bytes, StringRef name) {
  return check(llvm::MemoryBuffer::getMemBufferCopy(bytes, name));
}

Result<Source> readSource(StringRef path) {
  auto file = llvm::MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/true);
  if (!file)
    return badInput(path + ": " + file.getError().message());
  return check(std::move(*file));
}

static void *callWork(void *work) {
  (*static_cast<llvm::function_ref<void()> *>(work))();
  return nullptr;
}

// llvm::thread ends the process where there is no room for the stack.
Result<void> runOnLargeStack(llvm::function_ref<void()> work) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, largeStackBytes);
  pthread_t thread;
  const int error = pthread_create(&thread, &attributes, callWork, &work);
  pthread_attr_destroy(&attributes);
  if (error != 0)
    return tilegpt::runtime::makeError(
        ErrorCode::Device, "cannot start a thread with a stack of ",
        largeStackBytes >> 20, " MB: ", std::strerror(error));
  pthread_join(thread, nullptr);
  return {};
}

OwningOpRef<ModuleOp> parseSource(const llvm::MemoryBuffer &source,
                                  MLIRContext &context) {
  if (target::cudatile::isBytecode(source.getBuffer()))
    return readCudaTileBytecode(source, context);
  ScopedDiagnosticHandler explain(&context, [&](Diagnostic &diagnostic) {
    return explainError(diagnostic, source.getBuffer(), context);
  });
  llvm::SourceMgr manager;
  manager.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(source.getMemBufferRef()),
      llvm::SMLoc());
  return parseSourceFile<ModuleOp>(manager, ParserConfig(&context));
}

OwningOpRef<ModuleOp> parseKernels(const llvm::MemoryBuffer &source,
                                   MLIRContext &context) {
  OwningOpRef<ModuleOp> module = parseSource(source, context);
  if (module && hasCudaTile(*module) &&
      failed(runPhase(*module, Phase::Tile, {})))
    return {};
  return module;
}

Result<void> withText(const llvm::MemoryBuffer &source, ParseFunction parse,
                      MLIRContext::Threading threading,
                      llvm::function_ref<Result<void>(ModuleOp)> work) {
  Result<void> result;
  Result<void> started = runOnLargeStack([&] {
    DialectRegistry registry;
    registerDialects(registry);
    MLIRContext context(registry, threading);
    FirstError diagnostics(context);
    OwningOpRef<ModuleOp> module = parse(source, context);
    result = module ? work(*module) : badInput(diagnostics.firstError());
    if (!result && result.error().message.empty())
      result =
          tl::unexpected(Error{result.error().code, diagnostics.firstError()});
  });
  return started ? result : started;
}

Result<Source> toMlirSource(Source source) {
  if (!target::cudatile::isBytecode(source->getBuffer()))
    return source;
  std::string bytes;
  const Result<void> written =
      withText(*source, parseSource, MLIRContext::Threading::DISABLED,
               [&](ModuleOp module) -> Result<void> {
                 llvm::raw_string_ostream stream(bytes);
                 if (failed(writeBytecodeToFile(module, stream)))
                   return badInput("");
                 return {};
               });
  if (!written)
    return tl::unexpected(written.error());
  return llvm::MemoryBuffer::getMemBufferCopy(bytes,
                                              source->getBufferIdentifier());
}

Result<void> withSource(StringRef path, ParseFunction parse,
                        MLIRContext::Threading threading,
                        llvm::function_ref<Result<void>(ModuleOp)> work) {
  Result<std::unique_ptr<llvm::MemoryBuffer>> source = readSource(path);
  if (!source)
    return tl::unexpected(source.error());
  return withText(**source, parse, threading, work);
}

} // namespace tilegpt::compiler
