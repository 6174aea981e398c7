// Addresses as integers, and access to memory by elements of another type.
#include "TileGPT/Reference/AddressSpace.h"
#include "llvm/ADT/STLExtras.h"

namespace tilegpt::reference {

static constexpr int addressBits = 40;

int64_t AddressSpace::addressOf(const View &pointer) {
  if (!pointer.memory)
    return pointer.offset;
  auto found = llvm::find_if(
      known, [&](const View &view) { return view.memory == pointer.memory; });
  const int64_t number = found - known.begin();
  if (found == known.end())
    known.push_back({pointer.memory, pointer.writable, 0, {}, {}});
  return ((number + 1) << addressBits) +
         pointer.offset * byteWidth(pointer.memory->type());
}

void AddressSpace::place(Tensor &memory) {
  for (const Tensor::Address &address : memory.addresses()) {
    memory[address.element] =
        Element::of(addressOf(View::pointerTo(address.memory)));
    place(*address.memory);
  }
}

AddressSpace::Place AddressSpace::find(int64_t address) const {
  constexpr int64_t spacing = int64_t(1) << addressBits;
  const int64_t number = ((address + spacing / 2) >> addressBits) - 1;
  if (number < 0 || number >= static_cast<int64_t>(known.size()))
    return {};
  const View &view = known[number];
  return {view.memory, view.writable, address - (number + 1) * spacing};
}

/// The bit offset of a byte of the memory within its element.
static unsigned shiftOf(const Tensor &memory, int64_t at) {
  return 8 * static_cast<unsigned>(at % byteWidth(memory.type()));
}

std::optional<Element> readBytes(const Tensor &memory, int64_t at,
                                 ElementType type) {
  const int64_t width = byteWidth(memory.type());
  if (memory.type() == type && at % width == 0) {
    if (!memory.isWritten(at / width))
      return std::nullopt;
    return memory[at / width];
  }
  uint64_t bits = 0;
  for (int64_t i = 0; i < byteWidth(type); ++i) {
    const int64_t element = (at + i) / width;
    if (!memory.isWritten(element))
      return std::nullopt;
    const uint64_t held = toBits(memory[element], memory.type());
    bits |= (held >> shiftOf(memory, at + i) & 0xff) << (8 * i);
  }
  return fromBits(type == ElementType::I1 ? bits != 0 : bits, type);
}

void writeBytes(Tensor &memory, int64_t at, ElementType type, Element value) {
  const int64_t width = byteWidth(memory.type());
  if (memory.type() == type && at % width == 0)
    return memory.store(at / width, value);
  const uint64_t bits = toBits(value, type);
  for (int64_t i = 0; i < byteWidth(type); ++i) {
    const int64_t element = (at + i) / width;
    const unsigned shift = shiftOf(memory, at + i);
    uint64_t held = toBits(memory[element], memory.type());
    held &= ~(uint64_t(0xff) << shift);
    held |= (bits >> (8 * i) & 0xff) << shift;
    memory.store(element, fromBits(held, memory.type()));
  }
}

} // namespace tilegpt::reference
