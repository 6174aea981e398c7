// Legality of a fusion: how two kernels use the tensor between them.
#include "Fusion/CheckMemory.h"
#include "Fusion/FindBeside.h"
#include "Fusion/SplitWindows.h"
#include "Normalize/TensorSizes.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"

using namespace mlir;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

namespace tilegpt::tile {

StringRef nameOf(FusionKind kind) {
  switch (kind) {
  case FusionKind::Epilogue:
    return "epilogue";
  case FusionKind::Prologue:
    return "prologue";
  case FusionKind::Windows:
    return "epilogue of windows";
  case FusionKind::Append:
    return "append";
  }
  llvm_unreachable("a kind without a name");
}

static Error refuse(const Twine &reason) { return createStringError(reason); }

namespace {

/// Checks one edge by the bodies of its kernels.
class TextCheck {
public:
  TextCheck(Fusion &fusion, Footprints &footprints)
      : fusion(fusion), host(footprints.of(fusion.host)),
        guest(footprints.of(fusion.guest)) {}

  Error run() {
    for (KernelOp kernel : {fusion.host, fusion.guest})
      if (kernel->hasAttr(collectiveAttr))
        return refuse(name(kernel) + " is a collective");
    Expected<GuestRoles> found =
        findGuestRoles(guest, fusion.guestArgument(),
                       /*stores=*/fusion.kind == FusionKind::Prologue);
    if (!found)
      return found.takeError();
    roles = std::move(*found);
    if (guest.getBodyClass() != BodyClass::Pointwise &&
        guest.getBodyClass() != BodyClass::Rowwise)
      return refuse(name(fusion.guest) + " is neither pointwise nor rowwise");
    if (fusion.kind == FusionKind::Prologue)
      return checkPrologue();
    return checkEpilogue();
  }

private:
  Value tensor() { return fusion.edge.tensor(); }
  std::string name(KernelOp kernel) {
    return ("@" + kernel.getSymName()).str();
  }

  SizeOrigin originOf(LaunchOp launch, ArgumentAxis at) {
    return originOfSize(launch->getOperand(at.argument), at.axis);
  }
  /// Whether a size of an argument is that of an axis of the tensor.
  bool isSizeOf(LaunchOp launch, std::optional<ArgumentAxis> at, int64_t axis) {
    return at && originOf(launch, *at) == originOfSize(tensor(), axis);
  }

  /// The value of an integer size: that of the launch, or the default.
  static std::optional<int64_t> valueOf(Attribute size, KernelOp kernel,
                                        LaunchOp launch) {
    if (auto number = dyn_cast<IntegerAttr>(size))
      return number.getInt();
    auto name = cast<StringAttr>(size);
    Attribute value =
        launch.getParamsAttr() ? launch.getParamsAttr().get(name) : Attribute();
    if (!value)
      if (ParamAttr param = kernel.lookupParam(name))
        value = param.getDefaultValue();
    auto number = dyn_cast_or_null<IntegerAttr>(value);
    return number ? std::optional<int64_t>(number.getInt()) : std::nullopt;
  }

  /// Whether a tile spans exactly an axis of the tensor.
  bool isWhole(const TileFootprint &footprint, LaunchOp launch, Attribute size,
               int64_t axis) {
    if (isSizeOf(launch, footprint.wholeAxisOf(size), axis))
      return true;
    auto number = dyn_cast<IntegerAttr>(size);
    SizeOrigin origin = originOfSize(tensor(), axis);
    return number && !origin.value && origin.number == number.getInt();
  }

  /// Whether the tiles counted by a grid axis cover an axis of the tensor.
  bool coversAxis(const TileFootprint &footprint, LaunchOp launch,
                  int64_t gridAxis, Attribute size, int64_t axis) {
    if (gridAxis >= 0)
      return isSizeOf(launch, footprint.tiledAxisOf(gridAxis, size), axis);
    if (isWhole(footprint, launch, size, axis))
      return true;
    std::optional<int64_t> bound = boundOfSize(launch, tensor(), axis),
                           tile = valueOf(size, footprint.getKernel(), launch);
    if (!tile)
      return false;
    return (bound && *bound <= *tile) ||
           isPromised(footprint.getKernel(), launch, axis, *tile);
  }

