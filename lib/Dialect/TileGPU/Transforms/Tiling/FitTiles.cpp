// Fits tiles to a block: the shared memory of dots and exchanges and the
// registers of dots, from a kernel bound to the candidate sizes.
#include "Simplify/DepthPieces.h"
#include "Simplify/FewRows.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "Tiling/ChooseTiles.h"
#include "Tiling/LoadedProduct.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <cmath>

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
/// Lower bounds on the resources of a kernel's dots and exchanges.
struct Footprint {
  int64_t sharedBytes = 0;     ///< for operands, and the largest exchange
  int64_t pipelinedBytes = 0;  ///< doubled for operands loaded in a loop
  int64_t mostAccumulator = 0; ///< elements of the largest result

  bool fits(const target::GpuTarget &target) const {
    // 128 f32 per thread of eight warps; the rest is for temporaries.
    constexpr int64_t registers = 128 * 256;
    return sharedBytes <= target.sharedBytesPerBlock &&
           mostAccumulator <= registers;
  }
};

/// One value for each adjustable parameter.
using Sizes = SmallVector<std::pair<StringAttr, int64_t>>;
} // namespace

/// Bytes of an operand in the type that is multiplied.
static int64_t bytesOf(Value operand, Type element) {
  auto type = cast<RankedTensorType>(operand.getType());
  return type.getNumElements() * memoryBytes(element);
}

/// Adds an operand of a dot, which other dots may share.
static void addOperand(Footprint &footprint, tile::DotOp dot, Value operand,
                       Type element, llvm::DenseSet<Value> &seen) {
  if (!seen.insert(operand).second)
    return;
  int64_t bytes = bytesOf(operand, element);
  auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
  auto load = operand.getDefiningOp<tile::LoadOp>();
  bool isStream = loop && load && load->getParentOp() == loop;
  footprint.sharedBytes += bytes;
  footprint.pipelinedBytes += isStream ? 2 * bytes : bytes;
}

/// The sizes of the axes that have several elements.
static SmallVector<int64_t> longAxes(Value tile) {
  return llvm::filter_to_vector(
      cast<RankedTensorType>(tile.getType()).getShape(),
      [](int64_t size) { return size != 1; });
}

/// The shared memory through which threads exchange the elements of a tile that
/// a reshape splits or merges axes of. Threads that need no exchange of as many
/// elements as shared memory has don't have registers for them either.
static int64_t exchangedBytes(Operation *op) {
  int64_t most = 0;
  op->walk([&](tile::ReshapeOp reshape) {
    Value source = reshape.getSource();
    if (longAxes(source) != longAxes(reshape.getResult()))
      most = std::max(most,
                      bytesOf(source, getElementTypeOrSelf(source.getType())));
  });
  return most;
}

/// The resources of the dots and exchanges in one op. Buffers of different ops
/// in a kernel's body may overlap.
static Footprint footprintOf(Operation *op) {
  Footprint footprint;
  llvm::DenseSet<Value> seen;
  op->walk([&](tile::DotOp dot) {
    auto acc = cast<RankedTensorType>(dot.getAcc().getType());
    footprint.mostAccumulator =
        std::max(footprint.mostAccumulator, acc.getNumElements());
    if (hasFewRows(dot) || isCut(dot))
      return; // no operands in shared memory, or a piece of them at a time
    Type element = acc.getElementType();
    MmaOperands types =
        mmaOperands(dot).value_or(MmaOperands{element, element, 1});
    // A computed lhs may stay in registers.
    if (dot.getLhs().getDefiningOp<tile::LoadOp>())
      addOperand(footprint, dot, dot.getLhs(), types.lhs, seen);
    addOperand(footprint, dot, dot.getRhs(), types.rhs, seen);
  });
  const int64_t exchanged = exchangedBytes(op);
  footprint.sharedBytes += exchanged;
  footprint.pipelinedBytes += exchanged;
  return footprint;
}

