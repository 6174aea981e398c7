// Memory in which a kernel finds its operands, such as the lists of arrays that
// cuTile passes.
#ifndef TILEGPT_COMPILER_ADDRESSTABLE_H
#define TILEGPT_COMPILER_ADDRESSTABLE_H

#include "TileGPT/Reference/Tensor.h"

namespace tilegpt::compiler {

/// A table of 64-bit words, filled from the front.
class AddressTable {
public:
  void addNumber(int64_t number) { words.push_back({number, nullptr}); }
  /// The address of the first element.
  void addPointer(reference::TensorRef memory) {
    words.push_back({0, std::move(memory)});
  }
  /// The address, the sizes, and the strides in elements.
  void addArray(const reference::TensorRef &array);

  /// The words as an i64 tensor of rank 1.
  reference::TensorRef finish() const;

private:
  struct Word {
    int64_t number;
    reference::TensorRef memory; ///< null unless the word is an address
  };
  std::vector<Word> words;
};

} // namespace tilegpt::compiler

#endif // TILEGPT_COMPILER_ADDRESSTABLE_H
