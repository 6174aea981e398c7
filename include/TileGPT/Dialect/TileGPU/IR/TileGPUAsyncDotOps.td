//===- TileGPUAsyncDotOps.td - Asynchronous dots -------------------*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_TILEGPU_IR_TILEGPUASYNCDOTOPS_TD
#define TILEGPT_DIALECT_TILEGPU_IR_TILEGPUASYNCDOTOPS_TD

include "TileGPT/Dialect/TileGPU/IR/TileGPUOpBase.td"

def TileGPU_AsyncDotOp : TileGPU_Op<"async_dot", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "starts a matrix product (wgmma)";
  let description = [{
    `result = acc + lhs · rhsᵀ`, or `lhs · rhsᵀ` without `acc`: `lhs` is M × K, `rhs` is N × K, and `result` is an M
    × N tile of f32 in the layout of a wgmma accumulator. M is a multiple of 64 for each warp group; N is a multiple
    of 8, at most 256. Operands are bf16, f16, f32 (the tensor cores use the upper 19 bits: tf32) or f8. The two f8
    types may differ, and the accumulation, `acc` included, drops low-order bits. Operands of i8 make a tile of i32.

    `lhs` may also be in registers (`tile_gpu.pack`), in the operand layout of the instruction. With `along_n`,
    `rhs` is K × N, contiguous along N, and with `along_m`, `lhs` is K × M; both require bf16 or f16. `depth` is K
    where the buffers have more columns than are multiplied. `unsigned_lhs` and `unsigned_rhs` zero-extend operands
    of i8, which are sign-extended otherwise.

    On one warp group M may also be less than 64, a multiple of 8. The instruction still reads 64 rows: the memory
    past `lhs` becomes padding of the result, and `--tile-gpu-allocate-shared` ensures that it is part of the
    allocation.

    Every consumer warp group issues the product of its rows and continues; `tile_gpu.limit_dots` bounds the number
    of ops in flight, and `tile_gpu.finish_dot` yields the tile. Without `acc` the accumulator is not zeroed: the
    first product overwrites it.

    Example:
    ```mlir
    %q = tile_gpu.async_dot %a, %b onto %p : !tile_gpu.pending<tensor<128x96xf32, #l>>
        : !tile_gpu.shared<128x64xbf16, swizzle = 128>, !tile_gpu.shared<96x64xbf16, swizzle = 128>
        -> !tile_gpu.pending<tensor<128x96xf32, #l>>
    ```
  }];
  let arguments = (ins AnyTypeOf<[TileGPU_SharedType, TileGPU_PackedType]>:$lhs, TileGPU_SharedType:$rhs,
                       Optional<AnyTypeOf<[TileGPU_PendingType, Tile_Tile]>>:$acc, UnitAttr:$along_m,
                       UnitAttr:$along_n, OptionalAttr<I64Attr>:$depth, UnitAttr:$unsigned_lhs, UnitAttr:$unsigned_rhs);
  let results = (outs TileGPU_PendingType:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs (`along_m` $along_m^)? (`along_n` $along_n^)? (`depth` $depth^)? (`unsigned_lhs` $unsigned_lhs^)?
    (`unsigned_rhs` $unsigned_rhs^)? (`onto` $acc^ `:` type($acc))? attr-dict
    `:` qualified(type($lhs)) `,` qualified(type($rhs)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Rows of one instruction, and the granularity of fewer rows.
    static constexpr int64_t groupRows = 64, rowStep = 8;
    /// Bytes of each operand along K that one instruction consumes.
    static constexpr int64_t stepBytes = 32;
    /// Bytes past `lhs` that the instruction reads.
    int64_t getOverhang();
    /// Length of the reduction: K.
    int64_t getNumProducts();
  }];
}

def TileGPU_LimitDotsOp : TileGPU_Op<"limit_dots", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "waits until at most `count` dots are in flight";
  let description = [{
    Dots complete in the order in which they were started. A completed dot has read its operands;
    `tile_gpu.finish_dot` still yields its result.

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
  let summary = "waits for a dot and yields its result";
  let description = [{
    Waits until at most `later` dots, those started after this one, are in flight. `reads` is the register operand
    of the dot, which must not change before this op.

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
  let summary = "converts a tile to a register operand of a dot";
  let description = [{
    Rounds the tile to the 16-bit float type of the result and packs two adjacent elements into a register, as
    `tile_gpu.async_dot` reads an `lhs` in registers. The layout is that of a wgmma accumulator, which assigns to
    each thread exactly the elements it has to supply. f32 elements stay unchanged, in the layout of a tf32
    fragment.

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
