//===- TileOpBase.td - Base classes of the tile ops ---------------*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_TILE_IR_TILEOPBASE_TD
#define TILEGPT_DIALECT_TILE_IR_TILEOPBASE_TD

include "TileGPT/Dialect/SeparateParamBuilder.td"
include "TileGPT/Dialect/Tile/IR/TileDialect.td"
include "TileGPT/Dialect/Tile/IR/TileTypes.td"
include "TileGPT/Dialect/Tile/IR/TileAttributes.td"
include "TileGPT/Dialect/Tile/IR/TileInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Tile_Op<string mnemonic, list<Trait> traits = []> : Op<Tile_Dialect, mnemonic, traits> {
  let skipDefaultBuilders = 1;
  let builders = [SeparateParamBuilder<results, arguments, regions, traits>];
}

/// An op on tiles whose result types follow from operands and attributes.
class Tile_TileOp<string mnemonic, list<Trait> traits = []>
    : Tile_Op<mnemonic, !listconcat(traits, [
        DeclareOpInterfaceMethods<Tile_TypeRefinementOpInterface>])>;

/// Sizes of a tile: integers, or names of parameters until they are bound. Written `[BM, 64]`.
def Tile_SizesAttr : ArrayAttrBase<
    CPred<"::tilegpt::tile::isTileSizes($_self)">, "tile sizes: positive integers or parameter names"> {
  let storageType = "::mlir::ArrayAttr";
  let returnType = "::mlir::ArrayAttr";
}

#endif
