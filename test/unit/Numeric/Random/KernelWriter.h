// Writes the text of a random kernel and the case that runs it.
#ifndef TILEGPT_TEST_UNIT_NUMERIC_RANDOM_KERNELWRITER_H
#define TILEGPT_TEST_UNIT_NUMERIC_RANDOM_KERNELWRITER_H

#include "../NumericCase.h"
#include "llvm/ADT/Twine.h"
#include <cstdint>
#include <random>

namespace tilegpt::numeric {

using Shape = llvm::SmallVector<int64_t, 3>;

/// Number of elements.
int64_t sizeOf(llvm::ArrayRef<int64_t> shape);

/// "4, 5"
std::string listOf(llvm::ArrayRef<int64_t> shape);

/// "tensor<4x5xf32>"
std::string tensorType(llvm::ArrayRef<int64_t> shape, llvm::StringRef element);

/// Random numbers that are the same with every standard library.
class Draw {
public:
  explicit Draw(uint64_t seed) : engine(seed) {}

  /// From 0 to `count` - 1.
  int64_t below(int64_t count) { return int64_t(engine() % uint64_t(count)); }

  bool percent(int64_t chance) { return below(100) < chance; }

  template <typename T>
  T of(std::initializer_list<T> values) {
    return values.begin()[below(int64_t(values.size()))];
  }

  template <typename Range>
  auto &from(Range &values) {
    return values[size_t(below(int64_t(values.size())))];
  }

private:
  std::mt19937_64 engine;
};

class KernelWriter {
public:
  KernelWriter(llvm::StringRef family, uint64_t seed)
      : family(family), seed(seed) {}

  /// Writes an op whose results, if any, are unused.
  void line(const llvm::Twine &text);

  /// Writes `%name = operation`. \returns the new name
  std::string define(const llvm::Twine &operation);

  /// A name for what line() defines.
  std::string newName() { return "%v" + std::to_string(++names); }

  /// Defines `arith.constant VALUE : index`.
  std::string index(int64_t value);

  void indent() { margin += 2; }
  void outdent() { margin -= 2; }

  /// Adds a tensor argument of this shape with random elements and the type
  /// `view`. `range` is ":LO:HI" or empty. \returns its name
  std::string input(llvm::ArrayRef<int64_t> shape, llvm::StringRef element,
                    const llvm::Twine &view, llvm::StringRef range = "");

  /// Adds an out likewise.
  std::string output(llvm::ArrayRef<int64_t> shape, llvm::StringRef element,
                     const llvm::Twine &view);

  /// The case of this kernel; `params` is appended to the arguments.
  NumericCase finish(const llvm::Twine &grid, const Arithmetic &arithmetic,
                     const llvm::Twine &params = "") const;

private:
  std::string family;
  uint64_t seed;
  unsigned names = 0;
  unsigned margin = 2;
  std::vector<std::string> lines;
  std::vector<std::string> inArguments, outArguments;
  std::vector<std::string> ins, outs;
};

} // namespace tilegpt::numeric

#endif // TILEGPT_TEST_UNIT_NUMERIC_RANDOM_KERNELWRITER_H