/// The resources of a launch's kernel with these sizes; nullopt if it cannot be
/// bound, which is reported later.
static std::optional<Footprint> footprintOf(OpenLaunch &launch,
                                            const Sizes &sizes) {
  OwningOpRef<tile::KernelOp> copy = launch.bindCopy(sizes);
  if (!copy)
    return std::nullopt;
  Footprint most;
  for (Operation &op : *copy->getEntryBlock()) {
    Footprint one = footprintOf(&op);
    most.sharedBytes = std::max(most.sharedBytes, one.sharedBytes);
    most.pipelinedBytes = std::max(most.pipelinedBytes, one.pipelinedBytes);
    most.mostAccumulator = std::max(most.mostAccumulator, one.mostAccumulator);
  }
  return most;
}

/// The parameters that size loaded tiles and have several values.
static SmallVector<StringAttr> tilingParameters(tile::KernelOp kernel) {
  llvm::SetVector<StringAttr> found;
  kernel.walk([&](tile::LoadOp load) {
    for (Attribute size : load.getSizes())
      if (auto name = dyn_cast<StringAttr>(size))
        if (!kernel.lookupParam(name).getCandidates().empty())
          found.insert(name);
  });
  return found.takeVector();
}

/// The distance between sizes: the halvings and doublings between them.
static double distanceOf(const Sizes &sizes, const Sizes &from) {
  double distance = 0;
  for (auto [one, other] : llvm::zip_equal(sizes, from))
    distance += std::abs(std::log2(double(one.second) / double(other.second)));
  return distance;
}

/// Whether a producer will feed the kernel's product with its current tile,
/// which was then chosen to fit; warp groups have more registers.
static bool fitsPipeNow(OpenLaunch &launch) {
  std::optional<LoadedProduct> product = findLoadedProduct(launch.kernel);
  if (!product || !product->isPiped(launch))
    return false;
  std::optional<int64_t> rows = launch.sizeNow(product->rows.parameter),
                         columns = launch.sizeNow(product->columns.parameter),
                         depth = launch.sizeNow(product->depth.parameter);
  return rows && columns && depth &&
         product->fitsPipe(launch, {*rows, *columns}, *depth);
}

void fitTiles(OpenLaunch &launch) {
  if (fitsPipeNow(launch))
    return;
  std::optional<Footprint> now = footprintOf(launch, {});
  if (!now || now->fits(launch.target))
    return;
  Sizes chosen;
  SmallVector<SmallVector<int64_t>> candidates;
  for (StringAttr name : tilingParameters(launch.kernel)) {
    std::optional<int64_t> size = launch.sizeNow(name);
    if (!size)
      continue;
    chosen.emplace_back(name, *size);
    candidates.push_back(launch.candidates(name));
  }
  // Enumerate all combinations as digits of a number.
  constexpr int64_t most = 4096;
  int64_t combinations = 1;
  for (ArrayRef<int64_t> values : candidates)
    combinations = std::min<int64_t>(most, combinations * values.size());
  std::optional<std::pair<bool, double>> least;
  Sizes best;
  for (int64_t number = 0; number < combinations; ++number) {
    Sizes sizes = chosen;
    int64_t rest = number;
    for (auto [size, values] : llvm::zip_equal(sizes, candidates)) {
      size.second = values[rest % values.size()];
      rest /= int64_t(values.size());
    }
    std::pair<bool, double> cost = {false, distanceOf(sizes, chosen)};
    if (least && *least <= cost)
      continue;
    std::optional<Footprint> need = footprintOf(launch, sizes);
    if (!need || !need->fits(launch.target))
      continue;
    cost.first = need->pipelinedBytes > launch.target.sharedBytesPerBlock;
    if (least && *least <= cost)
      continue;
    least = cost;
    best = sizes;
  }
  if (best.empty())
    return;
  std::string sizes;
  llvm::raw_string_ostream stream(sizes);
  llvm::interleaveComma(best, stream, [&](auto &size) {
    stream << size.first.getValue() << " = " << size.second;
  });
  explainMissed(launch.kernel, "tile") << remark::add(
      "the tiles need {0} bytes of shared memory and {1} accumulators, too "
      "much for {2}; chose {3}",
      now->sharedBytes, now->mostAccumulator, launch.target.name, sizes);
  for (auto [name, size] : best)
    launch.set(name, size);
}

} // namespace tilegpt::tilegpu
