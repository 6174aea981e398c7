// Equivalence classes of axes, by union-find over the relations of each op.
#include "TileGPT/Dialect/Tile/Analysis/AxisClasses.h"
#include "TileGPT/Dialect/Tile/Analysis/TileOf.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilegpt::tile {

/// The sizes of a tile, a name or an integer each; null if neither its op nor
/// its type gives one.
static SmallVector<Attribute> spelledSizes(Value tile) {
  SmallVector<Attribute> sizes;
  Builder builder(tile.getContext());
  for (int64_t size : tileOf(tile).getShape())
    sizes.push_back(ShapedType::isDynamic(size)
                        ? Attribute()
                        : builder.getI64IntegerAttr(size));
  Operation *op = tile.getDefiningOp();
  auto names = op && isa<TileDialect>(op->getDialect())
                   ? op->getAttrOfType<ArrayAttr>("sizes")
                   : ArrayAttr();
  if (names && names.size() == sizes.size())
    for (auto [size, name] : llvm::zip_equal(sizes, names))
      if (!size)
        size = name;
  return sizes;
}

std::optional<SmallVector<std::pair<int64_t, int64_t>>>
keptAxes(ReshapeOp reshape) {
  const auto longAxes = [](Value tile) {
    return llvm::to_vector(llvm::make_filter_range(
        llvm::seq<int64_t>(0, tileOf(tile).getRank()),
        [&](int64_t axis) { return tileOf(tile).getDimSize(axis) != 1; }));
  };
  const Value source = reshape.getSource(), result = reshape.getResult();
  const SmallVector<int64_t> from = longAxes(source), to = longAxes(result);
  if (from.size() != to.size())
    return std::nullopt;
  const SmallVector<Attribute> sourceSizes = spelledSizes(source),
                               sizes = spelledSizes(result);
  SmallVector<std::pair<int64_t, int64_t>> kept;
  // The number of elements is the same, so the last size follows from the
  // others.
  unsigned unknown = 0;
  for (auto [sourceAxis, axis] : llvm::zip_equal(from, to)) {
    kept.push_back({sourceAxis, axis});
    unknown += !sizes[axis] || sourceSizes[sourceAxis] != sizes[axis];
  }
  return unknown <= 1 ? std::optional(kept) : std::nullopt;
}

AxisClasses::AxisClasses(KernelOp kernel) {
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value result : op->getResults())
      number(result);
    for (Region &region : op->getRegions())
      for (Value argument : region.getArguments())
        number(argument);
  });
  classes.grow(count);
  kernel.getBody().walk([&](Operation *op) {
    relate(op);
    spell(op);
  });
  classes.compress();
  for (unsigned axis : mixedAxes)
    mixed.insert(classes[axis]);
  for (auto [axis, size] : spelled)
    sizes[classes[axis]].insert(size.getAsOpaquePointer());
}

unsigned AxisClasses::classOf(Value tile, int64_t axis) const {
  return classes[firstAxis.at(tile) + axis];
}

Attribute AxisClasses::sizeOf(unsigned axisClass) const {
  auto it = sizes.find(axisClass);
  return it != sizes.end() && it->second.size() == 1
             ? Attribute::getFromOpaquePointer(*it->second.begin())
             : Attribute();
}

void AxisClasses::number(Value tile) {
  RankedTensorType type = tileOf(tile);
  if (!type)
    return;
  firstAxis[tile] = count;
  for (int64_t size : type.getShape()) {
    if (!ShapedType::isDynamic(size))
      spelled.push_back(
          {count,
           IntegerAttr::get(IntegerType::get(tile.getContext(), 64), size)});
    ++count;
  }
}

void AxisClasses::join(Value lhs, int64_t lhsAxis, Value rhs, int64_t rhsAxis) {
  classes.join(firstAxis.at(lhs) + lhsAxis, firstAxis.at(rhs) + rhsAxis);
}

void AxisClasses::joinAll(Value lhs, Value rhs) {
  if (!tileOf(lhs) || !tileOf(rhs))
    return;
  for (int64_t axis = 0; axis < tileOf(lhs).getRank(); ++axis)
    join(lhs, axis, rhs, axis);
}

void AxisClasses::mix(Value tile, int64_t axis) {
  mixedAxes.push_back(firstAxis.at(tile) + axis);
}

void AxisClasses::mixAll(ValueRange values) {
  for (Value value : values)
    if (RankedTensorType type = tileOf(value))
      for (int64_t axis = 0; axis < type.getRank(); ++axis)
        mix(value, axis);
}

