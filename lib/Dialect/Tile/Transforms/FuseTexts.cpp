// Writes the kernel of a fusion: the host's text with the guest's body where
// they meet.
#include "FusedKernel.h"
#include "KernelExpressions.h"
#include "TensorSizes.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

namespace tilegpt::tile {

static Type elementOf(KernelOp kernel, unsigned argument) {
  return cast<ViewType>(kernel.getArguments()[argument].getType())
      .getElementType();
}

namespace {

class TextFuser {
public:
  TextFuser(Fusion &fusion, Rounding rounding)
      : fusion(fusion), rounding(rounding), fused(fusion.host.clone()),
        guest(fusion.guest.clone()),
        isEpilogue(fusion.kind == FusionKind::Epilogue) {}

  Expected<FusedLaunch> run() {
    unifyElements();
    renameParameters();
    addArguments();
    if (Error error = placeGuest())
      return error;
    addParameters();
    if (Error error = dropTensor())
      return error;
    fused->removeImplementsAttr();
    if (Error error = checkText())
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
  /// The tensor has one element type: a variable of the guest that stands for
  /// it becomes the host's type.
  void unifyElements() {
    if (auto variable =
            dyn_cast<EltType>(elementOf(*guest, fusion.guestArgument())))
      unified = variable.getName();
    unifiedType = elementOf(*fused, fusion.hostArgument());
  }

  void replaceElements(function_ref<std::optional<Type>(EltType)> map) {
    AttrTypeReplacer replacer;
    replacer.addReplacement(
        [&](EltType type) -> std::optional<std::pair<Type, WalkResult>> {
          return std::pair(*map(type), WalkResult::skip());
        });
    replacer.recursivelyReplaceElementsIn(*guest, /*replaceAttrs=*/true,
                                          /*replaceLocs=*/false,
                                          /*replaceTypes=*/true);
  }

  /// Gives parameters of the guest names that the host does not use.
  void renameParameters() {
    llvm::StringSet<> taken;
    for (ParamAttr param : fused->getParams().getAsRange<ParamAttr>())
      taken.insert(param.getName());
    for (ParamAttr param : guest->getParams().getAsRange<ParamAttr>()) {
      if (param.isType() && param.getName() == unified)
        continue;
      std::string name = param.getName().str();
      for (unsigned number = 2; !taken.insert(name).second; ++number)
        name = (param.getName().getValue() + Twine(number)).str();
      renamed[param.getName()] = StringAttr::get(guest->getContext(), name);
    }
    auto rename = [&](Attribute attribute) -> Attribute {
      auto name = dyn_cast<StringAttr>(attribute);
      StringAttr other = name ? renamed.lookup(name) : StringAttr();
      return other ? Attribute(other) : attribute;
    };
    // At once: what the tensor's type is called by the host may be the name of
    // another of the guest.
    replaceElements([&](EltType type) -> std::optional<Type> {
      if (type.getName() == unified)
        return unifiedType;
      auto name = StringAttr::get(type.getContext(), type.getName());
      StringAttr other = renamed.lookup(name);
      return other ? EltType::get(type.getContext(), other.getValue())
                   : Type(type);
    });
    guest->getBody().walk([&](Operation *op) {
      if (auto param = dyn_cast<ParamOp>(op))
        param.setNameAttr(cast<StringAttr>(rename(param.getNameAttr())));
      else if (auto sizes = op->getAttrOfType<ArrayAttr>("sizes");
               sizes && isa<TileDialect>(op->getDialect()))
        op->setAttr("sizes",
                    ArrayAttr::get(op->getContext(),
                                   llvm::map_to_vector(sizes, rename)));
    });
    SmallVector<Attribute> params;
    for (ParamAttr param : guest->getParams().getAsRange<ParamAttr>())
      if (StringAttr name = renamed.lookup(param.getName()))
        params.push_back(ParamAttr::get(guest->getContext(), name,
                                        param.getDefaultValue(),
                                        param.getCandidates()));
    guest->setParamsAttr(ArrayAttr::get(guest->getContext(), params));
    mapExpressions(*guest, rename);
  }

  /// The arguments of the fused kernel: the host's ins, the guest's, the
  /// host's outs, the guest's, without the tensor between them but where it is
  /// kept.
  void addArguments() {
    LaunchOp hostLaunch = fusion.hostLaunch(),
             guestLaunch = fusion.guestLaunch();
    Block *body = fused->getEntryBlock();
    unsigned hostIns = fused->getNumIns();
    llvm::append_range(hostArguments, fused->getArguments());
    hostTensor = hostArguments[fusion.hostArgument()];
    unsigned place = hostIns;
    for (auto [number, argument] : llvm::enumerate(guest->getArguments())) {
      if (number == guest->getNumIns())
        place = body->getNumArguments();
      bool isTensor = number == fusion.guestArgument();
      if (isTensor && (isEpilogue || !fusion.keepsTensor)) {
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

  /// Whether an argument of the host is the tensor and goes.
  bool isDropped(Value argument) const {
    return argument == hostTensor && !(isEpilogue && fusion.keepsTensor);
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
    // The tensor's sizes are those of the host's argument.
    unsigned shared = fusion.guestArgument();
    if (!mapping.contains(guest->getArguments()[shared]))
      mapping.map(guest->getArguments()[shared], hostTensor);
    OpBuilder builder(isEpilogue ? access.op : firstReader(access));
    if (isEpilogue) {
      cloneGuest(builder, footprint, roles, shared, axes, mapping, access.tile,
                 rounding);
      if (!fusion.keepsTensor)
        access.op->erase();
      return;
    }
    Value tile = cloneGuest(builder, footprint, roles, shared, axes, mapping,
                            Value(), rounding);
    if (fusion.keepsTensor)
      StoreOp::create(builder, access.op->getLoc(), tile,
                      guestArguments[shared], access.indices, Value(),
                      DenseI64ArrayAttr());
    readInstead(cast<LoadOp>(access.op), tile);
  }

  /// The op in front of which a tile that is loaded must be there: loads in
  /// between, of weights that nothing waits for, stay in front of it.
  static Operation *firstReader(const AccessFootprint &load) {
    Block *block = load.op->getBlock();
    Operation *first = block->getTerminator();
    for (Operation *user : load.tile.getUsers()) {
      Operation *here = block->findAncestorOpInBlock(*user);
      if (here->isBeforeInBlock(first))
        first = here;
    }
    return first;
  }

  /// Has what reads a load of the tensor read the tile that was made for it.
  void readInstead(LoadOp load, Value tile) {
    OpBuilder builder(load.getContext());
    builder.setInsertionPointAfterValue(tile);
    if (rounding == Rounding::Drop)
      for (Operation *user : llvm::make_early_inc_range(load->getUsers()))
        if (auto cast = dyn_cast<CastOp>(user)) {
          cast.replaceAllUsesWith(convertTile(
              builder, tile, cast.getType().getElementType(), rounding));
          cast.erase();
        }
    load.replaceAllUsesWith(convertTile(
        builder, tile, load.getType().getElementType(), Rounding::Keep));
    load.erase();
  }

  /// Appends the guest's parameters that the text still names.
  void addParameters() {
    SmallVector<Attribute> params(fused->getParams().begin(),
                                  fused->getParams().end());
    llvm::DenseMap<Value, int64_t> numbers;
    for (BlockArgument argument : fused->getArguments())
      numbers[argument] = argument.getArgNumber();
    // Of the host, whose arguments have moved.
    auto moveHost = [&](Attribute source) {
      return moved(source, hostArguments, numbers);
    };
    mapExpressions(*fused, moveHost);
    params.assign(fused->getParams().begin(), fused->getParams().end());
    SmallVector<Value> sources(guestArguments);
    if (!sources[fusion.guestArgument()])
      sources[fusion.guestArgument()] = hostTensor;
    mapExpressions(*guest, [&](Attribute source) {
      return moved(source, sources, numbers);
    });
    for (ParamAttr param : guest->getParams().getAsRange<ParamAttr>())
      if (!replaced.contains(param.getName()))
        params.push_back(param);
    fused->setParamsAttr(ArrayAttr::get(fused->getContext(), params));
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

  /// Takes the tensor out of the text where nobody stores it: its sizes are
  /// those of other arguments.
  Error dropTensor() {
    auto tensor = cast<BlockArgument>(hostTensor);
    if (!isDropped(tensor))
      return Error::success();
    pinElement(*fused, tensor.getArgNumber(),
               getElementTypeOrSelf(fusion.edge.tensor().getType()));
    int64_t rank = cast<ViewType>(tensor.getType()).getRank();
    SmallVector<std::optional<ArgumentAxis>> same;
    for (int64_t axis = 0; axis < rank; ++axis)
      same.push_back(findSize(axis));
    std::optional<int64_t> missing;
    auto find = [&](int64_t axis) -> std::optional<ArgumentAxis> {
      if (!same[axis])
        missing = axis;
      return same[axis];
    };
    for (OpOperand &use : llvm::make_early_inc_range(tensor.getUses())) {
      auto change = [&](auto op) {
        if (auto other = find(op.getAxis())) {
          op.getViewMutable().assign(fused->getArguments()[other->argument]);
          op.setAxis(other->axis);
        }
      };
      if (auto dim = dyn_cast<DimOp>(use.getOwner()))
        change(dim);
      else
        change(cast<NumTilesOp>(use.getOwner()));
    }
    mapExpressions(*fused, [&](Attribute source) -> Attribute {
      auto place = dyn_cast<DenseI64ArrayAttr>(source);
      if (!place)
        return source;
      SmallVector<int64_t> numbers(place.asArrayRef());
      if (numbers[0] == tensor.getArgNumber()) {
        auto other = find(numbers[1]);
        if (!other)
          return source;
        numbers = {other->argument, other->axis};
      }
      numbers[0] -= numbers[0] > tensor.getArgNumber();
      return DenseI64ArrayAttr::get(source.getContext(), numbers);
    });
    if (missing)
      return createStringError("no other argument is known to be as long as "
                               "axis " +
                               Twine(*missing) + " of it");
    fused->getEntryBlock()->eraseArgument(tensor.getArgNumber());
    return Error::success();
  }

  /// An axis of another argument that is as long as one of the tensor: of an
  /// out rather than of an in, and the same axis rather than another.
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

  /// The text must be one that a user could have written.
  Error checkText() {
    std::string message;
    ScopedDiagnosticHandler handler(fused->getContext(),
                                    [&](Diagnostic &diagnostic) {
                                      message = diagnostic.str();
                                      return success();
                                    });
    if (succeeded(mlir::verify(*fused)))
      return Error::success();
    return createStringError("the tiles do not fit each other: " + message);
  }

  /// What the two launches say of the parameters that are left.
  DictionaryAttr launchParams() {
    NamedAttrList params(fusion.hostLaunch().getParamsAttr());
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
  StringRef unified;
  Type unifiedType;
  llvm::DenseMap<StringAttr, StringAttr> renamed;
  /// Parameters of the guest that the host's sizes stand for.
  llvm::DenseSet<StringAttr> replaced;
  SmallVector<Value> hostArguments, guestArguments; ///< null: the tensor
  Value hostTensor;
  SmallVector<Value> ins, outs, results;
};

} // namespace

Expected<FusedLaunch> fuseTexts(Fusion &fusion, Rounding rounding) {
  return TextFuser(fusion, rounding).run();
}

} // namespace tilegpt::tile
