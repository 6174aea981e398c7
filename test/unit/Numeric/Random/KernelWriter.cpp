// The text of a random kernel, line by line.
#include "KernelWriter.h"
#include "llvm/ADT/StringExtras.h"
#include <functional>
#include <numeric>

using llvm::ArrayRef;
using llvm::StringRef;
using llvm::Twine;

namespace tilegpt::numeric {

int64_t sizeOf(ArrayRef<int64_t> shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1),
                         std::multiplies<>());
}

/// "4x5x", so that an element type can follow.
static std::string dimensions(ArrayRef<int64_t> shape) {
  std::string text;
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  return text;
}

std::string listOf(ArrayRef<int64_t> shape) {
  return llvm::join(
      llvm::map_range(shape, [](int64_t size) { return std::to_string(size); }),
      ", ");
}

std::string tensorType(ArrayRef<int64_t> shape, StringRef element) {
  return "tensor<" + dimensions(shape) + element.str() + ">";
}

void KernelWriter::line(const Twine &text) {
  lines.push_back(std::string(margin, ' ') + text.str());
}

std::string KernelWriter::define(const Twine &operation) {
  std::string name = newName();
  line(name + " = " + operation);
  return name;
}

std::string KernelWriter::index(int64_t value) {
  return define("arith.constant " + Twine(value) + " : index");
}

std::string KernelWriter::input(ArrayRef<int64_t> shape, StringRef element,
                                const Twine &view, StringRef range) {
  std::string name = "%in" + std::to_string(ins.size());
  inArguments.push_back(name + ": " + view.str());
  ins.push_back(dimensions(shape) + element.str() + "=random:" +
                std::to_string(seed * 16 + ins.size()) + range.str());
  return name;
}

std::string KernelWriter::output(ArrayRef<int64_t> shape, StringRef element,
                                 const Twine &view) {
  std::string name = "%out" + std::to_string(outs.size());
  outArguments.push_back(name + ": " + view.str());
  outs.push_back(dimensions(shape) + element.str());
  return name;
}

NumericCase KernelWriter::finish(const Twine &grid,
                                 const Arithmetic &arithmetic,
                                 const Twine &params) const {
  NumericCase result;
  result.file = family;
  result.kernel = "random";
  result.types = std::to_string(seed);
  result.source = "tile.kernel @random(" + llvm::join(inArguments, ", ") +
                  ") outs(" + llvm::join(outArguments, ", ") + ")" +
                  params.str() + " grid [" + grid.str() + "] {\n" +
                  llvm::join(lines, "\n") + "\n}\n";
  result.arithmetic = arithmetic;
  result.ins = ins;
  result.expected = outs;
  result.before.resize(outs.size());
  return result;
}

} // namespace tilegpt::numeric
