// Writes dot operands to shared memory, from which every thread reads the rows
// and columns that its part of the result needs.
#include "TileGPT/Conversion/TileToArith/MemoryElement.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "TileGPT/Dialect/TileGPU/Analysis/ExplainPlan.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Streams.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/IR/LeastResidents.h"
#include "TileGPT/Dialect/TileGPU/IR/SharedAccess.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <map>
#include <numeric>
#include <tuple>

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_PLACEOPERANDS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {

/// The buffer of an operand for fused multiply-adds. Rows are whole 16-byte
/// units; an odd number of them if a thread reads along the row, so that
/// adjacent rows start in different banks.
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
/// Panels of 32 bytes start in the same bank, so that a write along a row has
/// one bank conflict per panel; rows wider than all banks are padded instead (a
/// token of 13 x 64 x 16 heads on 6144 x 80 keys: 115 us instead of 142; rows
/// of 96 bytes take 5 % longer).
SharedType matrixBuffer(RankedTensorType type) {
  int64_t bytes = type.getShape().back() * memoryBytes(type.getElementType());
  constexpr int64_t widest = 128, narrowest = 32;
  int64_t swizzle = std::gcd(bytes, widest);
  if (swizzle < narrowest || (swizzle == narrowest && bytes > widest))
    return paddedBuffer(type, /*isSumLast=*/true);
  return SharedType::get(type.getContext(), type.getShape(),
                         type.getElementType(), swizzle, /*padding=*/0);
}

/// The buffer of an operand whose 4-byte elements the lanes of `mma.sync` load
/// one by one: eight adjacent elements of each of four rows. Rows a quarter of
/// the banks apart never conflict.
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
    widened.clear();
    shared.clear();
    SmallVector<tile::DotOp> dots;
    getOperation().walk([&](tile::DotOp dot) { dots.push_back(dot); });
    for (tile::DotOp dot : dots)
      place(dot);
  }

