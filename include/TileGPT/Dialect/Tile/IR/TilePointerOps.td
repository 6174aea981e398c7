//===- TilePointerOps.td - Pointers, accesses by offset, atomics --*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_TILE_IR_TILEPOINTEROPS_TD
#define TILEGPT_DIALECT_TILE_IR_TILEPOINTEROPS_TD

include "TileGPT/Dialect/Tile/IR/TileOpBase.td"

def Tile_OffsetTile : RankedTensorOf<[AnyTypeOf<[I32, I64], "i32 or i64">]>;

def Tile_BaseOp : Tile_Op<"base", [Pure]> {
  let summary = "the address of the first element of a view";
  let description = [{
    Points to element (0, …, 0) of `view`, even when the view is empty.

    Example:
    ```mlir
    %p = tile.base %y : !tile.view<?xi32> -> !tile.ptr<i32>
    ```
  }];
  let arguments = (ins Tile_ViewType:$view);
  let results = (outs Tile_PtrType:$result);
  let assemblyFormat = "$view attr-dict `:` qualified(type($view)) `->` qualified(type($result))";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_DataOp : Tile_Op<"data", [Pure]> {
  let summary = "the address of initialized memory";
  let description = [{
    Points to the first element of `value`, stored row-major in read-only memory, aligned to 16 bytes or to `align`,
    a larger power of two.

    With `shared`, the memory is writable. There is one instance of each name in the code of a kernel, for all its
    blocks and launches; it holds `value` when the code is loaded and keeps what is written to it.

    With the attribute `tile.program`, that instance is shared by all kernels of a program, which give it the same value
    and alignment. The code of a single kernel has its own instance.

    Example:
    ```mlir
    %p = tile.data dense<[0.0, 0.5, 1.0, 2.0]> : tensor<4xf32> -> !tile.ptr<f32>
    %v = tile.view_at %p sizes [4] : !tile.ptr<f32> -> !tile.view<4xf32>
    %lock = tile.data shared "lock" dense<0> : tensor<1xi32> -> !tile.ptr<i32>
    %all = tile.data shared "launches" dense<0> : tensor<1xi32> {tile.program} -> !tile.ptr<i32>
    ```
  }];
  let arguments = (ins ElementsAttr:$value, OptionalAttr<StrAttr>:$shared, OptionalAttr<I64Attr>:$align);
  let results = (outs Tile_PtrType:$result);
  let assemblyFormat = [{
    (`shared` $shared^)? (`align` $align^)? $value attr-dict `->` qualified(type($result))
  }];
  let extraClassDeclaration = [{
    /// Where the memory begins: at a multiple of so many bytes.
    int64_t getAlignment() { return getAlign().value_or(16); }
  }];
  let hasVerifier = 1;
}

def Tile_ScratchOp : Tile_Op<"scratch", [MemoryEffects<[MemAlloc]>]> {
  let summary = "block-local memory";
  let description = [{
    Points to `count` elements that belong to the block until it ends, aligned to 16 bytes; other blocks can access
    them only by address. They are uninitialized, in every iteration of a loop that contains the op. A GPU provides
    up to 128 MiB for all resident blocks, other blocks wait; in a kernel with matrix products a block has up to 32
    KiB.

    Example:
    ```mlir
    %p = tile.scratch 1024 : !tile.ptr<f32>
    ```
  }];
  let arguments = (ins I64Attr:$count);
  let results = (outs Tile_PtrType:$result);
  let assemblyFormat = "$count attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

def Tile_PtrToIntOp : Tile_Op<"ptr_to_int", [Pure]> {
  let summary = "the address of an element as an integer";
  let description = [{
    The address in bytes of the element that `pointer` points to.

    Example:
    ```mlir
    %a = tile.ptr_to_int %p : !tile.ptr<f32>
    ```
  }];
  let arguments = (ins Tile_PtrType:$pointer);
  let results = (outs I64:$address);
  let assemblyFormat = "$pointer attr-dict `:` qualified(type($pointer))";
  let hasFolder = 1;
}

def Tile_IntToPtrOp : Tile_Op<"int_to_ptr", [Pure]> {
  let summary = "a pointer to the element at an address";
  let description = [{
    Points to the element at `address`, in bytes, which is a multiple of the element size. Addresses come from
    `tile.ptr_to_int`, with arithmetic on them, or from memory; the element type may differ from that of the
    original pointer. Address 0 is null.

    Example:
    ```mlir
    %q = tile.int_to_ptr %a : !tile.ptr<i32>
    ```
  }];
  let arguments = (ins I64:$address);
  let results = (outs Tile_PtrType:$pointer);
  let assemblyFormat = "$address attr-dict `:` qualified(type($pointer))";
  let hasFolder = 1;
}

def Tile_ViewAtOp : Tile_TileOp<"view_at", [Pure, AttrSizedOperandSegments]> {
  let summary = "a view of memory at a pointer";
  let description = [{
    Element `i` of the result is at offset `Σ i[axis]·strides[axis]` from `base`, in elements. `sizes` and `strides`
    are SSA values or integers, one per axis; without `strides` the view is dense and row-major. The memory must
    cover the entire view.

    Example:
    ```mlir
    %v = tile.view_at %p sizes [%m, 64] strides [%s, 1] : !tile.ptr<bf16> -> !tile.view<?x64xbf16, strides=[?, 1]>
    ```
  }];
  let arguments = (ins Tile_PtrType:$base, Variadic<Index>:$sizes, Variadic<Index>:$strides,
                       DenseI64ArrayAttr:$static_sizes, OptionalAttr<DenseI64ArrayAttr>:$static_strides);
  let results = (outs Tile_ViewType:$result);
  let assemblyFormat = [{
    $base `sizes` custom<IndexList>($sizes, $static_sizes)
    (`strides` custom<IndexList>($strides, $static_strides)^)?
    attr-dict `:` qualified(type($base)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Tile_LoadAtOp : Tile_TileOp<"load_at", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "loads the elements at offsets from a pointer";
  let description = [{
    `result[e]` is the element at `base` + `offsets[e]`, counted in elements, or in bytes if `base` points to i8.
    Elements whose `mask` is false are not read and yield the `pad` value, as in `tile.load`. An `order` other than
    `weak` (the default) makes each element an atomic access: `relaxed`, or `acquire`, which orders it before
    subsequent accesses of the block. `scope` is the set of observers: `block`, `device` (the default) or `system`.

    Example:
    ```mlir
    %v = tile.load_at %p[%o] pad(neg_inf) mask(%m : tensor<128xi1>) : !tile.ptr<f32>, tensor<128xi64> -> tensor<128xf32>
    ```
  }];
  let arguments = (ins Tile_PtrType:$base, Tile_OffsetTile:$offsets, Optional<Tile_MaskTile>:$mask,
    DefaultValuedAttr<Tile_PadAttr, "::tilegpt::tile::PadKind::Zero">:$pad,
    DefaultValuedAttr<Tile_MemoryOrderAttr, "::tilegpt::tile::MemoryOrder::Weak">:$order,
    DefaultValuedAttr<Tile_MemoryScopeAttr, "::tilegpt::tile::MemoryScope::Device">:$scope);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $base `[` $offsets `]` (`pad` `(` custom<Word>($pad)^ `)`)? (`mask` `(` $mask^ `:` type($mask) `)`)?
    (`order` `(` custom<Word>($order)^ `)`)? (`scope` `(` custom<Word>($scope)^ `)`)? attr-dict
    `:` qualified(type($base)) `,` type($offsets) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_StoreAtOp : Tile_Op<"store_at", [MemoryEffects<[MemWrite]>]> {
  let summary = "stores the elements at offsets from a pointer";
  let description = [{
    Stores `value[e]` to the element at `base` + `offsets[e]` unless its `mask` is false. Offsets are counted as in
    `tile.load_at`. If two offsets are equal, it is unspecified which element is written last. `order` is `weak`
    (the default), `relaxed`, or `release`, which orders it after preceding accesses of the block.

    Example:
    ```mlir
    tile.store_at %v, %p[%o] mask(%m : tensor<128xi1>) : tensor<128xf32>, !tile.ptr<f32>, tensor<128xi64>
    ```
  }];
  let arguments = (ins Tile_Tile:$value, Tile_PtrType:$base, Tile_OffsetTile:$offsets, Optional<Tile_MaskTile>:$mask,
    DefaultValuedAttr<Tile_MemoryOrderAttr, "::tilegpt::tile::MemoryOrder::Weak">:$order,
    DefaultValuedAttr<Tile_MemoryScopeAttr, "::tilegpt::tile::MemoryScope::Device">:$scope);
  let assemblyFormat = [{
    $value `,` $base `[` $offsets `]` (`mask` `(` $mask^ `:` type($mask) `)`)?
    (`order` `(` custom<Word>($order)^ `)`)? (`scope` `(` custom<Word>($scope)^ `)`)? attr-dict
    `:` type($value) `,` qualified(type($base)) `,` type($offsets)
  }];
  let hasVerifier = 1;
}

def Tile_AtomicRMWOp : Tile_TileOp<"atomic_rmw", [
    MemoryEffects<[MemRead, MemWrite]>, AllTypesMatch<["value", "result"]>]> {
  let summary = "atomically updates the elements at offsets from a pointer";
  let description = [{
    The element at `offsets[e]` becomes `old ∘ value[e]`, and `result[e]` is `old`; each update is atomic. Updates
    at equal offsets are all performed, in an unspecified order. `add` (with wraparound), `max min` (signed), `umax
    umin` and `and or xor` support i32 and i64; `add` also f16, bf16, f32 and f64; `xchg`, which stores the value,
    32-bit and 64-bit types. If `mask` is false, nothing is updated and the result is 0. Offsets, `order` (`relaxed`
    by default, `acquire`, `release`, `acq_rel`) and `scope` are those of `tile.load_at`.

    Example:
    ```mlir
    %old = tile.atomic_rmw add %p[%bin], %one : !tile.ptr<i32>, tensor<128xi64>, tensor<128xi32>
    ```
  }];
  let arguments = (ins Tile_AtomicKindAttr:$kind, Tile_PtrType:$base, Tile_OffsetTile:$offsets, Tile_Tile:$value,
    Optional<Tile_MaskTile>:$mask,
    DefaultValuedAttr<Tile_MemoryOrderAttr, "::tilegpt::tile::MemoryOrder::Relaxed">:$order,
    DefaultValuedAttr<Tile_MemoryScopeAttr, "::tilegpt::tile::MemoryScope::Device">:$scope);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    custom<Word>($kind) $base `[` $offsets `]` `,` $value (`mask` `(` $mask^ `:` type($mask) `)`)?
    (`order` `(` custom<Word>($order)^ `)`)? (`scope` `(` custom<Word>($scope)^ `)`)? attr-dict
    `:` qualified(type($base)) `,` type($offsets) `,` type($value)
  }];
  let hasVerifier = 1;
}

def Tile_AtomicCASOp : Tile_TileOp<"atomic_cas", [
    MemoryEffects<[MemRead, MemWrite]>, AllTypesMatch<["expected", "value", "result"]>]> {
  let summary = "atomic compare-and-swap of the elements at offsets from a pointer";
  let description = [{
    `result[e]` is the old value of the element at `offsets[e]`; it becomes `value[e]` if it is bitwise equal to
    `expected[e]`. Each element is one atomic operation. Supports i32, i64, f32 and f64. Everything else is as in
    `tile.atomic_rmw`.

    Example:
    ```mlir
    %was = tile.atomic_cas %p[%o], %free, %taken order(acquire) : !tile.ptr<i32>, tensor<i64>, tensor<i32>
    ```
  }];
  let arguments = (ins Tile_PtrType:$base, Tile_OffsetTile:$offsets, Tile_Tile:$expected, Tile_Tile:$value,
    Optional<Tile_MaskTile>:$mask,
    DefaultValuedAttr<Tile_MemoryOrderAttr, "::tilegpt::tile::MemoryOrder::Relaxed">:$order,
    DefaultValuedAttr<Tile_MemoryScopeAttr, "::tilegpt::tile::MemoryScope::Device">:$scope);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $base `[` $offsets `]` `,` $expected `,` $value (`mask` `(` $mask^ `:` type($mask) `)`)?
    (`order` `(` custom<Word>($order)^ `)`)? (`scope` `(` custom<Word>($scope)^ `)`)? attr-dict
    `:` qualified(type($base)) `,` type($offsets) `,` type($value)
  }];
  let hasVerifier = 1;
}

#endif
