//===- TileGPUAsyncDotOps.td - Dots in flight ----------------------*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_TILEGPU_IR_TILEGPUASYNCDOTOPS_TD
#define TILEGPT_DIALECT_TILEGPU_IR_TILEGPUASYNCDOTOPS_TD

include "TileGPT/Dialect/TileGPU/IR/TileGPUOpBase.td"

def TileGPU_AsyncDotOp : TileGPU_Op<"async_dot", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "starts a product of two buffers in shared memory (wgmma)";
  let description = [{
    `result = acc + lhs · rhsᵀ`, or `lhs · rhsᵀ` without `acc`: `lhs` is M × K, `rhs` is N × K, `result` M × N in f32
    with the layout of a wgmma accumulator, M a multiple of 64 for each warp group, N of 8 and at most 256. Operands
    are bf16, f16, or f32 of which the tensor cores take the upper 19 bits (tf32).

    Every warp group that computes issues its rows and goes on; `tile_gpu.limit_dots` bounds how many such ops are in
    flight, `tile_gpu.finish_dot` yields the tile. Without `acc` nothing is zeroed: the first product overwrites.

    Example:
    ```mlir
    %q = tile_gpu.async_dot %a, %b onto %p : !tile_gpu.pending<tensor<128x96xf32, #l>>
        : !tile_gpu.shared<128x64xbf16, swizzle = 128>, !tile_gpu.shared<96x64xbf16, swizzle = 128>
        -> !tile_gpu.pending<tensor<128x96xf32, #l>>
    ```
  }];
  let arguments = (ins TileGPU_SharedType:$lhs, TileGPU_SharedType:$rhs,
                       Optional<AnyTypeOf<[TileGPU_PendingType, Tile_Tile]>>:$acc);
  let results = (outs TileGPU_PendingType:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs (`onto` $acc^ `:` type($acc))? attr-dict
    `:` qualified(type($lhs)) `,` qualified(type($rhs)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
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
  let summary = "waits for all dots in flight and yields the tile of one";
  let description = [{
    Example:
    ```mlir
    %t = tile_gpu.finish_dot %p : !tile_gpu.pending<tensor<128x96xf32, #l>>
    ```
  }];
  let arguments = (ins TileGPU_PendingType:$pending);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$pending attr-dict `:` qualified(type($pending))";
}

#endif
