// Clones the body of a guest for the tiles of its host.
#include "Fusion/GuestKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tilegpt::tile {

Value convertTile(OpBuilder &builder, Value tile, Type element,
                  Rounding rounding) {
  auto type = cast<RankedTensorType>(tile.getType());
  auto made = tile.getDefiningOp<CastOp>();
  if (rounding == Rounding::Drop && made &&
      getElementTypeOrSelf(made.getSource()) == element)
    return made.getSource();
  if (type.getElementType() == element)
    return tile;
  return CastOp::create(builder, tile.getLoc(), type.clone(element), tile);
}

namespace {

class GuestCloner {
public:
  GuestCloner(OpBuilder &builder, const TileFootprint &guest,
              const GuestRoles &roles, unsigned argument,
              ArrayRef<HostAxis> host, IRMapping &mapping,
              const llvm::SmallDenseMap<unsigned, Value> &tiles,
              Rounding rounding)
      : builder(builder), guest(guest), kernel(guest.getKernel()), roles(roles),
        argument(argument), host(host), mapping(mapping), tiles(tiles),
        rounding(rounding) {}

  Value run() {
    for (Operation &op : kernel.getEntryBlock()->without_terminator())
      clone(&op);
    return stored;
  }

private:
  bool isShared(Value view) { return view == kernel.getArguments()[argument]; }

  /// The host's tile of an argument; null if it has none.
  Value tileOf(Value view) {
    auto own = dyn_cast<BlockArgument>(view);
    return own ? tiles.lookup(own.getArgNumber()) : Value();
  }

  /// Whether a value is loaded from the tensor between the two kernels. Other
  /// values are rounded only where the guest asks for it.
  bool isTileRead(Value value) {
    auto load = value.getDefiningOp<LoadOp>();
    return load && tileOf(load.getView());
  }

  void clone(Operation *op) {
    if (isa<BlockIdOp>(op))
      return; // its users take the host's indices
    if (auto param = dyn_cast<ParamOp>(op))
      return cloneParam(param);
    if (auto load = dyn_cast<LoadOp>(op))
      if (Value tile = tileOf(load.getView()))
        return mapping.map(load.getResult(),
                           convertTile(builder, tile,
                                       load.getType().getElementType(),
                                       rounding));
    if (auto store = dyn_cast<StoreOp>(op);
        store && isShared(store.getView())) {
      stored = mapping.lookup(store.getValue());
      return;
    }
    if (auto cast = dyn_cast<CastOp>(op); cast && isTileRead(cast.getSource()))
      return mapping.map(cast.getResult(),
                         convertTile(builder, mapping.lookup(cast.getSource()),
                                     cast.getType().getElementType(),
                                     rounding));
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      if (auto type = dyn_cast<RankedTensorType>(constant.getType());
          type && typeOnHost(constant.getResult()) != type)
        return cloneSplat(constant, type);
    mapIndices(op);
    Operation *copy = builder.clone(*op, mapping);
    for (auto [result, original] :
         llvm::zip_equal(copy->getResults(), op->getResults()))
      if (isa<RankedTensorType>(original.getType()))
        result.setType(typeOnHost(original));
    resize(copy, op);
  }

  /// Replaces a size parameter of an axis that the host's tile spans.
  void cloneParam(ParamOp param) {
    for (auto [own, axis] : llvm::zip_equal(roles.axes, host))
      if (own.size == param.getNameAttr()) {
        Value size;
        if (auto number = dyn_cast<IntegerAttr>(axis.size))
          size = arith::ConstantIndexOp::create(builder, param.getLoc(),
                                                number.getInt());
        else
          size = ParamOp::create(builder, param.getLoc(),
                                 cast<StringAttr>(axis.size));
        return mapping.map(param.getValue(), size);
      }
    mapping.map(param.getValue(),
                builder.clone(*param.getOperation())->getResult(0));
  }

  void cloneSplat(arith::ConstantOp constant, RankedTensorType type) {
    auto values = cast<SplatElementsAttr>(constant.getValue());
    Value scalar = arith::ConstantOp::create(
        builder, constant.getLoc(),
        cast<TypedAttr>(values.getSplatValue<Attribute>()));
    SmallVector<Attribute> sizes;
    for (auto [axis, size] : llvm::enumerate(type.getShape())) {
      auto followed = roles.find(guest.getAxes(), constant.getResult(), axis);
      sizes.push_back(followed ? host[*followed].size
                               : builder.getI64IntegerAttr(size));
    }
    mapping.map(constant.getResult(),
                SplatOp::create(builder, constant.getLoc(),
                                typeOnHost(constant.getResult()), scalar,
                                builder.getArrayAttr(sizes))
                    .getResult());
  }

  /// Maps the indices of an access to the host's; block ids are not cloned.
  void mapIndices(Operation *op) {
    for (const AccessFootprint &access : guest.getAccesses()) {
      if (access.op != op)
        continue;
      placed.assign(access.indices.size(), Value());
      for (auto [axis, index] : llvm::enumerate(access.indices)) {
        auto followed = access.isPermuted
                            ? std::nullopt
                            : roles.find(guest.getAxes(), access.tile, axis);
        placed[axis] =
            followed ? host[*followed].index : mapping.lookupOrDefault(index);
      }
      return;
    }
    placed.clear();
  }

  /// Sets the sizes of an op's result tile, and the indices of an access, to
  /// the host's.
  void resize(Operation *copy, Operation *op) {
    if (auto load = dyn_cast<LoadOp>(copy))
      load.getIndicesMutable().assign(placed);
    else if (auto store = dyn_cast<StoreOp>(copy))
      store.getIndicesMutable().assign(placed);
    auto sizes = op->getAttrOfType<ArrayAttr>("sizes");
    if (!sizes || !isa<TileDialect>(op->getDialect()) ||
        op->getNumResults() != 1 ||
        !isa<RankedTensorType>(op->getResult(0).getType()))
      return;
    SmallVector<Attribute> resized(sizes.begin(), sizes.end());
    for (auto [axis, size] : llvm::enumerate(resized))
      if (auto followed = roles.find(guest.getAxes(), op->getResult(0), axis))
        size = host[*followed].size;
    copy->setAttr("sizes", builder.getArrayAttr(resized));
  }

  /// The type of a guest's tile with the host's sizes.
  RankedTensorType typeOnHost(Value tile) const {
    auto type = cast<RankedTensorType>(tile.getType());
    SmallVector<int64_t> shape(type.getShape());
    for (auto [axis, size] : llvm::enumerate(shape))
      if (auto followed = roles.find(guest.getAxes(), tile, axis))
        size = host[*followed].dim;
    return type.clone(shape);
  }

  OpBuilder &builder;
  const TileFootprint &guest;
  KernelOp kernel;
  const GuestRoles &roles;
  unsigned argument;
  ArrayRef<HostAxis> host;
  IRMapping &mapping;
  const llvm::SmallDenseMap<unsigned, Value> &tiles;
  Value stored;
  Rounding rounding;
  SmallVector<Value> placed;
};

} // namespace

Value cloneGuest(OpBuilder &builder, const TileFootprint &guest,
                 const GuestRoles &roles, unsigned argument,
                 ArrayRef<HostAxis> host, IRMapping &arguments,
                 const llvm::SmallDenseMap<unsigned, Value> &tiles,
                 Rounding rounding) {
  return GuestCloner(builder, guest, roles, argument, host, arguments, tiles,
                     rounding)
      .run();
}

} // namespace tilegpt::tile