  /// Whether a kernel requires that an axis of the tensor has at most `most`
  /// elements: `where(dim(%x, 0) <= 16)`.
  bool isPromised(KernelOp kernel, LaunchOp launch, int64_t axis,
                  int64_t most) {
    ArrayAttr conditions = kernel.getConditionsAttr();
    if (!conditions)
      return false;
    return llvm::any_of(
        conditions.getAsRange<ConditionAttr>(), [&](ConditionAttr condition) {
          auto limit = dyn_cast<AffineConstantExpr>(
              condition.getRhs().getMap().getResult(0));
          auto size = dyn_cast<AffineSymbolExpr>(
              condition.getLhs().getMap().getResult(0));
          auto place =
              size ? dyn_cast<DenseI64ArrayAttr>(
                         condition.getLhs().getSources()[size.getPosition()])
                   : DenseI64ArrayAttr();
          return limit && place && place.size() == 2 &&
                 condition.getComparison() == Comparison::LE &&
                 limit.getValue() <= most &&
                 isSizeOf(launch, ArgumentAxis{unsigned(place[0]), place[1]},
                          axis);
        });
  }

  Error checkAxes(const AccessFootprint &access) {
    LaunchOp hostLaunch = fusion.hostLaunch();
    for (auto [axis, part] : llvm::enumerate(access.axes)) {
      StringRef wholeFor = roles.axes[axis].wholeFor;
      if (!wholeFor.empty() &&
          (part.index != TileIndex::Zero ||
           !isWhole(host, hostLaunch, part.size, axis) ||
           !isWhole(guest, fusion.guestLaunch(), roles.axes[axis].size, axis)))
        return refuse(name(fusion.guest) + " " + wholeFor + " axis " +
                      Twine(axis) + ", of which a tile of " +
                      name(fusion.host) + " has a part");
    }
    return Error::success();
  }

  /// Checks that the guest's blocks correspond to the host's tiles.
  Error checkGuestGrid() {
    LaunchOp launch = fusion.guestLaunch();
    llvm::SmallDenseSet<int64_t> used;
    for (auto [axis, own] : llvm::enumerate(roles.axes)) {
      used.insert(own.gridAxis);
      if (!coversAxis(guest, launch, own.gridAxis, own.size, axis))
        return refuse(name(fusion.guest) + " does not cover axis " +
                      Twine(axis) + " of it with its grid");
    }
    for (int64_t axis = 0; axis < int64_t(fusion.guest.getGrid().size());
         ++axis)
      if (!used.contains(axis) && !isOneBlock(fusion.guest, axis))
        return refuse(name(fusion.guest) + " has an axis of its grid, " +
                      Twine(axis) + ", that numbers no tiles of it");
    return Error::success();
  }

  static bool isOneBlock(KernelOp kernel, int64_t axis) {
    auto blocks = dyn_cast<AffineConstantExpr>(
        cast<ExprAttr>(kernel.getGrid()[axis]).getMap().getResult(0));
    return blocks && blocks.getValue() == 1;
  }

