// Creates the kernel of a fusion: the host's body, with the guest's spliced in.
#include "Append/AppendRow.h"
#include "Fusion/DropTensor.h"
#include "Fusion/ReadTiles.h"
#include "Fusion/RenameGuest.h"
#include "Fusion/SplitWindows.h"
#include "KernelExpressions.h"
#include "Normalize/TensorSizes.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

namespace tilegpt::tile {

/// Verifies a kernel as if a user had written it.
static Error verifyText(KernelOp kernel) {
  std::string message;
  ScopedDiagnosticHandler handler(kernel.getContext(),
                                  [&](Diagnostic &diagnostic) {
                                    message = diagnostic.str();
                                    return success();
                                  });
  if (succeeded(mlir::verify(kernel)))
    return Error::success();
  return createStringError("the tiles do not fit each other: " + message);
}

namespace {

class TextFuser {
public:
  TextFuser(Fusion &fusion, Rounding rounding)
      : fusion(fusion), rounding(rounding), fused(fusion.host.clone()),
        guest(fusion.guest.clone()), isEpilogue(fusion.isBehind()) {}

  Expected<FusedLaunch> run() {
    renamed = renameGuest(*guest, fusion);
    addArguments();
    if (Error error = placeGuest())
      return error;
    addParameters();
    if (Error error = dropTensors())
      return error;
    fused->removeImplementsAttr();
    if (Error error = verifyText(*fused))
      return error;
    FusedLaunch launch;
    launch.ins = ins;
    launch.outs = outs;
    launch.results = results;
    launch.params = launchParams();
    launch.kernel = std::move(fused);
    return launch;
  }

private:
  /// Adds the arguments of the fused kernel: the host's ins, the guest's ins,
  /// the host's outs, the guest's outs, without the tensor between them unless
  /// it is kept.
  void addArguments() {
    LaunchOp hostLaunch = fusion.hostLaunch(),
             guestLaunch = fusion.guestLaunch();
    Block *body = fused->getEntryBlock();
    unsigned hostIns = fused->getNumIns();
    llvm::append_range(hostArguments, fused->getArguments());
    hostTensor = hostArguments[fusion.hostArgument()];
    llvm::SmallDenseSet<unsigned> handedOver;
    for (TensorBeside other : fusion.beside) {
      hostBeside.push_back(hostArguments[hostIns + other.result]);
      handedOver.insert(other.operand);
    }
    unsigned place = hostIns;
    for (auto [number, argument] : llvm::enumerate(guest->getArguments())) {
      if (number == guest->getNumIns())
        place = body->getNumArguments();
      bool isTensor = number == fusion.guestArgument();
      if (handedOver.contains(number) ||
          (isTensor && (isEpilogue || !fusion.keepsTensor))) {
        guestArguments.push_back(Value());
        continue;
      }
      guestArguments.push_back(
          body->insertArgument(place++, argument.getType(), argument.getLoc()));
    }
    for (auto [launch, arguments] :
         {std::pair(hostLaunch, ArrayRef<Value>(hostArguments)),
          std::pair(guestLaunch, ArrayRef<Value>(guestArguments))})
      for (auto [number, operand] : llvm::enumerate(launch->getOperands())) {
        if (!arguments[number] || isDropped(arguments[number]))
          continue;
        if (number < launch.getIns().size()) {
          ins.push_back(operand);
          continue;
        }
        outs.push_back(operand);
        results.push_back(launch.getResult(number - launch.getIns().size()));
      }
    fused->setNumOuts(outs.size());
  }

  /// Whether an argument of the host is a tensor that is dropped.
  bool isDropped(Value argument) const {
    return llvm::is_contained(hostBeside, argument) ||
           (argument == hostTensor && !(isEpilogue && fusion.keepsTensor));
  }

  Error placeGuest() {
    const TileFootprint footprint(*guest);
    Expected<GuestRoles> roles = findGuestRoles(
        footprint, fusion.guestArgument(), /*stores=*/!isEpilogue);
    if (!roles)
      return roles.takeError();
    const TileFootprint host(*fused);
    auto argument = cast<BlockArgument>(hostTensor).getArgNumber();
    for (const AccessFootprint *access :
         host.accessesOf(argument, /*stores=*/isEpilogue))
      placeAt(*access, footprint, *roles);
    for (const GuestAxis &axis : roles->axes)
      if (auto name = dyn_cast<StringAttr>(axis.size))
        replaced.insert(name);
    return Error::success();
  }

