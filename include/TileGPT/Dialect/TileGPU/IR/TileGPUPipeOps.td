//===- TileGPUPipeOps.td - Roles, pipes and copies -----------------*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_TILEGPU_IR_TILEGPUPIPEOPS_TD
#define TILEGPT_DIALECT_TILEGPU_IR_TILEGPUPIPEOPS_TD

include "TileGPT/Dialect/TileGPU/IR/TileGPUOpBase.td"

defvar TileGPU_SyncEffects = MemoryEffects<[MemRead, MemWrite]>;

class TileGPU_CursorOf<string operand> : TypesMatchWith<
    "cursor of a ring with as many stages", operand, "cursor",
    "::tilegpt::tilegpu::CursorType::get($_self.getContext(), ::llvm::cast<::tilegpt::tilegpu::PipeType>($_self).getStages())">;

def TileGPU_RolesOp : TileGPU_Op<"roles", [NoTerminator, SingleBlock, RecursiveMemoryEffects]> {
  let summary = "specializes the warps of a block into a producer and consumers";
  let description = [{
    One thread of the warp group after the consumer threads executes `producer`; the consumer threads execute
    `consumer`. Values defined before the op are visible to both; after the op neither waits for the other.

    `registers` reallocates registers between the roles: the registers per thread of each role, both multiples of 8.

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
  let summary = "initializes the mbarriers of a ring buffer";
  let description = [{
    `barriers` has two words per stage: first all *full* barriers, then all *empty* ones. A phase of a full barrier
    expects one arrival, the producer's, and the bytes it announces; a phase of an empty barrier expects `readers`
    arrivals, one per warp, from every block of the pipe. The op precedes `tile_gpu.roles`.

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
  let summary = "a position in a ring buffer";
  let description = [{
    The position of copy number `position`, by default of the first copy.

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
  let summary = "the next position in a ring buffer";
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
  let summary = "the buffer of one stage of a ring buffer";
  let description = [{
    `ring` has an additional first axis with one entry per stage.

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
  let summary = "waits until a stage is free and announces the bytes to be copied";
  let description = [{
    Executed by the producer: waits until every reader has released the previous contents of the stage, then sets
    the expected byte count of the full barrier to `bytes`, the size of all copies to the stage.

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
    Executed by every consumer thread. A parity wait distinguishes only the current phase and the one before it, so
    consumers never differ by more than one round.

    Example:
    ```mlir
    tile_gpu.await %p[%c] : !tile_gpu.pipe<5>
    ```
  }];
  let arguments = (ins TileGPU_PipeType:$pipe, TileGPU_CursorType:$cursor);
  let assemblyFormat = "$pipe `[` $cursor `]` attr-dict `:` qualified(type($pipe))";
}

def TileGPU_ProbeOp : TileGPU_PipeStepOp<"probe"> {
  let summary = "tests whether the copies to a stage are complete";
  let description = [{
    Executed by every consumer thread, without blocking: while dots run, an iteration tests the stage of the next
    one, which then waits only if necessary. A thread that gets true may read the stage.

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
  let summary = "signals that this warp has read a stage";
  let description = [{
    Executed by every consumer warp, after its last read of the stage; the reads of a dot in flight are complete
    once `tile_gpu.limit_dots` or `tile_gpu.finish_dot` has waited for it.

    Example:
    ```mlir
    tile_gpu.release %p[%c] : !tile_gpu.pipe<5>
    ```
  }];
  let arguments = (ins TileGPU_PipeType:$pipe, TileGPU_CursorType:$cursor);
  let assemblyFormat = "$pipe `[` $cursor `]` attr-dict `:` qualified(type($pipe))";
}

def TileGPU_TensorMapOp : TileGPU_Op<"tensor_map", [Pure]> {
  let summary = "the TMA descriptor of a view";
  let description = [{
    `view` is a kernel argument whose last axis is contiguous and whose other strides are multiples of 16 bytes; the
    runtime encodes the descriptor from the words of the argument at every launch.

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

def TileGPU_ClaimMapsOp : TileGPU_Op<"claim_maps", [TileGPU_SyncEffects]> {
  let summary = "claims global memory for TMA descriptors";
  let description = [{
    Executed by the producer: claims memory for the descriptors that this block encodes itself, until
    `tile_gpu.release_maps`. The result numbers the claim; no other block on the device holds the same one.

    Example:
    ```mlir
    %slot = tile_gpu.claim_maps
    ```
  }];
  let results = (outs Index:$slot);
  let assemblyFormat = "attr-dict";
}

def TileGPU_MakeMapOp : TileGPU_Op<"make_map", [TileGPU_SyncEffects]> {
  let summary = "a TMA descriptor in claimed memory";
  let description = [{
    Executed by the producer: initializes what the type of descriptor `number` determines. Views follow by
    `tile_gpu.encode_map`.

    Example:
    ```mlir
    %m = tile_gpu.make_map %slot number 0 : !tile_gpu.tensor_map<128x64xbf16, swizzle = 128>
    ```
  }];
  let arguments = (ins Index:$slot, ConfinedAttr<I64Attr, [IntNonNegative]>:$number);
  let results = (outs TileGPU_TensorMapType:$result);
  let assemblyFormat = "$slot `number` $number attr-dict `:` qualified(type($result))";
}

def TileGPU_EncodeMapOp : TileGPU_Op<"encode_map", [TileGPU_SyncEffects]> {
  let summary = "encodes address, sizes and strides of a view in a TMA descriptor";
  let description = [{
    Executed by the producer, for a view whose address is known only to the kernel. No copy of the descriptor may be in
    flight (`tile_gpu.finish_copies`). The view meets the conditions of `tile_gpu.tensor_map`.

    Example:
    ```mlir
    tile_gpu.encode_map %m, %x : !tile_gpu.tensor_map<128x64xbf16, swizzle = 128>, !tile.view<?x?xbf16, strides=[?, 1]>
    ```
  }];
  let arguments = (ins TileGPU_TensorMapType:$map, Tile_ViewType:$view);
  let assemblyFormat = "$map `,` $view attr-dict `:` qualified(type($map)) `,` qualified(type($view))";
  let hasVerifier = 1;
}

def TileGPU_ReleaseMapsOp : TileGPU_Op<"release_maps", [TileGPU_SyncEffects]> {
  let summary = "returns the memory of TMA descriptors";
  let description = [{
    Executed by the producer, once no copy of the descriptors is in flight (`tile_gpu.finish_copies`).

    Example:
    ```mlir
    tile_gpu.release_maps %slot
    ```
  }];
  let arguments = (ins Index:$slot);
  let assemblyFormat = "$slot attr-dict";
}

def TileGPU_FinishCopiesOp : TileGPU_PipeStepOp<"finish_copies"> {
  let summary = "waits until all copies to a ring buffer are complete";
  let description = [{
    Executed by the producer: waits for its copies to all stages before `cursor`, but not for their readers.

    Example:
    ```mlir
    tile_gpu.finish_copies %p[%c] : !tile_gpu.pipe<5>
    ```
  }];
  let arguments = (ins TileGPU_PipeType:$pipe, TileGPU_CursorType:$cursor);
  let assemblyFormat = "$pipe `[` $cursor `]` attr-dict `:` qualified(type($pipe))";
}

def TileGPU_TmaLoadOp : TileGPU_Op<"tma_load", [TileGPU_SyncEffects, TileGPU_CursorOf<"pipe">]> {
  let summary = "starts a TMA copy from a view to a buffer";
  let description = [{
    Executed by the producer: copies the elements from `indices` on (in elements, one index per axis of the view) to
    `buffer`, in as many boxes as fill it, and counts their bytes on the full barrier of the stage `pipe[cursor]`.
    Out-of-bounds elements are zero-filled.

    With `multicast along`, all blocks of the cluster that are adjacent along this axis of the grid copy the same
    elements: each block issues an equal share of the boxes, which are written to the buffers of all blocks and
    counted on the barriers of all.

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
  let summary = "starts a TMA store of a tile through shared memory";
  let description = [{
    Executed by every consumer thread. `value` has the layout of a wgmma accumulator, possibly transposed. Each warp
    group writes its rows (its columns if transposed), 64 rows by 32, 64 or 128 bytes at a time (16, 32 or 64 rows by
    128 bytes), to its part of `buffer` and issues a TMA store of that box of the last two axes of the view, from
    `indices` on (in elements, one per axis). Where boxes do not divide the columns (the rows), the last box overlaps
    the one before it. Out-of-bounds
    elements are not written.

    `buffer` has an additional first axis with one entry for each box that a warp group may have in flight.

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
  let summary = "stores unaligned rows in 16-byte units";
  let description = [{
    Executed by every consumer thread. `value` has 32-bit or 16-bit elements and the layout of a wgmma accumulator;
    the last axis of `view` is contiguous. Each warp writes 8 rows, some columns at a time, to its part of `buffer`,
    with the same misalignment relative to 16 bytes as in global memory; its lanes then store full 16-byte units
    from there and the elements of the partial first and last units one by one. `indices` is the position of the
    tile in the view, in elements. Out-of-bounds elements are not written. `aligned` states that all rows of the
    view consist of full units.

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
  let summary = "waits until all tile_gpu.tma_store ops have read their buffers";
  let description = [{
    Executed by every consumer thread before it exits, as shared memory is deallocated with the block.

    Example:
    ```mlir
    tile_gpu.finish_stores
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def TileGPU_TeamOp : TileGPU_Op<"team", [Pure]> {
  let summary = "the team of this thread";
  let description = [{
    Executed by consumers: 0 ≤ `result` < `teams` of the plan.

    Example:
    ```mlir
    %t = tile_gpu.team
    ```
  }];
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
}

def TileGPU_InitTurnsOp : TileGPU_Op<"init_turns", [TileGPU_SyncEffects]> {
  let summary = "initializes the mbarriers by which two teams alternate";
  let description = [{
    `turns` has one word per team. The op precedes `tile_gpu.roles`.

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
    `number` counts the tiles of a block: team 0 has the even ones, team 1 the odd ones. Tile 0 needs no turn. A
    team must not wait for a stage before it has the turn: it could be more than one round ahead, where the parity
    is ambiguous.

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
  let summary = "passes the turn to the other team";
  let description = [{
    Executed by every thread of a team, once it has started the last dot of a tile.

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
  let summary = "the index of this block among the launched blocks";
  let description = [{
    0 ≤ `result` < `tile_gpu.num_workers`. In a persistent kernel a worker computes several blocks of the grid.

    Example:
    ```mlir
    %w = tile_gpu.worker
    ```
  }];
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
}

def TileGPU_NumWorkersOp : TileGPU_Op<"num_workers", [Pure]> {
  let summary = "the number of launched blocks";
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
  let summary = "fetches the next unassigned tile of the grid";
  let description = [{
    Executed by one thread of a block, once for each of its tiles. Every block begins with the tile of its own
    index; the first tile fetched is `num_workers`, and -1 means that no tile is left. A kernel has one counter in
    global memory, which is reset when every block has fetched for the last time; launches of the kernel must not
    overlap beyond `tile_gpu.await_launch`.

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
  let summary = "sends a number to the consumers";
  let description = [{
    Executed by the producer: waits until every reader has released the previous contents of the stage, then writes
    `value` to the word of the stage in `words`.

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
  let summary = "receives the number that the producer has sent";
  let description = [{
    Executed by every consumer thread: waits for the number of the stage, then releases the stage to the producer.

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