  Error checkEpilogue() {
    unsigned argument = fusion.hostArgument();
    for (Operation *user : fusion.host.getArguments()[argument].getUsers())
      if (!isa<LoadOp, StoreOp, DimOp, NumTilesOp>(user))
        return refuse(name(fusion.host) +
                      " uses it other than by loads and stores");
    if (!host.accessesOf(argument, /*stores=*/false).empty())
      return refuse(name(fusion.host) + " reads what it writes");
    auto stores = host.accessesOf(argument, /*stores=*/true);
    if (stores.size() != 1)
      return refuse(name(fusion.host) + " stores it in " +
                    Twine(stores.size()) + " places");
    const AccessFootprint &store = *stores.front();
    if (store.isMasked || store.isPermuted)
      return refuse(name(fusion.host) + " stores it with " +
                    (store.isMasked ? "a mask" : "a permuted axis order"));
    if (!store.isUnconditional)
      return refuse(name(fusion.host) + " stores it in a loop or a branch");
    if (host.getBodyClass() == BodyClass::Other)
      return refuse(name(fusion.host) +
                    " is neither pointwise nor rowwise nor a matmul");
    llvm::SmallDenseSet<int64_t> used;
    for (auto [axis, part] : llvm::enumerate(store.axes)) {
      if ((part.index != TileIndex::BlockId && part.index != TileIndex::Zero) ||
          !part.size ||
          !coversAxis(host, fusion.edge.producer, part.gridAxis, part.size,
                      axis))
        return refuse(name(fusion.host) +
                      " is not known to store all of axis " + Twine(axis) +
                      " of it");
      if (part.gridAxis >= 0 && !used.insert(part.gridAxis).second)
        return refuse(name(fusion.host) +
                      " indexes two of its axes with one block id");
    }
    for (int64_t axis = 0; axis < int64_t(fusion.host.getGrid().size()); ++axis)
      if (!used.contains(axis) && !isOneBlock(fusion.host, axis))
        return refuse(name(fusion.host) + " stores it from several blocks");
    if (Error error = checkAxes(store))
      return error;
    if (Error error = checkGuestGrid())
      return error;
    if (Error error = findBeside(fusion, host, guest, store))
      return error;
    return checkGuestStores(store);
  }

  /// Checks that every output of the guest has the axes that distinguish the
  /// host's blocks, with the sizes of the tensor's axes.
  Error checkGuestStores(const AccessFootprint &store) {
    LaunchOp launch = fusion.guestLaunch();
    for (const AccessFootprint &access : guest.getAccesses()) {
      if (!access.isStore)
        continue;
      if (!access.argument || access.isPermuted)
        return refuse(name(fusion.guest) +
                      " stores a window, or with a permuted axis order");
      llvm::SmallDenseSet<int64_t> followed;
      for (size_t axis = 0; axis < access.axes.size(); ++axis) {
        auto shared = roles.find(guest.getAxes(), access.tile, axis);
        if (!shared)
          continue;
        followed.insert(*shared);
        if (!isSizeOf(
                launch,
                ArgumentAxis{access.argument.getArgNumber(), int64_t(axis)},
                *shared))
          return refuse("axis " + Twine(axis) + " of what " +
                        name(fusion.guest) +
                        " stores is not known to have the size of axis " +
                        Twine(*shared) + " of it");
      }
      for (auto [axis, part] : llvm::enumerate(store.axes))
        if (part.gridAxis >= 0 && !followed.contains(axis))
          return refuse(name(fusion.guest) + " stores a tensor without axis " +
                        Twine(axis) + ", along which " + name(fusion.host) +
                        " has several blocks");
    }
    return Error::success();
  }

  Error checkPrologue() {
    if (fusion.guest.getNumOuts() != 1)
      return refuse(name(fusion.guest) + " has several outs");
    if (Error error = checkGuestGrid())
      return error;
    unsigned argument = fusion.hostArgument();
    for (Operation *user : fusion.host.getArguments()[argument].getUsers())
      if (!isa<LoadOp, DimOp, NumTilesOp>(user))
        return refuse(name(fusion.host) + " uses it other than by loads");
    auto loads = host.accessesOf(argument, /*stores=*/false);
    if (loads.empty())
      return refuse(name(fusion.host) + " does not load it");
    for (const AccessFootprint *load : loads)
      if (Error error = checkLoad(*load))
        return error;
    if (fusion.keepsTensor &&
        (loads.size() != 1 || !fusion.repeatedGridAxes.empty()))
      return refuse("the tensor has other uses, and several blocks of " +
                    name(fusion.host) + " would compute it");
    return Error::success();
  }

