// Joins the pieces of an axis that several loops traverse into one tile, so
// that it is loaded once.
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/FreeAxis/PieceLoops.h"
#include "TileGPT/Dialect/TileGPU/Analysis/LongRows.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "TileGPT/Target/NVVM/FindTarget.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/CSE.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_JOINPIECES
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

/// The loads of tiles in a block.
static auto loadsOf(Block *block) {
  return llvm::make_filter_range(*block,
                                 llvm::IsaPred<tile::LoadOp, tile::LoadAtOp>);
}

namespace {
class Joining {
public:
  explicit Joining(PieceLoops &pieces)
      : pieces(pieces), block(pieces.loops.front()->getBlock()),
        builder(block->getParentOp()->getContext()),
        start(pieces.loops.front().getLowerBound()) {}

  /// \returns whether this removes repeated loads.
  bool run() {
    int64_t size = pieces.isOutsideNeutral
                       ? *pieces.axis.extent
                       : pieces.iterations * pieces.axis.size;
    resizeTiles(pieces.axis, size);
    for (auto [tile, axis] : pieces.axis.axes)
      foldExtract(tile);
    if (pieces.isOutsideNeutral)
      foldMasks();
    for (arith::AddIOp places : pieces.places)
      foldStart(places);
    for (scf::ForOp loop : pieces.loops)
      inlineLoop(loop);
    return mergeLoads();
  }

private:
  void foldMasks() {
    for (auto [compare, result] : pieces.masks) {
      builder.setInsertionPoint(compare);
      auto type = cast<RankedTensorType>(compare.getType());
      compare.replaceAllUsesWith(
          arith::ConstantOp::create(builder, compare.getLoc(),
                                    SplatElementsAttr::get(type, result))
              .getResult());
      compare.erase();
    }
  }

  /// Folds the start of the only piece, which is 0.
  static void foldStart(arith::AddIOp places) {
    auto isMadeOfIota = [](Value tile) {
      while (Operation *op = tile.getDefiningOp()) {
        if (isa<tile::IotaOp>(op))
          return true;
        if (op->getNumOperands() != 1)
          return false;
        tile = op->getOperand(0);
      }
      return false;
    };
    places.replaceAllUsesWith(isMadeOfIota(places.getLhs()) ? places.getLhs()
                                                            : places.getRhs());
    places.erase();
  }

  /// Folds the extraction of the only piece from its tile.
  static void foldExtract(Value piece) {
    auto extract = piece.getDefiningOp<tile::ExtractOp>();
    if (!extract || extract.getSource().getType() != extract.getType())
      return;
    piece.replaceAllUsesWith(extract.getSource());
    extract.erase();
  }

  void inlineLoop(scf::ForOp loop) {
    SmallVector<Value> operands = {start};
    llvm::append_range(operands, loop.getInitArgs());
    SmallVector<Value> yielded;
    for (auto [argument, operand] :
         llvm::zip_equal(loop.getBody()->getArguments(), operands))
      argument.replaceAllUsesWith(operand);
    llvm::append_range(yielded, loop.getYieldedValues());
    loop->replaceAllUsesWith(yielded);
    Block *body = loop.getBody();
    loop->getBlock()->getOperations().splice(
        loop->getIterator(), body->getOperations(), body->begin(),
        std::prev(body->end()));
    loop.erase();
  }

  /// Merges equal loads: the kernel stores to nothing that it loads.
  bool mergeLoads() {
    const int64_t before = llvm::range_size(loadsOf(block));
    if (!block->getOps<tile::LoadAtOp>().empty())
      mergeOffsets();
    SmallVector<Operation *> kept;
    for (Operation &load : llvm::make_early_inc_range(loadsOf(block))) {
      auto *same = llvm::find_if(kept, [&](Operation *other) {
        return OperationEquivalence::isEquivalentTo(
            &load, other, OperationEquivalence::IgnoreLocations);
      });
      if (same == kept.end()) {
        kept.push_back(&load);
        continue;
      }
      load.replaceAllUsesWith(*same);
      load.erase();
    }
    return int64_t(kept.size()) < before;
  }

  /// Makes loads at the same offsets from the same pointer equal.
  void mergeOffsets() {
    Operation *parent = block->getParentOp();
    IRRewriter rewriter(parent->getContext());
    DominanceInfo dominance(parent);
    eliminateCommonSubExpressions(rewriter, dominance, parent);
  }

  PieceLoops &pieces;
  Block *block;
  OpBuilder builder;
  Value start; ///< 0
};

/// Whether all loads of a loop-free block fit the registers, if necessary by
/// reducing the kernel's rows.
bool fitInRegisters(tile::KernelOp kernel, Block *block) {
  constexpr int64_t most = LongRows::mostInRegisters / 2;
  int64_t elements = 0;
  for (Operation &load : loadsOf(block))
    elements +=
        cast<RankedTensorType>(load.getResult(0).getType()).getNumElements();
  if (elements <= most)
    return true;
  // The launch determines the number of blocks of a raw kernel.
  if (kernel.isRaw())
    return false;
  for (int64_t axis = 0; axis < int64_t(kernel.getGridRank()); ++axis) {
    std::optional<FreeAxis> rows = findFreeAxis(kernel, axis);
    if (!rows || rows->size == 1 || elements / rows->size > most)
      continue;
    resize(kernel, *rows, std::max<int64_t>(1, most * rows->size / elements));
    return true;
  }
  return false;
}

struct JoinPieces : tilegpu::impl::JoinPiecesBase<JoinPieces> {
  using JoinPiecesBase::JoinPiecesBase;

  void runOnOperation() override {
    tile::KernelOp kernel = getOperation();
    if (failed(tile::verifySpecialized(kernel)))
      return signalPassFailure();
    const target::GpuTarget *known = target::findTarget(kernel, target);
    if (!known)
      return signalPassFailure();
    FreeAxisRefusal refusal;
    std::optional<PieceLoops> pieces = findPieceLoops(kernel, &refusal);
    if (!pieces) {
      if (refusal.op)
        explainMissed(refusal.op, "tile")
            << "loops over the same axis are not merged: " << refusal.reason;
      return;
    }
    // Only the rewritten kernel shows whether joining pays off.
    int64_t extent = pieces->axis.extent.value_or(pieces->iterations *
                                                  pieces->axis.size),
            count = int64_t(pieces->loops.size());
    OwningOpRef<tile::KernelOp> joined(kernel.clone());
    pieces = findPieceLoops(*joined);
    Block *block = pieces->loops.front()->getBlock();
    if (!Joining(*pieces).run())
      return;
    if (!isRoomFor(*joined, block, *known)) {
      explainMissed(kernel, "tile")
          << remark::add("loops over the same axis are not merged: its {0} "
                         "elements fit neither registers nor shared memory",
                         extent);
      return;
    }
    explainPassed(kernel, "tile") << remark::add(
        "{0} loops over an axis of {1} share one load of it", count, extent);
    numJoined += count;
    kernel.getBody().takeBody(joined->getBody());
    kernel.setGridAttr(joined->getGrid());
  }

private:
  static bool isRoomFor(tile::KernelOp kernel, Block *block,
                        const target::GpuTarget &target) {
    if (fitInRegisters(kernel, block))
      return true;
    std::optional<LongRows> rows = findLongRows(kernel);
    return rows && rows->fit(target);
  }
};
} // namespace
