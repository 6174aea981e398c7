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
  let summary = "redistributes a tile among the registers of the threads";
  let description = [{
    Always legal. Elements that change thread go through shared memory; where every thread already holds the
    elements it needs, nothing moves. Where elements stay within their warps, each warp exchanges its own, a few
    rows or columns at a time.

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
  let summary = "allocates a shared memory buffer";
  let description = [{
    The buffer belongs to the block and lives as long as the block. `--tile-gpu-allocate-shared` sets `offset`, in
    bytes from the start of the block's shared memory.

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
  let summary = "writes a tile to a shared memory buffer";
  let description = [{
    Each thread writes the elements it holds; `tile_gpu.barrier` makes them visible to the other threads.

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
  let summary = "reads a tile from a shared memory buffer";
  let description = [{
    Each thread reads the elements that the layout of the result assigns to it.

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
  let summary = "synchronizes all threads that execute this code";
  let description = [{
    All shared memory writes before the barrier are visible to all of these threads after it.

    Example:
    ```mlir
    tile_gpu.barrier
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def TileGPU_AwaitLaunchOp : TileGPU_Op<"await_launch", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "waits until the preceding launches have completed";
  let description = [{
    Their writes are visible after the op, and the memory they read may be overwritten. Every thread that goes on to
    access memory shared with other launches executes it. Each launch waits for its predecessor, so all preceding
    launches have completed.

    Example:
    ```mlir
    tile_gpu.await_launch
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def TileGPU_ReleaseLaunchOp : TileGPU_Op<"release_launch", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "allows the next launch to start";
  let description = [{
    Once every block has executed this op, blocks of the next launch may occupy free multiprocessor resources and
    run up to their `tile_gpu.await_launch`.

    Example:
    ```mlir
    tile_gpu.release_launch
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def TileGPU_DotOp : TileGPU_Op<"dot", [MemoryEffects<[MemRead]>]> {
  let summary = "tile.dot with operands in shared memory";
  let description = [{
    `rhs` is in shared memory and `lhs` usually is; an `lhs` in registers has the layout that the instruction
    requires. The layout of the accumulator selects the instruction: per-thread fused multiply-adds, `mma.sync` of a
    warp, or `wgmma` of a warp group.

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
  let summary = "selects one of the tiles of a buffer";
  let description = [{
    Entry `index` along the first axis of `source`; the result drops this axis.

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
  let summary = "starts an asynchronous copy of a tile of a view to a buffer";
  let description = [{
    Equivalent to `tile.load` of the tile at `indices` followed by `tile_gpu.write`, but asynchronous (`cp.async`):
    the copying thread sees the elements once `tile_gpu.wait_copies` has waited for their group, other threads after
    a barrier that follows. Out-of-bounds elements are zero-filled.

    Rows are copied in units of `unit` bytes: 16, 8 or 4. Each unit is aligned in memory and lies entirely in or out
    of bounds, unless the copy is `clipped`: rows may then end inside a unit, whose elements after the row are not read.
    No tile begins before the view. `inside` states for each axis whether all elements are known to be in bounds.

    `covering` copies an unaligned row: one entire row of a view that is contiguous in its argument, to a wider
    buffer. Column 0 of the buffer is the start of the unit in which the row begins, and the row starts at column
    `first`. Nothing past the row is read, but the elements before it in its first unit are. The last, partial unit
    is copied word by word.

    With `rows`, the op is equivalent to `tile.gather` along axis 0 followed by `tile_gpu.write`: row `i` of the
    buffer is row `rows[i]` of the view, or zero if the view has no such row, and `indices` select the tile along
    the other axes. The row indices are in shared memory and visible to all threads.

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
                       DefaultValuedAttr<I64Attr, "16">:$unit, UnitAttr:$clipped);
  let assemblyFormat = [{
    $view `[` $indices `]` (`rows` $rows^ `:` qualified(type($rows)))? `to` $buffer (`covering` $first^)? `inside` $inside
    (`unit` $unit^)? (`clipped` $clipped^)? attr-dict `:` qualified(type($view)) `,` qualified(type($buffer))
  }];
  let hasVerifier = 1;
}

def TileGPU_CopyAtOp : TileGPU_Op<"copy_at", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "starts an asynchronous copy of units at offsets from a pointer to a buffer";
  let description = [{
    Asynchronous like `tile_gpu.copy`. Unit `u` of the buffer, in row-major order, is `unit` bytes (16, 8 or 4) that begin at
    `base` + `offsets[u]`, an aligned address; offsets are counted as in `tile.load_at`. Units whose `mask` is false are
    not read and zero-filled.

    Example:
    ```mlir
    tile_gpu.copy_at %p[%o] mask(%m : tensor<256xi1, #l>) to %s unit 16
        : !tile.ptr<bf16>, tensor<256xi32, #l>, !tile_gpu.shared<64x32xbf16, swizzle = 64>
    ```
  }];
  let arguments = (ins Tile_PtrType:$base, 1DTensorOf<[I32, I64]>:$offsets, Optional<1DTensorOf<[I1]>>:$mask,
                       TileGPU_SharedType:$buffer, I64Attr:$unit);
  let assemblyFormat = [{
    $base `[` $offsets `]` (`mask` `(` $mask^ `:` type($mask) `)`)? `to` $buffer `unit` $unit attr-dict
    `:` qualified(type($base)) `,` type($offsets) `,` qualified(type($buffer))
  }];
  let hasVerifier = 1;
}

def TileGPU_CommitCopiesOp : TileGPU_Op<"commit_copies", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "commits the preceding copies as one group";
  let description = [{
    The group contains the copies started since the previous group. It may be empty; waiting for an empty group is a
    no-op.

    Example:
    ```mlir
    tile_gpu.commit_copies
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def TileGPU_WaitCopiesOp : TileGPU_Op<"wait_copies", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "waits for all but the most recent groups of copies";
  let description = [{
    The `count` most recent groups may still be in flight.

    Example:
    ```mlir
    tile_gpu.wait_copies 1
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$count);
  let assemblyFormat = "$count attr-dict";
}

#endif
