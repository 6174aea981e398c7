// Gathers of consecutive entries of a vector, from any entry on: threads read
// the aligned vectors that contain theirs, and shift them into place.
#include "Access/PredicatedAccess.h"
#include "Thread/FunnelShift.h"
#include "Thread/PipeAddress.h"
#include "Thread/RegisterVector.h"
#include "Thread/ThreadPatterns.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Conversion/TileToArith/MemoryElement.h"
#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"

using namespace mlir;

namespace tilegpt::tilegpu {
namespace {

class ConsecutiveGather {
public:
  /// \param indices  the registers of the index tile.
  ConsecutiveGather(OpBuilder &builder, tile::GatherOp op,
                    const ViewParts &view, ValueRange indices)
      : builder(builder), loc(op.getLoc()), math(builder, loc), view(view),
        indices(indices),
        type(cast<RankedTensorType>(op.getResult().getType())),
        element(typeInMemory(type.getElementType())),
        bytes(memoryBytes(element)), tile(builder, loc, type),
        groups(tile.groupNeighbours(0, maxAccessBytes)) {
    if (auto range = op->getAttrOfType<DenseI64ArrayAttr>(realignedName)) {
      known = range.asArrayRef().take_front(2);
      if (range.size() > 2)
        knownBehind = range[2];
    }
    if (!groups.empty())
      count = std::min<int64_t>(groups.front().size(), maxAccessBytes / bytes);
  }

  /// Whether threads hold whole words of adjacent elements.
  bool isSupported() const {
    return count * bytes >= wordBytes &&
           llvm::all_of(groups, [&](const ThreadTile::Group &group) {
             return group.size() == groups.front().size();
           });
  }

  /// \returns one value per register.
  SmallVector<Value> emit() {
    Value size = view.size(builder, loc, 0);
    rest = math.bitAnd(size, count - 1);
    end = math.sub(size, rest);
    SmallVector<Value> registers(
        tile.getNumRegisters(),
        arith::ConstantOp::create(
            builder, loc,
            cast<TypedAttr>(builder.getZeroAttr(type.getElementType()))));
    for (const ThreadTile::Group &group : groups)
      for (auto [reg, value] : llvm::zip_equal(group, load(group)))
        registers[reg] = fromMemory(builder, loc, value, type.getElementType());
    return registers;
  }

private:
  static constexpr int64_t wordBytes = 4;

  /// Whether all vectors that contain a group are known to be in bounds.
  bool isKnown(const ThreadTile::Group &group) const {
    int64_t offset = tile.getOffset(group.front())[0];
    return known && offset >= known->front() &&
           offset + tile.getLargestBase(0) + int64_t(group.size()) <=
               known->back();
  }

  SmallVector<Value> load(const ThreadTile::Group &group) {
    Value index = arith::IndexCastOp::create(
        builder, loc, builder.getIndexType(), indices[group.front()]);
    Value behind = knownBehind ? indexConstant(builder, loc, *knownBehind)
                               : math.bitAnd(index, count - 1);
    Value place = math.sub(index, behind);
    const bool isShifted = knownBehind.value_or(1) != 0;
    SmallVector<Value> words;
    for (int64_t first = 0; first < int64_t(group.size()) + isShifted;
         first += count) {
      llvm::append_range(words, isKnown(group) ? loadVector(place)
                                               : loadDoubted(place));
      place = math.add(place, count);
    }
    if (isShifted) {
      Value distance = math.mul(arith::IndexCastOp::create(
                                    builder, loc, builder.getI32Type(), behind),
                                bytes);
      words = funnelShift(builder, loc, std::move(words), distance,
                          count * bytes / wordBytes, bytes);
    }
    Value joined = builder.createOrFold<LLVM::BitcastOp>(
        loc, vectorOf(element, group.size()), packVector(builder, loc, words));
    return unpackVector(builder, loc, joined);
  }

