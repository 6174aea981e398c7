// Facts about integers of kernels, and the alignment of views that follows.
#include "TileGPT/Dialect/Tile/Analysis/IndexFacts.h"
#include "TileGPT/Dialect/Tile/Analysis/PointerUses.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "TileGPT/Dialect/Tile/IR/LaunchView.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using tilegpt::tile::Interval;

namespace tilegpt::tilegpu {

/// Alignment of every argument, guaranteed by the runtime.
static constexpr int64_t argumentAlignment = 64;

IntegerFacts IndexFacts::of(Value value) {
  if (auto it = integers.find(value); it != integers.end())
    return it->second;
  IntegerFacts facts = wrapTo(derive(value), value.getType());
  return integers[value] = facts;
}

Interval IndexFacts::rangeOfGrid(tile::KernelOp kernel, int64_t axis) {
  if (kernel.isRaw())
    return {0, INT32_MAX};
  if (axis >= int64_t(kernel.getGrid().size()))
    return {1, 1};
  auto expr = cast<tile::ExprAttr>(kernel.getGrid()[axis]);
  SmallVector<Interval> symbols;
  for (Attribute source : expr.getSources()) {
    auto place = dyn_cast<DenseI64ArrayAttr>(source);
    // Parameters of a kernel that is not specialized yet are unknown.
    symbols.push_back(
        place && place.size() == 2
            ? ofView(kernel.getArguments()[place[0]]).sizes[place[1]].range
            : Interval());
  }
  return tile::rangeOf(expr.getMap().getResult(0), symbols);
}

/// From 0 to the end of `count` - 1.
static IntegerFacts entryOf(Interval count) {
  int64_t last = count.hi == plusInfinity ? plusInfinity : count.hi - 1;
  return {1, {0, last}};
}

IntegerFacts IndexFacts::derive(Value value) {
  if (APInt constant; matchPattern(value, m_ConstantInt(&constant)) &&
                      constant.getSignificantBits() <= 64)
    return IntegerFacts::constant(constant.getSExtValue());
  if (auto argument = dyn_cast<BlockArgument>(value))
    return deriveArgument(argument);
  return llvm::TypeSwitch<Operation *, IntegerFacts>(value.getDefiningOp())
      .Case([&](tile::BlockIdOp op) {
        return entryOf(
            rangeOfGrid(op->getParentOfType<tile::KernelOp>(), op.getAxis()));
      })
      .Case([&](tile::NumBlocksOp op) -> IntegerFacts {
        auto kernel = op->getParentOfType<tile::KernelOp>();
        return {1, intersect(rangeOfGrid(kernel, op.getAxis()),
                             IntegerFacts::size().range)};
      })
      .Case([&](tile::DimOp op) {
        return ofView(op.getView()).sizes[op.getAxis()];
      })
      .Case([&](tile::NumTilesOp op) -> IntegerFacts {
        int64_t size = tile::knownSizes(op.getSizes()).front();
        Interval unknowns[] = {ofView(op.getView()).sizes[op.getAxis()].range};
        if (ShapedType::isDynamic(size))
          return IntegerFacts::size();
        AffineExpr count =
            getAffineSymbolExpr(0, op.getContext()).ceilDiv(size);
        return {1, tile::rangeOf(count, unknowns)};
      })
      .Case([&](tile::AssumeOp op) {
        IntegerFacts facts = of(op.getValue()), promise;
        if (std::optional<uint64_t> divisor = op.getDivBy())
          promise.divisor = *divisor;
        if (std::optional<ArrayRef<int64_t>> bounds = op.getBounded())
          promise.range = {(*bounds)[0], (*bounds)[1]};
        return meet(facts, promise);
      })
      .Case([&](scf::IfOp op) {
        unsigned number = cast<OpResult>(value).getResultNumber();
        return unite(of(op.thenYield().getOperand(number)),
                     of(op.elseYield().getOperand(number)));
      })
      .Default([&](Operation *op) -> IntegerFacts {
        bool isInteger = llvm::all_of(op->getOperandTypes(), [](Type type) {
          return type.isIntOrIndex();
        });
        if (!isa<arith::ArithDialect>(op->getDialect()) || !isInteger)
          return {};
        return factsOfArithmetic(
            op, llvm::map_to_vector(op->getOperands(), [&](Value operand) {
              return of(operand);
            }));
      });
}

namespace {
/// The range of an induction variable.
struct LoopBounds {
  Value from, to, step;
};
} // namespace

/// The loop whose induction variable a block argument is.
static std::optional<LoopBounds> findLoop(BlockArgument argument) {
  auto loop = dyn_cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp());
  auto variables =
      loop ? loop.getLoopInductionVars() : std::optional<SmallVector<Value>>();
  auto lower = variables ? loop.getLoopLowerBounds() : std::nullopt,
       upper = variables ? loop.getLoopUpperBounds() : std::nullopt,
       steps = variables ? loop.getLoopSteps() : std::nullopt;
  if (!lower || !upper || !steps)
    return std::nullopt;
  for (auto [variable, from, to, step] :
       llvm::zip_equal(*variables, *lower, *upper, *steps)) {
    LoopBounds bounds = {dyn_cast<Value>(from), dyn_cast<Value>(to),
                         dyn_cast<Value>(step)};
    if (variable == argument && bounds.from && bounds.to && bounds.step)
      return bounds;
  }
  return std::nullopt;
}

