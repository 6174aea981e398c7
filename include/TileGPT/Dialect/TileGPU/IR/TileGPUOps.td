//===- TileGPUOps.td - All ops of the tile_gpu dialect -------------*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_TILEGPU_IR_TILEGPUOPS_TD
#define TILEGPT_DIALECT_TILEGPU_IR_TILEGPUOPS_TD

include "TileGPT/Dialect/TileGPU/IR/TileGPUAsyncDotOps.td"
include "TileGPT/Dialect/TileGPU/IR/TileGPUOpBase.td"
include "TileGPT/Dialect/TileGPU/IR/TileGPUPipeOps.td"

def TileGPU_ConvertLayoutOp : TileGPU_Op<"convert_layout", [Pure]> {
  let summary = "the same tile, held by other registers";
  let description = [{
    Always legal: moves what has to move through shared memory, and nothing where every thread already holds what it
    needs.

    Example:
    ```mlir
    #rows = #tile_gpu.layout<registers = [d1:4*1, d1:3*32], lanes = [d1:8*4, d0:4*1], warps = [d0:4*4]>
    #columns = #tile_gpu.layout<registers = [d0:16*1], lanes = [d1:32*1], warps = [d1:4*32]>
    func.func @to_columns(%t: tensor<16x96xf32, #rows>) {
      %r = tile_gpu.convert_layout %t : tensor<16x96xf32, #rows> -> tensor<16x96xf32, #columns>
      return
    }
    ```
  }];
  let arguments = (ins Tile_Tile:$source);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TileGPU_AllocOp : TileGPU_Op<"alloc", [MemoryEffects<[MemAlloc]>]> {
  let summary = "a buffer in shared memory";
  let description = [{
    Belongs to the block and lives as long as it does. `offset` is where it lies, in bytes from the start of the block's
    shared memory, once `--tile-gpu-allocate-shared` has run.

    Example:
    ```mlir
    %a = tile_gpu.alloc : !tile_gpu.shared<128x64xbf16, swizzle = 128>
    ```
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$offset);
  let results = (outs TileGPU_SharedType:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
}

def TileGPU_WriteOp : TileGPU_Op<"write", [MemoryEffects<[MemWrite]>]> {
  let summary = "writes a tile to a buffer in shared memory";
  let description = [{
    Each thread writes the elements it holds; `tile_gpu.barrier` makes them visible to the others.

    Example:
    ```mlir
    #rows = #tile_gpu.layout<registers = [d1:8*1, d0:8*16], lanes = [d1:8*8, d0:4*1], warps = [d0:4*4]>
    func.func @keep(%t: tensor<128x64xbf16, #rows>) {
      %a = tile_gpu.alloc : !tile_gpu.shared<128x64xbf16, swizzle = 128>
      tile_gpu.write %t, %a : tensor<128x64xbf16, #rows>, !tile_gpu.shared<128x64xbf16, swizzle = 128>
      tile_gpu.barrier
      return
    }
    ```
  }];
  let arguments = (ins Tile_Tile:$value, TileGPU_SharedType:$buffer);
  let assemblyFormat = "$value `,` $buffer attr-dict `:` type($value) `,` qualified(type($buffer))";
  let hasVerifier = 1;
}

def TileGPU_ReadOp : TileGPU_Op<"read", [MemoryEffects<[MemRead]>]> {
  let summary = "reads a tile from a buffer in shared memory";
  let description = [{
    Each thread reads the elements the layout of the result gives it.

    Example:
    ```mlir
    #rows = #tile_gpu.layout<registers = [d1:8*1, d0:8*16], lanes = [d1:8*8, d0:4*1], warps = [d0:4*4]>
    func.func @fetch(%a: !tile_gpu.shared<128x64xbf16, swizzle = 128>) -> tensor<128x64xbf16, #rows> {
      %t = tile_gpu.read %a : !tile_gpu.shared<128x64xbf16, swizzle = 128> -> tensor<128x64xbf16, #rows>
      return %t : tensor<128x64xbf16, #rows>
    }
    ```
  }];
  let arguments = (ins TileGPU_SharedType:$buffer);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$buffer attr-dict `:` qualified(type($buffer)) `->` type($result)";
  let hasVerifier = 1;
}

def TileGPU_BarrierOp : TileGPU_Op<"barrier", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "waits for all threads that run this code";
  let description = [{
    What any of them wrote to shared memory before is visible to all behind it.

    Example:
    ```mlir
    tile_gpu.barrier
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def TileGPU_DotOp : TileGPU_Op<"dot", [MemoryEffects<[MemRead]>]> {
  let summary = "tile.dot with its operands in shared memory";
  let description = [{
    `tile.dot` whose `rhs`, and as a rule `lhs`, lie in shared memory; an `lhs` in registers has the layout that the
    instruction wants. The layout of the accumulator says which instruction computes it: fused multiply-adds of one
    thread, `mma.sync` of a warp, or `wgmma` of a warp group.

    Example:
    ```mlir
    #acc = #tile_gpu.layout<registers = [d1:4*1, d0:8*16, d1:3*32], lanes = [d1:8*4, d0:4*1], warps = [d0:4*4]>
    func.func @product(%a: !tile_gpu.shared<128x64xbf16>, %b: !tile_gpu.shared<96x64xbf16>,
                       %c: tensor<128x96xf32, #acc>) -> tensor<128x96xf32, #acc> {
      %d = tile_gpu.dot %a, %b, %c transpose_b
          : !tile_gpu.shared<128x64xbf16>, !tile_gpu.shared<96x64xbf16>, tensor<128x96xf32, #acc> -> tensor<128x96xf32, #acc>
      return %d : tensor<128x96xf32, #acc>
    }
    ```
  }];
  let arguments = (ins AnyTypeOf<[TileGPU_SharedType, Tile_Tile]>:$lhs, TileGPU_SharedType:$rhs, Tile_Tile:$acc,
    UnitAttr:$transpose_a, UnitAttr:$transpose_b, UnitAttr:$unsigned_lhs, UnitAttr:$unsigned_rhs,
    DefaultValuedAttr<Tile_PrecisionAttr, "::tilegpt::tile::Precision::IEEE">:$precision);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $acc (`transpose_a` $transpose_a^)? (`transpose_b` $transpose_b^)?
    (`unsigned_lhs` $unsigned_lhs^)? (`unsigned_rhs` $unsigned_rhs^)? (`precision` `(` custom<Word>($precision)^ `)`)? attr-dict
    `:` type($lhs) `,` qualified(type($rhs)) `,` type($acc) `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif
