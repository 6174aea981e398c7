//===- TileGPUAsyncDotOps.td - Dots in flight ----------------------*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_TILEGPU_IR_TILEGPUASYNCDOTOPS_TD
#define TILEGPT_DIALECT_TILEGPU_IR_TILEGPUASYNCDOTOPS_TD

include "TileGPT/Dialect/TileGPU/IR/TileGPUOpBase.td"

def TileGPU_AsyncDotOp : TileGPU_Op<"async_dot", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "starts a product of two buffers in shared memory (wgmma)";
  let description = [{
    `result = acc + lhs · rhsᵀ`, or `lhs · rhsᵀ` without `acc`: `lhs` is M × K, `rhs` is N × K, `result` M × N in f32
    with the layout of a wgmma accumulator, M a multiple of 64 for each warp group, N of 8 and at most 256. Operands
    are bf16, f16, f32 of which the tensor cores take the upper 19 bits (tf32), or f8 types, which may differ and of whose
    sums, `acc` included, digits are cut off.

    `lhs` may also be in registers (`tile_gpu.pack`), held as the instruction reads it. With `along_n`, `rhs` is K × N
    instead, contiguous along N, and with `along_m` `lhs` is K × M: bf16 or f16. Buffers may have more columns than are
    multiplied: `depth` is K where it is less than that of the buffers.

    M may also be less than 64, a multiple of 8, on one warp group. The instruction then reads 64 rows all the same: what
    lies behind `lhs` becomes padding of the result, and `--tile-gpu-allocate-shared` sees to it that it is there.

    Every warp group that computes issues its rows and goes on; `tile_gpu.limit_dots` bounds how many such ops are in
    flight, `tile_gpu.finish_dot` yields the tile. Without `acc` nothing is zeroed: the first product overwrites.

    Example:
    ```mlir
    %q = tile_gpu.async_dot %a, %b onto %p : !tile_gpu.pending<tensor<128x96xf32, #l>>
        : !tile_gpu.shared<128x64xbf16, swizzle = 128>, !tile_gpu.shared<96x64xbf16, swizzle = 128>
        -> !tile_gpu.pending<tensor<128x96xf32, #l>>
    ```
  }];
  let arguments = (ins AnyTypeOf<[TileGPU_SharedType, TileGPU_PackedType]>:$lhs, TileGPU_SharedType:$rhs,
                       Optional<AnyTypeOf<[TileGPU_PendingType, Tile_Tile]>>:$acc, UnitAttr:$along_m,
                       UnitAttr:$along_n, OptionalAttr<I64Attr>:$depth);
  let results = (outs TileGPU_PendingType:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs (`along_m` $along_m^)? (`along_n` $along_n^)? (`depth` $depth^)? (`onto` $acc^ `:` type($acc))? attr-dict
    `:` qualified(type($lhs)) `,` qualified(type($rhs)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Rows of one instruction; of what a sum of fewer must be a multiple.
    static constexpr int64_t groupRows = 64, rowStep = 8;
    /// Bytes of both operands along the sum that one instruction takes.
    static constexpr int64_t stepBytes = 32;
    /// Bytes behind `lhs` that the instruction reads.
    int64_t getOverhang();
    /// Products of a sum: K.
    int64_t getNumProducts();
  }];
}

def TileGPU_LimitDotsOp : TileGPU_Op<"limit_dots", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "waits until at most so many dots are in flight";
  let description = [{
    Dots end in the order in which they were started. One that has ended has read its operands; its result still comes
    from `tile_gpu.finish_dot`.

    Example:
    ```mlir
    tile_gpu.limit_dots 1
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative, IntMaxValue<7>]>:$count);
  let assemblyFormat = "$count attr-dict";
}

def TileGPU_FinishDotOp : TileGPU_Op<"finish_dot", [MemoryEffects<[MemRead, MemWrite]>,
    TypesMatchWith<"result is the tile", "pending", "result",
                   "::llvm::cast<::tilegpt::tilegpu::PendingType>($_self).getTile()">]> {
  let summary = "waits for a dot and yields its tile";
  let description = [{
    Waits until at most `later` dots are in flight, those started after this one. `reads` is what the dot has had as lhs
    in registers: until here they must stay as they are.

    Example:
    ```mlir
    %t = tile_gpu.finish_dot %p : !tile_gpu.pending<tensor<128x96xf32, #l>>
    %s = tile_gpu.finish_dot %o reads %e : !tile_gpu.packed<tensor<64x128xbf16, #l>> later 1
        : !tile_gpu.pending<tensor<64x64xf32, #l>>
    ```
  }];
  let arguments = (ins TileGPU_PendingType:$pending, Optional<TileGPU_PackedType>:$reads,
                       DefaultValuedAttr<ConfinedAttr<I64Attr, [IntNonNegative, IntMaxValue<7>]>, "0">:$later);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $pending (`reads` $reads^ `:` qualified(type($reads)))? (`later` $later^)? attr-dict `:` qualified(type($pending))
  }];
}

def TileGPU_PackOp : TileGPU_Op<"pack", [Pure]> {
  let summary = "rounds a tile to the lhs of a dot in registers";
  let description = [{
    The tile in the 16-bit float type of the result, two neighbours a register: what `tile_gpu.async_dot` reads where
    its lhs is not in shared memory. The layout is that of a wgmma accumulator, which gives each thread just the elements
    it has to bring. Elements of f32 stay as they are, in the layout of a tf32 fragment.

    Example:
    ```mlir
    %p = tile_gpu.pack %e : tensor<64x128xf32, #l> -> !tile_gpu.packed<tensor<64x128xbf16, #l>>
    ```
  }];
  let arguments = (ins Tile_Tile:$value);
  let results = (outs TileGPU_PackedType:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` qualified(type($result))";
  let hasVerifier = 1;
}

#endif
