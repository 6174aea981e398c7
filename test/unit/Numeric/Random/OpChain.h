// A chain of random ops on tiles, and the values each op may apply to.
#ifndef TILEGPT_TEST_UNIT_NUMERIC_RANDOM_OPCHAIN_H
#define TILEGPT_TEST_UNIT_NUMERIC_RANDOM_OPCHAIN_H

#include "KernelWriter.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilegpt::numeric {

/// A tile of the kernel.
struct TileValue {
  std::string name;
  Shape shape;
  std::string element;
  /// Bitwise equal on every device: may decide a comparison or an index.
  bool exact = false;

  std::string type() const { return tensorType(shape, element); }
  bool isFloat() const { return element[0] == 'f' || element[0] == 'b'; }
};

class OpChain {
public:
  explicit OpChain(uint64_t seed) : draw(seed), text("chain", seed) {}

  NumericCase make();

private:
  using Condition = llvm::function_ref<bool(const TileValue &)>;

  /// Adds an op on existing values, or nothing if it fits none of them.
  void addOp();

  // ChainValues.cpp: elementwise ops.
  void addBinary();
  void addUnary();
  void addSelect();
  void addMultiplyAdd();
  void addCast();
  void addIota();

  // ChainShapes.cpp: ops that move, combine or multiply elements.
  void addBroadcast();
  void addReshape();
  void addPermute();
  void addConcatenation();
  void addExtract();
  void addInsert();
  void addReduction();
  void addScan();
  void addDot();

  // ChainControl.cpp: memory, loops and branches.
  void addLoad();
  void addGather();
  void addLoop();
  void addBranch();
  void storeSome();

  const TileValue *pick(Condition condition);
  const TileValue *pickFloat() {
    return pick([](const TileValue &value) { return value.element == "f32"; });
  }
  /// Another value of the same shape and element type, possibly the same one.
  const TileValue &like(const TileValue &value);
  TileValue &add(const llvm::Twine &operation, llvm::ArrayRef<int64_t> shape,
                 llvm::StringRef element, bool exact);
  int64_t drawSize();
  int64_t drawDivisor(int64_t size);

  Draw draw;
  KernelWriter text;
  std::vector<TileValue> values;
  int64_t blocks = 1;
  bool narrow = false; ///< a value was rounded to 16 bits
  unsigned depth = 0;  ///< nesting of loops and branches
};

} // namespace tilegpt::numeric

#endif // TILEGPT_TEST_UNIT_NUMERIC_RANDOM_OPCHAIN_H
