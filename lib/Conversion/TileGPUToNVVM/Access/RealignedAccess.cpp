// Reads vectors that begin at any element: each is extracted from the two
// aligned vectors that contain it.
#include "Access/PredicatedAccess.h"
#include "Access/TileAccess.h"
#include "Thread/FunnelShift.h"
#include "Thread/InlinePtx.h"
#include "Thread/PipeAddress.h"
#include "Thread/RegisterVector.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Conversion/TileToArith/MemoryElement.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tilegpu {

static constexpr int64_t wordBytes = 4, wordBits = 32;

/// The number of elements of a value of type vectorOf().
static int64_t vectorElements(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 1;
}

/// Packs words into one value of the same size.
static Value joinWords(OpBuilder &builder, Location loc, ValueRange words,
                       Type type) {
  return builder.createOrFold<LLVM::BitcastOp>(loc, type,
                                               packVector(builder, loc, words));
}
/// Zeroes all words after the first `bits` bits, an i32; zeroes all of them if
/// it is negative.
static SmallVector<Value> keepFirst(OpBuilder &builder, Location loc,
                                    ArrayRef<Value> words, Value bits) {
  Type i32 = builder.getI32Type();
  SmallVector<Value> kept;
  for (auto [number, word] : llvm::enumerate(words)) {
    Value inside = arith::SubIOp::create(
        builder, loc, bits, i32Constant(builder, loc, number * wordBits));
    inside = arith::MaxSIOp::create(builder, loc, inside,
                                    i32Constant(builder, loc, 0));
    Value mask = inlinePtx(builder, loc, i32, inside,
                           "bmsk.clamp.b32 $0, 0, $1;", "=r,r", /*isPure=*/true)
                     .getRes();
    kept.push_back(arith::AndIOp::create(builder, loc, word, mask));
  }
  return kept;
}

SmallVector<TileAccess::Group> TileAccess::makeUnalignedGroups() const {
  const int64_t elementBytes = memoryBytes(memoryType);
  SmallVector<Group> groups =
      tile.groupNeighbours(facts.vectorAxis, maxAccessBytes / elementBytes);
  const bool suits =
      !groups.empty() &&
      int64_t(groups.front().size()) * elementBytes >= wordBytes &&
      llvm::all_of(groups, [&](const Group &group) {
        return group.size() == groups.front().size();
      });
  return suits ? groups : SmallVector<Group>();
}

Value TileAccess::readsOnlyView(int64_t bytes) {
  const int64_t elementBytes = memoryBytes(memoryType),
                size = bytes / elementBytes;
  Type i64 = builder.getI64Type();
  auto isAtLeast = [&](Value count, int64_t axis, int64_t least) -> Value {
    Value distance = count;
    if (view.knownStrides[axis] != 1)
      distance = arith::MulIOp::create(
          builder, loc, arith::IndexCastOp::create(builder, loc, i64, count),
          arith::IndexCastOp::create(builder, loc, i64,
                                     view.stride(builder, loc, axis)));
    Value bound = arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(distance.getType(), least));
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                 distance, bound);
  };
  auto either = [&](Value left, Value right) -> Value {
    return left ? arith::OrIOp::create(builder, loc, left, right).getResult()
                : right;
  };
  // An aligned vector begins less than its size before an element of the tile,
  // and the next one ends up to twice its size after it. Strides are not
  // negative, so enough elements before the tile, or after it, along one axis
  // suffice.
  Value before, behind;
  for (int64_t tileAxis = 0; tileAxis < tile.getRank(); ++tileAxis) {
    const int64_t axis = operands.viewAxis[tileAxis];
    before = either(before, isAtLeast(starts[tileAxis], axis, size - 1));
    Value end = arith::AddIOp::create(
        builder, loc, starts[tileAxis],
        indexConstant(builder, loc, operands.tile.getDimSize(tileAxis)));
    Value left =
        arith::SubIOp::create(builder, loc, view.size(builder, loc, axis), end);
    behind = either(behind, isAtLeast(left, axis, 2 * size - 1));
  }
  Arithmetic math(builder, loc);
  Value address = LLVM::PtrToIntOp::create(builder, loc, i64, view.pointer);
  before = either(before, math.isEqual(math.bitAnd(address, bytes - 1), 0));
  return arith::AndIOp::create(builder, loc, before, behind);
}

