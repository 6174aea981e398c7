//===- TileGPUPipeOps.td - Roles, pipes and their copies -----------*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_TILEGPU_IR_TILEGPUPIPEOPS_TD
#define TILEGPT_DIALECT_TILEGPU_IR_TILEGPUPIPEOPS_TD

include "TileGPT/Dialect/TileGPU/IR/TileGPUOpBase.td"

defvar TileGPU_SyncEffects = MemoryEffects<[MemRead, MemWrite]>;

class TileGPU_CursorOf<string operand> : TypesMatchWith<
    "cursor of a ring with as many stages", operand, "cursor",
    "::tilegpt::tilegpu::CursorType::get($_self.getContext(), ::llvm::cast<::tilegpt::tilegpu::PipeType>($_self).getStages())">;

def TileGPU_RolesOp : TileGPU_Op<"roles", [NoTerminator, SingleBlock, RecursiveMemoryEffects]> {
  let summary = "splits the threads of a block into a producer and consumers";
  let description = [{
    One thread of the warp group behind those that compute runs `producer`; the threads that compute run `consumer`.
    Whatever stands before the op is visible to both; behind it neither waits for the other.

    `registers` moves registers from the one to the others: how many a thread of each role has, both multiples of 8.

    Example:
    ```mlir
    tile_gpu.roles registers [24, 240] producer {
      tile_gpu.acquire %p[%c] bytes 16384 : !tile_gpu.pipe<5>
    } consumer {
      tile_gpu.await %p[%c] : !tile_gpu.pipe<5>
    }
    ```
  }];
  let arguments = (ins OptionalAttr<DenseI64ArrayAttr>:$registers);
  let regions = (region SizedRegion<1>:$producer, SizedRegion<1>:$consumer);
  let assemblyFormat = [{
    (`registers` $registers^)? `producer` $producer `consumer` $consumer attr-dict
  }];
  let hasVerifier = 1;
}

def TileGPU_PipeOp : TileGPU_Op<"pipe", [TileGPU_SyncEffects]> {
  let summary = "prepares the barriers of a ring of buffers";
  let description = [{
    `barriers` has two words a stage: first all *full* ones, then all *empty* ones. A phase of a full barrier takes one
    arrival, the producer's, and the bytes it announces; one of an empty barrier takes `readers` arrivals, a warp each, of
    every block of the pipe.
    Stands before `tile_gpu.roles`.

    Example:
    ```mlir
    %p = tile_gpu.pipe %barriers readers 8 : !tile_gpu.shared<10xi64> -> !tile_gpu.pipe<5>
    ```
  }];
  let arguments = (ins TileGPU_SharedType:$barriers, I64Attr:$readers);
  let results = (outs TileGPU_PipeType:$result);
  let assemblyFormat = "$barriers `readers` $readers attr-dict `:` qualified(type($barriers)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def TileGPU_CursorOp : TileGPU_Op<"cursor", [Pure]> {
  let summary = "a place in a ring";
  let description = [{
    The place of copy number `position`; of the first one without.

    Example:
    ```mlir
    %c = tile_gpu.cursor : !tile_gpu.cursor<5>
    ```
  }];
  let arguments = (ins Optional<Index>:$position);
  let results = (outs TileGPU_CursorType:$result);
  let assemblyFormat = "(`at` $position^)? attr-dict `:` qualified(type($result))";
}

def TileGPU_AdvanceOp : TileGPU_Op<"advance", [Pure, SameOperandsAndResultType]> {
  let summary = "the place behind a place in a ring";
  let description = [{
    Example:
    ```mlir
    %n = tile_gpu.advance %c : !tile_gpu.cursor<5>
    ```
  }];
  let arguments = (ins TileGPU_CursorType:$cursor);
  let results = (outs TileGPU_CursorType:$result);
  let assemblyFormat = "$cursor attr-dict `:` qualified(type($cursor))";
}

def TileGPU_SlotOp : TileGPU_Op<"slot", [Pure,
    TypesMatchWith<"cursor of a ring with as many stages", "ring", "cursor",
                   "::llvm::cast<::tilegpt::tilegpu::SharedType>($_self).getCursorType()">,
    TypesMatchWith<"result is a stage of the ring", "ring", "result",
                   "::llvm::cast<::tilegpt::tilegpu::SharedType>($_self).getStageType()">]> {
  let summary = "the buffer of one stage of a ring";
  let description = [{
    `ring` has an axis in front of those of the buffer, one entry a stage.

    Example:
    ```mlir
    %s = tile_gpu.slot %ring[%c] : !tile_gpu.shared<5x128x64xbf16, swizzle = 128>
    ```
  }];
  let arguments = (ins TileGPU_SharedType:$ring, TileGPU_CursorType:$cursor);
  let results = (outs TileGPU_SharedType:$result);
  let assemblyFormat = "$ring `[` $cursor `]` attr-dict `:` qualified(type($ring))";
}

