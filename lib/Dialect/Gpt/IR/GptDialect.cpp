// The attributes of the gpt dialect; its ops register in GptLayerOps.cpp.
#include "TileGPT/Dialect/Gpt/IR/GptDialect.h"
#include "TileGPT/Dialect/Tile/IR/TileDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilegpt::gpt;

#include "TileGPT/Dialect/Gpt/IR/GptDialect.cpp.inc"
#include "TileGPT/Dialect/Gpt/IR/GptEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "TileGPT/Dialect/Gpt/IR/GptAttributes.cpp.inc"

void GptDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "TileGPT/Dialect/Gpt/IR/GptAttributes.cpp.inc"
      >();
}