  SmallVector<Value> loadVector(Value place) {
    return unpackVector(builder, loc,
                        LLVM::LoadOp::create(builder, loc, getWords(),
                                             pointerTo(place), count * bytes));
  }

  /// Loads a vector, or as much of it as is in bounds. As unsigned, a place
  /// before the first is past the last.
  SmallVector<Value> loadDoubted(Value place) {
    Value isWhole = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::ult, place, end);
    SmallVector<Value> words =
        unpackVector(builder, loc,
                     loadIf(builder, loc, isWhole, pointerTo(place), getWords(),
                            builder.getI32IntegerAttr(0)));
    if (mostRest() == 0)
      return words;
    Value isEnd = math.isEqual(place, end);
    for (auto [word, last] : llvm::zip_equal(words, getTail()))
      word = arith::SelectOp::create(builder, loc, isEnd, last, word);
    return words;
  }

  /// The elements after the last whole vector, padded with zeros.
  ArrayRef<Value> getTail() {
    if (!tail.empty())
      return tail;
    auto zero = cast<TypedAttr>(builder.getZeroAttr(element));
    SmallVector<Value> elements;
    for (int64_t number = 0; number < count; ++number) {
      if (number >= mostRest()) {
        elements.push_back(arith::ConstantOp::create(builder, loc, zero));
        continue;
      }
      Value pointer = pointerTo(math.add(end, number));
      if (!view.type.isDynamicDim(0)) {
        elements.push_back(
            LLVM::LoadOp::create(builder, loc, element, pointer, bytes));
        continue;
      }
      Value exists =
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                indexConstant(builder, loc, number), rest);
      elements.push_back(loadIf(builder, loc, exists, pointer, element, zero));
    }
    tail =
        unpackVector(builder, loc,
                     builder.createOrFold<LLVM::BitcastOp>(
                         loc, getWords(), packVector(builder, loc, elements)));
    return tail;
  }

  int64_t mostRest() const {
    return view.type.isDynamicDim(0) ? count - 1
                                     : view.type.getShape()[0] % count;
  }
  Type getWords() const {
    return vectorOf(builder.getI32Type(), count * bytes / wordBytes);
  }
  Value pointerTo(Value place) {
    Value distance =
        arith::IndexCastOp::create(builder, loc, builder.getI64Type(), place);
    return LLVM::GEPOp::create(builder, loc, view.pointer.getType(), element,
                               view.pointer, ArrayRef<LLVM::GEPArg>(distance));
  }

  OpBuilder &builder;
  Location loc;
  Arithmetic math;
  const ViewParts &view;
  ValueRange indices;
  RankedTensorType type;
  Type element; ///< in memory
  int64_t bytes;
  ThreadTile tile;
  SmallVector<ThreadTile::Group> groups;
  int64_t count = 0; ///< elements of an aligned vector
  std::optional<ArrayRef<int64_t>> known;
  /// How far groups begin behind an aligned vector, if that is the same for all
  /// in every block.
  std::optional<int64_t> knownBehind;
  Value end, rest; ///< of the view: its whole vectors, and elements after them
  SmallVector<Value> tail;
};

struct LowerConsecutiveGather : OpConversionPattern<tile::GatherOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tile::GatherOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op->hasAttr(realignedName))
      return failure();
    ViewParts view(op.getView().getType(), adaptor.getView());
    ConsecutiveGather gather(rewriter, op, view, adaptor.getIndex());
    if (!gather.isSupported())
      return failure();
    rewriter.replaceOpWithMultiple(op, {gather.emit()});
    return success();
  }
};
} // namespace

void populateConsecutivePatterns(const ThreadTypeConverter &converter,
                                 RewritePatternSet &patterns) {
  // Before the pattern of all gathers.
  patterns.add<LowerConsecutiveGather>(converter, patterns.getContext(),
                                       /*benefit=*/2);
}

} // namespace tilegpt::tilegpu
