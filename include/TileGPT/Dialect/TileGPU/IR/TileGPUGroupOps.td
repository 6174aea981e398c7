//===- TileGPUGroupOps.td - Ops of warps and warp groups ---------------*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_TILEGPU_IR_TILEGPUGROUPOPS_TD
#define TILEGPT_DIALECT_TILEGPU_IR_TILEGPUGROUPOPS_TD

include "TileGPT/Dialect/TileGPU/IR/TileGPUOpBase.td"

def TileGPU_ClearRowsOp : TileGPU_Op<"clear_rows", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "fills the last rows of a buffer with zeros";
  let description = [{
    Fills rows `from` and up of `buffer`, which is swizzled. Every warp group executes the op independently: the
    dots it starts afterwards read zeros there. A TMA copy of a window also fetches elements past the end of the
    window; the op replaces them by the zeros that a load of the window would return.

    Example:
    ```mlir
    tile_gpu.clear_rows %s from %r : !tile_gpu.shared<128x64xbf16, swizzle = 128>
    ```
  }];
  let arguments = (ins TileGPU_SharedType:$buffer, Index:$from);
  let assemblyFormat = "$buffer `from` $from attr-dict `:` qualified(type($buffer))";
  let hasVerifier = 1;
}

def TileGPU_ClearColumnsOp : TileGPU_Op<"clear_columns", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "zero-fills the columns past a tile";
  let description = [{
    `buffer` is swizzled and holds a tile of `from` columns. The op zero-fills the columns past them that a matrix
    instruction reads, up to the next multiple of 32 bytes. Every warp group executes it independently, like
    `tile_gpu.clear_rows`.

    Example:
    ```mlir
    tile_gpu.clear_columns %s from 72 : !tile_gpu.shared<128x128xbf16, swizzle = 128>
    ```
  }];
  let arguments = (ins TileGPU_SharedType:$buffer, I64Attr:$from);
  let assemblyFormat = "$buffer `from` $from attr-dict `:` qualified(type($buffer))";
  let hasVerifier = 1;
}

def TileGPU_PublishOp : TileGPU_Op<"publish", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "makes shared memory writes visible to dots";
  let description = [{
    Every warp group executes it independently, after `tile_gpu.write` of rows that no other warp group multiplies.
    With `to_all`, all consumer threads execute it, for the dots of all their warp groups.

    Example:
    ```mlir
    tile_gpu.publish to_all
    ```
  }];
  let arguments = (ins UnitAttr:$to_all);
  let assemblyFormat = "(`to_all` $to_all^)? attr-dict";
}

def TileGPU_AnyOp : TileGPU_Op<"any", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "tests whether a condition holds for any element of a tile that a warp holds";
  let description = [{
    The result is uniform in a warp but may differ between warps: code that depends on it must not synchronize with
    other warps. Padding elements count like any other.

    Example:
    ```mlir
    %a = tile_gpu.any %c : tensor<64x1xi1, #l>
    ```
  }];
  let arguments = (ins Tile_Tile:$condition);
  let results = (outs I1:$result);
  let assemblyFormat = "$condition attr-dict `:` type($condition)";
  let hasVerifier = 1;
}

def TileGPU_MatchRangeOp : TileGPU_Op<"match_range", [MemoryEffects<[MemRead]>]> {
  let summary = "finds the range of keys whose numbers may equal a row's";
  let description = [{
    Scans keys `from` … `to` - 1 for numbers between the smallest and the largest number of rows `first_row` …
    `end_row` - 1. `first` is the position of the first such key, `end` the position after the last one; both are `from` if
    there is none. Keys in between may have any number. Rows past the end of their view read as zero, as loads pad them;
    keys past the end of theirs always match.

    Executed by each warp independently, with all lanes active; the results are uniform.

    Example:
    ```mlir
    %f, %e = tile_gpu.match_range %ids[%from, %to] with %ids[%r0, %r1] : !tile.view<?xi32>, !tile.view<?xi32>
    ```
  }];
  let arguments = (ins Tile_ViewType:$keys, Index:$from, Index:$to, Tile_ViewType:$rows, Index:$first_row, Index:$end_row);
  let results = (outs Index:$first, Index:$end);
  let assemblyFormat = [{
    $keys `[` $from `,` $to `]` `with` $rows `[` $first_row `,` $end_row `]` attr-dict `:` qualified(type($keys)) `,`
    qualified(type($rows))
  }];
  let hasVerifier = 1;
}

def TileGPU_OpenGroupTurnsOp : TileGPU_Op<"open_group_turns", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "gives the first warp group its first turn";
  let description = [{
    Executed once by all consumer threads, before any turn is taken.

    Example:
    ```mlir
    tile_gpu.open_group_turns
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def TileGPU_TakeGroupTurnOp : TileGPU_Op<"take_group_turn", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "waits until the preceding warp group has passed its turn";
  let description = [{
    Warp groups that share a tile start their dots in round-robin order, so that one multiplies while the others
    process their results. Every group takes and passes the same number of turns.

    Example:
    ```mlir
    tile_gpu.take_group_turn
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def TileGPU_PassGroupTurnOp : TileGPU_Op<"pass_group_turn", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "lets the next warp group start its dots";
  let description = [{
    Example:
    ```mlir
    tile_gpu.pass_group_turn
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def TileGPU_GroupOp : TileGPU_Op<"group", [Pure]> {
  let summary = "the index of this thread's warp group among those that share a tile";
  let description = [{
    Executed by consumer threads: warp group `result` holds rows 64 · `result` and up of a tile with 64 rows per
    group.

    Example:
    ```mlir
    %g = tile_gpu.group
    ```
  }];
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
}

def TileGPU_LimitIterationsOp : TileGPU_Op<"limit_iterations", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "the iteration from which a warp group has no work left";
  let description = [{
    In a loop: iterations with the number `iterations` or higher do not change the rows of this warp group, which
    may skip them. The first iteration is never skipped.

    Example:
    ```mlir
    tile_gpu.limit_iterations %n
    ```
  }];
  let arguments = (ins Index:$iterations);
  let assemblyFormat = "$iterations attr-dict";
}

#endif
