//===- TileGPUPartsOps.td - Work that blocks share out -------------*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_TILEGPU_IR_TILEGPUPARTSOPS_TD
#define TILEGPT_DIALECT_TILEGPU_IR_TILEGPUPARTSOPS_TD

include "TileGPT/Dialect/TileGPU/IR/TileGPUOpBase.td"

def TileGPU_ClusterRankOp : TileGPU_Op<"cluster_rank", [Pure]> {
  let summary = "which block of its cluster this is";
  let description = [{
    0 ≤ `result` < blocks of a cluster; with `along` its place among those that lie side by side along an axis of the grid
    (`multicast` of the plan).

    Example:
    ```mlir
    %r = tile_gpu.cluster_rank
    %row = tile_gpu.cluster_rank along 0
    ```
  }];
  let arguments = (ins OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative, IntMaxValue<1>]>>:$along);
  let results = (outs Index:$result);
  let assemblyFormat = "(`along` $along^)? attr-dict";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, $_builder.getIndexType(), ::mlir::IntegerAttr()); }]>];
}

def TileGPU_InitMailboxOp : TileGPU_Op<"init_mailbox", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "prepares a buffer for what other blocks of the cluster send";
  let description = [{
    `mailbox` begins with a barrier and a spare word; the values follow, and the barrier waits for all of their bytes.
    Stands before `tile_gpu.roles`, in kernels whose plan has parts.

    Example:
    ```mlir
    tile_gpu.init_mailbox %m : !tile_gpu.shared<514xi64>
    ```
  }];
  let arguments = (ins TileGPU_SharedType:$mailbox);
  let assemblyFormat = "$mailbox attr-dict `:` qualified(type($mailbox))";
  let hasVerifier = 1;
}

def TileGPU_SumPartsOp : TileGPU_Op<"sum_parts", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "sums up a tile over the blocks of a cluster and leaves each its share";
  let description = [{
    Each of the P blocks of a cluster has an M × P·N tile `value`; block `part` gets columns `part`·N to `part`·N + N of
    their sum. Values go straight from the registers of a thread to its twin in another block (`st.async`), which adds
    what arrives in a fixed order: the result is the same to the bit every time.

    Both tiles have the layout of a wgmma accumulator. `mailbox` takes what arrives, once; `--tile-gpu-specialize-roles`
    adds it.

    Example:
    ```mlir
    %s = tile_gpu.sum_parts %t part %p through %m : !tile_gpu.shared<514xi64>
        : tensor<64x32xf32, #wide> -> tensor<64x16xf32, #share>
    ```
  }];
  let arguments = (ins Tile_Tile:$value, Index:$part, Optional<TileGPU_SharedType>:$mailbox);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $value `part` $part (`through` $mailbox^ `:` qualified(type($mailbox)))? attr-dict `:` type($value) `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// P.
    int64_t getParts();
    /// What a mailbox for this op is.
    SharedType getMailboxType();
  }];
}

def TileGPU_WritePartOp : TileGPU_Op<"write_part", [MemoryEffects<[MemWrite]>]> {
  let summary = "writes a tile to a buffer in every block of a cluster";
  let description = [{
    `value`, M × N, becomes rows `part`·M and up of `buffer`, P·M × N, in each of the P blocks. All of them must have
    started (`tile_gpu.await_cluster`), and what others wrote is there once all have met again.

    Example:
    ```mlir
    tile_gpu.write_part %t, %b[%part] : tensor<8x64xf32, #l>, !tile_gpu.shared<32x64xf32>
    ```
  }];
  let arguments = (ins Tile_Tile:$value, TileGPU_SharedType:$buffer, Index:$part);
  let assemblyFormat = "$value `,` $buffer `[` $part `]` attr-dict `:` type($value) `,` qualified(type($buffer))";
  let hasVerifier = 1;
}

def TileGPU_GatherPartsOp : TileGPU_Op<"gather_parts", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "hands a number of every block of a cluster to all of them";
  let description = [{
    Element r of `result`, P × 1, is `value`, 1 × 1, of block r of the P blocks of a cluster; `part` says which this one is.
    A thread for each block sends it (`st.async`), so no block waits for other memory than the barrier of its `mailbox`,
    which takes P words of 64 bits, once. All blocks must have started (`tile_gpu.await_cluster`).

    Every thread has all of `value` and all of `result`.

    Example:
    ```mlir
    %all = tile_gpu.gather_parts %own part %p through %m : !tile_gpu.shared<10xi64>
        : tensor<1x1xf32, #own> -> tensor<8x1xf32, #all>
    ```
  }];
  let arguments = (ins Tile_Tile:$value, Index:$part, TileGPU_SharedType:$mailbox);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $value `part` $part `through` $mailbox `:` qualified(type($mailbox)) attr-dict `:` type($value) `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// What a mailbox for so many blocks is.
    static SharedType getMailboxType(::mlir::MLIRContext *context, int64_t parts);
  }];
}