IntegerFacts IndexFacts::deriveArgument(BlockArgument argument) {
  std::optional<LoopBounds> loop = findLoop(argument);
  if (!loop)
    return {};
  IntegerFacts lower = of(loop->from), upper = of(loop->to),
               step = of(loop->step);
  IntegerFacts facts;
  facts.divisor = std::gcd(lower.divisor, step.divisor);
  facts.range.lo = lower.range.lo;
  if (upper.range.hi != plusInfinity && upper.range.hi != minusInfinity) {
    facts.range.hi = upper.range.hi - 1;
    // The last multiple of the divisor below the bound.
    if (facts.divisor > 0)
      facts.range.hi -= llvm::mod(facts.range.hi, facts.divisor);
  }
  return facts;
}

ViewFacts IndexFacts::ofView(Value view) {
  if (auto it = views.find(view); it != views.end())
    return it->second;
  ViewFacts facts = deriveView(view);
  // The type's sizes count as well: there are no view casts, so they are never
  // less precise than the producer's facts.
  auto type = cast<tile::ViewType>(view.getType());
  SmallVector<int64_t> strides = type.getKnownStrides();
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    if (!type.isDynamicDim(axis))
      facts.sizes[axis] = IntegerFacts::constant(type.getShape()[axis]);
    if (!ShapedType::isDynamic(strides[axis]))
      facts.strides[axis] = IntegerFacts::constant(strides[axis]);
  }
  return views[view] = facts;
}

/// Advances the start of a view by `index` elements of an axis.
static void advance(ViewFacts &facts, IntegerFacts index, int64_t axis,
                    Type elementType) {
  int64_t elements =
      multiplyDivisors(index.divisor, facts.strides[axis].divisor);
  facts.alignment = std::gcd(
      facts.alignment, multiplyDivisors(elements, memoryBytes(elementType)));
}

