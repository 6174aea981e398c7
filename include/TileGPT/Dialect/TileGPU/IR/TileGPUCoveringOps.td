//===- TileGPUCoveringOps.td - Rows that begin anywhere -----------*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_TILEGPU_IR_TILEGPUCOVERINGOPS_TD
#define TILEGPT_DIALECT_TILEGPU_IR_TILEGPUCOVERINGOPS_TD

include "TileGPT/Dialect/TileGPU/IR/TileGPUOpBase.td"

class TileGPU_CoveringOp<string mnemonic, list<Trait> traits> : TileGPU_Op<mnemonic, traits> {
  code shiftDeclaration = [{
    /// The largest number of columns that may lie before the row.
    int64_t getMostBefore();
  }];
}

def TileGPU_FillOutsideOp : TileGPU_CoveringOp<"fill_outside", [Pure, AllTypesMatch<["value", "result"]>,
    TypesMatchWith<"the pad value is an element", "value", "pad",
                   "::mlir::cast<::mlir::RankedTensorType>($_self).getElementType()">]> {
  let summary = "puts a value where a row has no elements";
  let description = [{
    A row of `columns` elements lies in a wider tile, from column `first` on. What lies before and behind it becomes
    `pad`, so that a reduction along the row does not see it.

    Example:
    ```mlir
    %f = tile_gpu.fill_outside %t, %pad from %s columns 50257 : tensor<1x50264xf32, #l>
    ```
  }];
  let arguments = (ins Tile_Tile:$value, AnyType:$pad, Index:$first, I64Attr:$columns);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$value `,` $pad `from` $first `columns` $columns attr-dict `:` type($value)";
  let hasVerifier = 1;
  let extraClassDeclaration = shiftDeclaration;
}

def TileGPU_StoreCoveringOp : TileGPU_CoveringOp<"store_covering", [MemoryEffects<[MemWrite]>]> {
  let summary = "stores a row that begins anywhere";
  let description = [{
    Row `row` of `view`, whole, lies in `value`, a tile of one row that is wider, from column `first` on. Column 0 of
    the tile would go to an address that is a multiple of 16 bytes: units of 16 bytes are stored at once, those that
    the row has a part of only element by element. `inside` says that the view is known to have the row.

    Example:
    ```mlir
    tile_gpu.store_covering %t from %s, %y[%m] inside : tensor<1x50264xbf16, #l>, !tile.view<4096x50257xbf16>
    ```
  }];
  let arguments = (ins Tile_Tile:$value, Index:$first, Tile_ViewType:$view, Index:$row, UnitAttr:$inside);
  let assemblyFormat = [{
    $value `from` $first `,` $view `[` $row `]` (`inside` $inside^)? attr-dict `:` type($value) `,` qualified(type($view))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = shiftDeclaration;
}

#endif
