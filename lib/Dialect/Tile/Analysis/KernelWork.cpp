// Counts the work of sampled blocks: an interpreter of a kernel's integers, for
// which tiles have only shapes.
#include "TileGPT/Dialect/Tile/Analysis/KernelWork.h"
#include "BlockValues.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilegpt::tile {

namespace {

/// The accesses to an argument.
struct Traffic {
  double read = 0, written = 0; ///< elements, as often as blocks access them
  SmallVector<int64_t> ends;    ///< one past the last one, by axis
};

/// A block along an axis of the grid that represents `weight` blocks.
struct Sample {
  int64_t block;
  double weight;
};

class WorkCounter {
public:
  WorkCounter(KernelOp kernel, const LaunchSizes &sizes)
      : kernel(kernel), sizes(sizes), traffic(sizes.views.size()) {
    for (auto [argument, shape] : llvm::enumerate(sizes.views))
      traffic[argument].ends.assign(shape.size(), 0);
  }

  KernelWork count();

private:
  void visitBlock(double blocks);
  void visit(Block &block);
  void visit(Operation &op);
  void visitLoop(scf::ForOp loop);
  void visitBranch(scf::IfOp branch);
  void visitLoad(LoadOp load);
  void visitDot(DotOp dot);

  /// \param tile  its sizes by axis of the view.
  /// \returns the number of in-bounds elements along each axis.
  SmallVector<int64_t> access(Value view, ArrayRef<Value> indices,
                              ArrayRef<int64_t> tile, bool isStore);
  void addEnds(const ViewWindow &window, ArrayRef<std::optional<int64_t>> ends);

  /// The in-bounds fraction of a tile.
  SmallVector<int64_t> filled(Value tile) const {
    auto found = filledSizes.find(tile);
    return found != filledSizes.end()
               ? found->second
               : SmallVector<int64_t>(
                     cast<RankedTensorType>(tile.getType()).getShape());
  }

  KernelOp kernel;
  const LaunchSizes &sizes;
  KernelWork work;
  double weight = 1; ///< executions of the visited op
  std::array<int64_t, 3> block = {};
  SmallVector<Traffic> traffic; ///< by argument
  BlockValues values;
  DenseMap<Value, SmallVector<int64_t>> filledSizes;
};

} // namespace

static double elementsOf(ArrayRef<int64_t> sizes) {
  double elements = 1;
  for (int64_t size : sizes)
    elements *= double(size);
  return elements;
}

static bool isNarrow(DotOp dot) {
  auto bits = [](Value tile) {
    return cast<RankedTensorType>(tile.getType()).getElementTypeBitWidth();
  };
  return dot.getPrecision() != Precision::IEEE ||
         (bits(dot.getLhs()) <= 16 && bits(dot.getRhs()) <= 16);
}

void WorkCounter::addEnds(const ViewWindow &window,
                          ArrayRef<std::optional<int64_t>> ends) {
  Traffic &moved = traffic[window.argument];
  ArrayRef<int64_t> shape = sizes.views[window.argument];
  for (auto [axis, end] : llvm::enumerate(ends))
    moved.ends[axis] =
        std::max(moved.ends[axis],
                 end ? std::clamp<int64_t>(*end, 0, shape[axis]) : shape[axis]);
}

SmallVector<int64_t> WorkCounter::access(Value view, ArrayRef<Value> indices,
                                         ArrayRef<int64_t> tile, bool isStore) {
  const ViewWindow *found = values.windowOf(view);
  if (!found) {
    work.isEstimate = true; // memory that is no argument
    return SmallVector<int64_t>(tile);
  }
  const ViewWindow &window = *found;
  SmallVector<std::optional<int64_t>> ends;
  for (std::optional<int64_t> offset : window.offsets)
    ends.push_back(offset ? std::optional(*offset + 1) : std::nullopt);
  SmallVector<int64_t> inside;
  for (auto [axis, size] : llvm::enumerate(window.sizes)) {
    std::optional<int64_t> index = values.valueOf(indices[axis]);
    int64_t begin = index ? *index * tile[axis] : 0;
    inside.push_back(std::clamp<int64_t>(size - begin, 0, tile[axis]));
    std::optional<int64_t> offset = window.offsets[window.axes[axis]];
    ends[window.axes[axis]] =
        index && offset ? std::optional(*offset + begin + inside.back())
                        : std::nullopt;
  }
  Traffic &moved = traffic[window.argument];
  (isStore ? moved.written : moved.read) += weight * elementsOf(inside);
  if (elementsOf(inside) != 0)
    addEnds(window, ends);
  return inside;
}

