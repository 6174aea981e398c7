#include "TileGPT/Conversion/TileToArith/AtomicUpdate.h"

using namespace mlir;

namespace tilegpt::tile {

LLVM::AtomicBinOp binOpOf(AtomicKind kind, Type element) {
  switch (kind) {
  case AtomicKind::Add:
    return isa<FloatType>(element) ? LLVM::AtomicBinOp::fadd
                                   : LLVM::AtomicBinOp::add;
  case AtomicKind::Max:
    return LLVM::AtomicBinOp::max;
  case AtomicKind::Min:
    return LLVM::AtomicBinOp::min;
  case AtomicKind::UMax:
    return LLVM::AtomicBinOp::umax;
  case AtomicKind::UMin:
    return LLVM::AtomicBinOp::umin;
  case AtomicKind::And:
    return LLVM::AtomicBinOp::_and;
  case AtomicKind::Or:
    return LLVM::AtomicBinOp::_or;
  case AtomicKind::Xor:
    return LLVM::AtomicBinOp::_xor;
  case AtomicKind::Xchg:
    return LLVM::AtomicBinOp::xchg;
  }
  llvm_unreachable("all kinds are handled");
}

} // namespace tilegpt::tile
