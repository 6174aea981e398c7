// Writes the text of a random kernel that reads a tensor tile by tile.
#ifndef TILEGPT_TEST_UNIT_NUMERIC_RANDOM_LAUNCHKERNEL_H
#define TILEGPT_TEST_UNIT_NUMERIC_RANDOM_LAUNCHKERNEL_H

#include "KernelWriter.h"
#include <functional>

namespace tilegpt::numeric {

/// A tensor of a chain. Axes are letters: equal ones have equal sizes.
struct LaunchTensor {
  std::string name, axes, element;
  bool isArgument; ///< of the function
};

struct LaunchOut {
  std::string axes, element;
  bool isPartial; ///< only some elements are stored
};

/// A kernel `@NAME` whose first in has the axes and type of a tensor.
class LaunchKernel {
public:
  /// \param operand  provides a tensor with the given axes
  LaunchKernel(Draw &draw, const std::string &name, const LaunchTensor &input,
               const std::function<LaunchTensor(std::string)> &operand);

  std::string text;
  std::vector<LaunchTensor> ins;
  std::vector<LaunchOut> outs;

private:
  /// A tile of f32 with the axes of the input, some of them of size 1.
  struct Tile {
    std::string name;
    std::vector<std::string> sizes;
  };

  void chooseTiles();
  Tile load(const LaunchTensor &tensor, bool isFirst);
  Tile shuffle(Tile tile);
  Tile applyOp(Tile tile);
  Tile reduceAndCombine(Tile tile);
  Tile withOperand(Tile tile);
  Tile broadcast(const Tile &tile);
  void storeTo(Tile tile);
  Tile fit(Tile tile, const std::string &element);

  std::string define(const std::string &op);
  std::string constant(const std::string &value, const Tile &like);
  Tile compute(const std::string &op, const Tile &tile,
               const std::string &other = "");
  std::string typeOf(llvm::ArrayRef<std::string> sizes,
                     const std::string &element = "f32") const;
  static std::string viewOf(const LaunchTensor &tensor);

  Draw &draw;
  std::string axes;
  const std::function<LaunchTensor(std::string)> &operand;
  std::string body;
  std::vector<std::string> params, grid, tileSizes, indices;
  std::vector<bool> isWhole;
  std::vector<std::string> inArguments, outArguments;
  unsigned values = 0;
};

} // namespace tilegpt::numeric

#endif // TILEGPT_TEST_UNIT_NUMERIC_RANDOM_LAUNCHKERNEL_H
