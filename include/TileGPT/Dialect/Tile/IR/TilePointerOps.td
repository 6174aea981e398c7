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
  let summary = "the address of initialised memory";
  let description = [{
    Points to the first element of `value`, whose elements lie row-major in memory that nobody writes, at a multiple of
    16 bytes, or of `align`, a larger power of two.

    With `shared`, the memory may be written. There is one of each name in the code of a kernel, for all its blocks and
    launches; it holds `value` when the code is loaded, and from then on what was written last.

    Example:
    ```mlir
    %p = tile.data dense<[0.0, 0.5, 1.0, 2.0]> : tensor<4xf32> -> !tile.ptr<f32>
    %v = tile.view_at %p sizes [4] : !tile.ptr<f32> -> !tile.view<4xf32>
    %lock = tile.data shared "lock" dense<0> : tensor<1xi32> -> !tile.ptr<i32>
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
  let summary = "memory of the block";
  let description = [{
    Points to `count` elements that belong to the block until it ends, at a multiple of 16 bytes; other blocks reach
    them only by their address. They hold nothing until they are written, again in every iteration of a loop that the op
    stands in. A GPU has up to 128 MiB for all blocks that run at a time, others wait; in a kernel that multiplies a block
    has up to 32 KiB.

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
    The address in bytes of what `pointer` points to.

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
    Points to the element at `address`, which counts bytes and is a multiple of the element's. Addresses come from
    `tile.ptr_to_int`, with arithmetic on them, or from memory; what is at them may be of another type than `address` was
    taken of. At 0 is nothing.

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
    Element `i` of the result is `Σ i[axis]·strides[axis]` elements behind `base`. `sizes` and `strides` are SSA values
    or integers, one each an axis; without `strides` the view is dense and row-major. The memory must reach as far as the
    view does.

    Example:
    ```mlir
    %v = tile.view_at %p sizes [%m, 64] strides [%s, 1] : !tile.ptr<bf16> -> !tile.view<?x64xbf16, strides=[?, 1]>
    ```
  }];
  let arguments = (ins Tile_PtrType:$base, Variadic<Index>:$sizes, Variadic<Index>:$strides,
                       DenseI64ArrayAttr:$static_sizes, OptionalAttr<DenseI64ArrayAttr>:$static_strides);
  let results = (outs Tile_ViewType:$result);
  let assemblyFormat = [{
    $base `sizes` custom<DynamicIndexList>($sizes, $static_sizes)
    (`strides` custom<DynamicIndexList>($strides, $static_strides)^)?
    attr-dict `:` qualified(type($base)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Tile_LoadAtOp : Tile_TileOp<"load_at", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "reads the elements at offsets from a pointer";
  let description = [{
    `result[e]` is the element `offsets[e]` behind `base`: counted in elements, or in bytes when `base` points to i8.
    Elements whose `mask` is false are not read and give the `pad` value, as in `tile.load`. An `order` other than `weak`
    (the default) makes each element one access that other blocks see as a whole: `relaxed`, or `acquire`, which keeps
    what the block does behind it behind it. `scope` says for whom: `block`, `device` (the default) or `system`.

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
  let summary = "writes the elements at offsets from a pointer";
  let description = [{
    The element `offsets[e]` behind `base` becomes `value[e]`, unless its `mask` is false. Offsets are counted as in
    `tile.load_at`. Which of two equal offsets wins is undefined. The `order` is `weak` (the default), `relaxed`, or
    `release`, which keeps what the block did before it before it.

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
  let summary = "updates the elements at offsets from a pointer, each as one step";
  let description = [{
    The element at `offsets[e]` becomes `old ∘ value[e]`, and `result[e]` is `old`; nobody sees or changes it in between.
    Equal offsets are all done, in some order. `add` (which wraps), `max min` (signed), `umax umin` and `and or xor` are
    for i32 and i64; `add` also for f16, bf16, f32 and f64; `xchg`, which stores the value, for 32 and 64 bits. Where the
    `mask` is false nothing is done and the result is 0. Offsets, `order` (`relaxed` by default, `acquire`, `release`,
    `acq_rel`) and `scope` are those of `tile.load_at`.

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
  let summary = "replaces the elements at offsets from a pointer that are as expected, each as one step";
  let description = [{
    `result[e]` is what the element at `offsets[e]` holds; it becomes `value[e]` if that has the bits of `expected[e]`,
    and nobody changes it in between. For i32, i64, f32 and f64. Everything else is as in `tile.atomic_rmw`.

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