ViewFacts IndexFacts::deriveView(Value view) {
  auto type = cast<tile::ViewType>(view.getType());
  if (auto op = view.getDefiningOp<tile::SubviewOp>()) {
    ViewFacts facts = ofView(op.getSource());
    auto factsOf = [&](OpFoldResult number) {
      if (auto value = dyn_cast<Value>(number))
        return of(value);
      return IntegerFacts::constant(
          cast<IntegerAttr>(cast<Attribute>(number)).getInt());
    };
    Builder builder(op.getContext());
    SmallVector<OpFoldResult> offsets =
        getMixedValues(op.getStaticOffsets(), op.getOffsets(), builder);
    SmallVector<OpFoldResult> sizes =
        getMixedValues(op.getStaticSizes(), op.getSizes(), builder);
    for (int64_t axis = 0; axis < type.getRank(); ++axis) {
      advance(facts, factsOf(offsets[axis]), axis, type.getElementType());
      facts.sizes[axis] = meet(factsOf(sizes[axis]), IntegerFacts::size());
    }
    return facts;
  }
  if (auto op = view.getDefiningOp<tile::SelectOp>()) {
    ViewFacts facts = ofView(op.getSource());
    for (auto [axis, index] : llvm::enumerate(op.getIndices()))
      advance(facts, of(index), axis, type.getElementType());
    size_t dropped = op.getIndices().size();
    facts.sizes.erase(facts.sizes.begin(), facts.sizes.begin() + dropped);
    facts.strides.erase(facts.strides.begin(), facts.strides.begin() + dropped);
    return facts;
  }
  if (auto op = view.getDefiningOp<tile::TransposeOp>()) {
    ViewFacts source = ofView(op.getSource()), facts = source;
    for (auto [axis, from] : llvm::enumerate(op.getPermutation())) {
      facts.sizes[axis] = source.sizes[from];
      facts.strides[axis] = source.strides[from];
    }
    return facts;
  }
  if (auto op = view.getDefiningOp<tile::RunOpInterface>())
    return deriveRun(op);
  if (auto op = view.getDefiningOp<tile::ViewAtOp>())
    return deriveViewAt(op);

  ViewFacts facts;
  facts.alignment = memoryBytes(type.getElementType());
  facts.sizes.assign(type.getRank(), IntegerFacts::size());
  facts.strides.assign(type.getRank(), IntegerFacts{1, {1, plusInfinity}});
  auto argument = dyn_cast<BlockArgument>(view);
  if (argument && isa<tile::KernelOp>(argument.getOwner()->getParentOp())) {
    facts.alignment = argumentAlignment;
    facts.root = argument;
  }
  if (std::optional<tile::LaunchView> launch = tile::LaunchView::of(view)) {
    facts.alignment = launch->alignment;
    for (int64_t axis = 0; axis < type.getRank(); ++axis) {
      facts.sizes[axis].divisor = launch->sizeDivisors[axis];
      facts.strides[axis].divisor = launch->strideDivisors[axis];
    }
    return facts;
  }
  if (type.isDense()) {
    // The stride of an axis is the product of the sizes of the following axes.
    int64_t product = 1;
    for (int64_t axis = type.getRank() - 1; axis >= 0; --axis) {
      facts.strides[axis].divisor = product;
      if (!type.isDynamicDim(axis))
        product = multiplyDivisors(product,
                                   std::max<int64_t>(type.getShape()[axis], 1));
    }
  }
  return facts;
}

PointerFacts IndexFacts::ofPointer(Value pointer) {
  if (auto op = pointer.getDefiningOp<tile::AssumeOp>()) {
    PointerFacts facts = ofPointer(op.getValue());
    int64_t promised = op.getDivBy().value_or(1);
    facts.alignment = std::max(facts.alignment, promised);
    return facts;
  }
  if (auto op = pointer.getDefiningOp<tile::BaseOp>()) {
    ViewFacts view = ofView(op.getView());
    return {view.alignment, view.root};
  }
  auto argument = dyn_cast<BlockArgument>(pointer);
  bool isRoot = argument &&
                isa<tile::KernelOp>(argument.getOwner()->getParentOp()) &&
                standsAlone(argument);
  return {memoryBytes(cast<tile::PtrType>(pointer.getType()).getPointee()),
          isRoot ? argument : BlockArgument()};
}

ViewFacts IndexFacts::deriveViewAt(tile::ViewAtOp op) {
  PointerFacts base = ofPointer(op.getBase());
  ViewFacts facts;
  facts.alignment = base.alignment;
  facts.root = base.root;
  auto factsOf = [&](OpFoldResult number) {
    if (auto value = dyn_cast<Value>(number))
      return meet(of(value), IntegerFacts::size());
    return IntegerFacts::constant(
        cast<IntegerAttr>(cast<Attribute>(number)).getInt());
  };
  Builder builder(op.getContext());
  for (OpFoldResult size :
       getMixedValues(op.getStaticSizes(), op.getSizes(), builder))
    facts.sizes.push_back(factsOf(size));
  if (op.getStaticStrides()) {
    for (OpFoldResult stride :
         getMixedValues(*op.getStaticStrides(), op.getStrides(), builder))
      facts.strides.push_back(factsOf(stride));
    return facts;
  }
  int64_t product = 1;
  facts.strides.assign(facts.sizes.size(), IntegerFacts::size());
  for (int64_t axis = int64_t(facts.sizes.size()) - 1; axis >= 0; --axis) {
    facts.strides[axis].divisor = product;
    product = multiplyDivisors(product,
                               std::max<int64_t>(facts.sizes[axis].divisor, 1));
  }
  return facts;
}

