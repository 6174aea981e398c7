// The rules of scopes.
#include "DebugInfo.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

bool DILocalScopeAttr::classof(Attribute attribute) {
  return isa<DISubprogramAttr, DILexicalBlockAttr>(attribute);
}

/// The location with a scope that a location holds or leads to, or null.
static DILocAttr findScoped(LocationAttr loc) {
  return llvm::TypeSwitch<LocationAttr, DILocAttr>(loc)
      .Case([](DILocAttr scoped) { return scoped; })
      .Case([](CallSiteLoc site) { return findScoped(site.getCaller()); })
      .Case([](NameLoc name) { return findScoped(name.getChildLoc()); })
      .Case([](OpaqueLoc opaque) {
        return findScoped(opaque.getFallbackLocation());
      })
      .Case([](FusedLoc fused) {
        for (Location part : fused.getLocations())
          if (DILocAttr scoped = findScoped(part))
            return scoped;
        return DILocAttr();
      })
      .Default(DILocAttr());
}

/// The subprogram around a scope, or null.
static DISubprogramAttr getSubprogram(DILocAttr loc) {
  Attribute scope = loc ? Attribute(loc.getScope()) : Attribute();
  while (auto block = dyn_cast_or_null<DILexicalBlockAttr>(scope))
    scope = block.getScope();
  return dyn_cast_or_null<DISubprogramAttr>(scope);
}

LogicalResult verifyScope(FunctionOpInterface function) {
  if (isa<CallSiteLoc>(function.getLoc()))
    return function.emitOpError("expected the location of a function, found a "
                                "call site: ")
           << function.getLoc();
  DILocAttr loc = findScoped(function.getLoc());
  if (!loc)
    return success();
  auto subprogram = dyn_cast<DISubprogramAttr>(Attribute(loc.getScope()));
  if (!subprogram)
    return function.emitOpError("expected a di_subprogram as scope of a "
                                "function, found ")
           << loc.getScope();
  if (subprogram.getLinkageName() != function.getNameAttr())
    return function.emitOpError("expected a scope whose linkageName is the "
                                "function's name, found ")
           << subprogram.getLinkageName() << " of function @"
           << function.getName();
  return success();
}

LogicalResult verifyScopesInside(FunctionOpInterface function) {
  DISubprogramAttr expected = getSubprogram(findScoped(function.getLoc()));
  WalkResult walked = function.walk([&](Operation *op) {
    DISubprogramAttr found = getSubprogram(findScoped(op->getLoc()));
    if (!found || found == expected)
      return WalkResult::advance();
    if (!expected)
      op->emitOpError("expected no scope in a function without one, found ")
          << found;
    else
      op->emitOpError("expected a scope of the function, ")
          << expected << ", found " << found;
    return WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted());
}

LogicalResult verifyGlobalScopes(ModuleOp module) {
  for (Operation &op : module.getBody().front())
    if (!isa<FunctionOpInterface>(op) && findScoped(op.getLoc()))
      return op.emitOpError("expected no scope outside functions, found ")
             << op.getLoc();
  return success();
}

} // namespace tilegpt::cuda_tile