class TileGPU_PipeStepOp<string mnemonic> : TileGPU_Op<mnemonic, [TileGPU_SyncEffects, TileGPU_CursorOf<"pipe">]>;

def TileGPU_AcquireOp : TileGPU_PipeStepOp<"acquire"> {
  let summary = "waits until a stage may be written, and announces what will be";
  let description = [{
    By the producer: waits until every reader has released what was in the stage the round before, then tells the
    stage's full barrier that copies of `bytes` in all will follow.

    Example:
    ```mlir
    tile_gpu.acquire %p[%c] bytes 32768 : !tile_gpu.pipe<5>
    ```
  }];
  let arguments = (ins TileGPU_PipeType:$pipe, TileGPU_CursorType:$cursor, ConfinedAttr<I64Attr, [IntPositive]>:$bytes);
  let assemblyFormat = "$pipe `[` $cursor `]` `bytes` $bytes attr-dict `:` qualified(type($pipe))";
}

def TileGPU_AwaitOp : TileGPU_PipeStepOp<"await"> {
  let summary = "waits until the copies to a stage are complete";
  let description = [{
    By every thread of a consumer. A wait is only right for the round in progress or the one before it, so a consumer
    is never more than one round away from the others.

    Example:
    ```mlir
    tile_gpu.await %p[%c] : !tile_gpu.pipe<5>
    ```
  }];
  let arguments = (ins TileGPU_PipeType:$pipe, TileGPU_CursorType:$cursor);
  let assemblyFormat = "$pipe `[` $cursor `]` attr-dict `:` qualified(type($pipe))";
}

def TileGPU_ProbeOp : TileGPU_PipeStepOp<"probe"> {
  let summary = "whether the copies to a stage are complete";
  let description = [{
    By every thread of a consumer, which does not wait: while dots run, an iteration asks for what the next one reads,
    and that one waits only if it has to. A thread that has been told so may read the stage.

    Example:
    ```mlir
    %complete = tile_gpu.probe %p[%c] : !tile_gpu.pipe<5>
    ```
  }];
  let arguments = (ins TileGPU_PipeType:$pipe, TileGPU_CursorType:$cursor);
  let results = (outs I1:$complete);
  let assemblyFormat = "$pipe `[` $cursor `]` attr-dict `:` qualified(type($pipe))";
}

def TileGPU_ReleaseOp : TileGPU_PipeStepOp<"release"> {
  let summary = "says that this warp has read a stage";
  let description = [{
    By every warp of a consumer, behind the last read of the stage; reads by a dot in flight are complete once
    `tile_gpu.limit_dots` or `tile_gpu.finish_dot` has waited for it.

    Example:
    ```mlir
    tile_gpu.release %p[%c] : !tile_gpu.pipe<5>
    ```
  }];
  let arguments = (ins TileGPU_PipeType:$pipe, TileGPU_CursorType:$cursor);
  let assemblyFormat = "$pipe `[` $cursor `]` attr-dict `:` qualified(type($pipe))";
}

def TileGPU_TensorMapOp : TileGPU_Op<"tensor_map", [Pure]> {
  let summary = "the descriptor by which the copy engine reaches a view";
  let description = [{
    `view` is an argument of the kernel whose last axis is dense and whose other strides are multiples of 16 bytes; the
    runtime makes the descriptor from the argument's words at every launch.

    Example:
    ```mlir
    %m = tile_gpu.tensor_map %x : !tile.view<?x768xbf16> -> !tile_gpu.tensor_map<128x64xbf16, swizzle = 128>
    ```
  }];
  let arguments = (ins Tile_ViewType:$view);
  let results = (outs TileGPU_TensorMapType:$result);
  let assemblyFormat = "$view attr-dict `:` qualified(type($view)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def TileGPU_TmaLoadOp : TileGPU_Op<"tma_load", [TileGPU_SyncEffects, TileGPU_CursorOf<"pipe">]> {
  let summary = "starts a copy from a view to a buffer, by the copy engine";
  let description = [{
    By the producer: copies the elements from `indices` on (in elements, one index an axis of the view) to `buffer`, as
    many boxes as fill it, and counts their bytes on the full barrier of the stage `pipe[cursor]`. Elements outside the
    view become zero.

    With `multicast along` all blocks of the cluster that lie side by side along that axis of the grid copy the same
    elements: each one starts as many of the boxes as the others, and they land in the buffers of all and count on the
    barriers of all.

    Example:
    ```mlir
    tile_gpu.tma_load %m[%row, %k] to %s on %p[%c]
        : !tile_gpu.tensor_map<128x64xbf16, swizzle = 128>, !tile_gpu.shared<128x64xbf16, swizzle = 128>,
          !tile_gpu.pipe<5>
    ```
  }];
  let arguments = (ins TileGPU_TensorMapType:$map, Variadic<Index>:$indices, TileGPU_SharedType:$buffer,
                       TileGPU_PipeType:$pipe, TileGPU_CursorType:$cursor,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative, IntMaxValue<1>]>>:$multicast);
  let assemblyFormat = [{
    $map `[` $indices `]` `to` $buffer `on` $pipe `[` $cursor `]` (`multicast` `along` $multicast^)? attr-dict
    `:` qualified(type($map)) `,` qualified(type($buffer)) `,` qualified(type($pipe))
  }];
  let hasVerifier = 1;
}