void AxisClasses::relateDot(DotOp dot) {
  int64_t last = dot.getType().getRank() - 1;
  bool swapsLhs = dot.getTransposeA(), swapsRhs = dot.getTransposeB();
  joinAll(dot.getAcc(), dot.getResult());
  for (int64_t batch = 0; batch < last - 1; ++batch) {
    join(dot.getLhs(), batch, dot.getResult(), batch);
    join(dot.getRhs(), batch, dot.getResult(), batch);
  }
  join(dot.getLhs(), last - !swapsLhs, dot.getResult(), last - 1);
  join(dot.getRhs(), last - swapsRhs, dot.getResult(), last);
  join(dot.getLhs(), last - swapsLhs, dot.getRhs(), last - !swapsRhs);
  mix(dot.getLhs(), last - swapsLhs);
}

void AxisClasses::relateReshape(ReshapeOp reshape) {
  const auto kept = keptAxes(reshape);
  if (!kept) {
    mixAll(reshape->getOperands());
    mixAll(reshape->getResults());
    return;
  }
  for (auto [sourceAxis, axis] : *kept)
    join(reshape.getSource(), sourceAxis, reshape.getResult(), axis);
  const RankedTensorType source = tileOf(reshape.getSource());
  for (int64_t axis = 0; axis < source.getRank(); ++axis)
    if (source.getDimSize(axis) == 1)
      mix(reshape.getSource(), axis);
}

void AxisClasses::relate(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case<DotOp>([&](DotOp dot) { relateDot(dot); })
      .Case<ReshapeOp>([&](ReshapeOp reshape) { relateReshape(reshape); })
      .Case<CastOp>(
          [&](CastOp cast) { joinAll(cast.getSource(), cast.getResult()); })
      .Case<LoadOp>([&](LoadOp load) {
        if (load.getMask())
          joinAll(load.getMask(), load.getResult());
      })
      .Case<StoreOp>([&](StoreOp store) {
        if (store.getMask())
          joinAll(store.getMask(), store.getValue());
      })
      .Case<SplatOp>([](SplatOp) {})
      .Case<BroadcastOp>([&](BroadcastOp broadcast) {
        RankedTensorType source = broadcast.getSource().getType();
        int64_t added = broadcast.getType().getRank() - source.getRank();
        for (int64_t axis = 0; axis < source.getRank(); ++axis)
          if (source.getDimSize(axis) != 1)
            join(broadcast.getSource(), axis, broadcast.getResult(),
                 added + axis);
      })
      .Case<ExpandDimsOp>([&](ExpandDimsOp expand) {
        for (int64_t axis = 0; axis < expand.getSource().getType().getRank();
             ++axis)
          join(expand.getSource(), axis, expand.getResult(),
               axis + (axis >= int64_t(expand.getAxis())));
      })
      .Case<ReduceOp>([&](ReduceOp reduce) {
        int64_t rank = tileOf(reduce.getSources()[0]).getRank(),
                along = reduce.getAxis();
        for (Value source : reduce.getSources()) {
          joinAll(reduce.getSources()[0], source);
          mix(source, along);
        }
        for (Value result : reduce.getResults())
          for (int64_t axis = 0; axis < rank; ++axis)
            if (axis != along)
              join(reduce.getSources()[0], axis, result,
                   axis - (axis > along && !reduce.getKeepdims()));
      })
      .Case<ScanOp>([&](ScanOp scan) {
        for (Value other :
             llvm::concat<Value>(scan.getSources(), scan.getResults()))
          joinAll(scan.getSources()[0], other);
        mix(scan.getSources()[0], scan.getAxis());
      })
      .Case<scf::ForOp>([&](scf::ForOp loop) {
        for (auto [init, argument, yielded, result] :
             llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs(),
                             loop.getYieldedValues(), loop.getResults())) {
          joinAll(init, argument);
          joinAll(yielded, argument);
          joinAll(result, argument);
        }
      })
      .Case<scf::IfOp>([&](scf::IfOp branch) {
        for (auto [number, result] : llvm::enumerate(branch.getResults()))
          for (scf::YieldOp yield : {branch.thenYield(), branch.elseYield()})
            joinAll(yield.getOperand(number), result);
      })
      .Case<scf::YieldOp>([](scf::YieldOp) {})
      .Default([&](Operation *other) {
        if (!OpTrait::hasElementwiseMappableTraits(other)) {
          mixAll(other->getOperands());
          mixAll(other->getResults());
          return;
        }
        for (Value result : other->getResults())
          for (Value operand : other->getOperands())
            joinAll(operand, result);
      });
}

void AxisClasses::spell(Operation *op) {
  auto names = op->getAttrOfType<ArrayAttr>("sizes");
  if (!names || op->getNumResults() != 1 || !isa<TileDialect>(op->getDialect()))
    return;
  RankedTensorType type = tileOf(op->getResult(0));
  if (!type || type.getRank() != int64_t(names.size()))
    return;
  for (auto [axis, size] : llvm::enumerate(names))
    if (isa<StringAttr>(size))
      spelled.push_back(
          {firstAxis.at(op->getResult(0)) + unsigned(axis), size});
}

} // namespace tilegpt::tile
