// Addresses, predicates and the loads and stores themselves. The part of an
// address shared by all registers of a thread is computed once, in 64 bits;
// registers add constants to it, or the entry selected by an index tile.
#include "Access/TileAccess.h"
#include "Access/PredicatedAccess.h"
#include "Thread/RegisterVector.h"
#include "TileGPT/Conversion/TileToArith/MemoryElement.h"
#include "TileGPT/Conversion/TileToArith/PadValue.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace tilegpt::tilegpu {

TileAccess::TileAccess(OpBuilder &builder, Location loc,
                       const AccessOperands &operands, const AccessFacts &facts,
                       const ViewParts &view, ArrayRef<Value> indices,
                       IndexedEntries entries)
    : builder(builder), loc(loc), operands(operands), facts(facts), view(view),
      entries(std::move(entries)), tile(builder, loc, operands.tile),
      memoryType(typeInMemory(operands.tile.getElementType())),
      threadPointer(view.pointer), starts(tile.getRank()),
      reaches(tile.getRank()) {
  for (auto [axis, index] : llvm::enumerate(indices)) {
    if (!index)
      continue;
    Value size = indexConstant(builder, loc, operands.tile.getDimSize(axis));
    starts[axis] = builder.createOrFold<arith::MulIOp>(
        loc, index, size, arith::IntegerOverflowFlags::nsw);
  }
  if (operands.isWrite)
    isFirstCopy = tile.isFirstCopy();
  // Tile-invariant terms come first, so that they can be hoisted out of loops.
  for (int64_t axis = 0; axis < tile.getRank(); ++axis)
    if (operands.indexedAxis != axis)
      advance(threadPointer, tile.getBase(axis), axis);
  for (int64_t axis = 0; axis < tile.getRank(); ++axis)
    if (starts[axis])
      advance(threadPointer, starts[axis], axis);
}

void TileAccess::advance(Value &pointer, Value index, int64_t axis) {
  if (isConstantIntValue(index, 0))
    return;
  Type i64 = builder.getI64Type();
  int64_t viewAxis = operands.viewAxis[axis];
  // Views may exceed the index range, so products are 64-bit.
  Value distance = arith::IndexCastOp::create(builder, loc, i64, index);
  if (view.knownStrides[viewAxis] != 1)
    distance = arith::MulIOp::create(
        builder, loc, distance,
        arith::IndexCastOp::create(builder, loc, i64,
                                   view.stride(builder, loc, viewAxis)),
        arith::IntegerOverflowFlags::nsw);
  pointer = LLVM::GEPOp::create(builder, loc, pointer.getType(), memoryType,
                                pointer, ArrayRef<LLVM::GEPArg>(distance));
}

Value TileAccess::makePointer(Address address) {
  if (address.distance == 0)
    return address.pointer;
  Value elements = arith::ConstantIntOp::create(
      builder, loc, builder.getI64Type(), address.distance);
  return LLVM::GEPOp::create(builder, loc, address.pointer.getType(),
                             memoryType, address.pointer,
                             ArrayRef<LLVM::GEPArg>(elements));
}

Value TileAccess::getSafePointer() const {
  Value pointer = view.pointer;
  while (auto step = pointer.getDefiningOp<LLVM::GEPOp>())
    pointer = step.getBase();
  return pointer;
}

SmallVector<TileAccess::Group> TileAccess::makeGroups(ValueRange mask) const {
  // Vectors split by a mask are not split further.
  int64_t largest = mask.empty() ? facts.alignedSize : facts.vectorSize;
  SmallVector<Group> groups;
  for (Group &group : tile.groupNeighbours(facts.vectorAxis, largest)) {
    // Halves of a vector whose mask is not uniform.
    size_t size = group.size();
    auto haveOneMask = [&](ArrayRef<int64_t> registers) {
      return llvm::all_of(registers, [&](int64_t reg) {
        return mask[reg] == mask[registers.front()];
      });
    };
    auto allHaveOneMask = [&] {
      for (size_t begin = 0; begin < group.size(); begin += size)
        if (!haveOneMask(ArrayRef(group).slice(begin, size)))
          return false;
      return true;
    };
    while (!mask.empty() && !allHaveOneMask())
      size /= 2;
    for (size_t begin = 0; begin < group.size(); begin += size)
      groups.emplace_back(ArrayRef(group).slice(begin, size));
  }
  return groups;
}

