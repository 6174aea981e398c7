// Evaluators of memory that a kernel allocates, and of accesses by offset:
// load_at, store_at and the atomics.
// Blocks run sequentially here, so an atomic update is a load and a store.
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Reference/Frame.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using llvm::Expected;
using llvm::formatv;
using tilegpt::tile::AtomicKind;

namespace tilegpt::reference {

namespace {
/// The elements in memory that an access by offset refers to.
class Places {
public:
  template <typename Op>
  Places(Op op, ElementType type, Frame &frame)
      : op(op), type(type), pointer(frame.view(op.getBase())),
        offsets(frame.tensor(op.getOffsets())),
        mask(op.getMask() ? &frame.tensor(op.getMask()) : nullptr),
        unit(byteWidth(frame.elementType(op.getBase().getType().getPointee()))),
        addresses(frame.interpreter().addresses()) {}

  ArrayRef<int64_t> shape() const { return offsets.shape(); }

  /// Checks that all tiles of the access agree.
  llvm::Error check(const Tensor *value) const {
    for (const Tensor *tile : {value, mask})
      if (tile && tile->shape() != offsets.shape())
        return fail(op, formatv("expected tiles of one shape, found {0} beside "
                                "the offsets {1}",
                                describe(tile->type(), tile->shape()),
                                describe(offsets.type(), offsets.shape())));
    return llvm::Error::success();
  }

  /// Whether element `i` is not masked off.
  bool takesPart(int64_t i) const { return !mask || (*mask)[i].i; }

  Expected<Element> read(int64_t i) const {
    Expected<AddressSpace::Place> place = locate(i);
    if (!place)
      return place.takeError();
    std::optional<Element> element =
        readBytes(*place->memory, place->byte, type);
    if (!element)
      return fail(op, formatv("{0} an element that has not been written: "
                              "number {1} of the memory",
                              isa<tile::LoadAtOp>(op) ? "reads" : "updates",
                              place->byte / byteWidth(type)));
    return *element;
  }

  llvm::Error write(int64_t i, Element value) const {
    Expected<AddressSpace::Place> place = locate(i);
    if (!place)
      return place.takeError();
    if (!place->writable)
      return fail(op, "writes a view of an argument that is not in outs");
    writeBytes(*place->memory, place->byte, type, value);
    return llvm::Error::success();
  }

private:
  /// Where element `i` begins, or an error.
  Expected<AddressSpace::Place> locate(int64_t i) const {
    const int64_t offset = offsets[i].i, bytes = byteWidth(type);
    int64_t distance;
    AddressSpace::Place place;
    if (!llvm::MulOverflow(offset, unit, distance)) {
      if (pointer.memory)
        place = {pointer.memory, pointer.writable,
                 pointer.offset * byteWidth(pointer.memory->type()) + distance};
      else
        place = addresses.find(pointer.offset + distance);
    }
    if (!place.memory)
      return fail(op, formatv("offset {0} is outside of every buffer", offset));
    const int64_t whole =
        place.memory->size() * byteWidth(place.memory->type());
    if (place.byte % bytes != 0)
      return fail(op,
                  formatv("offset {0} is not a multiple of the {1} bytes of "
                          "an element",
                          offset, bytes));
    if (place.byte < 0 || place.byte > whole - bytes)
      return fail(op, formatv("offset {0} leaves the memory of {1} elements",
                              offset, place.memory->size()));
    return place;
  }

