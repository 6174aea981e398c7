// Finds loops that process the same axis piece by piece.
#include "TileGPT/Dialect/TileGPU/Analysis/PieceLoops.h"
#include "LoopRecurrence.h"
#include "TileGPT/Conversion/TileToArith/ReduceCombiner.h"
#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include "TileGPT/Dialect/TileGPU/Analysis/AsyncCopy.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilegpt::tilegpu {

static bool changesShape(Operation *op) {
  return isa_and_nonnull<tile::ReshapeOp, tile::ExpandDimsOp,
                         tile::BroadcastOp>(op);
}

namespace {
class PieceLoopsSearch {
public:
  explicit PieceLoopsSearch(tile::KernelOp kernel) : kernel(kernel) {}

  std::optional<PieceLoops> run(FreeAxisRefusal *why) {
    found.loops = loopsOf(kernel.getEntryBlock());
    // Blocks that iterate over rows iterate over the pieces of each.
    if (found.loops.size() == 1)
      found.loops = loopsOf(found.loops.front().getBody());
    bool hasDot =
        kernel.walk([](tile::DotOp) { return WalkResult::interrupt(); })
            .wasInterrupted();
    if (found.loops.size() < 2 || hasDot)
      return std::nullopt;
    bool areAll =
        checkEffects() && findAxis() && checkVariables() && checkCarried();
    if (why)
      *why = refusal;
    if (!areAll)
      return std::nullopt;
    found.isOutsideNeutral =
        found.axis.extent &&
        (*found.axis.extent % found.axis.size == 0 ||
         llvm::all_of(found.axis.reductions, [&](tile::ReduceOp reduce) {
           Value source = reduce.getSources().front();
           Attribute outside = outsideOf(source);
           return outside && outside == neutralFor(reduce);
         }));
    return std::move(found);
  }

private:
  bool refuse(Operation *op, StringRef reason) {
    if (!refusal.op)
      refusal = {op, reason};
    return false;
  }

  static SmallVector<scf::ForOp> loopsOf(Block *block) {
    return llvm::to_vector(block->getOps<scf::ForOp>());
  }

  /// Only loads and stores access memory, and loaded memory is not modified.
  bool checkEffects() {
    IndexFacts facts;
    Block *block = found.loops.front()->getBlock();
    return !kernel.getBody()
                .walk([&](Operation *op) {
                  return checkEffect(op, block, facts)
                             ? WalkResult::advance()
                             : WalkResult::interrupt();
                })
                .wasInterrupted();
  }

  bool checkEffect(Operation *op, Block *block, IndexFacts &facts) {
    bool isLoop = isa<scf::ForOp>(op) &&
                  (op->getBlock() == block || op == block->getParentOp());
    if (op->getNumRegions() != 0)
      return isLoop || isa<tile::ReduceOp, tile::ScanOp>(op) ||
             refuse(op, "the kernel has branches or nested loops");
    if (!isa<tile::LoadOp, tile::StoreOp>(op))
      return isMemoryEffectFree(op) ||
             refuse(op, "the kernel does more than load, compute and store");
    return isa<tile::StoreOp>(op) || readsWhatStays(op, facts) ||
           refuse(kernel, "the kernel loads what it stores");
  }

  bool findAxis() {
    auto axis = findLoopedAxis(kernel, found.loops, &refusal);
    if (!axis)
      return false;
    found.axis = std::move(*axis);
    if (!found.axis.scans.empty())
      return refuse(found.axis.scans.front(), "a scan runs along the axis");
    // If the extent of the axis is unknown, the loops determine the number of
    // tiles.
    found.iterations =
        found.axis.extent
            ? llvm::divideCeil(*found.axis.extent, uint64_t(found.axis.size))
            : getConstantIntValue(found.loops.front().getUpperBound())
                  .value_or(0);
    for (scf::ForOp loop : found.loops)
      if (found.iterations == 0 ||
          !isConstantIntValue(loop.getLowerBound(), 0) ||
          !isConstantIntValue(loop.getStep(), 1) ||
          !isConstantIntValue(loop.getUpperBound(), found.iterations))
        return refuse(loop, "the loop does not visit each tile of the axis");
    return true;
  }

  bool isTile(Value value) const { return found.axis.axes.contains(value); }