bool TileAccess::mayBeOutside(int64_t axis, int64_t offset) const {
  bool isIndexed = operands.indexedAxis == axis;
  if (!isIndexed && !facts.isInside[axis])
    return true;
  // Padding of an index tile reads undefined entries, so bounds are checked for
  // all of them.
  if (isIndexed && !operands.isWrite)
    return false;
  return tile.getLargestBase(axis) + offset >= operands.tile.getDimSize(axis);
}

Value TileAccess::getReach(int64_t axis) {
  if (reaches[axis])
    return reaches[axis];
  int64_t size = operands.tile.getDimSize(axis);
  Value limit = indexConstant(builder, loc, size);
  if (!facts.isInside[axis] && operands.indexedAxis != axis) {
    Value whole = limit, zero = indexConstant(builder, loc, 0);
    limit = arith::SubIOp::create(
        builder, loc, view.size(builder, loc, operands.viewAxis[axis]),
        starts[axis]);
    if (tile.getLayout().getCoveredSize(axis) > size)
      limit = arith::MinSIOp::create(builder, loc, limit, whole);
    // A tile that starts in bounds starts before the end, as starts are
    // multiples of its size.
    if (!facts.isBehindStart[axis])
      limit = arith::SelectOp::create(
          builder, loc,
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                starts[axis], zero),
          zero, limit);
  }
  return reaches[axis] =
             arith::SubIOp::create(builder, loc, limit, tile.getBase(axis));
}

bool TileAccess::mayBeCut(const Group &group) const {
  int64_t count = group.size(), axis = facts.vectorAxis;
  if (count <= facts.vectorSize)
    return false;
  if (!facts.isInside[axis])
    return true;
  int64_t size = operands.tile.getDimSize(axis),
          offset = tile.getOffset(group.front())[axis];
  return size % count != 0 && tile.getLargestBase(axis) + offset + count > size;
}

Value TileAccess::isCut(const Group &group) {
  Value first = makeGuard(Group{group.front()}), all = makeGuard(group);
  Value yes = arith::ConstantIntOp::create(builder, loc, 1, /*width=*/1);
  Value notAll = arith::XOrIOp::create(builder, loc, all, yes);
  return first ? arith::AndIOp::create(builder, loc, first, notAll).getResult()
               : notAll;
}

SmallVector<Value> TileAccess::guardsOf(const Group &group) {
  return llvm::map_to_vector(
      group, [&](int64_t reg) { return makeGuard(Group{reg}); });
}

Value TileAccess::makeGuard(const Group &group, ArrayRef<Value> more) {
  Value guard;
  auto require = [&](Value condition) {
    guard =
        guard
            ? arith::AndIOp::create(builder, loc, guard, condition).getResult()
            : condition;
  };
  // For a vector that is in or out of bounds as a whole the first element
  // decides, otherwise the last.
  SmallVector<int64_t> offset =
      tile.getOffset(mayBeCut(group) ? group.back() : group.front());
  for (int64_t axis = 0; axis < tile.getRank(); ++axis) {
    if (!mayBeOutside(axis, offset[axis]))
      continue;
    Value &condition = conditions[{axis, offset[axis]}];
    if (!condition)
      condition = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::slt,
          indexConstant(builder, loc, offset[axis]), getReach(axis));
    require(condition);
  }
  if (operands.indexedAxis)
    require(entries.exists[group.front()]);
  for (Value condition : more)
    if (condition)
      require(condition);
  return guard;
}

TileAccess::Address TileAccess::makeAddress(const Group &group) {
  Address address = {threadPointer, 0};
  SmallVector<int64_t> offset = tile.getOffset(group.front());
  if (operands.indexedAxis) {
    advance(address.pointer, entries.index[group.front()],
            *operands.indexedAxis);
    offset[*operands.indexedAxis] = 0;
  }
  for (int64_t axis = 0; axis < tile.getRank(); ++axis) {
    int64_t stride = view.knownStrides[operands.viewAxis[axis]];
    if (ShapedType::isDynamic(stride))
      advance(address.pointer, indexConstant(builder, loc, offset[axis]), axis);
    else
      address.distance += offset[axis] * stride;
  }
  return address;
}

