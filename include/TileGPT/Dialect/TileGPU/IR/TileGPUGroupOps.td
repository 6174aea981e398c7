//===- TileGPUGroupOps.td - What warps and warp groups do on their own -*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_TILEGPU_IR_TILEGPUGROUPOPS_TD
#define TILEGPT_DIALECT_TILEGPU_IR_TILEGPUGROUPOPS_TD

include "TileGPT/Dialect/TileGPU/IR/TileGPUOpBase.td"

def TileGPU_ClearRowsOp : TileGPU_Op<"clear_rows", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "fills the last rows of a buffer with zeros";
  let description = [{
    Rows `from` and up of `buffer`, which has a swizzle. By every warp group on its own, for itself: dots it starts
    behind the op read zeros there. What the copy engine brings from behind the end of a window becomes what a load of
    the window reads.

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
  let summary = "fills the columns behind those of a tile with zeros";
  let description = [{
    Of `buffer`, which has a swizzle and holds a tile of `from` columns: what a matrix instruction reads behind them, up
    to the next multiple of 32 bytes. By every warp group on its own, for itself, like `tile_gpu.clear_rows`.

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
  let summary = "lets dots read what threads have written to shared memory";
  let description = [{
    By every warp group on its own, for itself: behind `tile_gpu.write` of rows that no other warp group multiplies. With
    `to_all` by all threads that compute, for the dots of all their warp groups.

    Example:
    ```mlir
    tile_gpu.publish to_all
    ```
  }];
  let arguments = (ins UnitAttr:$to_all);
  let assemblyFormat = "(`to_all` $to_all^)? attr-dict";
}

def TileGPU_AnyOp : TileGPU_Op<"any", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "whether a condition holds anywhere in what a warp has of a tile";
  let description = [{
    The same for all threads of a warp, but each warp has its own answer: what depends on it must not need other warps.
    The condition of padding counts like any other.

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
    Once, by all threads that compute, before any turn is taken.

    Example:
    ```mlir
    tile_gpu.open_group_turns
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def TileGPU_TakeGroupTurnOp : TileGPU_Op<"take_group_turn", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "waits until the warp group before has passed its turn";
  let description = [{
    Warp groups that share a tile start their dots in a ring, so that one multiplies while others work on what it has
    made. Each group takes and passes as many turns as the others.

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
  let summary = "which of the warp groups that share a tile this thread is in";
  let description = [{
    By threads that compute: warp group `result` has rows 64 · `result` and up of a tile of 64 rows a group.

    Example:
    ```mlir
    %g = tile_gpu.group
    ```
  }];
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
}

def TileGPU_LimitIterationsOp : TileGPU_Op<"limit_iterations", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "says from which iteration on a warp group has nothing to do";
  let description = [{
    In a loop: iterations whose number is `iterations` or more change nothing for the rows of this warp group, which may leave them
    out. The first iteration of a loop is never left out.

    Example:
    ```mlir
    tile_gpu.limit_iterations %n
    ```
  }];
  let arguments = (ins Index:$iterations);
  let assemblyFormat = "$iterations attr-dict";
}

#endif