  /// Whether piece indices, and element indices in pieces, are only used to
  /// compute element indices of the axis.
  bool checkVariables() {
    for (scf::ForOp loop : found.loops)
      if (!checkNumber(loop.getInductionVar(), /*isStart=*/false))
        return refuse(
            loop,
            "the tile index is used other than to compute element indices");
    for (auto [tile, axis] : found.axis.axes)
      if (tile.getDefiningOp<tile::IotaOp>() && !checkPlaces(tile))
        return refuse(tile.getDefiningOp(),
                      "indices within a tile are used directly; add the start "
                      "of the tile to them");
    if (found.axis.extent)
      for (arith::AddIOp places : found.places)
        findMasks(places);
    return true;
  }

  /// \param isStart  the index has been multiplied by the tile size.
  bool checkNumber(Value number, bool isStart) {
    return llvm::all_of(number.getUses(), [&](OpOperand &use) {
      Operation *user = use.getOwner();
      if (isa<tile::LoadOp, tile::StoreOp>(user)) {
        Value value = AccessOperands(user).value;
        return !isStart && isTile(value);
      }
      if (isa<tile::ExtractOp>(user))
        return !isStart && isTile(user->getResult(0));
      if (isa<arith::IndexCastOp, arith::ExtSIOp>(user))
        return checkNumber(user->getResult(0), isStart);
      if (auto product = dyn_cast<arith::MulIOp>(user)) {
        Value other = product.getOperand(1 - use.getOperandNumber());
        return !isStart && isConstantIntValue(other, found.axis.size) &&
               checkNumber(product, /*isStart=*/true);
      }
      if (isStart && (isa<tile::SplatOp>(user) || changesShape(user)))
        return checkNumber(user->getResult(0), isStart);
      auto sum = dyn_cast<arith::AddIOp>(user);
      if (!isStart || !sum || !isTile(sum) ||
          !isIota(sum.getOperand(1 - use.getOperandNumber())))
        return false;
      found.places.push_back(sum);
      return true;
    });
  }

  static bool isIota(Value tile) {
    while (changesShape(tile.getDefiningOp()))
      tile = tile.getDefiningOp()->getOperand(0);
    return bool(tile.getDefiningOp<tile::IotaOp>());
  }

  bool checkPlaces(Value places) {
    return llvm::all_of(places.getUsers(), [&](Operation *user) {
      if (changesShape(user))
        return checkPlaces(user->getResult(0));
      auto sum = dyn_cast<arith::AddIOp>(user);
      return sum && llvm::is_contained(found.places, sum);
    });
  }

  /// Comparisons with the size of the axis.
  void findMasks(Value places) {
    for (OpOperand &use : places.getUses()) {
      Operation *user = use.getOwner();
      if (changesShape(user))
        findMasks(user->getResult(0));
      auto compare = dyn_cast<arith::CmpIOp>(user);
      if (!compare || use.getOperandNumber() != 0)
        continue;
      std::optional<int64_t> bound = numberOf(compare.getRhs());
      int64_t extent = *found.axis.extent;
      switch (compare.getPredicate()) {
      case arith::CmpIPredicate::slt:
      case arith::CmpIPredicate::ult:
        if (bound == extent)
          found.masks.push_back({compare, true});
        break;
      case arith::CmpIPredicate::sle:
      case arith::CmpIPredicate::ule:
        if (bound == extent - 1)
          found.masks.push_back({compare, true});
        break;
      case arith::CmpIPredicate::sge:
      case arith::CmpIPredicate::uge:
        if (bound == extent)
          found.masks.push_back({compare, false});
        break;
      case arith::CmpIPredicate::sgt:
      case arith::CmpIPredicate::ugt:
        if (bound == extent - 1)
          found.masks.push_back({compare, false});
        break;
      default:
        break;
      }
    }
  }

  /// The constant that all elements of a tile are.
  static std::optional<int64_t> numberOf(Value tile) {
    while (isa_and_nonnull<tile::SplatOp>(tile.getDefiningOp()) ||
           changesShape(tile.getDefiningOp()))
      tile = tile.getDefiningOp()->getOperand(0);
    Attribute value;
    if (!matchPattern(tile, m_Constant(&value)))
      return std::nullopt;
    if (auto splat = dyn_cast<SplatElementsAttr>(value))
      value = splat.getSplatValue<Attribute>();
    auto integer = dyn_cast<IntegerAttr>(value);
    return integer ? std::optional(integer.getValue().getSExtValue())
                   : std::nullopt;
  }