private:
  /// An operand and its buffer, which is written before `place`.
  struct Placed {
    Value operand, buffer;
    Operation *place;
  };

  void place(tile::DotOp dot) {
    if (dot->hasAttr(wgmmaName))
      return placeForWarpGroups(dot);
    RankedTensorType acc = dot.getAcc().getType();
    LayoutAttr layout = LayoutAttr::of(acc);
    bool isMatrix = layout && isMmaFragment(layout, acc.getRank());
    explain(dot, isMatrix);
    // The types that are multiplied: those of the matrix instruction, or that
    // of the accumulator.
    MmaOperands types = {acc.getElementType(), acc.getElementType(), 1};
    if (isMatrix)
      types = mmaOperands(dot).value_or(types);
    Value lhs = widen(dot, dot.getLhs(), dot.getUnsignedLhs(), types.lhs);
    Value rhs = widen(dot, dot.getRhs(), dot.getUnsignedRhs(), types.rhs);
    bool isInPlace = isMatrix && !dot.getTransposeA() &&
                     isMmaLhs(cast<RankedTensorType>(lhs.getType()), layout);
    SmallVector<Placed> placed;
    Value left = lhs;
    if (!isInPlace)
      left = bufferFor(dot, lhs, bufferOf(lhs, !dot.getTransposeA(), isMatrix),
                       placed);
    Value right = bufferFor(
        dot, rhs, bufferOf(rhs, dot.getTransposeB(), isMatrix), placed);
    write(dot, placed);
    OpBuilder builder(dot);
    Value result = tilegpu::DotOp::create(
        builder, dot.getLoc(), acc, left, right, dot.getAcc(),
        dot.getTransposeA(), dot.getTransposeB(), dot.getUnsignedLhs(),
        dot.getUnsignedRhs(), dot.getPrecision());
    dot.replaceAllUsesWith(result);
    dot.erase();
  }

  void placeForWarpGroups(tile::DotOp dot) {
    explainPassed(dot, "dot") << "wgmma on operands copied by all threads";
    MmaOperands types = *mmaOperands(dot);
    SmallVector<Placed> placed;
    auto bufferOf = [&](Value operand, bool isUnsigned, Type element) {
      Value wide = widen(dot, operand, isUnsigned, element);
      return bufferFor(dot, wide,
                       bufferOfOperand(cast<RankedTensorType>(wide.getType())),
                       placed);
    };
    Value left = bufferOf(dot.getLhs(), dot.getUnsignedLhs(), types.lhs),
          right = bufferOf(dot.getRhs(), dot.getUnsignedRhs(), types.rhs);
    write(dot, placed, /*isAsync=*/true);
    OpBuilder builder(dot);
    RankedTensorType acc = dot.getAcc().getType();
    Value pending = AsyncDotOp::create(
        builder, dot.getLoc(), PendingType::get(&getContext(), acc), left,
        right, dot.getAcc(), /*along_m=*/dot.getTransposeA(),
        /*along_n=*/!dot.getTransposeB(), /*depth=*/IntegerAttr(),
        dot.getUnsignedLhs(), dot.getUnsignedRhs());
    Value result = FinishDotOp::create(builder, dot.getLoc(), pending,
                                       /*reads=*/Value(), /*later=*/0);
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

  /// Casts an operand to the type that is multiplied.
  Value widen(tile::DotOp dot, Value operand, bool isUnsigned, Type element) {
    auto type = cast<RankedTensorType>(operand.getType());
    if (type.getElementType() == element)
      return operand;
    // Place the cast next to the definition, so that loop-invariant operands
    // are cast once.
    Value &wide = widened[{operand.getAsOpaquePointer(),
                           element.getAsOpaquePointer(), isUnsigned}];
    if (wide)
      return wide;
    OpBuilder builder(&getContext());
    builder.setInsertionPointAfterValue(operand);
    Type wider = type.clone(element);
    if (isa<FloatType>(element))
      wide = tile::CastOp::create(builder, dot.getLoc(), wider, operand);
    else if (isUnsigned)
      wide = arith::ExtUIOp::create(builder, dot.getLoc(), wider, operand);
    else
      wide = arith::ExtSIOp::create(builder, dot.getLoc(), wider, operand);
    return wide;
  }

  SharedType bufferOf(Value operand, bool isSumLast, bool isMatrix) {
    auto type = cast<RankedTensorType>(operand.getType());
    if (!isMatrix)
      return paddedBuffer(type, isSumLast);
    bool isPicked = !isSumLast && memoryBytes(type.getElementType()) == 4;
    return isPicked ? pickedBuffer(type) : matrixBuffer(type);
  }

  /// The outermost loop in which a dot's operand is invariant, or the dot
  /// itself.
  static Operation *placeOf(tile::DotOp dot, Value operand) {
    Operation *place = dot;
    for (Operation *parent = dot->getParentOp(); isa<scf::ForOp>(parent);
         parent = parent->getParentOp()) {
      if (!cast<scf::ForOp>(parent).isDefinedOutsideOfLoop(operand))
        break;
      place = parent;
    }
    return place;
  }

  /// The buffer of a dot's operand: one already written for another dot or for
  /// the other operand, or a new one.
  /// \param placed  gains the operands that have to be written.
  Value bufferFor(tile::DotOp dot, Value operand, SharedType type,
                  SmallVectorImpl<Placed> &placed) {
    for (const Placed &other : shared) {
      Operation *same = other.place->getBlock()->findAncestorOpInBlock(*dot);
      if (other.operand == operand && other.buffer.getType() == type && same &&
          other.place->isBeforeInBlock(same))
        return other.buffer;
    }
    for (const Placed &other : placed)
      if (other.operand == operand && other.buffer.getType() == type)
        return other.buffer;
    OpBuilder builder =
        OpBuilder::atBlockBegin(&getOperation().getBody().front());
    Value buffer =
        AllocOp::create(builder, dot.getLoc(), type, /*offset=*/IntegerAttr());
    placed.push_back({operand, buffer, placeOf(dot, operand)});
    return buffer;
  }

  /// Writes operands to their buffers, with a barrier before, for earlier reads
  /// of the buffers, and one after.
  /// \param isAsync  whether wgmma reads them.
  void write(tile::DotOp dot, ArrayRef<Placed> operands, bool isAsync = false) {
    llvm::SetVector<Operation *> places;
    for (const Placed &placed : operands)
      places.insert(placed.place);
    for (Operation *place : places) {
      OpBuilder builder(place);
      Operation *first = BarrierOp::create(builder, dot.getLoc());
      bool isFirst = true;
      for (const Placed &placed : operands)
        if (placed.place == place) {
          auto write = WriteOp::create(builder, dot.getLoc(), placed.operand,
                                       placed.buffer);
          shared.push_back({placed.operand, placed.buffer, first});
          if (!std::exchange(isFirst, false))
            loadLate(dot, write);
        }
      if (isAsync)
        PublishOp::create(builder, dot.getLoc(), /*to_all=*/true);
      else
        BarrierOp::create(builder, dot.getLoc());
    }
  }

  /// Moves a load that shifts its vectors into place after the writes of other
  /// operands, if other blocks compute while threads wait for it: it takes
  /// twice the registers of its tile.
  static void loadLate(tile::DotOp dot, WriteOp write) {
    auto load = write.getValue().getDefiningOp<tile::LoadOp>();
    if (!load || !load->hasAttr(realignedName) ||
        !load->getParentOfType<tile::KernelOp>()->hasAttr(leastResidentsName) ||
        load->getBlock() != write->getBlock() ||
        !llvm::all_of(load->getUsers(), [&](Operation *user) {
          return user == dot || user == write;
        }))
      return;
    load->moveBefore(write);
  }

  /// By operand, type and signedness.
  std::map<std::tuple<const void *, const void *, bool>, Value> widened;
  /// Operands in buffers that other dots can read.
  SmallVector<Placed> shared;
};
} // namespace