bool TileAccess::areEquallyAligned(ArrayRef<Group> groups) const {
  const auto size = int64_t(groups.front().size());
  return llvm::all_of(groups, [&](const Group &group) {
    return llvm::all_of(tile.getOffset(group.front()),
                        [&](int64_t offset) { return offset % size == 0; });
  });
}

SmallVector<TileAccess::Covering>
TileAccess::findCovering(ArrayRef<Group> groups) {
  const int64_t bytes = groups.front().size() * memoryBytes(memoryType);
  Type i64 = builder.getI64Type();
  Arithmetic math(builder, loc);
  auto alignDown = [&](Value pointer) -> Covering {
    Value address = LLVM::PtrToIntOp::create(builder, loc, i64, pointer),
          behind = math.bitAnd(arith::TruncIOp::create(
                                   builder, loc, builder.getI32Type(), address),
                               bytes - 1);
    Value back = arith::SubIOp::create(builder, loc,
                                       i32Constant(builder, loc, 0), behind);
    return {advanceBytes(pointer, back), behind};
  };
  // Vectors at multiples of their size, in elements, have the same offset from
  // an aligned one, whatever the stride.
  if (!areEquallyAligned(groups))
    return llvm::map_to_vector(groups, [&](const Group &group) {
      return alignDown(makePointer(makeAddress(group)));
    });
  auto [aligned, behind] = alignDown(threadPointer);
  Value unaligned = std::exchange(threadPointer, aligned);
  auto covering = llvm::map_to_vector(
      groups, [&, behind = behind](const Group &group) -> Covering {
        return {makePointer(makeAddress(group)), behind};
      });
  threadPointer = unaligned;
  return covering;
}

Value TileAccess::advanceBytes(Value pointer, Value count) {
  return LLVM::GEPOp::create(builder, loc, pointer.getType(),
                             builder.getI8Type(), pointer,
                             ArrayRef<LLVM::GEPArg>(count));
}

Value TileAccess::loadWhere(Value guard, Value pointer, Type type) {
  const int64_t bytes =
      vectorElements(type) * memoryBytes(getElementTypeOrSelf(type));
  if (guard)
    return loadIf(builder, loc, guard, pointer, type,
                  builder.getZeroAttr(getElementTypeOrSelf(type)));
  return LLVM::LoadOp::create(builder, loc, type, pointer, bytes);
}

SmallVector<Value> TileAccess::loadCovering(Value guard, Value pointer,
                                            int64_t bytes) {
  Type words = vectorOf(builder.getI32Type(), bytes / wordBytes);
  Value next =
      LLVM::GEPOp::create(builder, loc, pointer.getType(), builder.getI8Type(),
                          pointer, ArrayRef<LLVM::GEPArg>(int32_t(bytes)));
  SmallVector<Value> both =
      unpackVector(builder, loc, loadWhere(guard, pointer, words));
  llvm::append_range(both,
                     unpackVector(builder, loc, loadWhere(guard, next, words)));
  return both;
}

SmallVector<Value> TileAccess::loadElements(const Realigned &begun) {
  const auto size = int64_t(begun.groups.front().size());
  const int64_t bytes = memoryBytes(memoryType), axis = facts.vectorAxis,
                count = size * bytes / wordBytes;
  Type i32 = builder.getI32Type(), bits = builder.getIntegerType(8 * bytes);
  SmallVector<Value> zeros(begun.groups.size() * count,
                           i32Constant(builder, loc, 0));
  auto loop = scf::ForOp::create(builder, loc, indexConstant(builder, loc, 0),
                                 indexConstant(builder, loc, size),
                                 indexConstant(builder, loc, 1), zeros);
  OpBuilder::InsertionGuard insertion(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value number = loop.getInductionVar();
  Value distance =
      Arithmetic(builder, loc)
          .mul(arith::IndexCastOp::create(builder, loc, i32, number), bytes);
  SmallVector<Value> words;
  for (auto [place, group] : llvm::enumerate(begun.groups)) {
    Value inside;
    if (int64_t offset = tile.getOffset(group.front())[axis];
        mayBeOutside(axis, offset + size - 1))
      inside = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::slt,
          arith::AddIOp::create(builder, loc, number,
                                indexConstant(builder, loc, offset)),
          getReach(axis));
    Value guard = makeGuard(Group{group.front()}, {inside});
    const Covering &covering = begun.covering[place];
    Value pointer =
        advanceBytes(advanceBytes(covering.aligned, covering.behind), distance);
    Value element = arith::ExtUIOp::create(builder, loc, i32,
                                           loadWhere(guard, pointer, bits));
    // Shifts the words of a vector by an element and inserts the next one.
    auto vector = loop.getRegionIterArgs().slice(place * count, count);
    for (int64_t word = 0; word < count; ++word)
      words.push_back(LLVM::FshrOp::create(
          builder, loc, word + 1 < count ? Value(vector[word + 1]) : element,
          vector[word], i32Constant(builder, loc, 8 * bytes)));
  }
  scf::YieldOp::create(builder, loc, words);
  return SmallVector<Value>(loop.getResults());
}

