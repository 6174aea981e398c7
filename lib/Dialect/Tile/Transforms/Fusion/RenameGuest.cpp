// Renames the parameters and element types of a guest.
#include "Fusion/RenameGuest.h"
#include "KernelExpressions.h"

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
  nameParametersApart(guest, fusion.host, names);
  renameParameters(guest, names);
  return names.params;
}

} // namespace tilegpt::tile