  /// Whether a load reads one in-bounds element along an axis.
  bool isOneElement(const AccessFootprint &load, int64_t axis) {
    const AxisFootprint &part = load.axes[axis];
    return cast<RankedTensorType>(load.tile.getType()).getDimSize(axis) == 1 &&
           part.index == TileIndex::BlockId &&
           coversAxis(host, fusion.edge.consumer, part.gridAxis, part.size,
                      axis);
  }

  /// Out of bounds a load reads its pad value, whereas the guest computes
  /// arbitrary values: these must not enter a sum.
  Error checkLoad(const AccessFootprint &load) {
    if (load.isMasked || load.isPermuted)
      return refuse(name(fusion.host) + " loads it with " +
                    (load.isMasked ? "a mask" : "a permuted axis order"));
    if (!load.isUnconditional)
      return refuse(
          name(fusion.host) +
          " loads it in a loop or a branch, which would repeat the work");
    llvm::SmallDenseSet<int64_t> used;
    for (auto [axis, part] : llvm::enumerate(load.axes)) {
      if ((part.index != TileIndex::BlockId && part.index != TileIndex::Zero) ||
          !part.size)
        return refuse(name(fusion.host) +
                      " loads it at an index that is neither 0 nor a block id");
      used.insert(part.gridAxis);
      if (host.getAxes().isMixed(host.getAxes().classOf(load.tile, axis)) &&
          !isOneElement(load, axis) &&
          (part.index != TileIndex::Zero ||
           !isWhole(host, fusion.edge.consumer, part.size, axis)))
        return refuse(name(fusion.host) + " combines elements along axis " +
                      Twine(axis) + ", of which it loads a part");
      if (fusion.keepsTensor && !coversAxis(host, fusion.edge.consumer,
                                            part.gridAxis, part.size, axis))
        return refuse("the tensor has other uses, and " + name(fusion.host) +
                      " does not load all of it");
    }
    for (int64_t axis = 0; axis < int64_t(fusion.host.getGrid().size()); ++axis)
      if (!used.contains(axis) && !isOneBlock(fusion.host, axis) &&
          !llvm::is_contained(fusion.repeatedGridAxes, axis))
        fusion.repeatedGridAxes.push_back(axis);
    return checkAxes(load);
  }

  Fusion &fusion;
  const TileFootprint &host, &guest;
  GuestRoles roles;
};

} // namespace

Expected<Fusion> checkFusion(FusionEdge edge, FusionKind kind,
                             Footprints &footprints) {
  if (Error error = checkMemory(edge, kind))
    return error;
  KernelOp producer = footprints.kernelOf(edge.producer),
           consumer = footprints.kernelOf(edge.consumer);
  if (!producer || !consumer)
    return refuse("a kernel is not in the module");
  Fusion fusion{edge,
                kind,
                {},
                {},
                /*keepsTensor=*/!edge.tensor().hasOneUse(),
                {},
                {}};
  fusion.host = fusion.isBehind() ? producer : consumer;
  fusion.guest = fusion.isBehind() ? consumer : producer;
  if (kind == FusionKind::Append) {
    if (Expected<FusedLaunch> text = fuseTexts(fusion, Rounding::Drop); !text)
      return text.takeError();
    return fusion;
  }
  if (kind != FusionKind::Windows) {
    if (Error error = TextCheck(fusion, footprints).run())
      return error;
    return fusion;
  }
  if (fusion.keepsTensor)
    return refuse("the tensor has other uses");
  Expected<std::unique_ptr<WindowSplit>> split =
      splitWindows(edge, producer, consumer);
  if (!split)
    return split.takeError();
  if (Expected<Fusion> apart = checkSplit(**split); !apart)
    return apart.takeError();
  return fusion;
}

Expected<Fusion> checkSplit(WindowSplit &split) {
  // The kernels are erased with the split; their footprints must not outlive
  // it.
  Footprints footprints;
  Fusion fusion{split.edge,
                FusionKind::Epilogue,
                *split.producerKernel,
                *split.consumerKernel,
                /*keepsTensor=*/false,
                {},
                {}};
  if (Error error = TextCheck(fusion, footprints).run())
    return error;
  return fusion;
}

} // namespace tilegpt::tile