TileAccess::Realigned TileAccess::startRealigned(ArrayRef<Group> groups) {
  const int64_t bytes = groups.front().size() * memoryBytes(memoryType);
  Realigned begun;
  begun.groups.assign(groups.begin(), groups.end());
  begun.covering = findCovering(groups);
  begun.isSafe = readsOnlyView(bytes);
  for (auto [group, place] : llvm::zip_equal(groups, begun.covering)) {
    Value guard = makeGuard(Group{group.front()}, {begun.isSafe});
    begun.words.push_back(loadCovering(guard, place.aligned, bytes));
  }
  return begun;
}

SmallVector<SmallVector<Value>>
TileAccess::finishRealigned(const Realigned &begun) {
  ArrayRef<Group> groups = begun.groups;
  const int64_t bytes = groups.front().size() * memoryBytes(memoryType),
                count = bytes / wordBytes, axis = facts.vectorAxis;
  Type i32 = builder.getI32Type();
  SmallVector<Type> types(groups.size() * count, i32);
  Value reach = facts.isInside[axis] ? Value() : getReach(axis);
  auto branch = scf::IfOp::create(builder, loc, types, begun.isSafe,
                                  /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard insertion(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    SmallVector<Value> words;
    for (auto [both, place] : llvm::zip_equal(begun.words, begun.covering))
      llvm::append_range(words, funnelShift(builder, loc, both, place.behind,
                                            count, memoryBytes(memoryType)));
    if (reach)
      words = cutRows(groups, words, reach);
    scf::YieldOp::create(builder, loc, words);

    builder.setInsertionPointToStart(branch.elseBlock());
    SmallVector<Value> single = loadElements(begun);
    scf::YieldOp::create(builder, loc, single);
  }
  SmallVector<SmallVector<Value>> results;
  for (size_t number = 0; number < groups.size(); ++number) {
    Value joined = joinWords(builder, loc,
                             branch.getResults().slice(number * count, count),
                             vectorOf(memoryType, groups[number].size()));
    results.push_back(unpackVector(builder, loc, joined));
    for (Value &element : results.back())
      element =
          fromMemory(builder, loc, element, operands.tile.getElementType());
  }
  return results;
}

SmallVector<Value> TileAccess::cutRows(ArrayRef<Group> groups,
                                       ArrayRef<Value> words, Value reach) {
  const int64_t axis = facts.vectorAxis,
                count = int64_t(words.size() / groups.size());
  Type i32 = builder.getI32Type();
  // Uniform across threads: true in the last tile of a row.
  Value left = arith::SubIOp::create(
      builder, loc, view.size(builder, loc, operands.viewAxis[axis]),
      starts[axis]);
  Value isCut = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::slt, left,
      indexConstant(builder, loc, operands.tile.getDimSize(axis)));
  auto branch = scf::IfOp::create(builder, loc, ValueRange(words).getTypes(),
                                  isCut, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard insertion(builder);
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, words);
  builder.setInsertionPointToStart(branch.thenBlock());
  const int64_t elementBits = 8 * memoryBytes(memoryType);
  Value bits = arith::MulIOp::create(
      builder, loc, arith::IndexCastOp::create(builder, loc, i32, reach),
      i32Constant(builder, loc, elementBits));
  SmallVector<Value> cut;
  for (auto [number, group] : llvm::enumerate(groups)) {
    Value inside = arith::SubIOp::create(
        builder, loc, bits,
        i32Constant(builder, loc,
                    tile.getOffset(group.front())[axis] * elementBits));
    llvm::append_range(
        cut,
        keepFirst(builder, loc, words.slice(number * count, count), inside));
  }
  scf::YieldOp::create(builder, loc, cut);
  return SmallVector<Value>(branch.getResults());
}

} // namespace tilegpt::tilegpu
