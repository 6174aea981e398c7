// Addresses of memory as integers, for kernels that compute with them.
#ifndef TILEGPT_REFERENCE_ADDRESSSPACE_H
#define TILEGPT_REFERENCE_ADDRESSSPACE_H

#include "TileGPT/Reference/Tensor.h"
#include <optional>

namespace tilegpt::reference {

/// Memory gets an address when a kernel first uses it as an integer: multiples
/// of 2^40, which exceeds the size of any tensor. Address 0 is unused.
class AddressSpace {
public:
  /// The address of a pointer, in bytes.
  int64_t addressOf(const View &pointer);

  /// Stores the addresses that memory holds, and those that the memory there
  /// holds.
  void place(Tensor &memory);

  /// A byte relative to the memory that begins nearest to an address, which may
  /// be outside it: kernels may compute such addresses. `memory` is null far
  /// from every memory, as at address 0.
  struct Place {
    TensorRef memory;
    bool writable = false;
    int64_t byte = 0;
  };
  Place find(int64_t address) const;

private:
  std::vector<View> known; ///< whole memories, in the order of addresses
};

/// The value of `type` whose bytes begin at byte `at` of `memory`, which may
/// hold elements of another type; nothing where one of them was never written.
/// The bytes must be there.
std::optional<Element> readBytes(const Tensor &memory, int64_t at,
                                 ElementType type);

/// Writes the bytes of a value.
void writeBytes(Tensor &memory, int64_t at, ElementType type, Element value);

} // namespace tilegpt::reference

#endif // TILEGPT_REFERENCE_ADDRESSSPACE_H
