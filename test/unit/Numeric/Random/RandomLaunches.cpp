// Writes random chains of launches and their arguments.
#include "RandomLaunches.h"
#include "LaunchKernel.h"
#include "TileGPT/Reference/TensorText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

namespace tilegpt::numeric {

namespace {

using llvm::formatv;

class LaunchChainWriter {
public:
  explicit LaunchChainWriter(uint64_t seed) : draw(seed) {
    for (char axis : {'A', 'B', 'C', 'D'})
      sizes[axis] = draw.of<int64_t>({1, 3, 5, 8, 17, 24});
    isOpen['A'] = draw.percent(50);
    isOpen['B'] = draw.percent(20);
  }

  LaunchChain write() {
    const std::string axes =
        draw.of<const char *>({"AC", "AC", "AC", "BAC", "ACD", "C", "AB"});
    pool.push_back(addArgument(axes, drawElement()));
    for (int64_t length = 2 + draw.below(5); length > 0; --length)
      addLaunch();
    returned.push_back(pool.back());
    if (draw.percent(40))
      returned.push_back(draw.from(pool));
    std::vector<std::string> names, types;
    for (const LaunchTensor &tensor : returned) {
      names.push_back(tensor.name);
      types.push_back(typeOf(tensor));
    }
    int64_t most = 1;
    for (auto [axis, size] : sizes)
      if (isOpen[axis])
        most = std::max(most, size);
    chain.text =
        kernels + "func.func @f(" + llvm::join(arguments, ", ") + ") -> (" +
        llvm::join(types, ", ") + ") attributes {tile.rows = array<i64: 1, " +
        std::to_string(most) + ">} {\n  %c0 = arith.constant 0 : index\n" +
        header + body + "  return " + llvm::join(names, ", ") + " : " +
        llvm::join(types, ", ") + "\n}\n";
    return std::move(chain);
  }

private:
  const char *drawElement() {
    return draw.of<const char *>(
        {"f32", "f32", "bf16", "bf16", "f16", "f8E4M3FN", "f8E5M2", "i8"});
  }

  std::string typeOf(const LaunchTensor &tensor) {
    std::string type = "tensor<";
    for (char axis : tensor.axes)
      type += (isOpen[axis] ? "?" : std::to_string(sizes[axis])) + "x";
    return type + tensor.element + ">";
  }

  /// An argument of the function; the first one with an open axis gives its
  /// size.
  LaunchTensor addArgument(const std::string &axes,
                           const std::string &element) {
    LaunchTensor tensor{"%a" + std::to_string(arguments.size()), axes, element,
                        /*isArgument=*/true};
    arguments.push_back(tensor.name + ": " + typeOf(tensor));
    llvm::SmallVector<int64_t> shape;
    for (auto [number, axis] : llvm::enumerate(axes)) {
      shape.push_back(sizes[axis]);
      if (!isOpen[axis] || sizeNames.count(axis))
        continue;
      sizeNames[axis] = std::string("%size") + axis;
      header +=
          formatv("  %i{0} = arith.constant {1} : index\n"
                  "  {2} = tensor.dim {3}, %i{0} : {4}\n",
                  axis, number, sizeNames[axis], tensor.name, typeOf(tensor));
    }
    const reference::ElementType type =
        llvm::cantFail(reference::parseShape(element)).type;
    auto values = std::make_shared<reference::Tensor>(
        llvm::cantFail(reference::Tensor::zeros(type, shape)));
    for (int64_t i = 0; i < values->size(); ++i) {
      // Multiples of 1/4 from -2 to 2, or integers.
      const int64_t number = draw.below(17) - 8;
      values->store(i, element == "i8"
                           ? reference::Element::of(number)
                           : reference::Element::of(double(number) / 4));
    }
    chain.arguments.push_back(values);
    return tensor;
  }