  void placeAt(const AccessFootprint &access, const TileFootprint &footprint,
               const GuestRoles &roles) {
    auto type = cast<RankedTensorType>(access.tile.getType());
    SmallVector<HostAxis> axes;
    for (auto [axis, part] : llvm::enumerate(access.axes))
      axes.push_back({access.indices[axis], part.size, type.getDimSize(axis)});
    IRMapping mapping;
    for (auto [own, there] :
         llvm::zip_equal(guest->getArguments(), guestArguments))
      if (there)
        mapping.map(own, there);
    // The tensor has the sizes of the host's argument.
    unsigned shared = fusion.guestArgument();
    for (BlockArgument own : guest->getArguments())
      if (!mapping.contains(own))
        mapping.map(own, hostTensor);
    if (isEpilogue)
      return placeBehind(access, footprint, roles, axes, mapping);
    OpBuilder builder(firstReader(access));
    Operation *front = builder.getInsertionPoint()->getPrevNode();
    Value tile = cloneGuest(builder, footprint, roles, shared, axes, mapping,
                            llvm::SmallDenseMap<unsigned, Value>(), rounding);
    bringLoadsForward(front, access.op->getBlock());
    if (fusion.keepsTensor)
      StoreOp::create(builder, access.op->getLoc(), tile,
                      guestArguments[shared], access.indices, Value(),
                      DenseI64ArrayAttr());
    readInstead(cast<LoadOp>(access.op), tile, rounding, isOneRow());
  }

  /// Inserts the guest after the host's stores of the tiles it reads.
  void placeBehind(const AccessFootprint &access,
                   const TileFootprint &footprint, const GuestRoles &roles,
                   ArrayRef<HostAxis> axes, IRMapping &mapping) {
    llvm::SmallDenseMap<unsigned, Value> tiles = {
        {fusion.guestArgument(), access.tile}};
    SmallVector<Operation *> stores;
    if (!fusion.keepsTensor)
      stores.push_back(access.op);
    Operation *last = access.op;
    for (auto [other, argument] : llvm::zip_equal(fusion.beside, hostBeside))
      for (Operation *user : argument.getUsers())
        if (auto store = dyn_cast<StoreOp>(user)) {
          tiles[other.operand] = store.getValue();
          stores.push_back(store);
          if (last->isBeforeInBlock(store))
            last = store;
        }
    OpBuilder builder(last);
    cloneGuest(builder, footprint, roles, fusion.guestArgument(), axes, mapping,
               tiles, rounding);
    for (Operation *store : stores)
      store->erase();
  }

  /// Whether the tensor is one row.
  bool isOneRow() {
    Value tensor = fusion.edge.tensor();
    int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
    return llvm::all_of(llvm::seq<int64_t>(0, rank - 1), [&](int64_t axis) {
      return boundOfSize(fusion.edge.consumer, tensor, axis) == 1;
    });
  }

  /// Appends the guest's parameters that are still in use.
  void addParameters() {
    SmallVector<Attribute> params(fused->getParams().begin(),
                                  fused->getParams().end());
    llvm::DenseMap<Value, int64_t> numbers;
    for (BlockArgument argument : fused->getArguments())
      numbers[argument] = argument.getArgNumber();
    // The host's arguments have moved.
    auto moveHost = [&](Attribute source) {
      return moved(source, hostArguments, numbers);
    };
    mapExpressions(*fused, moveHost);
    params.assign(fused->getParams().begin(), fused->getParams().end());
    SmallVector<Value> sources(guestArguments);
    if (!sources[fusion.guestArgument()])
      sources[fusion.guestArgument()] = hostTensor;
    for (auto [other, argument] : llvm::zip_equal(fusion.beside, hostBeside))
      sources[other.operand] = argument;
    mapExpressions(*guest, [&](Attribute source) {
      return moved(source, sources, numbers);
    });
    for (ParamAttr param : guest->getParams().getAsRange<ParamAttr>())
      if (!replaced.contains(param.getName()))
        params.push_back(param);
    fused->setParamsAttr(ArrayAttr::get(fused->getContext(), params));
    addRequirements();
  }

  /// Appends the requirements of the guest, except for those on parameters that
  /// the host's sizes replace.
  void addRequirements() {
    SmallVector<ConditionAttr> all = getRequirements(*fused);
    llvm::append_range(all, getRequirements(*guest));
    setRequirements(*fused, all);
    keepRequirements(*fused, [&](ConditionAttr requirement) {
      return !readsSource(requirement, [&](Attribute source) {
        auto name = dyn_cast<StringAttr>(source);
        return name && replaced.contains(name);
      });
    });
  }

  static Attribute moved(Attribute source, ArrayRef<Value> arguments,
                         const llvm::DenseMap<Value, int64_t> &numbers) {
    auto place = dyn_cast<DenseI64ArrayAttr>(source);
    if (!place)
      return source;
    SmallVector<int64_t> numbered(place.asArrayRef());
    numbered[0] = numbers.at(arguments[numbered[0]]);
    return DenseI64ArrayAttr::get(source.getContext(), numbered);
  }

  /// Drops tensors that are no longer stored: their sizes are those of other
  /// arguments.
  Error dropTensors() {
    Type element = getElementTypeOrSelf(fusion.edge.tensor().getType());
    for (Value other : hostBeside)
      if (Error error = dropTensor(
              *fused, cast<BlockArgument>(other), element, [&](int64_t axis) {
                return ArgumentAxis{
                    cast<BlockArgument>(hostTensor).getArgNumber(), axis};
              }))
        return error;
    if (!isDropped(hostTensor))
      return Error::success();
    return dropTensor(*fused, cast<BlockArgument>(hostTensor), element,
                      [&](int64_t axis) { return findSize(axis); });
  }

