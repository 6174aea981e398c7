// Evaluators of memory that a kernel brings along, and of the accesses by
// offset: load_at, store_at and the atomics.
// Blocks run one after the other here, so an atomic update is a load and a
// store.
#include "TileGPT/Reference/Frame.h"
#include "llvm/Support/FormatVariadic.h"
#include <limits>

using namespace mlir;
using llvm::Expected;
using llvm::formatv;
using tilegpt::tile::AtomicKind;

namespace tilegpt::reference {

namespace {
/// The elements of the memory behind a pointer that the offsets of an access
/// name.
struct Places {
  const View &pointer;
  const Tensor &offsets;
  const Tensor *mask;
  int64_t unit; ///< an offset counts 1/unit of an element

  template <typename Op>
  Places(Op op, Frame &frame)
      : pointer(frame.view(op.getBase())),
        offsets(frame.tensor(op.getOffsets())),
        mask(op.getMask() ? &frame.tensor(op.getMask()) : nullptr), unit(1) {
    ElementType type = pointer.memory->type();
    if (op.getBase().getType().getPointee().isInteger(8) && bitWidth(type) > 8)
      unit = bitWidth(type) / 8;
  }

  /// Whether element `i` takes part.
  bool takesPart(int64_t i) const { return !mask || (*mask)[i].i; }

  /// The number of the element in memory, or an error.
  Expected<int64_t> locate(Operation *op, int64_t i) const {
    int64_t offset = offsets[i].i, at;
    if (offset % unit != 0)
      return fail(op,
                  formatv("offset {0} is not a multiple of the {1} bytes of "
                          "an element",
                          offset, unit));
    if (llvm::AddOverflow(pointer.offset, offset / unit, at) || at < 0 ||
        at >= pointer.memory->size())
      return fail(op, formatv("offset {0} leaves the memory of {1} elements",
                              offset, pointer.memory->size()));
    return at;
  }
};
} // namespace

/// Checks that all tiles of an access agree with each other and with the
/// memory.
static llvm::Error check(Operation *op, const Places &places,
                         const Tensor *value, ElementType type, bool writes) {
  if (places.pointer.memory->type() != type)
    return fail(op,
                formatv("expected memory of {0}, found {1}", bundle::name(type),
                        bundle::name(places.pointer.memory->type())));
  if (writes && !places.pointer.writable)
    return fail(op, "writes a view of an argument that is not in outs");
  for (const Tensor *tile : {value, places.mask})
    if (tile && tile->shape() != places.offsets.shape())
      return fail(
          op, formatv("expected tiles of one shape, found {0} beside "
                      "the offsets {1}",
                      describe(tile->type(), tile->shape()),
                      describe(places.offsets.type(), places.offsets.shape())));
  return llvm::Error::success();
}

static Element padValue(tile::PadKind pad, ElementType type) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  switch (pad) {
  case tile::PadKind::Zero:
    return isFloat(type) ? Element::of(0.0) : Element::of(int64_t(0));
  case tile::PadKind::NegInf:
    return Element::of(-infinity);
  case tile::PadKind::PosInf:
    return Element::of(infinity);
  case tile::PadKind::NaN:
    return Element::of(std::numeric_limits<double>::quiet_NaN());
  case tile::PadKind::NegZero:
    return Element::of(-0.0);
  case tile::PadKind::MinusOne:
    return Element::of(int64_t(-1));
  }
  llvm_unreachable("all pad kinds are handled");
}

/// A pointer to the first element of memory.
static View pointTo(Tensor memory, bool writable) {
  View pointer;
  pointer.memory = std::make_shared<Tensor>(std::move(memory));
  pointer.writable = writable;
  return pointer;
}

static llvm::Error evaluateData(tile::DataOp op, Frame &frame) {
  auto value = cast<DenseElementsAttr>(op.getValue());
  ElementType type = frame.elementType(value.getElementType());
  Expected<Tensor> memory = Tensor::zeros(type, value.getNumElements());
  if (!memory)
    return fail(op, llvm::toString(memory.takeError()));
  // Elements by their bits, whatever they are.
  auto bits = value.bitcast(IntegerType::get(op.getContext(), bitWidth(type)));
  for (auto [i, element] : llvm::enumerate(bits.getValues<APInt>()))
    (*memory)[int64_t(i)] = fromBits(element.getZExtValue(), type);
  frame.define(op, pointTo(std::move(*memory), /*writable=*/false));
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
  Places places(op, frame);
  ElementType type = frame.elementType(op.getType());
  if (llvm::Error error =
          check(op, places, /*value=*/nullptr, type, /*writes=*/false))
    return error;
  Expected<Tensor> result = Tensor::zeros(type, places.offsets.shape());
  if (!result)
    return fail(op, llvm::toString(result.takeError()));
  for (int64_t i = 0; i < result->size(); ++i) {
    (*result)[i] = padValue(op.getPad(), type);
    if (!places.takesPart(i))
      continue;
    Expected<int64_t> at = places.locate(op, i);
    if (!at)
      return at.takeError();
    if (!places.pointer.memory->isWritten(*at))
      return fail(op, formatv("reads an element that nothing has written: "
                              "number {0} of the memory",
                              *at));
    (*result)[i] = (*places.pointer.memory)[*at];
  }
  frame.define(op, std::move(*result));
  return llvm::Error::success();
}

static llvm::Error evaluateStoreAt(tile::StoreAtOp op, Frame &frame) {
  Places places(op, frame);
  const Tensor &value = frame.tensor(op.getValue());
  if (llvm::Error error =
          check(op, places, &value, value.type(), /*writes=*/true))
    return error;
  for (int64_t i = 0; i < value.size(); ++i) {
    if (!places.takesPart(i))
      continue;
    Expected<int64_t> at = places.locate(op, i);
    if (!at)
      return at.takeError();
    places.pointer.memory->store(*at, value[i]);
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

/// Runs an atomic op: `update(old, i)` gives what an element becomes.
template <typename Op, typename Update>
static llvm::Error evaluateAtomic(Op op, Frame &frame, Update update) {
  Places places(op, frame);
  const Tensor &value = frame.tensor(op.getValue());
  if (llvm::Error error =
          check(op, places, &value, value.type(), /*writes=*/true))
    return error;
  Expected<Tensor> result = Tensor::zeros(value.type(), value.shape());
  if (!result)
    return fail(op, llvm::toString(result.takeError()));
  for (int64_t i = 0; i < value.size(); ++i) {
    if (!places.takesPart(i))
      continue;
    Expected<int64_t> at = places.locate(op, i);
    if (!at)
      return at.takeError();
    Tensor &memory = *places.pointer.memory;
    if (!memory.isWritten(*at))
      return fail(op, formatv("updates an element that nothing has written: "
                              "number {0} of the memory",
                              *at));
    Element old = memory[*at];
    (*result)[i] = old;
    memory.store(*at, update(old, i));
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

void populateTilePointerEvaluators(Registry &registry) {
  registry.add<tile::DataOp>(evaluateData);
  registry.add<tile::ScratchOp>(evaluateScratch);
  registry.add<tile::LoadAtOp>(evaluateLoadAt);
  registry.add<tile::StoreAtOp>(evaluateStoreAt);
  registry.add<tile::AtomicRMWOp>(evaluateRMW);
  registry.add<tile::AtomicCASOp>(evaluateCAS);
}

} // namespace tilegpt::reference
