// An interpreter of a kernel's integers: sizes, positions, loop bounds. Tiles
// have only shapes.
#include "TileGPT/Dialect/Tile/Analysis/KernelWork.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilegpt::tile {

namespace {

/// A view as a window of an argument.
struct Window {
  unsigned argument = 0;
  SmallVector<int64_t> sizes;
  /// The axis of the argument that each axis runs along.
  SmallVector<int64_t> axes;
  /// Its start along each axis of the argument; nothing if unknown.
  SmallVector<std::optional<int64_t>> offsets;
};

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
  bool visitView(Operation &op);
  void visitLoad(LoadOp load);
  void visitDot(DotOp dot);
  void fold(Operation &op);

  /// \param tile  its sizes by axis of the view.
  /// \returns the number of in-bounds elements along each axis.
  SmallVector<int64_t> access(Value view, ArrayRef<Value> indices,
                              ArrayRef<int64_t> tile, bool isStore);
  void addEnds(const Window &window, ArrayRef<std::optional<int64_t>> ends);

  std::optional<int64_t> valueOf(Value value) const {
    auto number = dyn_cast_or_null<IntegerAttr>(constants.lookup(value));
    return number ? std::optional(number.getValue().getSExtValue())
                  : std::nullopt;
  }
  std::optional<int64_t> valueOf(OpFoldResult value) const {
    if (auto constant = getConstantIntValue(value))
      return constant;
    auto dynamic = dyn_cast<Value>(value);
    return dynamic ? valueOf(dynamic) : std::nullopt;
  }
  void set(Value value, int64_t number) {
    constants[value] = IntegerAttr::get(value.getType(), number);
  }
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
  DenseMap<Value, Attribute> constants;
  DenseMap<Value, Window> windows;
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

void WorkCounter::addEnds(const Window &window,
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
  auto found = windows.find(view);
  if (found == windows.end()) {
    work.isEstimate = true; // memory that is no argument
    return SmallVector<int64_t>(tile);
  }
  const Window &window = found->second;
  SmallVector<std::optional<int64_t>> ends;
  for (std::optional<int64_t> offset : window.offsets)
    ends.push_back(offset ? std::optional(*offset + 1) : std::nullopt);
  SmallVector<int64_t> inside;
  for (auto [axis, size] : llvm::enumerate(window.sizes)) {
    std::optional<int64_t> index = valueOf(indices[axis]);
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
  auto found = windows.find(load.getView());
  if (found == windows.end())
    return;
  std::optional<int64_t> value = sizes.values[found->second.argument];
  if (value && isa<IntegerType>(type.getElementType()))
    constants[load.getResult()] = DenseElementsAttr::get(
        type,
        ArrayRef<Attribute>(IntegerAttr::get(type.getElementType(), *value)));
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

/// Evaluates ops that create a view from another; false for other ops.
bool WorkCounter::visitView(Operation &op) {
  auto sourceOf = [&](Value view) -> std::optional<Window> {
    auto found = windows.find(view);
    return found == windows.end() ? std::nullopt : std::optional(found->second);
  };
  return llvm::TypeSwitch<Operation *, bool>(&op)
      .Case([&](SubviewOp subview) {
        std::optional<Window> window = sourceOf(subview.getSource());
        if (!window)
          return true;
        auto part = [&](ArrayRef<int64_t> numbers, OperandRange values,
                        size_t axis) -> std::optional<int64_t> {
          if (!ShapedType::isDynamic(numbers[axis]))
            return numbers[axis];
          size_t place =
              llvm::count_if(numbers.take_front(axis), ShapedType::isDynamic);
          return valueOf(values[place]);
        };
        for (size_t axis = 0; axis < window->sizes.size(); ++axis) {
          auto offset =
              part(subview.getStaticOffsets(), subview.getOffsets(), axis);
          auto size = part(subview.getStaticSizes(), subview.getSizes(), axis);
          std::optional<int64_t> &begin = window->offsets[window->axes[axis]];
          begin =
              begin && offset ? std::optional(*begin + *offset) : std::nullopt;
          if (size)
            window->sizes[axis] = std::min(window->sizes[axis], *size);
          else
            work.isEstimate = true;
        }
        windows[subview.getResult()] = std::move(*window);
        return true;
      })
      .Case([&](SelectOp select) {
        std::optional<Window> window = sourceOf(select.getSource());
        if (!window)
          return true;
        const size_t dropped = select.getIndices().size();
        for (auto [axis, index] : llvm::enumerate(select.getIndices())) {
          std::optional<int64_t> &begin = window->offsets[window->axes[axis]];
          std::optional<int64_t> number = valueOf(index);
          begin =
              begin && number ? std::optional(*begin + *number) : std::nullopt;
        }
        window->sizes.erase(window->sizes.begin(),
                            window->sizes.begin() + dropped);
        window->axes.erase(window->axes.begin(),
                           window->axes.begin() + dropped);
        windows[select.getResult()] = std::move(*window);
        return true;
      })
      .Case([&](TransposeOp transpose) {
        std::optional<Window> source = sourceOf(transpose.getSource());
        if (!source)
          return true;
        Window window = *source;
        for (auto [axis, from] : llvm::enumerate(transpose.getPermutation())) {
          window.sizes[axis] = source->sizes[from];
          window.axes[axis] = source->axes[from];
        }
        windows[transpose.getResult()] = std::move(window);
        return true;
      })
      .Case([&](DimOp dim) {
        if (auto window = sourceOf(dim.getView()))
          set(dim.getResult(), window->sizes[dim.getAxis()]);
        return true;
      })
      .Case([&](NumTilesOp tiles) {
        auto size = dyn_cast<IntegerAttr>(tiles.getSizes()[0]);
        auto window = sourceOf(tiles.getView());
        if (size && window)
          set(tiles.getResult(),
              llvm::divideCeil(window->sizes[tiles.getAxis()], size.getInt()));
        return true;
      })
      .Default(false);
}

/// An op on known numbers.
void WorkCounter::fold(Operation &op) {
  SmallVector<Attribute> operands;
  for (Value operand : op.getOperands()) {
    Attribute value = constants.lookup(operand);
    if (!value)
      return;
    operands.push_back(value);
  }
  for (Type type : op.getResultTypes())
    if (auto tile = dyn_cast<ShapedType>(type);
        tile && (!tile.hasStaticShape() || tile.getNumElements() > 1))
      return;
  SmallVector<OpFoldResult> results;
  if (op.getNumRegions() != 0 || failed(op.fold(operands, results)))
    return;
  for (auto [result, value] : llvm::zip(op.getResults(), results))
    if (auto attribute = dyn_cast<Attribute>(value))
      constants[result] = attribute;
    else if (Attribute known = constants.lookup(cast<Value>(value)))
      constants[result] = known;
}

void WorkCounter::visitLoop(scf::ForOp loop) {
  std::optional<int64_t> first = valueOf(loop.getLowerBound()),
                         end = valueOf(loop.getUpperBound()),
                         step = valueOf(loop.getStep());
  if (!first || !end || !step || *step <= 0) {
    work.isEstimate = true;
    constants.erase(loop.getInductionVar());
    return visit(*loop.getBody());
  }
  const int64_t trips =
      *end > *first ? int64_t(llvm::divideCeil(*end - *first, *step)) : 0;
  const double outside = weight;
  auto run = [&](int64_t iteration, int64_t times) {
    if (times <= 0)
      return;
    weight = outside * double(times);
    set(loop.getInductionVar(), *first + iteration * *step);
    visit(*loop.getBody());
  };
  run(0, trips - 1);
  run(trips - 1, trips > 0 ? 1 : 0);
  weight = outside;
}

void WorkCounter::visitBranch(scf::IfOp branch) {
  std::optional<int64_t> condition = valueOf(branch.getCondition());
  if (!condition)
    work.isEstimate = true;
  if (!condition || *condition != 0)
    visit(branch.getThenRegion().front());
  else if (!branch.getElseRegion().empty())
    visit(branch.getElseRegion().front());
}

void WorkCounter::visit(Operation &op) {
  if (visitView(op))
    return;
  llvm::TypeSwitch<Operation *>(&op)
      .Case([&](BlockIdOp id) { set(id.getResult(), block[id.getAxis()]); })
      .Case([&](NumBlocksOp blocks) {
        set(blocks.getResult(), sizes.grid[blocks.getAxis()]);
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
        fold(*other);
      });
}

void WorkCounter::visit(Block &block) {
  for (Operation &op : block)
    visit(op);
}

void WorkCounter::visitBlock(double blocks) {
  constants.clear();
  windows.clear();
  filledSizes.clear();
  for (BlockArgument argument : kernel.getBody().getArguments()) {
    if (!isa<ViewType>(argument.getType())) {
      const std::optional<int64_t> value =
          sizes.values[argument.getArgNumber()];
      if (value && argument.getType().isSignlessIntOrIndex())
        set(argument, *value);
      continue;
    }
    Window window;
    window.argument = argument.getArgNumber();
    window.sizes = sizes.views[window.argument];
    window.offsets.assign(window.sizes.size(), 0);
    for (size_t axis = 0; axis < window.sizes.size(); ++axis)
      window.axes.push_back(int64_t(axis));
    windows[argument] = std::move(window);
  }
  weight = blocks;
  visit(kernel.getBody().front());
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
