// Chooses tiles of kernels without dots, which are bound by bandwidth or by the
// latency of successive iterations: the cheapest of all admissible sizes.
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/TileGPU/Analysis/LoopShares.h"
#include "TileGPT/Target/NVVM/GpuModel.h"
#include "Tiling/ChooseTiles.h"
#include "Tiling/LaunchSizes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"
#include <tuple>

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
using SizesByName = llvm::StringMap<int64_t>;

/// A tile that a kernel loads, and how often a block does.
struct Read {
  ArrayAttr sizes;
  int64_t elementBytes;
  std::optional<int64_t> columns; ///< of the argument, if known
  SmallVector<scf::ForOp> loops;  ///< around it
};

class MemoryTiles {
public:
  explicit MemoryTiles(OpenLaunch &launch)
      : launch(launch), sizes(launch), shared(findSharedLoop(launch.kernel)) {}

  /// Whether the kernel has no dot, and loads tiles.
  bool isOfKind();

  void choose();

private:
  /// Whether several open sizes determine the number of blocks, each up to the
  /// most rows of a step: their ratio is unknown.
  bool hasOpenRatio();
  void addRead(Operation *op, Value view, ArrayAttr tileSizes);
  /// The free parameters that size a tile.
  SmallVector<StringAttr> freeParameters() const;

  std::optional<int64_t> valueOf(Attribute size, const SizesByName &chosen);
  std::optional<int64_t> elementsOf(const Read &read,
                                    const SizesByName &chosen);
  int64_t iterationsOf(scf::ForOp loop, const SizesByName &chosen);
  /// How blocks share the loop; nullopt if they do not.
  std::optional<LoopShares> sharesOf(const SizesByName &chosen);
  /// Whether a thread has registers for its part of a tile.
  bool fits(const SizesByName &chosen);
  /// The ratio of the bytes of all sectors touched by tiles to those of the
  /// tiles; 1 if most sectors are used whole.
  double sectorsOf(const SizesByName &chosen);
  std::optional<double> cyclesOf(const SizesByName &chosen);

  OpenLaunch &launch;
  LaunchSizes sizes;
  SmallVector<Read> reads;
  llvm::DenseMap<Operation *, int64_t> reductions; ///< by loop
  scf::ForOp shared; ///< the loop whose iterations blocks may share
};
} // namespace

/// The number of the argument that a view derives from.
static std::optional<unsigned> rootNumberOf(Value view) {
  while (Operation *op = view.getDefiningOp()) {
    if (op->getNumOperands() == 0)
      return std::nullopt;
    view = op->getOperand(0);
  }
  return cast<BlockArgument>(view).getArgNumber();
}

bool MemoryTiles::isOfKind() {
  bool hasDot = launch.kernel
                    .walk([&](Operation *op) {
                      if (isa<tile::DotOp>(op))
                        return WalkResult::interrupt();
                      if (auto load = dyn_cast<tile::LoadOp>(op))
                        addRead(op, load.getView(), load.getSizes());
                      if (auto gather = dyn_cast<tile::GatherOp>(op))
                        addRead(op, gather.getView(), gather.getSizes());
                      if (isa<tile::ReduceOp>(op))
                        if (auto loop = op->getParentOfType<scf::ForOp>())
                          ++reductions[loop];
                      return WalkResult::advance();
                    })
                    .wasInterrupted();
  return !hasDot && !reads.empty();
}

void MemoryTiles::addRead(Operation *op, Value view, ArrayAttr tileSizes) {
  std::optional<unsigned> argument = rootNumberOf(view);
  if (!argument)
    return;
  std::optional<int64_t> columns;
  if (isa<BlockArgument>(view) && !tileSizes.empty())
    columns = launch.sizeOf(*argument, tileSizes.size() - 1);
  Read read{tileSizes, memoryBytes(launch.elementOf(*argument)), columns, {}};
  for (auto loop = op->getParentOfType<scf::ForOp>(); loop;
       loop = loop->getParentOfType<scf::ForOp>())
    read.loops.push_back(loop);
  reads.push_back(std::move(read));
}

SmallVector<StringAttr> MemoryTiles::freeParameters() const {
  SmallVector<StringAttr> free;
  for (const Read &read : reads)
    for (auto name : read.sizes.getAsRange<Attribute>())
      if (auto parameter = dyn_cast<StringAttr>(name);
          parameter && launch.candidates(parameter).size() > 1 &&
          !llvm::is_contained(free, parameter))
        free.push_back(parameter);
  return free;
}

