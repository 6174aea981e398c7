//===- TileGPUCoveringOps.td - Unaligned rows and ranges ----------*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_TILEGPU_IR_TILEGPUCOVERINGOPS_TD
#define TILEGPT_DIALECT_TILEGPU_IR_TILEGPUCOVERINGOPS_TD

include "TileGPT/Dialect/TileGPU/IR/TileGPUOpBase.td"

class TileGPU_CoveringOp<string mnemonic, list<Trait> traits> : TileGPU_Op<mnemonic, traits> {
  code shiftDeclaration = [{
    /// The maximum number of columns before the row.
    int64_t getMostBefore();
  }];
}

def TileGPU_FillOutsideOp : TileGPU_CoveringOp<"fill_outside", [Pure, AllTypesMatch<["value", "result"]>,
    TypesMatchWith<"the pad value is an element", "value", "pad",
                   "::mlir::cast<::mlir::RankedTensorType>($_self).getElementType()">]> {
  let summary = "pads a tile outside a row";
  let description = [{
    A row of `columns` elements starts at column `first` of a wider tile. The columns before and after it become
    `pad`, the neutral value of a reduction along the row. With `length`, the row has this many elements, at least
    `columns`.

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
  let summary = "stores an unaligned row";
  let description = [{
    Stores row `row` of `view` from `value`, a tile of one row that is wider; the row starts at its column `first`.
    Column 0 of the tile corresponds to a 16-byte-aligned address: full 16-byte units are stored with one
    instruction, partial units element by element. `inside` states that the row is known to be in bounds.

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
  let summary = "a contiguous range of a dense view";
  let description = [{
    Elements `number · length` to `number · length + length - 1` of a dense view in row-major order, clipped to the
    view, as a view of one axis.

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
  let summary = "starts an asynchronous copy of an unaligned contiguous range to a buffer";
  let description = [{
    Asynchronous like `tile_gpu.copy`. Element 0 of the buffer corresponds to the start of the 16-byte unit in which
    the range begins; the range starts at element `first`. Full units are copied, the first one including the
    elements before the range; the elements of a partial last unit are copied one by one, so that nothing past the
    range is read. If the range has fewer than `length` elements, the rest is zero-filled; `whole` states that it
    has all of them.

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
  let summary = "stores an unaligned contiguous range from a buffer";
  let description = [{
    The buffer holds the range as `tile_gpu.copy_run` places it. Full 16-byte units are stored with one instruction,
    the elements of a partial first or last unit one by one.

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
  let summary = "stores a tile to an unaligned contiguous range";
  let description = [{
    The columns of `value`, a tile of one row, are the elements of a range from `place` on, counted as in
    `tile_gpu.copy_run`: element 0 is the start of the 16-byte unit in which the range begins, and the range starts
    at element `first`. `place` is a multiple of a unit. A thread stores the adjacent elements of a unit with one
    instruction if all are in the range, otherwise element by element; elements outside the range are not stored.
    `inside` states that all elements are in the range, `known` that these columns of the tile are, the second one
    exclusive.

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
  let summary = "loads a tile from an unaligned row";
  let description = [{
    The columns of `result`, a tile of one row, are the elements of row `row` of a dense view from `place` on:
    element 0 is the start of the 16-byte unit in which the row begins, and the row starts at element `first`.
    `place` is a multiple of a unit. Units are loaded with one instruction even if they only overlap the row:
    elements outside the row are those of the adjacent rows or unspecified. Nothing outside the view is read; a unit
    in which the view ends is loaded element by element. `known` states that all units of these columns of the tile
    are in the view, the second one exclusive.

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

def TileGPU_LoadCoveringOp : TileGPU_Op<"load_covering", [MemoryEffects<[MemRead]>]> {
  let summary = "loads a tile of unaligned rows in whole units";
  let description = [{
    Row `r` of the result starts with the 16-byte unit of a dense view that contains element `row + r`, `column`. Rows are
    loaded in whole units: elements outside a row of the view are those of its neighbors or unspecified. Rows past the
    last one are zero, and nothing outside the view is read.

    Example: column 0 of the rows of the result is column 128, 127, 126 … of the view.
    ```mlir
    %t = tile_gpu.load_covering %x[%row, %c128] : !tile.view<4096x50257xbf16> -> tensor<32x256xbf16, #l>
    ```
  }];
  let arguments = (ins Tile_ViewType:$view, Index:$row, Index:$column);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $view `[` $row `,` $column `]` attr-dict `:` qualified(type($view)) `->` type($result)
  }];
  let hasVerifier = 1;
}

def TileGPU_SumShiftedOp : TileGPU_Op<"sum_shifted", [Pure]> {
  let summary = "adds rows, each shifted by its own number of columns";
  let description = [{
    Element `c` of the result is the sum of the elements `r`, `c + r · step mod modulo` of `value`, in the order of the
    rows.

    Example: the sum of `tile_gpu.load_covering` of eight rows of 50257 elements of bf16.
    ```mlir
    %s = tile_gpu.sum_shifted %t by 1 modulo 8 : tensor<8x256xf32, #l> -> tensor<248xf32, #m>
    ```
  }];
  let arguments = (ins Tile_Tile:$value, ConfinedAttr<I64Attr, [IntNonNegative]>:$step,
                       ConfinedAttr<I64Attr, [IntPositive]>:$modulo);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $value `by` $step `modulo` $modulo attr-dict `:` type($value) `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The columns by which a row is shifted.
    int64_t getShift(int64_t row) { return row * getStep() % getModulo(); }
  }];
}

def TileGPU_RowsOp : TileGPU_Op<"rows", [Pure]> {
  let summary = "reinterprets a contiguous range in shared memory as rows";
  let description = [{
    The result is a buffer of consecutive rows that starts at element `first` of another dense buffer. If the
    largest power of two that divides the row length is smaller than a 16-byte unit, `first` is a multiple of it.

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