ViewFacts IndexFacts::deriveRun(tile::RunOpInterface op) {
  ViewFacts source = ofView(op.getSource()), facts;
  IntegerFacts number = of(op.getNumber());
  int64_t length = op.getLength();
  int64_t step = multiplyDivisors(number.divisor, length);
  facts.alignment = std::gcd(
      source.alignment,
      multiplyDivisors(
          step, memoryBytes(cast<tile::ViewType>(op.getSource().getType())
                                .getElementType())));
  facts.root = source.root;
  facts.strides.push_back(IntegerFacts::constant(1));
  // The remaining elements, at most the length.
  IntegerFacts elements = IntegerFacts::constant(1);
  for (const IntegerFacts &size : source.sizes) {
    elements.divisor = multiplyDivisors(elements.divisor, size.divisor);
    if (llvm::MulOverflow(elements.range.lo, size.range.lo, elements.range.lo))
      elements.range.lo = 0;
  }
  int64_t before, least = 0;
  if (number.range.lo >= 0 && number.range.hi != plusInfinity &&
      !llvm::MulOverflow(number.range.hi, length, before))
    least = std::clamp<int64_t>(elements.range.lo - before, 0, length);
  facts.sizes.push_back({std::gcd(elements.divisor, length), {least, length}});
  return facts;
}

/// Whether two sizes of views are the same, or equal by the kernel's
/// requirements.
static bool areSameSize(Value view, int64_t axis, Value other,
                        int64_t otherAxis) {
  if (view == other && axis == otherAxis)
    return true;
  auto one = dyn_cast<BlockArgument>(view),
       two = dyn_cast<BlockArgument>(other);
  auto kernel = one && two && one.getOwner() == two.getOwner()
                    ? dyn_cast<tile::KernelOp>(one.getOwner()->getParentOp())
                    : tile::KernelOp();
  return kernel && kernel.getRequirementsAttr() &&
         tile::EqualSizes(kernel).areEqual({one.getArgNumber(), axis},
                                           {two.getArgNumber(), otherAxis});
}

bool IndexFacts::isEntry(Value index, Value view, int64_t axis) {
  IntegerFacts entry = of(index), size = ofView(view).sizes[axis];
  if (entry.range.lo < 0)
    return false;
  if (entry.range.hi < size.range.lo)
    return true;

  // A grid with one block per entry.
  if (auto block = index.getDefiningOp<tile::BlockIdOp>()) {
    auto argument = dyn_cast<BlockArgument>(view);
    auto kernel = block->getParentOfType<tile::KernelOp>();
    if (!argument || argument.getOwner() != kernel.getEntryBlock() ||
        block.getAxis() >= kernel.getGrid().size())
      return false;
    auto expr = cast<tile::ExprAttr>(kernel.getGrid()[block.getAxis()]);
    auto symbol = dyn_cast<AffineSymbolExpr>(expr.getMap().getResult(0));
    if (!symbol)
      return false;
    auto place =
        dyn_cast<DenseI64ArrayAttr>(expr.getSources()[symbol.getPosition()]);
    return place && place.size() == 2 &&
           areSameSize(kernel.getArguments()[place[0]], place[1], view, axis);
  }

  // A loop over the axis.
  auto argument = dyn_cast<BlockArgument>(index);
  if (!argument)
    return false;
  std::optional<LoopBounds> loop = findLoop(argument);
  if (!loop)
    return false;
  if (auto dim = loop->to.getDefiningOp<tile::DimOp>())
    return areSameSize(dim.getView(), dim.getAxis(), view, axis);
  auto tiles = loop->to.getDefiningOp<tile::NumTilesOp>();
  return tiles && tile::knownSizes(tiles.getSizes()).front() == 1 &&
         areSameSize(tiles.getView(), tiles.getAxis(), view, axis);
}

} // namespace tilegpt::tilegpu
