// Puts the operands of dots into shared memory, where every thread finds the
// rows and columns that its part of the result needs.
#include "TileGPT/Conversion/TileToArith/MemoryElement.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "TileGPT/Dialect/TileGPU/Analysis/ExplainPlan.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/IR/SharedAccess.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <numeric>

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_PLACEOPERANDS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {

/// The buffer of an operand for fused multiply-adds. Rows of whole 16-byte
/// units; an odd number of them where a thread reads along the row, so that
/// neighbouring rows begin in different banks.
SharedType paddedBuffer(RankedTensorType type, bool isSumLast) {
  int64_t columns = type.getShape().back();
  int64_t unit = sharedUnitBytes / memoryBytes(type.getElementType());
  int64_t units = llvm::divideCeil(columns, unit);
  if (isSumLast && units % 2 == 0)
    ++units;
  return SharedType::get(type.getContext(), type.getShape(),
                         type.getElementType(), /*swizzle=*/0,
                         units * unit - columns);
}

/// The buffer of an operand for `ldmatrix`, which reads eight rows of 16 bytes
/// at a time: a swizzle as wide as the rows allow spreads them over all banks.
SharedType matrixBuffer(RankedTensorType type) {
  int64_t bytes = type.getShape().back() * memoryBytes(type.getElementType());
  constexpr int64_t widest = 128, narrowest = 32;
  int64_t swizzle = std::gcd(bytes, widest);
  if (swizzle < narrowest)
    return paddedBuffer(type, /*isSumLast=*/true);
  return SharedType::get(type.getContext(), type.getShape(),
                         type.getElementType(), swizzle, /*padding=*/0);
}

/// The buffer of an operand whose 4-byte elements the lanes of `mma.sync` pick
/// one by one: four rows, eight neighbours of each. Rows a quarter of the banks
/// apart never meet.
SharedType pickedBuffer(RankedTensorType type) {
  constexpr int64_t banks = 32, apart = 8;
  int64_t columns = type.getShape().back();
  int64_t padding = (apart - columns % banks + banks) % banks;
  return SharedType::get(type.getContext(), type.getShape(),
                         type.getElementType(), /*swizzle=*/0, padding);
}

struct PlaceOperands : tilegpu::impl::PlaceOperandsBase<PlaceOperands> {
  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    SmallVector<tile::DotOp> dots;
    getOperation().walk([&](tile::DotOp dot) { dots.push_back(dot); });
    for (tile::DotOp dot : dots)
      place(dot);
  }

private:
  void place(tile::DotOp dot) {
    RankedTensorType acc = dot.getAcc().getType();
    LayoutAttr layout = LayoutAttr::of(acc);
    bool isMatrix = layout && isMmaFragment(layout, acc.getRank());
    explain(dot, isMatrix);
    // The types in which they are multiplied: those a matrix instruction takes,
    // or that of the accumulator.
    MmaOperands types = {acc.getElementType(), acc.getElementType(), 1};
    if (isMatrix)
      types = mmaOperands(dot).value_or(types);
    Value lhs = widen(dot, dot.getLhs(), dot.getUnsignedLhs(), types.lhs);
    Value rhs = widen(dot, dot.getRhs(), dot.getUnsignedRhs(), types.rhs);
    bool isInPlace = isMatrix && !dot.getTransposeA() &&
                     isMmaLhs(cast<RankedTensorType>(lhs.getType()), layout);
    Value left = lhs,
          right = allocate(bufferOf(rhs, dot.getTransposeB(), isMatrix),
                           dot.getLoc());
    if (isInPlace) {
      write(dot, {rhs}, {right});
    } else {
      left =
          allocate(bufferOf(lhs, !dot.getTransposeA(), isMatrix), dot.getLoc());
      write(dot, {lhs, rhs}, {left, right});
    }
    OpBuilder builder(dot);
    Value result = tilegpu::DotOp::create(
        builder, dot.getLoc(), acc, left, right, dot.getAcc(),
        dot.getTransposeA(), dot.getTransposeB(), dot.getUnsignedLhs(),
        dot.getUnsignedRhs(), dot.getPrecision());
    dot.replaceAllUsesWith(result);
    dot.erase();
  }

  static void explain(tile::DotOp dot, bool isMatrix) {
    if (isMatrix)
      explainPassed(dot, "dot") << "mma.sync on operands in shared memory";
    else
      explainMissed(dot, "dot")
          << "fused multiply-adds: "
          << remark::detail::LazyTextBuild{
                 "Reason", [&] { return whyNoMatrixInstruction(dot); }};
  }

  /// The operand in the type in which it is multiplied.
  Value widen(tile::DotOp dot, Value operand, bool isUnsigned, Type element) {
    auto type = cast<RankedTensorType>(operand.getType());
    if (type.getElementType() == element)
      return operand;
    // Beside its definition, so that what a loop does not change is widened
    // once.
    OpBuilder builder(&getContext());
    builder.setInsertionPointAfterValue(operand);
    Type wide = type.clone(element);
    if (isa<FloatType>(element))
      return tile::CastOp::create(builder, dot.getLoc(), wide, operand);
    if (isUnsigned)
      return arith::ExtUIOp::create(builder, dot.getLoc(), wide, operand);
    return arith::ExtSIOp::create(builder, dot.getLoc(), wide, operand);
  }

  SharedType bufferOf(Value operand, bool isSumLast, bool isMatrix) {
    auto type = cast<RankedTensorType>(operand.getType());
    if (!isMatrix)
      return paddedBuffer(type, isSumLast);
    bool isPicked = !isSumLast && memoryBytes(type.getElementType()) == 4;
    return isPicked ? pickedBuffer(type) : matrixBuffer(type);
  }

  Value allocate(SharedType type, Location loc) {
    OpBuilder builder =
        OpBuilder::atBlockBegin(&getOperation().getBody().front());
    return AllocOp::create(builder, loc, type, /*offset=*/IntegerAttr());
  }

  /// Writes operands to their buffers, each in front of the outermost loop that
  /// does not change it; a barrier before, for what was read there, and behind.
  void write(tile::DotOp dot, ArrayRef<Value> operands,
             ArrayRef<Value> buffers) {
    SmallVector<Operation *> places;
    for (Value operand : operands) {
      Operation *place = dot;
      for (Operation *parent = dot->getParentOp(); isa<scf::ForOp>(parent);
           parent = parent->getParentOp()) {
        if (!cast<scf::ForOp>(parent).isDefinedOutsideOfLoop(operand))
          break;
        place = parent;
      }
      places.push_back(place);
    }
    for (Operation *place :
         llvm::SetVector<Operation *>(places.begin(), places.end())) {
      OpBuilder builder(place);
      BarrierOp::create(builder, dot.getLoc());
      for (auto [operand, buffer, at] :
           llvm::zip_equal(operands, buffers, places))
        if (at == place)
          WriteOp::create(builder, dot.getLoc(), operand, buffer);
      BarrierOp::create(builder, dot.getLoc());
    }
  }
};
} // namespace
