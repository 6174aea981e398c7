//===- TileGPUPartsOps.td - Work split between blocks --------------*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_TILEGPU_IR_TILEGPUPARTSOPS_TD
#define TILEGPT_DIALECT_TILEGPU_IR_TILEGPUPARTSOPS_TD

include "TileGPT/Dialect/TileGPU/IR/TileGPUOpBase.td"

def TileGPU_ClusterRankOp : TileGPU_Op<"cluster_rank", [Pure]> {
  let summary = "the rank of this block in its cluster";
  let description = [{
    0 ≤ `result` < blocks of a cluster. With `along`, the rank among the blocks that are adjacent along an axis of
    the grid (`multicast` of the plan).

    Example:
    ```mlir
    %r = tile_gpu.cluster_rank
    %row = tile_gpu.cluster_rank along 0
    ```
  }];
  let arguments = (ins OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative, IntMaxValue<1>]>>:$along);
  let results = (outs Index:$result);
  let assemblyFormat = "(`along` $along^)? attr-dict";
  let builders = [SeparateParamBuilder<results, arguments, regions, traits>,
                  OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::IntegerAttr()); }]>];
}

def TileGPU_InitMailboxOp : TileGPU_Op<"init_mailbox", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "initializes a buffer that receives data from other blocks of the cluster";
  let description = [{
    `mailbox` begins with an mbarrier and a spare word; the values follow, and the mbarrier counts all of their
    bytes. The op precedes `tile_gpu.roles`, in kernels whose plan has parts.

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
  let summary = "reduce-scatters a tile over the blocks of a cluster";
  let description = [{
    Each of the P blocks of a cluster holds an M × P·N tile `value`; block `part` receives columns `part`·N to
    `part`·N + N of the sum. Each thread sends values directly from its registers to the corresponding thread of
    another block (`st.async`), which adds them in a fixed order: the result is bitwise reproducible.

    Both tiles have the layout of a wgmma accumulator. `mailbox` receives the values and is used once;
    `--tile-gpu-specialize-roles` adds it.

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
    /// The number of blocks P.
    int64_t getParts();
    /// The type of a mailbox for this op.
    SharedType getMailboxType();
  }];
}

def TileGPU_WritePartOp : TileGPU_Op<"write_part", [MemoryEffects<[MemWrite]>]> {
  let summary = "writes a tile to a buffer in every block of a cluster";
  let description = [{
    `value`, M × N, becomes rows `part`·M and up of `buffer`, P·M × N, in each of the P blocks. All blocks must have
    started (`tile_gpu.await_cluster`); the data of the other blocks is visible after the next cluster barrier.

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
  let summary = "all-gathers one number of every block of a cluster";
  let description = [{
    Element r of `result`, P × 1, is `value`, 1 × 1, of block r of the P blocks of a cluster; `part` is the rank of
    this block. One thread per destination block sends the value (`st.async`), so a block waits only for the
    mbarrier of its `mailbox`, which receives P 64-bit words and is used once. All blocks must have started
    (`tile_gpu.await_cluster`).

    Every thread holds all of `value` and all of `result`.

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
    /// The type of a mailbox for `parts` blocks.
    static SharedType getMailboxType(::mlir::MLIRContext *context, int64_t parts);
  }];
}

def TileGPU_ArriveClusterOp : TileGPU_Op<"arrive_cluster", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "signals the arrival of this thread at a cluster barrier";
  let description = [{
    Followed by `tile_gpu.await_cluster`, after which the writes of all threads before their arrival are visible.
    With `relaxed`, only the arrival and the initialized mbarriers (`tile_gpu.init_mailbox`) are visible; no thread
    waits for memory.

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
    They arrive at the preceding `tile_gpu.arrive_cluster`.

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
    A dense view of static shape on memory owned by the kernel, the same in every block and launch; `number`
    distinguishes the workspaces of one kernel. The contents are undefined when a launch begins, and launches of one
    kernel must not overlap beyond `tile_gpu.await_launch`.

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
  let summary = "determines the last block of a group to arrive";
  let description = [{
    Executed once by each of the `parts` blocks of group `group`, of `groups` in a launch. True in the block that
    arrives last, which then sees all writes of the group to `workspaces` before their arrival. The other blocks
    need not wait. The arrival counters of the groups, in global memory, are reset when the last block has arrived.

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
  let summary = "writes the partial sums of a block to a workspace";
  let description = [{
    Writes the registers of `value`, the result of a dot, to entry `place` of `workspace`, [parts, elements], in the
    order in which the threads hold them: 16 bytes per thread at a time, coalesced across threads.
    `tile_gpu.sum_share` reads them.

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
  let summary = "waits until all blocks of a group have arrived";
  let description = [{
    A barrier of the `parts` blocks of group `group`, of `groups` in a launch; `part` is the rank of this block in
    the group. After the barrier each block sees all writes of the group to `workspaces` before it. To avoid
    deadlock, either all blocks of a group are resident at the same time, or persistent blocks walk the grid group
    by group (`raster` of the plan), so that all blocks of the first incomplete group are running.

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

def TileGPU_BeginExchangeOp : TileGPU_Op<"begin_exchange", [MemoryEffects<[MemRead]>]> {
  let summary = "the mark of what blocks exchange in this launch";
  let description = [{
    Every launch has another mark than the one before; those of the P blocks of group `group` are equal. `part` is the
    rank of this block in the group.

    `workspace`, [exchanges, groups, words], has a word of 64 bits for every 32 bits of a number that a block of a group
    sends in an exchange: the bits, and the mark above them. The mark is one more than that of the block's own word,
    which the previous launch has written.

    Example:
    ```mlir
    %m = tile_gpu.begin_exchange of %g part %p in %w : !tile.view<2x19x32xi64>
    ```
  }];
  let arguments = (ins Index:$group, Index:$part, Tile_ViewType:$workspace);
  let results = (outs I32:$mark);
  let assemblyFormat = "`of` $group `part` $part `in` $workspace attr-dict `:` qualified(type($workspace))";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The type of a workspace for this many exchanges of groups of `parts` blocks.
    static tile::ViewType getWorkspaceType(::mlir::MLIRContext *context, int64_t exchanges, int64_t groups, int64_t parts);
  }];
}

def TileGPU_GatherBlocksOp : TileGPU_Op<"gather_blocks", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "all-gathers one number of every block of a group through global memory";
  let description = [{
    Element r of `result`, P × 1, is `value`, 1 × 1, of block r of the P blocks of group `group`; `part` is the rank of
    this block. A block writes its number with the mark of the launch (`tile_gpu.begin_exchange`) to its words of
    exchange `exchange` in `workspace`, and reads those of all blocks until they have the mark: numbers and marks arrive
    together, so nothing is fenced and nothing counts arrivals. All blocks of a group must be resident at the same time.
    Each exchange is executed once in a launch; its `buffer` distributes the numbers to the threads.

    Every thread holds `value`; the lanes of each warp hold the elements of `result`.

    Example:
    ```mlir
    %all = tile_gpu.gather_blocks %own of %g part %p mark %m exchange 1 in %w through %b
        : tensor<1x1xf32, #own>, !tile.view<2x19x32xi64>, !tile_gpu.shared<13xi64> -> tensor<13x1xf32, #all>
    ```
  }];
  let arguments = (ins Tile_Tile:$value, Index:$group, Index:$part, I32:$mark,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$exchange, Tile_ViewType:$workspace,
                       TileGPU_SharedType:$buffer);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $value `of` $group `part` $part `mark` $mark `exchange` $exchange `in` $workspace `through` $buffer attr-dict `:`
    type($value) `,` qualified(type($workspace)) `,` qualified(type($buffer)) `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The layout of the result: an element in each lane, or several if there are more than lanes.
    static LayoutAttr getResultLayout(::mlir::MLIRContext *context, int64_t parts, int64_t warps);
  }];
}

def TileGPU_SumShareOp : TileGPU_Op<"sum_share", [MemoryEffects<[MemRead]>]> {
  let summary = "sums a range of columns over the partial sums of a group";
  let description = [{
    Columns `share`·N to `share`·N + N of the sum of entries `first` … `first` + `parts` - 1 of `workspace`, where N
    is the number of columns of the result. The order of the additions is the same in every block. The entries were
    written by `tile_gpu.put_part` of tiles with the same number of rows and are complete after
    `tile_gpu.await_blocks`. The result has the layout of a wgmma accumulator.

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