  /// An existing tensor with these axes, or a new argument.
  LaunchTensor operandWith(const std::string &axes) {
    llvm::SmallVector<LaunchTensor> same;
    for (const LaunchTensor &tensor : pool)
      if (tensor.axes == axes)
        same.push_back(tensor);
    if (!same.empty() && draw.percent(50))
      return draw.from(same);
    return addArgument(axes, drawElement());
  }

  /// A tensor for a launch to write: new, or an argument updated in place.
  std::string outFor(const LaunchOut &out) {
    const LaunchTensor like{"", out.axes, out.element, false};
    if (out.isPartial || draw.percent(8)) {
      auto *old = llvm::find_if(pool, [&](const LaunchTensor &tensor) {
        return tensor.isArgument && tensor.axes == out.axes &&
               tensor.element == out.element;
      });
      if (old == pool.end() || draw.percent(50))
        return addArgument(out.axes, out.element).name;
      const std::string name = old->name;
      // Nothing reads the old value any more.
      if (pool.size() > 1)
        pool.erase(old);
      return name;
    }
    llvm::SmallVector<std::string> open;
    for (char axis : out.axes)
      if (isOpen[axis])
        open.push_back(sizeNames.at(axis));
    const std::string name = "%e" + std::to_string(empties++);
    body += formatv("  {0} = tensor.empty({1}) : {2}\n", name,
                    llvm::join(open, ", "), typeOf(like));
    return name;
  }

  void addLaunch() {
    const LaunchTensor input = draw.percent(80) ? pool.back() : draw.from(pool);
    // A library kernel among them.
    if (input.axes == "AC" &&
        llvm::is_contained({"f32", "bf16", "f16"}, input.element) &&
        draw.percent(15))
      return addLinear(input);
    const std::string kernel = "k" + std::to_string(launches);
    LaunchKernel written(draw, kernel, input,
                         [&](std::string axes) { return operandWith(axes); });
    kernels += written.text;
    launch(kernel, written.ins, written.outs);
  }

  void addLinear(const LaunchTensor &input) {
    const LaunchTensor weight = addArgument("DC", input.element),
                       bias = addArgument("D", "f32");
    launch(sizes['A'] <= 16 && !isOpen['A'] ? "linear_decode" : "linear",
           {input, weight, bias}, {{"AD", "f32", false}});
  }

  void launch(const std::string &kernel, llvm::ArrayRef<LaunchTensor> ins,
              llvm::ArrayRef<LaunchOut> outs) {
    std::vector<std::string> inNames, outNames, types, outTypes;
    for (const LaunchTensor &in : ins) {
      inNames.push_back(in.name);
      types.push_back(typeOf(in));
    }
    const std::string result = "%t" + std::to_string(launches++);
    llvm::SmallVector<LaunchTensor> made;
    for (auto [number, out] : llvm::enumerate(outs)) {
      outNames.push_back(outFor(out));
      made.push_back({result + "#" + std::to_string(number), out.axes,
                      out.element, /*isArgument=*/false});
      outTypes.push_back(typeOf(made.back()));
      types.push_back(outTypes.back());
      if (!llvm::StringRef(outNames.back()).starts_with("%e"))
        returned.push_back(made.back());
    }
    body += formatv("  {0}:{1} = tile.launch @{2} ins({3}) outs({4}) : ({5}) "
                    "-> ({6})\n",
                    result, outs.size(), kernel, llvm::join(inNames, ", "),
                    llvm::join(outNames, ", "), llvm::join(types, ", "),
                    llvm::join(outTypes, ", "));
    llvm::append_range(pool, llvm::reverse(made));
  }

  Draw draw;
  std::map<char, int64_t> sizes;
  std::map<char, bool> isOpen;
  std::map<char, std::string> sizeNames;
  std::vector<std::string> arguments;
  std::string kernels, header, body;
  llvm::SmallVector<LaunchTensor> pool, returned;
  unsigned launches = 0, empties = 0;
  LaunchChain chain;
};

} // namespace

LaunchChain randomLaunches(uint64_t seed) {
  return LaunchChainWriter(seed).write();
}

} // namespace tilegpt::numeric
