// Writes a module of cuda_tile as bytecode.
#include "EmitBytecode.h"
#include "TileGPT/Compiler/Source.h"
#include "TileGPT/Dialect/CudaTile/IR/CudaTileOps.h"
#include "TileGPT/Target/CudaTile/Bytecode.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using tilegpt::runtime::ErrorCode;
using tilegpt::runtime::makeError;
using tilegpt::runtime::Result;
using tilegpt::target::cudatile::Version;

namespace tilegpt::opt {

Result<void> checkBytecodeFlags(const Flags &flags) {
  const llvm::cl::Option *unused = flags.findForCompiling();
  if (flags.emit == bytecodeKind && unused)
    return makeError(ErrorCode::Usage, "--", unused->ArgStr.str(),
                     " has no effect on --emit=cuda-tile-bytecode, which "
                     "compiles nothing; remove it");
  if (flags.bytecodeVersion.getNumOccurrences() == 0)
    return {};
  if (flags.emit != bytecodeKind)
    return makeError(ErrorCode::Usage,
                     "--bytecode-version is for --emit=cuda-tile-bytecode");
  if (Version::parse(flags.bytecodeVersion))
    return {};
  return makeError(ErrorCode::Usage, "--bytecode-version: expected ",
                   Version::all().front().str(), " to ",
                   Version::all().back().str(), ", found '",
                   flags.bytecodeVersion.getValue(), "'");
}

/// Wraps entries and globals outside modules in a module.
static void wrapBareOps(ModuleOp file) {
  SmallVector<Operation *> bare;
  for (Operation &op : *file.getBody())
    if (isa<cuda_tile::EntryOp, cuda_tile::GlobalOp>(op))
      bare.push_back(&op);
  if (bare.empty())
    return;
  OpBuilder builder = OpBuilder::atBlockEnd(file.getBody());
  auto module = cuda_tile::ModuleOp::create(builder, file.getLoc(), "kernels",
                                            StringAttr());
  Block &body = module.getBody().emplaceBlock();
  for (Operation *op : bare)
    op->moveBefore(&body, body.end());
}

Result<void> emitBytecode(const Flags &flags, const llvm::MemoryBuffer &source,
                          DialectRegistry &registry,
                          llvm::raw_ostream &output) {
  Version version =
      Version::parse(flags.bytecodeVersion).value_or(Version::usual());
  Result<void> result;
  Result<void> started = compiler::runOnLargeStack([&] {
    MLIRContext context(registry);
    llvm::SourceMgr manager;
    SourceMgrDiagnosticHandler handler(manager, &context);
    OwningOpRef<ModuleOp> file = compiler::parseSource(source, context);
    if (!file) {
      result = makeError(ErrorCode::BadInput, "the input does not parse");
      return;
    }
    wrapBareOps(*file);
    auto modules = llvm::to_vector(file->getOps<cuda_tile::ModuleOp>());
    if (modules.size() != 1) {
      result = makeError(ErrorCode::BadInput,
                         "--emit=cuda-tile-bytecode: expected one "
                         "cuda_tile.module in '",
                         source.getBufferIdentifier().str(), "', found ",
                         modules.size());
      return;
    }
    if (failed(target::cudatile::writeBytecode(modules[0], version, output)))
      result = makeError(ErrorCode::Failure, "version ", version.str(),
                         " cannot hold this module");
  });
  return started ? result : started;
}

} // namespace tilegpt::opt