  /// An axis of another argument with the size of an axis of the tensor;
  /// prefers outs to ins, and the same axis to others.
  std::optional<ArgumentAxis> findSize(int64_t axis) {
    SizeOrigin wanted = originOfSize(fusion.edge.tensor(), axis);
    SmallVector<std::pair<Value, unsigned>> candidates;
    unsigned dropped = cast<BlockArgument>(hostTensor).getArgNumber();
    unsigned number = 0;
    SmallVector<Value> operands(ins);
    llvm::append_range(operands, outs);
    for (Value operand : operands) {
      number += number == dropped;
      candidates.push_back({operand, number++});
    }
    std::rotate(candidates.begin(), candidates.begin() + ins.size(),
                candidates.end());
    for (bool sameAxis : {true, false})
      for (auto [operand, argument] : candidates)
        if (auto type = dyn_cast<RankedTensorType>(operand.getType()))
          for (int64_t other = 0; other < type.getRank(); ++other)
            if ((other == axis) == sameAxis &&
                originOfSize(operand, other) == wanted)
              return ArgumentAxis{argument, other};
    return std::nullopt;
  }

  /// Sets the host's row tiles to one row: otherwise the guest would also
  /// compute out-of-bounds rows.
  void chooseOneRow(NamedAttrList &params) {
    KernelOp host = fusion.host;
    IntegerAttr one = Builder(host.getContext()).getI64IntegerAttr(1);
    for (const AccessFootprint &access : TileFootprint(host).getAccesses()) {
      if (!access.argument || access.isStore ||
          access.argument.getArgNumber() != fusion.hostArgument())
        continue;
      for (const AxisFootprint &axis : ArrayRef(access.axes).drop_back()) {
        auto name = dyn_cast_or_null<StringAttr>(axis.size);
        if (name && !params.get(name) && host.lookupParam(name).admits(one))
          params.set(name, one);
      }
    }
  }

  /// The remaining parameters of the two launches.
  DictionaryAttr launchParams() {
    NamedAttrList params(fusion.hostLaunch().getParamsAttr());
    if (!isEpilogue && isOneRow())
      chooseOneRow(params);
    if (DictionaryAttr own = fusion.guestLaunch().getParamsAttr())
      for (NamedAttribute entry : own)
        if (StringAttr name = renamed.lookup(entry.getName());
            name && !replaced.contains(name))
          params.set(name, entry.getValue());
    return params.empty() ? DictionaryAttr()
                          : params.getDictionary(fused->getContext());
  }

  Fusion &fusion;
  Rounding rounding;
  OwningOpRef<KernelOp> fused, guest;
  bool isEpilogue;
  llvm::DenseMap<StringAttr, StringAttr> renamed;
  /// Parameters of the guest that the host's sizes replace.
  llvm::DenseSet<StringAttr> replaced;
  SmallVector<Value> hostArguments, guestArguments; ///< null: the tensor
  Value hostTensor;
  SmallVector<Value> hostBeside; ///< as Fusion::beside
  SmallVector<Value> ins, outs, results;
};

} // namespace

static Expected<FusedLaunch> fuseWindows(Fusion &fusion, Rounding rounding) {
  FusionEdge edge = fusion.edge;
  auto split = splitWindows(edge, fusion.host, fusion.guest);
  if (!split)
    return split.takeError();
  Expected<Fusion> apart = checkSplit(**split);
  if (!apart)
    return apart.takeError();
  Expected<FusedLaunch> fused = TextFuser(*apart, rounding).run();
  if (fused)
    for (Value &result : fused->results)
      result =
          edge.consumer.getResult(cast<OpResult>(result).getResultNumber());
  return fused;
}

static Expected<FusedLaunch> fuseAppend(Fusion &fusion) {
  Expected<MergedText> merged = mergeAppend(
      fusion.edge.producer, fusion.edge.consumer, fusion.guest, fusion.host);
  if (!merged)
    return merged.takeError();
  if (Error error = verifyText(*merged->kernel))
    return error;
  ArrayRef<Value> operands = merged->operands;
  const size_t ins = merged->kernel->getNumIns();
  FusedLaunch launch;
  launch.ins = SmallVector<Value>(operands.take_front(ins));
  launch.outs = SmallVector<Value>(operands.drop_front(ins));
  launch.results = std::move(merged->results);
  launch.params = merged->params;
  launch.kernel = std::move(merged->kernel);
  return launch;
}

Expected<FusedLaunch> fuseTexts(Fusion &fusion, Rounding rounding) {
  if (fusion.kind == FusionKind::Windows)
    return fuseWindows(fusion, rounding);
  if (fusion.kind == FusionKind::Append)
    return fuseAppend(fusion);
  return TextFuser(fusion, rounding).run();
}

} // namespace tilegpt::tile
