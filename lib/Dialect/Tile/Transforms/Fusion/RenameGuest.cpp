// Renames the parameters and element types of a guest.
#include "Fusion/RenameGuest.h"
#include "KernelExpressions.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace tilegpt::tile {

static Type elementOf(KernelOp kernel, unsigned argument) {
  return cast<ViewType>(kernel.getArguments()[argument].getType())
      .getElementType();
}

llvm::DenseMap<StringAttr, StringAttr> renameGuest(KernelOp guest,
                                                   Fusion &fusion) {
  NewNames names;
  if (auto variable =
          dyn_cast<EltType>(elementOf(guest, fusion.guestArgument())))
    names.elements[StringAttr::get(guest.getContext(), variable.getName())] =
        elementOf(fusion.host, fusion.hostArgument());
  llvm::StringSet<> taken;
  for (ParamAttr param : fusion.host.getParams().getAsRange<ParamAttr>())
    taken.insert(param.getName());
  for (ParamAttr param : guest.getParams().getAsRange<ParamAttr>()) {
    if (names.elements.contains(param.getName()))
      continue;
    std::string name = param.getName().str();
    for (unsigned number = 2; !taken.insert(name).second; ++number)
      name = (param.getName().getValue() + Twine(number)).str();
    names.params[param.getName()] = StringAttr::get(guest.getContext(), name);
  }
  renameParameters(guest, names);
  return names.params;
}

} // namespace tilegpt::tile