/// Sizes of a tile by axis of the view it is of.
static SmallVector<int64_t> byViewAxis(ArrayRef<int64_t> tile,
                                       std::optional<ArrayRef<int64_t>> order) {
  SmallVector<int64_t> result(tile);
  if (order)
    for (auto [axis, viewAxis] : llvm::enumerate(*order))
      result[viewAxis] = tile[axis];
  return result;
}

void WorkCounter::visitLoad(LoadOp load) {
  auto type = cast<RankedTensorType>(load.getType());
  SmallVector<int64_t> inside =
      access(load.getView(), llvm::to_vector(load.getIndices()),
             byViewAxis(type.getShape(), load.getOrder()), /*isStore=*/false);
  if (!load.getOrder())
    filledSizes[load.getResult()] = inside;
  const ViewWindow *window = values.windowOf(load.getView());
  if (!window)
    return;
  std::optional<int64_t> value = sizes.values[window->argument];
  if (value && isa<IntegerType>(type.getElementType()))
    values.set(
        load.getResult(),
        DenseElementsAttr::get(type, ArrayRef<Attribute>(IntegerAttr::get(
                                         type.getElementType(), *value))));
}

void WorkCounter::visitDot(DotOp dot) {
  SmallVector<int64_t> lhs = filled(dot.getLhs()), rhs = filled(dot.getRhs());
  auto result = cast<RankedTensorType>(dot.getType()).getShape();
  const size_t rank = result.size();
  auto at = [&](ArrayRef<int64_t> shape, bool isLast) {
    return shape[rank - (isLast ? 1 : 2)];
  };
  const bool transposeA = dot.getTransposeA(), transposeB = dot.getTransposeB();
  auto opsOf = [&](ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
    double batch = rank == 3 ? double(std::min(a[0], b[0])) : 1;
    int64_t rows = at(a, transposeA), columns = at(b, !transposeB),
            depth = std::min(at(a, !transposeA), at(b, transposeB));
    return 2 * batch * double(rows) * double(columns) * double(depth);
  };
  auto shapeOf = [](Value tile) {
    return cast<RankedTensorType>(tile.getType()).getShape();
  };
  (isNarrow(dot) ? work.narrowProductOps : work.wideProductOps) +=
      weight * opsOf(lhs, rhs);
  work.paddedProductOps +=
      weight * opsOf(shapeOf(dot.getLhs()), shapeOf(dot.getRhs()));
}

void WorkCounter::visitLoop(scf::ForOp loop) {
  std::optional<int64_t> first = values.valueOf(loop.getLowerBound()),
                         end = values.valueOf(loop.getUpperBound()),
                         step = values.valueOf(loop.getStep());
  if (!first || !end || !step || *step <= 0) {
    work.isEstimate = true;
    values.forget(loop.getInductionVar());
    return visit(*loop.getBody());
  }
  const int64_t trips =
      *end > *first ? int64_t(llvm::divideCeil(*end - *first, *step)) : 0;
  const double outside = weight;
  auto run = [&](int64_t iteration, int64_t times) {
    if (times <= 0)
      return;
    weight = outside * double(times);
    values.set(loop.getInductionVar(), *first + iteration * *step);
    visit(*loop.getBody());
  };
  run(0, trips - 1);
  run(trips - 1, trips > 0 ? 1 : 0);
  weight = outside;
}

void WorkCounter::visitBranch(scf::IfOp branch) {
  std::optional<int64_t> condition = values.valueOf(branch.getCondition());
  if (!condition)
    work.isEstimate = true;
  if (!condition || *condition != 0)
    visit(branch.getThenRegion().front());
  else if (!branch.getElseRegion().empty())
    visit(branch.getElseRegion().front());
}

