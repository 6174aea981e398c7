// Writes random kernels: tiles of their axes, then ops on a tile, then stores.
#include "LaunchKernel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <numeric>

namespace tilegpt::numeric {

using llvm::formatv;

LaunchKernel::LaunchKernel(
    Draw &draw, const std::string &name, const LaunchTensor &input,
    const std::function<LaunchTensor(std::string)> &operand)
    : draw(draw), axes(input.axes), operand(operand) {
  chooseTiles();
  Tile tile = load(input, /*isFirst=*/true);
  for (int64_t ops = 1 + draw.below(3); ops > 0; --ops)
    tile = applyOp(tile);
  const Tile early = tile;
  for (int64_t ops = draw.below(2); ops > 0; --ops)
    tile = applyOp(tile);
  storeTo(tile);
  if (draw.percent(20))
    storeTo(early);
  std::string requirements;
  if (draw.percent(30) && outs[0].axes == axes)
    requirements = "\n    requires(dim(%x0, 0) == dim(%y0, 0))";
  text = formatv("tile.kernel @{0}({1}) outs({2}){3}\n    params {{{4}} grid "
                 "[{5}] {{\n  %c0 = arith.constant 0 : index\n{6}}\n",
                 name, llvm::join(inArguments, ", "),
                 llvm::join(outArguments, ", "), requirements,
                 llvm::join(params, ", "),
                 grid.empty() ? "1" : llvm::join(grid, ", "), body);
}

std::string LaunchKernel::typeOf(llvm::ArrayRef<std::string> sizes,
                                 const std::string &element) const {
  std::string type = "tensor<";
  for (const std::string &size : sizes)
    type += (std::isdigit(size[0]) ? size : "?") + "x";
  return type + element + ">";
}

std::string LaunchKernel::viewOf(const LaunchTensor &tensor) {
  std::string view = "!tile.view<";
  for (size_t i = 0; i < tensor.axes.size(); ++i)
    view += "?x";
  return view + tensor.element + ">";
}

std::string LaunchKernel::define(const std::string &op) {
  const std::string name = "%v" + std::to_string(values++);
  body += "  " + name + " = " + op + "\n";
  return name;
}

std::string LaunchKernel::constant(const std::string &value, const Tile &like) {
  const std::string scalar = define("arith.constant " + value + " : f32");
  return define("tile.splat " + scalar + " [" + llvm::join(like.sizes, ", ") +
                "] : f32 -> " + typeOf(like.sizes));
}

LaunchKernel::Tile LaunchKernel::compute(const std::string &op,
                                         const Tile &tile,
                                         const std::string &other) {
  return {define(op + " " + tile.name + (other.empty() ? "" : ", " + other) +
                 " : " + typeOf(tile.sizes)),
          tile.sizes};
}

/// Chooses for each axis between parts of a parameter's or a constant size and
/// the whole axis, and the order of the grid.
void LaunchKernel::chooseTiles() {
  const int64_t rank = int64_t(axes.size());
  std::vector<int64_t> order(rank), place(rank, -1);
  std::iota(order.begin(), order.end(), 0);
  for (int64_t i = rank - 1; i > 0; --i)
    std::swap(order[i], order[draw.below(i + 1)]);
  tileSizes.resize(rank);
  indices.resize(rank);
  isWhole.resize(rank);
  for (int64_t axis : order) {
    const std::string number = std::to_string(axis);
    const std::string dim = "dim(%x0, " + number + ")";
    const int64_t kind = draw.below(10);
    isWhole[axis] = kind < 4;
    indices[axis] = "%c0";
    if (kind < 3) {
      tileSizes[axis] = "T" + number;
      params.push_back("T" + number + " = " + dim);
    } else if (kind == 3) {
      // A tile that reaches beyond the data.
      tileSizes[axis] = "32";
    } else {
      if (kind < 8) {
        tileSizes[axis] = "T" + number;
        params.push_back("T" + number + " = " +
                         draw.of<const char *>({"1", "4", "8"}) +
                         " in [1, 2, 4, 8]");
      } else {
        tileSizes[axis] = draw.of<const char *>({"1", "4", "16"});
      }
      indices[axis] = "%id" + number;
      body += formatv("  %id{0} = tile.block_id {1}\n", axis, grid.size());
      grid.push_back(tileSizes[axis] == "1"
                         ? dim
                         : "ceildiv(" + dim + ", " + tileSizes[axis] + ")");
    }
  }
}

LaunchKernel::Tile LaunchKernel::load(const LaunchTensor &tensor,
                                      bool isFirst) {
  LaunchTensor own = tensor;
  if (isFirst && tensor.element != "i8" && draw.percent(40)) {
    own.element = "!tile.elt<X>";
    params.push_back("X: type = f32 in [f32, bf16, f16, f8E4M3FN, f8E5M2]");
  }
  const std::string element = own.element;
  std::string view = viewOf(own), name = "%x" + std::to_string(ins.size());
  inArguments.push_back(name + ": " + view);
  ins.push_back(tensor);
  std::vector<std::string> sizes, places;
  for (char axis : tensor.axes) {
    const size_t place = axes.find(axis);
    sizes.push_back(tileSizes[place]);
    places.push_back(indices[place]);
  }
  const bool padsLow = tensor.element == "f32" && draw.percent(10);
  std::string mask;
  if (isFirst && draw.percent(5)) {
    const std::string scalar = define("arith.constant true");
    const std::string all =
        define("tile.splat " + scalar + " [" + llvm::join(sizes, ", ") +
               "] : i1 -> " + typeOf(sizes, "i1"));
    mask = " mask(" + all + " : " + typeOf(sizes, "i1") + ")";
  }
  std::string order;
  if (sizes.size() == 2 && draw.percent(6)) {
    // Through a transposed view.
    const std::string turned =
        "!tile.view<?x?x" + element + ", strides=[1, ?]>";
    name = define("tile.transpose " + name + " [1, 0] : " + view + " -> " +
                  turned);
    view = turned;
    std::swap(places[0], places[1]);
    order = " order [1, 0]";
  }
  std::string tile = define(
      "tile.load " + name + "[" + llvm::join(places, ", ") + "] [" +
      llvm::join(sizes, ", ") + "]" + order + (padsLow ? " pad(neg_inf)" : "") +
      mask + " : " + view + " -> " + typeOf(sizes, element));
  if (element != "f32")
    tile = define((element == "i8" ? "arith.sitofp " : "tile.cast ") + tile +
                  " : " + typeOf(sizes, element) + " to " + typeOf(sizes));
  return {tile, sizes};
}

LaunchKernel::Tile LaunchKernel::broadcast(const Tile &tile) {
  return {define("tile.broadcast " + tile.name + " [" +
                 llvm::join(tileSizes, ", ") + "] : " + typeOf(tile.sizes) +
                 " -> " + typeOf(tileSizes)),
          tileSizes};
}

/// Combines with another operand, which may lack axes.
LaunchKernel::Tile LaunchKernel::withOperand(Tile tile) {
  std::string some;
  for (char axis : axes)
    if (draw.percent(70))
      some += axis;
  if (some.empty())
    some = axes;
  Tile other = load(operand(some), /*isFirst=*/false);
  std::vector<std::string> sizes;
  for (auto [place, axis] : llvm::enumerate(axes))
    sizes.push_back(some.find(axis) == std::string::npos ? "1"
                                                         : tileSizes[place]);
  if (some != axes) {
    other = {define("tile.reshape " + other.name + " [" +
                    llvm::join(sizes, ", ") + "] : " + typeOf(other.sizes) +
                    " -> " + typeOf(sizes)),
             sizes};
    other = broadcast(other);
  }
  return compute(draw.of<const char *>({"arith.addf", "arith.subf",
                                        "arith.maximumf", "arith.mulf"}),
                 tile, other.name);
}

/// A norm: subtracts the sum or the maximum along an axis.
LaunchKernel::Tile LaunchKernel::reduceAndCombine(Tile tile) {
  std::vector<size_t> whole;
  for (size_t axis = 0; axis < axes.size(); ++axis)
    if (isWhole[axis] || (std::isdigit(tileSizes[axis][0]) && draw.percent(20)))
      whole.push_back(axis);
  if (whole.empty())
    return compute("math.absf", tile);
  const size_t axis = draw.from(whole);
  std::vector<std::string> sizes = tileSizes;
  sizes[axis] = "1";
  const Tile reduced{
      define(formatv("tile.reduce {0} {1} axis {2} keepdims : {3} -> {4}",
                     draw.of<const char *>({"add", "max"}), tile.name, axis,
                     typeOf(tileSizes), typeOf(sizes))
                 .str()),
      sizes};
  return compute("arith.subf", tile, broadcast(reduced).name);
}

LaunchKernel::Tile LaunchKernel::applyOp(Tile tile) {
  switch (draw.below(10)) {
  case 0:
    return compute("math.absf", tile);
  case 1:
    return compute("arith.maximumf", tile, constant("0.0", tile));
  case 2:
    return compute("arith.mulf", tile, constant("0.5", tile));
  case 3:
    return compute("arith.addf", tile, constant("1.25", tile));
  case 4: {
    const std::string mask =
        define("arith.cmpf ogt, " + tile.name + ", " + constant("0.25", tile) +
               " : " + typeOf(tile.sizes));
    return {define("arith.select " + mask + ", " + tile.name + ", " +
                   constant("-0.75", tile) + " : " + typeOf(tile.sizes, "i1") +
                   ", " + typeOf(tile.sizes)),
            tile.sizes};
  }
  case 5: {
    // A rounding that the kernel asks for.
    const std::string narrow = draw.of<const char *>({"f8E5M2", "bf16"});
    const std::string rounded =
        define("tile.cast " + tile.name + " : " + typeOf(tile.sizes) + " to " +
               typeOf(tile.sizes, narrow));
    return {define("tile.cast " + rounded + " : " + typeOf(tile.sizes, narrow) +
                   " to " + typeOf(tile.sizes)),
            tile.sizes};
  }
  case 6:
  case 7:
    return reduceAndCombine(tile);
  default:
    return withOperand(tile);
  }
}

/// Clamps and rounds down to values that a type represents.
LaunchKernel::Tile LaunchKernel::fit(Tile tile, const std::string &element) {
  const bool isNarrow = llvm::StringRef(element).starts_with("f8");
  const std::string most = isNarrow ? "1.75" : "16.0";
  tile = compute("arith.minnumf", tile, constant(most, tile));
  tile = compute("arith.maxnumf", tile, constant("-" + most, tile));
  const bool isWholeNumber = element == "i8";
  if (!isWholeNumber)
    tile = compute("arith.mulf", tile, constant("4.0", tile));
  tile = compute("math.floor", tile);
  if (!isWholeNumber)
    tile = compute("arith.mulf", tile, constant("0.25", tile));
  return tile;
}

void LaunchKernel::storeTo(Tile tile) {
  LaunchTensor out{
      "%y" + std::to_string(outs.size()), axes,
      draw.of<const char *>({"f32", "bf16", "f16", "f8E4M3FN", "f8E5M2", "i8"}),
      false};
  if (draw.percent(60))
    out.element = ins[0].element;
  std::vector<std::string> sizes = tileSizes, places = indices;
  // A reduction at the end: the out lacks an axis.
  for (size_t axis = 0; axis < axes.size() && axes.size() > 1; ++axis)
    if (isWhole[axis] && draw.percent(15)) {
      out.axes.erase(axis, 1);
      sizes.erase(sizes.begin() + axis);
      places.erase(places.begin() + axis);
      tile = {define(formatv("tile.reduce {0} {1} axis {2} : {3} -> {4}",
                             draw.of<const char *>({"add", "max"}), tile.name,
                             axis, typeOf(tileSizes), typeOf(sizes))
                         .str()),
              sizes};
      break;
    }
  tile = fit(tile, out.element);
  std::string stored = tile.name;
  if (out.element != "f32")
    stored =
        define((out.element == "i8" ? "arith.fptosi " : "tile.cast ") + stored +
               " : " + typeOf(sizes) + " to " + typeOf(sizes, out.element));
  std::string suffix;
  if (sizes.size() == 2 && draw.percent(10)) {
    std::swap(places[0], places[1]);
    std::swap(out.axes[0], out.axes[1]);
    suffix = " order [1, 0]";
  }
  const bool isPartial = draw.percent(5);
  if (isPartial) {
    const std::string mask =
        define("arith.cmpf ogt, " + tile.name + ", " + constant("0.0", tile) +
               " : " + typeOf(sizes));
    suffix += " mask(" + mask + " : " + typeOf(sizes, "i1") + ")";
  }
  body += "  tile.store " + stored + ", " + out.name + "[" +
          llvm::join(places, ", ") + "]" + suffix + " : " +
          typeOf(sizes, out.element) + ", " + viewOf(out) + "\n";
  outArguments.push_back(out.name + ": " + viewOf(out));
  outs.push_back({out.axes, out.element, isPartial});
}

} // namespace tilegpt::numeric