  bool checkCarried() {
    for (scf::ForOp loop : found.loops) {
      StringRef reason;
      if (!isJoinable(loop, found.axis, reason))
        return refuse(loop, reason);
    }
    return true;
  }

  static Attribute neutralFor(tile::ReduceOp reduce) {
    auto type = cast<RankedTensorType>(reduce.getSources().front().getType());
    return SplatElementsAttr::get(
        type, tile::identityOf(*reduce.getKind(), reduce.getNanPolicy(),
                               type.getElementType()));
  }

  /// The padding of a tile past the axis, if it is constant: zeros from loads,
  /// and values computed from them; null if unknown.
  Attribute outsideOf(Value tile) {
    auto [it, isNew] = outside.try_emplace(tile);
    if (!isNew)
      return it->second;
    Attribute value = deriveOutside(tile);
    outside[tile] = value;
    return value;
  }

  Attribute deriveOutside(Value tile) {
    Operation *op = tile.getDefiningOp();
    auto type = dyn_cast<RankedTensorType>(tile.getType());
    if (!op || !type)
      return {};
    auto splat = [&](Attribute element) -> Attribute {
      return SplatElementsAttr::get(type, element);
    };
    Builder builder(op->getContext());
    // Everything that earlier pieces contribute is elements.
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      unsigned number = cast<OpResult>(tile).getResultNumber();
      Operation *combine = loop.getYieldedValues()[number].getDefiningOp();
      return outsideOf(combine->getOperand(combine->getOperand(0) ==
                                           loop.getRegionIterArg(number)));
    }
    if (auto load = dyn_cast<tile::LoadOp>(op))
      return isTile(tile) && load.getPad() == tile::PadKind::Zero
                 ? splat(builder.getZeroAttr(type.getElementType()))
                 : Attribute();
    for (auto [mask, inside] : found.masks)
      if (mask == op)
        return splat(builder.getIntegerAttr(type.getElementType(), !inside));
    if (auto choice = dyn_cast<arith::SelectOp>(op))
      if (auto which = dyn_cast_if_present<SplatElementsAttr>(
              outsideOf(choice.getCondition())))
        return outsideOf(which.getSplatValue<APInt>().isZero()
                             ? choice.getFalseValue()
                             : choice.getTrueValue());
    if (changesShape(op) || isa<tile::SplatOp>(op)) {
      auto source =
          dyn_cast_if_present<SplatElementsAttr>(outsideOf(op->getOperand(0)));
      return source ? splat(source.getSplatValue<Attribute>()) : Attribute();
    }
    SmallVector<Attribute> operands;
    for (Value operand : op->getOperands())
      operands.push_back(outsideOf(operand));
    // Infinity minus a number; if that is infinite, so are elements.
    if (isa<arith::SubFOp>(op) && !operands[1] && isInfinite(operands[0]))
      return operands[0];
    if (!isa<arith::ConstantOp>(op) &&
        (!llvm::all_of(operands, [](Attribute known) { return bool(known); }) ||
         operands.empty()))
      return {};
    SmallVector<OpFoldResult> results;
    if (!isa<arith::ConstantOp>(op) &&
        !OpTrait::hasElementwiseMappableTraits(op) && !isa<tile::CastOp>(op))
      return {};
    if (failed(op->fold(operands, results)) || results.size() != 1)
      return {};
    if (auto attribute = dyn_cast<Attribute>(results[0]))
      return isa<SplatElementsAttr>(attribute) ? attribute : Attribute();
    return outsideOf(cast<Value>(results[0]));
  }

  static bool isInfinite(Attribute tile) {
    auto splat = dyn_cast_if_present<SplatElementsAttr>(tile);
    return splat && isa<FloatType>(splat.getElementType()) &&
           splat.getSplatValue<APFloat>().isInfinity();
  }

  tile::KernelOp kernel;
  PieceLoops found;
  FreeAxisRefusal refusal;
  llvm::DenseMap<Value, Attribute> outside;
};
} // namespace

std::optional<PieceLoops> findPieceLoops(tile::KernelOp kernel,
                                         FreeAxisRefusal *refusal) {
  return PieceLoopsSearch(kernel).run(refusal);
}

} // namespace tilegpt::tilegpu