def TileGPU_TmaStoreOp : TileGPU_Op<"tma_store", [TileGPU_SyncEffects]> {
  let summary = "starts copies from registers to a view, by way of shared memory";
  let description = [{
    By every thread of the consumers. `value` has the layout of a wgmma accumulator, or of a transposed one. Each warp group brings
    its rows (its columns), 64 rows by 128 bytes at a time, to its part of `buffer` and has the copy engine write that box of the
    view's last two axes, from `indices` on (in elements, one an axis). Where boxes do not divide the columns (the rows) the last
    one overlaps the one before it. Elements outside the view are not written.

    `buffer` has an axis in front, one entry for each box that a warp group may have on its way.

    Example:
    ```mlir
    tile_gpu.tma_store %t, %m[%row, %col] through %b
        : tensor<128x192xbf16, #l>, !tile_gpu.tensor_map<64x64xbf16, swizzle = 128>,
          !tile_gpu.shared<1x128x64xbf16, swizzle = 128>
    ```
  }];
  let arguments = (ins Tile_Tile:$value, TileGPU_TensorMapType:$map, Variadic<Index>:$indices,
                       TileGPU_SharedType:$buffer);
  let assemblyFormat = [{
    $value `,` $map `[` $indices `]` `through` $buffer attr-dict
    `:` type($value) `,` qualified(type($map)) `,` qualified(type($buffer))
  }];
  let hasVerifier = 1;
}

def TileGPU_RowStoreOp : TileGPU_Op<"row_store", [TileGPU_SyncEffects]> {
  let summary = "stores rows by units of 16 bytes, wherever they begin";
  let description = [{
    By every thread of the consumers. `value` has elements of 32 or 16 bits and the layout of a wgmma accumulator; the last
    axis of `view` is dense. Each warp brings 8 rows, some columns at a time, to its part of `buffer`, every row as far
    behind a multiple of 16 bytes as it lies in memory, and its lanes write from there what fills units of 16 bytes in
    memory; the elements before and behind, less than a unit each, are written one by one. `indices` is the place of the
    tile in the view, in elements. Elements outside the view are not written. With `aligned` all rows of the view are
    whole units.

    `buffer` is warps × 8 rows × columns, padded by a unit or more.

    Example:
    ```mlir
    tile_gpu.row_store %t, %y[%row, %col] through %b
        : tensor<128x192xf32, #l>, !tile.view<?x50257xf32>, !tile_gpu.shared<8x8x192xf32, padding = 4>
    ```
  }];
  let arguments = (ins Tile_Tile:$value, Tile_ViewType:$view, Variadic<Index>:$indices, TileGPU_SharedType:$buffer,
                       UnitAttr:$aligned);
  let assemblyFormat = [{
    $value `,` $view `[` $indices `]` `through` $buffer (`aligned` $aligned^)? attr-dict
    `:` type($value) `,` type($view) `,` qualified(type($buffer))
  }];
  let hasVerifier = 1;
}