def TileGPU_ArriveClusterOp : TileGPU_Op<"arrive_cluster", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "tells the blocks of the cluster that this thread has come here";
  let description = [{
    Followed by `tile_gpu.await_cluster`, which sees what all threads wrote before they came here. With `relaxed` it sees no
    more than that they did, and the barriers they have prepared (`tile_gpu.init_mailbox`): nobody waits for memory.

    Example:
    ```mlir
    tile_gpu.arrive_cluster
    tile_gpu.arrive_cluster relaxed
    ```
  }];
  let arguments = (ins UnitAttr:$relaxed);
  let assemblyFormat = "(`relaxed` $relaxed^)? attr-dict";
}

def TileGPU_AwaitClusterOp : TileGPU_Op<"await_cluster", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "waits until all threads of the cluster have arrived";
  let description = [{
    At the `tile_gpu.arrive_cluster` in front of it.

    Example:
    ```mlir
    tile_gpu.await_cluster
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def TileGPU_WorkspaceOp : TileGPU_Op<"workspace", [Pure]> {
  let summary = "global memory that the blocks of a kernel share";
  let description = [{
    A dense view of static sizes on memory of the kernel's own, the same in every block and launch; `number` tells those of
    one kernel apart. What it holds when a launch begins is undefined, and launches of one kernel must not overlap beyond
    `tile_gpu.await_launch`.

    Example:
    ```mlir
    %w = tile_gpu.workspace 0 : !tile.view<24x128xf32>
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$number);
  let results = (outs Tile_ViewType:$result);
  let assemblyFormat = "$number attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

def TileGPU_MeetBlocksOp : TileGPU_Op<"meet_blocks", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "which block of a group comes last";
  let description = [{
    Once by each of the `parts` blocks of group `group`, of `groups` in a launch: true in the block that comes last, which then sees
    what all of them wrote to `workspaces` before they came. The others need not wait for it. The counters of the groups, in
    global memory, are at their start again when the last block has come.

    Example:
    ```mlir
    %last = tile_gpu.meet_blocks %g of 3 parts 8 with %w : !tile.view<24x128xf32>
    ```
  }];
  let arguments = (ins Index:$group, ConfinedAttr<I64Attr, [IntPositive]>:$groups, ConfinedAttr<I64Attr, [IntPositive]>:$parts,
                       Variadic<Tile_ViewType>:$workspaces);
  let results = (outs I1:$result);
  let assemblyFormat = [{
    $group `of` $groups `parts` $parts `with` $workspaces attr-dict `:` qualified(type($workspaces))
  }];
}

def TileGPU_PutPartOp : TileGPU_Op<"put_part", [MemoryEffects<[MemWrite]>]> {
  let summary = "writes the sums of a block to memory that its group shares";
  let description = [{
    Entry `place` of `workspace`, [parts, elements], takes the registers of `value`, the result of a dot, as the threads
    have them: 16 bytes each at a time, neighbours from neighbouring threads. `tile_gpu.sum_share` reads them.

    Example:
    ```mlir
    tile_gpu.put_part %t, %w[%p] : tensor<128x64xf32, #l>, !tile.view<24x8192xf32>
    ```
  }];
  let arguments = (ins Tile_Tile:$value, Tile_ViewType:$workspace, Index:$place);
  let assemblyFormat = "$value `,` $workspace `[` $place `]` attr-dict `:` type($value) `,` qualified(type($workspace))";
  let hasVerifier = 1;
}

def TileGPU_AwaitBlocksOp : TileGPU_Op<"await_blocks", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "waits until all blocks of a group have come";
  let description = [{
    A barrier of the `parts` blocks of group `group`, of `groups` in a launch; `part` says which of them this one is. Behind it
    each sees what all of them wrote to `workspaces` in front of it. Blocks wait for others of the grid: either all of a group
    run at a time, or blocks that stay walk the grid group by group (`raster` of the plan), so that those of the first group
    which is not complete are all at work.

    Example:
    ```mlir
    tile_gpu.await_blocks %g of 3 part %p of 8 with %w : !tile.view<24x128xf32>
    ```
  }];
  let arguments = (ins Index:$group, ConfinedAttr<I64Attr, [IntPositive]>:$groups, Index:$part,
                       ConfinedAttr<I64Attr, [IntPositive]>:$parts, Variadic<Tile_ViewType>:$workspaces);
  let assemblyFormat = [{
    $group `of` $groups `part` $part `of` $parts `with` $workspaces attr-dict `:` qualified(type($workspaces))
  }];
}

def TileGPU_SumShareOp : TileGPU_Op<"sum_share", [MemoryEffects<[MemRead]>]> {
  let summary = "adds up a range of columns of what the blocks of a group have put down";
  let description = [{
    Columns `share`·N to `share`·N + N of the sum of entries `first` … `first` + `parts` - 1 of `workspace`, added up in this
    order whichever block asks, where N are the columns of the result. `tile_gpu.put_part` of tiles with as many rows has
    written the entries; all of them are there behind `tile_gpu.await_blocks`. The result has the layout of a wgmma
    accumulator.

    Example:
    ```mlir
    %s = tile_gpu.sum_share %p of %w[%first] parts 3 : !tile.view<24x8192xf32> -> tensor<128x16xf32, #l>
    ```
  }];
  let arguments = (ins Index:$share, Tile_ViewType:$workspace, Index:$first, ConfinedAttr<I64Attr, [IntPositive]>:$parts);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $share `of` $workspace `[` $first `]` `parts` $parts attr-dict `:` qualified(type($workspace)) `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif
