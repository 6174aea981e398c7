// Allocates tile buffers on the stack: a block of the grid must not allocate.
#include "TileGPT/Conversion/TileToCPU/Passes.h"

namespace tilegpt::cpu {
#define GEN_PASS_DEF_PLACETILEBUFFERS
#include "TileGPT/Conversion/TileToCPU/Passes.h.inc"
} // namespace tilegpt::cpu

using namespace mlir;

static int64_t sizeInBytes(MemRefType type) {
  Type element = type.getElementType();
  int64_t bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  return type.getNumElements() * ((bits + 7) / 8);
}

namespace {
struct PlaceTileBuffers
    : tilegpt::cpu::impl::PlaceTileBuffersBase<PlaceTileBuffers> {
  using PlaceTileBuffersBase::PlaceTileBuffersBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    SmallVector<memref::AllocOp> buffers;
    int64_t total = 0;
    WalkResult walk = function.walk([&](memref::AllocOp buffer) {
      if (!buffer.getType().hasStaticShape()) {
        buffer.emitOpError("expected a tile of static sizes, found ")
            << buffer.getType();
        return WalkResult::interrupt();
      }
      buffers.push_back(buffer);
      total += llvm::alignTo(sizeInBytes(buffer.getType()), alignment);
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return signalPassFailure();
    if (total > budget) {
      memref::AllocOp largest = *llvm::max_element(
          buffers, [](memref::AllocOp lhs, memref::AllocOp rhs) {
            return sizeInBytes(lhs.getType()) < sizeInBytes(rhs.getType());
          });
      InFlightDiagnostic error = function.emitError();
      error << "the tiles of kernel '" << function.getSymName() << "' need "
            << total << " bytes, a block has " << budget.getValue()
            << "; choose smaller tile parameters";
      error.attachNote(largest.getLoc())
          << "the largest tile is " << largest.getType() << ", "
          << sizeInBytes(largest.getType()) << " bytes";
      return signalPassFailure();
    }
    // No iteration reads what an earlier one left in its buffer, so one slot
    // serves all iterations.
    OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
    for (memref::AllocOp buffer : buffers) {
      Value place =
          memref::AllocaOp::create(builder, buffer.getLoc(), buffer.getType(),
                                   builder.getI64IntegerAttr(alignment));
      buffer.replaceAllUsesWith(place);
      buffer.erase();
    }
  }
};
} // namespace