  Operation *op;
  ElementType type;
  const View &pointer;
  const Tensor &offsets;
  const Tensor *mask;
  int64_t unit; ///< bytes that an offset counts
  const AddressSpace &addresses;
};
} // namespace

/// A pointer to the first element of memory.
static View pointTo(Tensor memory, bool writable) {
  View pointer;
  pointer.memory = std::make_shared<Tensor>(std::move(memory));
  pointer.writable = writable;
  return pointer;
}

static llvm::Error evaluateData(tile::DataOp op, Frame &frame) {
  TensorRef *shared = nullptr;
  if (std::optional<StringRef> name = op.getShared()) {
    shared = &frame.interpreter().sharedMemory(
        op->hasAttr(tile::programAttr) ? tile::KernelOp()
                                       : op->getParentOfType<tile::KernelOp>(),
        *name);
    if (*shared) {
      frame.define(op, View{*shared, /*writable=*/true, 0, {}, {}});
      return llvm::Error::success();
    }
  }
  auto value = cast<DenseElementsAttr>(op.getValue());
  ElementType type = frame.elementType(value.getElementType());
  Expected<Tensor> memory = Tensor::zeros(type, value.getNumElements());
  if (!memory)
    return fail(op, llvm::toString(memory.takeError()));
  // Copy bit patterns, independent of the element type.
  auto bits = value.bitcast(IntegerType::get(op.getContext(), bitWidth(type)));
  for (auto [i, element] : llvm::enumerate(bits.getValues<APInt>()))
    (*memory)[int64_t(i)] = fromBits(element.getZExtValue(), type);
  View pointer = pointTo(std::move(*memory), /*writable=*/shared != nullptr);
  if (shared)
    *shared = pointer.memory;
  frame.define(op, std::move(pointer));
  return llvm::Error::success();
}

static llvm::Error evaluateScratch(tile::ScratchOp op, Frame &frame) {
  Expected<Tensor> memory = Tensor::unwritten(
      frame.elementType(op.getType().getPointee()), int64_t(op.getCount()));
  if (!memory)
    return fail(op, llvm::toString(memory.takeError()));
  frame.define(op, pointTo(std::move(*memory), /*writable=*/true));
  return llvm::Error::success();
}

static llvm::Error evaluateLoadAt(tile::LoadAtOp op, Frame &frame) {
  ElementType type = frame.elementType(op.getType());
  Places places(op, type, frame);
  if (llvm::Error error = places.check(/*value=*/nullptr))
    return error;
  Expected<Tensor> result = Tensor::zeros(type, places.shape());
  if (!result)
    return fail(op, llvm::toString(result.takeError()));
  for (int64_t i = 0; i < result->size(); ++i) {
    (*result)[i] = padElement(op.getPad(), type);
    if (!places.takesPart(i))
      continue;
    Expected<Element> element = places.read(i);
    if (!element)
      return element.takeError();
    (*result)[i] = *element;
  }
  frame.define(op, std::move(*result));
  return llvm::Error::success();
}

static llvm::Error evaluateStoreAt(tile::StoreAtOp op, Frame &frame) {
  const Tensor &value = frame.tensor(op.getValue());
  Places places(op, value.type(), frame);
  if (llvm::Error error = places.check(&value))
    return error;
  for (int64_t i = 0; i < value.size(); ++i) {
    if (!places.takesPart(i))
      continue;
    if (llvm::Error error = places.write(i, value[i]))
      return error;
  }
  return llvm::Error::success();
}

static Element updated(AtomicKind kind, ElementType type, Element old,
                       Element value) {
  if (kind == AtomicKind::Xchg)
    return value;
  if (isFloat(type))
    return Element::of(old.f + value.f);
  auto unsignedOf = [&](Element element) {
    return unsignedValue(element.i, type);
  };
  switch (kind) {
  case AtomicKind::Add:
    return Element::of(
        wrapTo(int64_t(uint64_t(old.i) + uint64_t(value.i)), type));
  case AtomicKind::Max:
    return Element::of(std::max(old.i, value.i));
  case AtomicKind::Min:
    return Element::of(std::min(old.i, value.i));
  case AtomicKind::UMax:
    return unsignedOf(old) < unsignedOf(value) ? value : old;
  case AtomicKind::UMin:
    return unsignedOf(value) < unsignedOf(old) ? value : old;
  case AtomicKind::And:
    return Element::of(old.i & value.i);
  case AtomicKind::Or:
    return Element::of(old.i | value.i);
  case AtomicKind::Xor:
    return Element::of(old.i ^ value.i);
  case AtomicKind::Xchg:
    break;
  }
  llvm_unreachable("all kinds are handled");
}

/// Runs an atomic op: `update(old, i)` returns the new element.
template <typename Op, typename Update>
static llvm::Error evaluateAtomic(Op op, Frame &frame, Update update) {
  const Tensor &value = frame.tensor(op.getValue());
  Places places(op, value.type(), frame);
  if (llvm::Error error = places.check(&value))
    return error;
  Expected<Tensor> result = Tensor::zeros(value.type(), value.shape());
  if (!result)
    return fail(op, llvm::toString(result.takeError()));
  for (int64_t i = 0; i < value.size(); ++i) {
    if (!places.takesPart(i))
      continue;
    Expected<Element> old = places.read(i);
    if (!old)
      return old.takeError();
    (*result)[i] = *old;
    if (llvm::Error error = places.write(i, update(*old, i)))
      return error;
  }
  frame.define(op, std::move(*result));
  return llvm::Error::success();
}

static llvm::Error evaluateRMW(tile::AtomicRMWOp op, Frame &frame) {
  const Tensor &value = frame.tensor(op.getValue());
  return evaluateAtomic(op, frame, [&](Element old, int64_t i) {
    return updated(op.getKind(), value.type(), old, value[i]);
  });
}

static llvm::Error evaluateCAS(tile::AtomicCASOp op, Frame &frame) {
  const Tensor &value = frame.tensor(op.getValue()),
               &expected = frame.tensor(op.getExpected());
  return evaluateAtomic(op, frame, [&](Element old, int64_t i) {
    bool isExpected =
        toBits(old, value.type()) == toBits(expected[i], value.type());
    return isExpected ? value[i] : old;
  });
}

static llvm::Error evaluatePtrToInt(tile::PtrToIntOp op, Frame &frame) {
  frame.defineIndex(op, frame.interpreter().addresses().addressOf(
                            frame.view(op.getPointer())));
  return llvm::Error::success();
}

/// Memory of which the address is known, or an address alone.
static llvm::Error evaluateIntToPtr(tile::IntToPtrOp op, Frame &frame) {
  const int64_t address = frame.integer(op.getAddress());
  AddressSpace::Place place = frame.interpreter().addresses().find(address);
  View pointer;
  pointer.offset = address;
  // An address in the middle of an element refers to no memory.
  if (place.memory && place.byte % byteWidth(place.memory->type()) == 0) {
    pointer.memory = place.memory;
    pointer.writable = place.writable;
    pointer.offset = place.byte / byteWidth(place.memory->type());
  }
  frame.define(op, std::move(pointer));
  return llvm::Error::success();
}

void populateTilePointerEvaluators(Registry &registry) {
  registry.add<tile::DataOp>(evaluateData);
  registry.add<tile::ScratchOp>(evaluateScratch);
  registry.add<tile::PtrToIntOp>(evaluatePtrToInt);
  registry.add<tile::IntToPtrOp>(evaluateIntToPtr);
  registry.add<tile::LoadAtOp>(evaluateLoadAt);
  registry.add<tile::StoreAtOp>(evaluateStoreAt);
  registry.add<tile::AtomicRMWOp>(evaluateRMW);
  registry.add<tile::AtomicCASOp>(evaluateCAS);
}

} // namespace tilegpt::reference
