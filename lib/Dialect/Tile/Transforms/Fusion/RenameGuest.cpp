// Renames the parameters and the element types of a guest.
#include "Fusion/RenameGuest.h"
#include "KernelExpressions.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace tilegpt::tile {

static Type elementOf(KernelOp kernel, unsigned argument) {
  return cast<ViewType>(kernel.getArguments()[argument].getType())
      .getElementType();
}

static void replaceElements(KernelOp guest,
                            function_ref<std::optional<Type>(EltType)> map) {
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [&](EltType type) -> std::optional<std::pair<Type, WalkResult>> {
        return std::pair(*map(type), WalkResult::skip());
      });
  replacer.recursivelyReplaceElementsIn(guest, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

llvm::DenseMap<StringAttr, StringAttr> renameGuest(KernelOp guest,
                                                   Fusion &fusion) {
  StringRef unified;
  if (auto variable =
          dyn_cast<EltType>(elementOf(guest, fusion.guestArgument())))
    unified = variable.getName();
  Type unifiedType = elementOf(fusion.host, fusion.hostArgument());
  llvm::DenseMap<StringAttr, StringAttr> renamed;
  llvm::StringSet<> taken;
  for (ParamAttr param : fusion.host.getParams().getAsRange<ParamAttr>())
    taken.insert(param.getName());
  for (ParamAttr param : guest.getParams().getAsRange<ParamAttr>()) {
    if (param.isType() && param.getName() == unified)
      continue;
    std::string name = param.getName().str();
    for (unsigned number = 2; !taken.insert(name).second; ++number)
      name = (param.getName().getValue() + Twine(number)).str();
    renamed[param.getName()] = StringAttr::get(guest.getContext(), name);
  }
  auto rename = [&](Attribute attribute) -> Attribute {
    auto name = dyn_cast<StringAttr>(attribute);
    StringAttr other = name ? renamed.lookup(name) : StringAttr();
    return other ? Attribute(other) : attribute;
  };
  // At once: what the tensor's type is called by the host may be the name of
  // another of the guest.
  replaceElements(guest, [&](EltType type) -> std::optional<Type> {
    if (type.getName() == unified)
      return unifiedType;
    auto name = StringAttr::get(type.getContext(), type.getName());
    StringAttr other = renamed.lookup(name);
    return other ? EltType::get(type.getContext(), other.getValue())
                 : Type(type);
  });
  guest.getBody().walk([&](Operation *op) {
    if (auto param = dyn_cast<ParamOp>(op))
      param.setNameAttr(cast<StringAttr>(rename(param.getNameAttr())));
    else if (auto sizes = op->getAttrOfType<ArrayAttr>("sizes");
             sizes && isa<TileDialect>(op->getDialect()))
      op->setAttr("sizes", ArrayAttr::get(op->getContext(),
                                          llvm::map_to_vector(sizes, rename)));
  });
  SmallVector<Attribute> params;
  for (ParamAttr param : guest.getParams().getAsRange<ParamAttr>())
    if (StringAttr name = renamed.lookup(param.getName()))
      params.push_back(ParamAttr::get(guest.getContext(), name,
                                      param.getDefaultValue(),
                                      param.getCandidates()));
  guest.setParamsAttr(ArrayAttr::get(guest.getContext(), params));
  mapExpressions(guest, rename);
  return renamed;
}

} // namespace tilegpt::tile
