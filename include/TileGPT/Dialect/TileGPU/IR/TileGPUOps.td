//===- TileGPUOps.td - All ops of the tile_gpu dialect -------------*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_TILEGPU_IR_TILEGPUOPS_TD
#define TILEGPT_DIALECT_TILEGPU_IR_TILEGPUOPS_TD

include "TileGPT/Dialect/TileGPU/IR/TileGPUAsyncDotOps.td"
include "TileGPT/Dialect/TileGPU/IR/TileGPUCoveringOps.td"
include "TileGPT/Dialect/TileGPU/IR/TileGPUGroupOps.td"
include "TileGPT/Dialect/TileGPU/IR/TileGPUMainloopOps.td"
include "TileGPT/Dialect/TileGPU/IR/TileGPUOpBase.td"
include "TileGPT/Dialect/TileGPU/IR/TileGPUPartsOps.td"
include "TileGPT/Dialect/TileGPU/IR/TileGPUPipeOps.td"

def TileGPU_ConvertLayoutOp : TileGPU_Op<"convert_layout", [Pure]> {
  let summary = "the same tile, held by other registers";
  let description = [{
    Always legal: moves what has to move through shared memory, and nothing where every thread already holds what it
    needs. Where elements stay in their warps, each warp moves its own, a few rows or columns at a time.

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

def TileGPU_AwaitLaunchOp : TileGPU_Op<"await_launch", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "waits until the launches before this one are over";
  let description = [{
    What they wrote is visible behind it, and what they read may be written. By every thread that goes on to touch memory
    which other launches touch; as each launch waits for the one before it, all of them are over.

    Example:
    ```mlir
    tile_gpu.await_launch
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def TileGPU_ReleaseLaunchOp : TileGPU_Op<"release_launch", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "lets the next launch start";
  let description = [{
    Once every block has come here the blocks of the next launch may take what multiprocessors have free, and run up to
    their `tile_gpu.await_launch`.

    Example:
    ```mlir
    tile_gpu.release_launch
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

def TileGPU_SliceOp : TileGPU_Op<"slice", [Pure]> {
  let summary = "one of several tiles that a buffer holds";
  let description = [{
    The buffer of entry `index` along the first axis of `source`, which the result has not.

    Example:
    ```mlir
    %s = tile_gpu.slice %ring[%i]
        : !tile_gpu.shared<3x128x64xbf16, swizzle = 128> -> !tile_gpu.shared<128x64xbf16, swizzle = 128>
    ```
  }];
  let arguments = (ins TileGPU_SharedType:$source, Index:$index);
  let results = (outs TileGPU_SharedType:$result);
  let assemblyFormat = [{
    $source `[` $index `]` attr-dict `:` qualified(type($source)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def TileGPU_CopyOp : TileGPU_Op<"copy", [MemoryEffects<[MemRead, MemWrite]>, AttrSizedOperandSegments]> {
  let summary = "starts to copy a tile of a view to a buffer";
  let description = [{
    What `tile.load` of the tile `indices` and `tile_gpu.write` do, asynchronously (`cp.async`): the elements are in
    `buffer` for the thread that copied them once `tile_gpu.wait_copies` has waited for their group, for the others
    behind a barrier. Elements outside the view become zero.

    Rows are copied in units of `unit` bytes, 16, 8 or 4: each unit is aligned in memory and lies inside or outside of the
    view as a whole, and no tile begins before the view. `inside` says for each axis whether all elements are known to be inside.

    A row that begins anywhere is copied `covering`: a tile of one row, whole, of a view that lies dense in its argument,
    to a buffer that is wider. Column 0 of the buffer is the start of the unit that the row begins in, the row lies from
    column `first` on. Nothing behind the row is read, but the elements before it in its first unit are. The unit it ends
    in is copied word by word.

    With `rows` the op does what `tile.gather` along axis 0 and `tile_gpu.write` do: row `i` of the buffer is row
    `rows[i]` of the view, or zero where the view has no such row, and `indices` name the tile along the other axes. The
    numbers are in shared memory and visible to all threads.

    Example:
    ```mlir
    tile_gpu.copy %x[%m, %k] to %s inside [false, true]
        : !tile.view<?x768xbf16>, !tile_gpu.shared<128x64xbf16, swizzle = 128>
    tile_gpu.copy %x[%k] rows %numbers : !tile_gpu.shared<128xi32> to %s inside [false, true]
        : !tile.view<?x768xbf16>, !tile_gpu.shared<128x64xbf16, swizzle = 128>
    ```
  }];
  let arguments = (ins Tile_ViewType:$view, Variadic<Index>:$indices, Optional<TileGPU_SharedType>:$rows,
                       TileGPU_SharedType:$buffer, Optional<Index>:$first, DenseBoolArrayAttr:$inside,
                       DefaultValuedAttr<I64Attr, "16">:$unit);
  let assemblyFormat = [{
    $view `[` $indices `]` (`rows` $rows^ `:` qualified(type($rows)))? `to` $buffer (`covering` $first^)? `inside` $inside
    (`unit` $unit^)? attr-dict `:` qualified(type($view)) `,` qualified(type($buffer))
  }];
  let hasVerifier = 1;
}

def TileGPU_CommitCopiesOp : TileGPU_Op<"commit_copies", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "makes a group of the copies started since the last one";
  let description = [{
    The group may be empty: then there is nothing to wait for.

    Example:
    ```mlir
    tile_gpu.commit_copies
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def TileGPU_WaitCopiesOp : TileGPU_Op<"wait_copies", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "waits until all groups of copies but the youngest have arrived";
  let description = [{
    `count` groups may still be on their way.

    Example:
    ```mlir
    tile_gpu.wait_copies 1
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$count);
  let assemblyFormat = "$count attr-dict";
}

#endif
