// Prints kernels in the generic form, which is complete.
#include "TileGPT/Dialect/Tile/Analysis/LaunchKey.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

using namespace mlir;

namespace tilegpt::tile {

std::string digestOf(KernelOp kernel) {
  OwningOpRef<KernelOp> copy = kernel.clone();
  copy->setSymName("kernel");
  // Neither the origin of a kernel nor its requirements affect its computation.
  (*copy)->setDiscardableAttrs(ArrayRef<NamedAttribute>());
  copy->removeRequirementsAttr();
  std::string text;
  llvm::raw_string_ostream stream(text);
  (*copy)->print(stream,
                 OpPrintingFlags().printGenericOpForm().useLocalScope());
  return llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(text)),
                     /*LowerCase=*/true);
}

/// "?x768xf32" of a tensor, "f32" of a scalar.
static std::string textOf(Type type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    for (int64_t size : tensor.getShape())
      (ShapedType::isDynamic(size) ? stream << '?' : stream << size) << 'x';
    type = tensor.getElementType();
  }
  stream << type;
  return text;
}

runtime::LaunchKey keyOf(LaunchOp launch, KernelOp kernel) {
  return keyOf(launch, digestOf(kernel));
}

runtime::LaunchKey keyOf(LaunchOp launch, std::string digest) {
  runtime::LaunchKey key;
  key.digest = std::move(digest);
  for (Type type : launch.getOperandTypes())
    key.operands.push_back(textOf(type));
  if (auto function = launch->getParentOfType<FunctionOpInterface>())
    if (auto rows = function->getAttrOfType<DenseI64ArrayAttr>(rowsAttr)) {
      key.firstRows = rows[0];
      key.lastRows = rows[1];
    }
  return key;
}

runtime::LaunchKey keyOfPair(const runtime::LaunchKey &first, unsigned result,
                             const runtime::LaunchKey &second,
                             unsigned operand) {
  runtime::LaunchKey key = first;
  std::string text = runtime::concat(first.digest, " ", result, " ",
                                     second.digest, " ", operand);
  key.digest =
      llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(text)),
                  /*LowerCase=*/true);
  llvm::append_range(key.operands, second.operands);
  return key;
}

} // namespace tilegpt::tile