def TileGPU_FinishStoresOp : TileGPU_Op<"finish_stores", [TileGPU_SyncEffects]> {
  let summary = "waits until the copies of tile_gpu.tma_store have read their buffers";
  let description = [{
    By every thread of the consumers, before they end and their shared memory with them.

    Example:
    ```mlir
    tile_gpu.finish_stores
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def TileGPU_TeamOp : TileGPU_Op<"team", [Pure]> {
  let summary = "which team of its block this thread is in";
  let description = [{
    By consumers: 0 ≤ `result` < `teams` of the plan.

    Example:
    ```mlir
    %t = tile_gpu.team
    ```
  }];
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
}

def TileGPU_InitTurnsOp : TileGPU_Op<"init_turns", [TileGPU_SyncEffects]> {
  let summary = "prepares the barriers by which two teams take turns";
  let description = [{
    `turns` has a word for each team. Stands before `tile_gpu.roles`.

    Example:
    ```mlir
    tile_gpu.init_turns %turns : !tile_gpu.shared<2xi64>
    ```
  }];
  let arguments = (ins TileGPU_SharedType:$turns);
  let assemblyFormat = "$turns attr-dict `:` qualified(type($turns))";
  let hasVerifier = 1;
}

def TileGPU_TakeTurnOp : TileGPU_Op<"take_turn", [TileGPU_SyncEffects]> {
  let summary = "waits until the other team has passed the turn for a tile";
  let description = [{
    `number` counts the tiles of a block: even ones are team 0's, odd ones team 1's. Tile 0 needs no turn. Until it has
    the turn a team must not wait for a stage: it could be more than one round ahead, where a parity means nothing.

    Example:
    ```mlir
    tile_gpu.take_turn %turns[%number] : !tile_gpu.shared<2xi64>
    ```
  }];
  let arguments = (ins TileGPU_SharedType:$turns, Index:$number);
  let assemblyFormat = "$turns `[` $number `]` attr-dict `:` qualified(type($turns))";
  let hasVerifier = 1;
}

def TileGPU_PassTurnOp : TileGPU_Op<"pass_turn", [TileGPU_SyncEffects]> {
  let summary = "lets the other team multiply";
  let description = [{
    By every thread of a team, once it has started the last dot of a tile.

    Example:
    ```mlir
    tile_gpu.pass_turn %turns : !tile_gpu.shared<2xi64>
    ```
  }];
  let arguments = (ins TileGPU_SharedType:$turns);
  let assemblyFormat = "$turns attr-dict `:` qualified(type($turns))";
  let hasVerifier = 1;
}

def TileGPU_WorkerOp : TileGPU_Op<"worker", [Pure]> {
  let summary = "which of the launched blocks this is";
  let description = [{
    0 ≤ `result` < `tile_gpu.num_workers`. In a kernel whose blocks stay, a worker does many blocks of the grid.

    Example:
    ```mlir
    %w = tile_gpu.worker
    ```
  }];
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
}

def TileGPU_NumWorkersOp : TileGPU_Op<"num_workers", [Pure]> {
  let summary = "how many blocks were launched";
  let description = [{
    Example:
    ```mlir
    %n = tile_gpu.num_workers
    ```
  }];
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
}

def TileGPU_NextTileOp : TileGPU_Op<"next_tile", [TileGPU_SyncEffects]> {
  let summary = "the next tile of a grid that no block has";
  let description = [{
    By one thread of a block, once for each of its tiles. Every block begins with the tile of its own number; tile
    `num_workers` is the first to be drawn, and -1 means that there are no more. A kernel has one counter in global memory,
    which is at its start again when every block has drawn for the last time; its launches must not overlap beyond
    `tile_gpu.await_launch`.

    Example:
    ```mlir
    %t = tile_gpu.next_tile of %tiles
    ```
  }];
  let arguments = (ins Index:$tiles);
  let results = (outs Index:$result);
  let assemblyFormat = "`of` $tiles attr-dict";
}

def TileGPU_SendOp : TileGPU_PipeStepOp<"send"> {
  let summary = "hands a number to the consumers";
  let description = [{
    By the producer: waits until every reader has taken what was in the stage the round before, and writes `value` to its
    word of `words`.

    Example:
    ```mlir
    tile_gpu.send %t to %words on %p[%c] : !tile_gpu.shared<2xi32>, !tile_gpu.pipe<2>
    ```
  }];
  let arguments = (ins Index:$value, TileGPU_SharedType:$words, TileGPU_PipeType:$pipe, TileGPU_CursorType:$cursor);
  let assemblyFormat = [{
    $value `to` $words `on` $pipe `[` $cursor `]` attr-dict `:` qualified(type($words)) `,` qualified(type($pipe))
  }];
  let hasVerifier = 1;
}

def TileGPU_ReceiveOp : TileGPU_PipeStepOp<"receive"> {
  let summary = "the number that the producer has sent";
  let description = [{
    By every thread of a consumer: waits until the stage's number is there, and lets the producer write the next one.

    Example:
    ```mlir
    %t = tile_gpu.receive %words on %p[%c] : !tile_gpu.shared<2xi32>, !tile_gpu.pipe<2>
    ```
  }];
  let arguments = (ins TileGPU_SharedType:$words, TileGPU_PipeType:$pipe, TileGPU_CursorType:$cursor);
  let results = (outs Index:$result);
  let assemblyFormat = [{
    $words `on` $pipe `[` $cursor `]` attr-dict `:` qualified(type($words)) `,` qualified(type($pipe))
  }];
  let hasVerifier = 1;
}

#endif
