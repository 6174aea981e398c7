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
    `pad`, so that a reduction along the row does not see it. With `length` the row has so many elements, `columns` or
    more.

    Example:
    ```mlir
    %f = tile_gpu.fill_outside %t, %pad from %s columns 50257 : tensor<1x50264xf32, #l>
    %g = tile_gpu.fill_outside %t, %pad from %s length %n columns 50240 : tensor<1x50264xf32, #l>
    ```
  }];
  let arguments = (ins Tile_Tile:$value, AnyType:$pad, Index:$first, Optional<Index>:$length, I64Attr:$columns);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $value `,` $pad `from` $first (`length` $length^)? `columns` $columns attr-dict `:` type($value)
  }];
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

def TileGPU_RunOp : TileGPU_Op<"run", [Pure, Tile_RunOpInterface]> {
  let summary = "a run of neighbours of a dense view";
  let description = [{
    The elements `number · length` … `number · length + length - 1` of a dense view in row-major order, as far as there
    are so many: a view of one axis.

    Example:
    ```mlir
    %r = tile_gpu.run %x[%m] length 24008 : !tile.view<?x3001xbf16> -> !tile.view<?xbf16>
    ```
  }];
  let arguments = (ins Tile_ViewType:$source, Index:$number, ConfinedAttr<I64Attr, [IntPositive]>:$length);
  let results = (outs Tile_ViewType:$result);
  let assemblyFormat = [{
    $source `[` $number `]` `length` $length attr-dict `:` qualified(type($source)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

class TileGPU_RunTransferOp<string mnemonic> : TileGPU_Op<mnemonic, [MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = (ins Tile_ViewType:$run, TileGPU_SharedType:$buffer, Index:$first,
                       ConfinedAttr<I64Attr, [IntPositive]>:$length, UnitAttr:$whole);
  let hasVerifier = 1;
}

def TileGPU_CopyRunOp : TileGPU_RunTransferOp<"copy_run"> {
  let summary = "starts to copy a run that begins anywhere to a buffer";
  let description = [{
    Asynchronously, as `tile_gpu.copy`. Place 0 of the buffer is the start of the unit of 16 bytes that the run begins
    in, the run lies from place `first` on. Whole units are copied, the first one with the elements that lie before the
    run; elements of the last one that are not all of the run's are copied one by one, so that nothing behind it is read.
    Up to `length` elements, what the run has less of them is zero; `whole` says that it has all of them.

    Example:
    ```mlir
    tile_gpu.copy_run %r to %b from %f length 24008 whole : !tile.view<?xbf16>, !tile_gpu.shared<24016xbf16>
    ```
  }];
  let assemblyFormat = [{
    $run `to` $buffer `from` $first `length` $length (`whole` $whole^)? attr-dict
    `:` qualified(type($run)) `,` qualified(type($buffer))
  }];
}

def TileGPU_StoreRunOp : TileGPU_RunTransferOp<"store_run"> {
  let summary = "stores a run that begins anywhere from a buffer";
  let description = [{
    The buffer holds the run as `tile_gpu.copy_run` would have copied it. Units of 16 bytes that are all of the run's
    are stored at once, elements of the first and the last one by one.

    Example:
    ```mlir
    tile_gpu.store_run %r of %b from %f length 24008 : !tile.view<?xbf16>, !tile_gpu.shared<24016xbf16>
    ```
  }];
  let assemblyFormat = [{
    $run `of` $buffer `from` $first `length` $length (`whole` $whole^)? attr-dict
    `:` qualified(type($run)) `,` qualified(type($buffer))
  }];
}

def TileGPU_StoreUnitsOp : TileGPU_Op<"store_units", [MemoryEffects<[MemWrite]>]> {
  let summary = "stores places of a run from registers";
  let description = [{
    The columns of `value`, a tile of one row, are the places of a run from `place` on, counted as `tile_gpu.copy_run`
    does: place 0 is the start of the unit of 16 bytes that the run begins in, the run lies from place `first` on.
    `place` is a multiple of a unit. The neighbours of a unit that a thread holds are stored at once where the run has all
    of them, else element by element; what lies outside of the run is not stored. `inside` says that the run has all
    places, `known` that it has those of these columns of the tile, up to the second.

    Example:
    ```mlir
    tile_gpu.store_units %t at %p of %r from %f inside : tensor<1x4096xbf16, #l>, !tile.view<?xbf16>
    tile_gpu.store_units %t at %p of %r from %f known [8, 4000] : tensor<1x4096xbf16, #l>, !tile.view<?xbf16>
    ```
  }];
  let arguments = (ins Tile_Tile:$value, Index:$place, Tile_ViewType:$run, Index:$first, UnitAttr:$inside,
                       OptionalAttr<DenseI64ArrayAttr>:$known);
  let assemblyFormat = [{
    $value `at` $place `of` $run `from` $first (`inside` $inside^)? (`known` $known^)? attr-dict
    `:` type($value) `,` qualified(type($run))
  }];
  let hasVerifier = 1;
}

def TileGPU_LoadUnitsOp : TileGPU_Op<"load_units", [MemoryEffects<[MemRead]>]> {
  let summary = "loads places of a row that begins anywhere to registers";
  let description = [{
    The columns of `result`, a tile of one row, are the places of row `row` of a dense view from `place` on: place 0 is
    the start of the unit of 16 bytes that the row begins in, the row lies from place `first` on. `place` is a multiple of
    a unit. Units are loaded at once, also those that the row has a part of only: places
    outside of it have elements of the rows beside it, or anything. Nothing outside of the view is read; a unit that the
    view ends in is loaded element by element. `known` says that the view has all units of these columns of the tile, up
    to the second.

    Example:
    ```mlir
    %t = tile_gpu.load_units %x[%m] at %p from %f known [0, 4000] : !tile.view<?x50257xbf16> -> tensor<1x4096xbf16, #l>
    ```
  }];
  let arguments = (ins Tile_ViewType:$view, Index:$row, Index:$place, Index:$first, OptionalAttr<DenseI64ArrayAttr>:$known);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $view `[` $row `]` `at` $place `from` $first (`known` $known^)? attr-dict
    `:` qualified(type($view)) `->` type($result)
  }];
  let hasVerifier = 1;
}

def TileGPU_RowsOp : TileGPU_Op<"rows", [Pure]> {
  let summary = "the rows that a run in shared memory is";
  let description = [{
    A buffer of the elements from place `first` of another dense one on, which are rows, one behind the other. `first` is a
    multiple of the largest power of two that divides the length of a row, if that is less than a unit of 16 bytes.

    Example:
    ```mlir
    %t = tile_gpu.rows %b from %f : !tile_gpu.shared<24016xbf16> -> !tile_gpu.shared<8x3001xbf16>
    ```
  }];
  let arguments = (ins TileGPU_SharedType:$source, Index:$first);
  let results = (outs TileGPU_SharedType:$result);
  let assemblyFormat = [{
    $source `from` $first attr-dict `:` qualified(type($source)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

#endif