SmallVector<Value> TileAccess::load(const Group &group, tile::PadKind pad,
                                    bool isFixed) {
  Type type = vectorOf(memoryType, group.size());
  Value guard = makeGuard(group), pointer = makePointer(makeAddress(group));
  TypedAttr padding =
      inMemory(tile::padValue(pad, operands.tile.getElementType()));
  Value loaded;
  if (guard && mayBeCut(group) &&
      facts.fewestElements < int64_t(group.size())) {
    loaded = loadIf(builder, loc, guard, pointer, type, padding);
  } else {
    if (guard)
      pointer = arith::SelectOp::create(builder, loc, guard, pointer,
                                        getSafePointer());
    loaded = LLVM::LoadOp::create(
        builder, loc, type, pointer, group.size() * memoryBytes(memoryType),
        /*isVolatile=*/isFixed, /*isNonTemporal=*/false,
        /*isInvariant=*/facts.isConstant && !isFixed);
    // Whole vectors: their registers are wider than their elements.
    TypedAttr value = padding;
    if (auto vector = dyn_cast<VectorType>(type))
      value = DenseElementsAttr::get(vector, value);
    if (guard)
      loaded = arith::SelectOp::create(
          builder, loc, guard, loaded,
          arith::ConstantOp::create(builder, loc, value));
  }
  SmallVector<Value> elements = unpackVector(builder, loc, loaded);
  for (Value &element : elements)
    element = fromMemory(builder, loc, element, operands.tile.getElementType());
  return elements;
}

void TileAccess::complete(ArrayRef<Group> groups, tile::PadKind pad,
                          MutableArrayRef<SmallVector<Value>> elements) {
  SmallVector<size_t> doubted;
  SmallVector<Value> whole, single;
  Value anyIsCut;
  for (auto [number, group] : llvm::enumerate(groups)) {
    if (!mayBeCut(group))
      continue;
    doubted.push_back(number);
    llvm::append_range(whole, elements[number]);
    // Emits the guards outside the branch, where CSE finds them.
    (void)guardsOf(group);
    Value is = isCut(group);
    anyIsCut =
        anyIsCut ? arith::OrIOp::create(builder, loc, anyIsCut, is).getResult()
                 : is;
  }
  if (doubted.empty())
    return;
  auto branch =
      scf::IfOp::create(builder, loc, ValueRange(whole).getTypes(), anyIsCut,
                        /*withElseRegion=*/true);
  OpBuilder::InsertionGuard insertion(builder);
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, whole);
  builder.setInsertionPointToStart(branch.thenBlock());
  for (size_t number : doubted)
    for (int64_t reg : groups[number])
      llvm::append_range(single, load(Group{reg}, pad, /*isFixed=*/false));
  scf::YieldOp::create(builder, loc, single);
  auto result = branch.result_begin();
  for (size_t number : doubted)
    for (Value &element : elements[number])
      element = *result++;
}

void TileAccess::store(const Group &group, ValueRange elements, Value mask) {
  Value stored =
      packVector(builder, loc, llvm::map_to_vector(elements, [&](Value held) {
                   return toMemory(builder, loc, held);
                 }));
  if (mayBeCut(group)) {
    guardsOf(group);
    Value condition = isCut(group);
    if (isFirstCopy)
      condition = arith::AndIOp::create(builder, loc, condition, isFirstCopy);
    auto branch = scf::IfOp::create(builder, loc, condition);
    OpBuilder::InsertionGuard insertion(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    for (auto [reg, element] : llvm::zip_equal(group, elements))
      store(Group{reg}, element, mask);
  }
  Address address = makeAddress(group);
  if (Value guard = makeGuard(group, {mask, isFirstCopy}))
    storeIf(builder, loc, guard, stored, address.pointer,
            address.distance * memoryBytes(memoryType));
  else
    LLVM::StoreOp::create(builder, loc, stored, makePointer(address),
                          group.size() * memoryBytes(memoryType));
}

} // namespace tilegpt::tilegpu