void WorkCounter::visit(Operation &op) {
  if (values.visitView(op))
    return;
  llvm::TypeSwitch<Operation *>(&op)
      .Case([&](BlockIdOp id) {
        values.set(id.getResult(), block[id.getAxis()]);
      })
      .Case([&](NumBlocksOp blocks) {
        values.set(blocks.getResult(), sizes.grid[blocks.getAxis()]);
      })
      .Case([&](LoadOp load) { visitLoad(load); })
      .Case([&](StoreOp store) {
        auto tile = cast<RankedTensorType>(store.getValue().getType());
        access(store.getView(), llvm::to_vector(store.getIndices()),
               byViewAxis(tile.getShape(), store.getOrder()),
               /*isStore=*/true);
      })
      .Case<GatherOp, ScatterOp>([&](auto indexed) {
        // Along the indexed axis, as many entries as there are indices.
        Value tile;
        if constexpr (std::is_same_v<decltype(indexed), GatherOp>)
          tile = indexed.getResult();
        else
          tile = indexed.getValue();
        SmallVector<Value> indices(indexed.getIndices());
        indices.insert(indices.begin() + indexed.getAxis(), Value());
        access(indexed.getView(), indices,
               cast<RankedTensorType>(tile.getType()).getShape(),
               std::is_same_v<decltype(indexed), ScatterOp>);
      })
      .Case([&](DotOp dot) { visitDot(dot); })
      .Case<ReduceOp, ScanOp>([&](auto reduction) {
        auto tile =
            cast<RankedTensorType>(reduction.getSources().front().getType());
        work.elementOps += weight * elementsOf(tile.getShape());
      })
      .Case([&](CastOp cast) {
        filledSizes[cast.getResult()] = filled(cast->getOperand(0));
      })
      .Case([&](scf::ForOp loop) { visitLoop(loop); })
      .Case([&](scf::IfOp branch) { visitBranch(branch); })
      .Default([&](Operation *other) {
        if (other->getNumRegions() != 0) {
          work.isEstimate = true;
          for (Region &region : other->getRegions())
            for (Block &body : region)
              visit(body);
          return;
        }
        auto tile =
            other->getNumResults() == 1
                ? dyn_cast<RankedTensorType>(other->getResult(0).getType())
                : RankedTensorType();
        if (tile && other->hasTrait<OpTrait::Elementwise>() &&
            tile.hasStaticShape())
          work.elementOps += weight * elementsOf(tile.getShape());
        values.fold(*other);
      });
}

void WorkCounter::visit(Block &block) {
  for (Operation &op : block)
    visit(op);
}

void WorkCounter::visitBlock(double blocks) {
  values = BlockValues();
  filledSizes.clear();
  for (BlockArgument argument : kernel.getBody().getArguments()) {
    if (!isa<ViewType>(argument.getType())) {
      const std::optional<int64_t> value =
          sizes.values[argument.getArgNumber()];
      if (value && argument.getType().isSignlessIntOrIndex())
        values.set(argument, *value);
      continue;
    }
    values.addArgument(argument, sizes.views[argument.getArgNumber()]);
  }
  weight = blocks;
  visit(kernel.getBody().front());
  work.isEstimate |= values.hasUnknownSizes();
}

/// The last block, which may be partial, and up to `parts` for those before it.
static SmallVector<Sample, 4> samplesOf(int64_t blocks, int64_t parts) {
  SmallVector<Sample, 4> samples;
  const int64_t before = blocks - 1;
  if (before <= parts)
    for (int64_t i = 0; i < before; ++i)
      samples.push_back({i, 1});
  else
    for (int64_t i = 0; i < parts; ++i)
      samples.push_back({(2 * i + 1) * (before - 1) / (2 * parts),
                         double(before) / double(parts)});
  if (blocks > 0)
    samples.push_back({before, 1});
  return samples;
}

KernelWork WorkCounter::count() {
  // If some blocks have nothing to do, blocks are evaluated one by one.
  constexpr int64_t few = 3, many = 64;
  const bool differ = !kernel.getBody().getOps<scf::IfOp>().empty();
  for (Sample x : samplesOf(sizes.grid[0], differ ? many : few))
    for (Sample y : samplesOf(sizes.grid[1], few))
      for (Sample z : samplesOf(sizes.grid[2], few)) {
        block = {x.block, y.block, z.block};
        visitBlock(x.weight * y.weight * z.weight);
      }
  for (auto [argument, moved] : llvm::enumerate(traffic)) {
    auto view =
        dyn_cast<ViewType>(kernel.getBody().getArgument(argument).getType());
    const double bytes = view ? double(memoryBytes(view.getElementType())) : 0;
    const double touched = elementsOf(moved.ends);
    work.readBytes.push_back(bytes * std::min(moved.read, touched));
    work.writtenBytes.push_back(bytes * std::min(moved.written, touched));
  }
  return std::move(work);
}

KernelWork countWork(KernelOp kernel, const LaunchSizes &sizes) {
  return WorkCounter(kernel, sizes).count();
}

} // namespace tilegpt::tile