std::optional<int64_t> MemoryTiles::valueOf(Attribute size,
                                            const SizesByName &chosen) {
  if (auto number = dyn_cast<IntegerAttr>(size))
    return number.getInt();
  auto parameter = cast<StringAttr>(size);
  auto it = chosen.find(parameter.getValue());
  return it != chosen.end() ? it->second : launch.sizeNow(parameter);
}

std::optional<int64_t> MemoryTiles::elementsOf(const Read &read,
                                               const SizesByName &chosen) {
  int64_t elements = 1;
  for (Attribute size : read.sizes) {
    std::optional<int64_t> value = valueOf(size, chosen);
    if (!value)
      return std::nullopt;
    elements *= *value;
  }
  return elements;
}

int64_t MemoryTiles::iterationsOf(scf::ForOp loop, const SizesByName &chosen) {
  // Assumes this many iterations of a loop that is not over the tiles of an
  // argument.
  constexpr int64_t some = 8;
  auto count = loop.getUpperBound().getDefiningOp<tile::NumTilesOp>();
  auto argument = count ? dyn_cast<BlockArgument>(count.getView()) : nullptr;
  if (!argument)
    return some;
  std::optional<int64_t> extent = launch.sizeOf(argument.getArgNumber(),
                                                count.getAxis()),
                         step = valueOf(count.getSizes()[0], chosen);
  return extent && step ? llvm::divideCeil(*extent, *step) : some;
}

std::optional<LoopShares> MemoryTiles::sharesOf(const SizesByName &chosen) {
  auto count = shared ? shared.getUpperBound().getDefiningOp<tile::NumTilesOp>()
                      : tile::NumTilesOp();
  std::optional<int64_t> step =
      count ? valueOf(count.getSizes()[0], chosen) : std::nullopt;
  if (!step)
    return std::nullopt;
  constexpr int64_t resultBytes = 4;
  LoopShares shares = {iterationsOf(shared, chosen), 0, 0, 1, 0};
  int64_t largest = 0;
  for (const Read &read : reads) {
    if (!llvm::is_contained(read.loops, shared))
      continue;
    int64_t elements = elementsOf(read, chosen).value_or(0);
    shares.tileElements += elements;
    largest = std::max(largest, elements);
    shares.loadedBytes += elements * read.elementBytes;
    shares.resultElements = std::max(shares.resultElements, elements / *step);
  }
  // Reductions in the loop carry whole tiles (see tile-gpu-defer-reductions).
  shares.tileElements += shared.getNumResults() * largest;
  shares.resultBytes =
      shared.getNumResults() * shares.resultElements * resultBytes;
  return shares;
}

bool MemoryTiles::fits(const SizesByName &chosen) {
  // Sixteen elements per thread; twice as many in a loop, whose next tiles are
  // prefetched through shared memory.
  constexpr int64_t ofBlock = 2048, ofIteration = 4096;
  // Four warps with 64 elements per thread, some loop-carried: with larger
  // blocks, none would be left on the multiprocessor to work while one starts
  // or ends.
  constexpr int64_t ofShares = 8192;
  if (std::optional<LoopShares> shares = sharesOf(chosen))
    return shares->tileElements <= ofShares;
  return llvm::all_of(reads, [&](const Read &read) {
    std::optional<int64_t> elements = elementsOf(read, chosen);
    return elements &&
           *elements <= (read.loops.empty() ? ofBlock : ofIteration);
  });
}

double MemoryTiles::sectorsOf(const SizesByName &chosen) {
  constexpr int64_t sectorBytes = 32, mostOfBlock = 16384;
  double bytes = 0, moved = 0;
  for (const Read &read : reads) {
    std::optional<int64_t> elements = elementsOf(read, chosen);
    if (!elements || read.sizes.empty())
      continue;
    // Tiles that exceed the registers are no way to whole sectors.
    if (*elements > mostOfBlock && read.loops.empty())
      return sectorBytes;
    std::optional<int64_t> run = valueOf(read.sizes.getValue().back(), chosen);
    int64_t own = *elements * read.elementBytes;
    bool isCut = run && read.columns && *run < *read.columns;
    bytes += own;
    moved += isCut ? double(own) / (*run * read.elementBytes) *
                         llvm::alignTo(*run * read.elementBytes, sectorBytes)
                   : own;
  }
  // A quarter more traffic does not justify another tile.
  return 4 * moved > 5 * bytes ? moved / bytes : 1;
}

std::optional<double> MemoryTiles::cyclesOf(const SizesByName &chosen) {
  // Measured on an H200: the start of a block; a read of memory; an iteration
  // with prefetched loads, and what each reduction across warps adds to it.
  constexpr double blockCycles = 220, readCycles = 1000, iterationCycles = 400,
                   reductionCycles = 300;
  constexpr int64_t residents = 16; ///< blocks of four warps
  const target::GpuModel &model = target::GpuModel::of(launch.target);
  double bytesPerCycle = model.memoryBytesPerCycle / model.multiprocessors;

  SizesByName params = chosen;
  for (auto parameter : launch.kernel.getParams().getAsRange<tile::ParamAttr>())
    if (!params.contains(parameter.getName().getValue()))
      if (std::optional<int64_t> size = launch.sizeNow(parameter.getName()))
        params[parameter.getName().getValue()] = *size;
  std::optional<int64_t> blocks = sizes.countBlocks(params);
  if (!blocks)
    return std::nullopt;
  std::optional<LoopShares> shares = sharesOf(chosen);
  int64_t parts =
      shares ? shares->countMost(*blocks, launch.multiprocessors) : 1;

  double bytes = 0, wait = readCycles;
  for (const Read &read : reads) {
    std::optional<int64_t> elements = elementsOf(read, chosen);
    if (!elements)
      return std::nullopt;
    double times = 1;
    for (scf::ForOp loop : read.loops)
      times *= llvm::divideCeil(iterationsOf(loop, chosen),
                                loop == shared ? parts : 1);
    bytes += times * *elements * read.elementBytes;
    if (read.loops.empty())
      continue;
    scf::ForOp loop = read.loops.front();
    // Carried reductions happen after the loop.
    int64_t waits = loop == shared ? 0 : reductions.lookup(loop);
    wait = std::max(wait, times * (iterationCycles + reductionCycles * waits));
  }
  int64_t each = llvm::divideCeil(*blocks * parts, launch.multiprocessors);
  return each * (blockCycles + bytes / bytesPerCycle) +
         llvm::divideCeil(each, residents) * wait +
         (shares ? shares->exchangeCycles(parts) : 0);
}

bool MemoryTiles::hasOpenRatio() {
  return llvm::any_of(launch.kernel.getGrid(), [&](Attribute axis) {
    return llvm::count_if(
               cast<tile::ExprAttr>(axis).getSources(), [&](Attribute source) {
                 auto size = dyn_cast<DenseI64ArrayAttr>(source);
                 return size && size.size() == 2 &&
                        launch.isOpen({StringAttr(), unsigned(size[0]),
                                       unsigned(size[1])});
               }) > 1;
  });
}

void MemoryTiles::choose() {
  constexpr size_t mostChoices = 4096;
  if (hasOpenRatio())
    return;
  SmallVector<SizesByName> choices = {{}};
  SmallVector<StringAttr> free = freeParameters();
  for (StringAttr parameter : free) {
    SmallVector<int64_t> values = launch.candidates(parameter);
    if (choices.size() * values.size() > mostChoices)
      return;
    SmallVector<SizesByName> next;
    for (const SizesByName &choice : choices)
      for (int64_t value : values) {
        next.push_back(choice);
        next.back()[parameter.getValue()] = value;
      }
    choices = std::move(next);
  }
  // The kernel's default sizes come first: others must be better. Whole sectors
  // matter most, then registers.
  using Cost = std::tuple<double, bool, double>;
  std::optional<Cost> least;
  const SizesByName *best = nullptr;
  for (const SizesByName &choice : choices) {
    std::optional<double> cycles = cyclesOf(choice);
    if (!cycles)
      return;
    Cost cost = {sectorsOf(choice), !fits(choice), *cycles};
    if (!best || cost < *least) {
      least = cost;
      best = &choice;
    }
  }
  for (StringAttr parameter : free)
    launch.set(parameter, best->lookup(parameter.getValue()));
}

bool chooseMemoryTiles(OpenLaunch &launch) {
  MemoryTiles tiles(launch);
  if (!tiles.isOfKind())
    return false;
  tiles.choose();
  return true;
}

} // namespace tilegpt::tilegpu
