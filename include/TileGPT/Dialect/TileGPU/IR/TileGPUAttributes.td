//===- TileGPUAttributes.td - Layouts and plans --------------------*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_TILEGPU_IR_TILEGPUATTRIBUTES_TD
#define TILEGPT_DIALECT_TILEGPU_IR_TILEGPUATTRIBUTES_TD

include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/TensorEncoding.td"

class TileGPU_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<TileGPU_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
  let genMnemonicAlias = 1;
}

def TileGPU_LayoutAttr : TileGPU_Attr<"Layout", "layout", [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "the mapping of the elements of a tile to registers and threads";
  let description = [{
    A tile of rank r is distributed over three hardware axes: the registers of a thread, the 32 lanes of a warp and
    the warps of a block. The index along each is decomposed into mixed-radix digits, the first mode fastest. A mode
    `d1:8*4` is a digit from 0 to 7 with stride 4 along axis 1 of the tile; a mode `rep:4` is a replicated digit:
    threads that differ only in it hold the same elements. The coordinate of an element is the sum over all modes.

    Extents need not divide the tile: an element outside the tile is *padding*, a register with an unspecified
    value. Every element of the tile is held by exactly one set of digits: only threads that differ in `rep` digits
    hold copies.

    Example: 16 × 96 elements of f32 on four warps; a thread holds 3 groups of 4 contiguous elements of its row.
    ```mlir
    #l = #tile_gpu.layout<registers = [d1:4*1, d1:3*32], lanes = [d1:8*4, d0:4*1], warps = [d0:4*4]>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"LayoutMode", "digits of the register index">:$registers,
    ArrayRefParameter<"LayoutMode", "digits of the lane">:$lanes,
    ArrayRefParameter<"LayoutMode", "digits of the warp">:$warps);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The layout without modes of extent 1 and with adjacent modes merged where they are contiguous.
    static LayoutAttr getCanonical(::mlir::MLIRContext *context, ::llvm::ArrayRef<LayoutMode> registers,
                                   ::llvm::ArrayRef<LayoutMode> lanes, ::llvm::ArrayRef<LayoutMode> warps);
    /// A blocked layout: the lanes of a warp are assigned along the last axis first, `vector` contiguous elements each;
    /// warps are assigned along the first axes first.
    static LayoutAttr getBlocked(::mlir::MLIRContext *context, ::llvm::ArrayRef<int64_t> shape, int64_t vector,
                                 int64_t numWarps);
    /// The layout of a tensor type, or null.
    static LayoutAttr of(::mlir::Type type);

    int64_t getNumRegisters() const;
    int64_t getNumWarps() const;
    /// The contribution of register `reg` to the coordinates of a tile of this rank.
    ::llvm::SmallVector<int64_t> getRegisterOffset(int64_t reg, int64_t rank) const;
    /// The contribution of lane `lane` of warp `warp` to the coordinates of all its registers.
    ::llvm::SmallVector<int64_t> getThreadOffset(int64_t lane, int64_t warp, int64_t rank) const;
    /// One more than the largest coordinate along an axis, padding included.
    int64_t getCoveredSize(int64_t axis) const;
    /// The number of consecutive registers, aligned to this number, that hold contiguous elements along `axis`.
    int64_t getVectorSize(int64_t axis) const;
    /// For each register of `wanted`, the register of this layout in which the same thread holds the same element of a
    /// tile of this shape, -1 for padding; std::nullopt if elements have to move between threads.
    std::optional<::llvm::SmallVector<int64_t>> findRegisters(LayoutAttr wanted, ::llvm::ArrayRef<int64_t> shape) const;

    /// The layout after reducing an axis to size 1: the threads along it hold copies. The axis is kept.
    LayoutAttr collapseAxis(int64_t axis) const;
    /// The layout of the tile without an axis of size 1.
    LayoutAttr dropAxis(int64_t axis) const;
    /// The layout of the tile with a new axis of size 1.
    LayoutAttr insertAxis(int64_t axis) const;
    /// The layout of the tile whose axis i is axis permutation[i] of this one.
    LayoutAttr permute(::llvm::ArrayRef<int64_t> permutation) const;
    /// The layout of a tile of `shape` with this layout after merging its axes by groups (row-major): the source of a
    /// `tile.reshape` that expands axes.
    LayoutAttr mergeAxes(::llvm::ArrayRef<::mlir::ReassociationIndices> groups, ::llvm::ArrayRef<int64_t> shape) const;
    /// The layout from which `tile.broadcast` of a tile of shape `source` moves no elements between threads.
    LayoutAttr undoBroadcast(::llvm::ArrayRef<int64_t> source, ::llvm::ArrayRef<int64_t> result) const;
    /// The layout of a broadcast to shape `result`: every thread holds all copies of its elements.
    LayoutAttr broadcast(::llvm::ArrayRef<int64_t> source, ::llvm::ArrayRef<int64_t> result) const;
  }];
}

def TileGPU_PlanAttr : TileGPU_Attr<"Plan", "plan"> {
  let summary = "how a kernel is mapped to a GPU";
  let description = [{
    Created by `--tile-gpu-make-plan` and read by all later passes.

    - `target`: the architecture, e.g. `"sm_90a"`;
    - `warps`: compute warps that share a tile;
    - `stages`: stages of the ring buffers of asynchronous copies; 0 if operands are copied through registers;
    - `producer`: whether an additional warp group issues the copies (sm_90);
    - `persistent`: whether blocks are persistent and share the tiles of the grid;
    - `raster`: rows of the grid that persistent blocks walk as one band; if the tiles along some axes loop over the
      same operands for all indices of another axis (the heads of attention), the number of those that are walked
      together;
    - `teams`: groups of `warps` warps in a block. Each team has its own tiles. Two teams of a persistent kernel with
      a producer alternate: one multiplies while the other stores. Teams of one warp without a producer compute
      different blocks of the kernel's text (`--tile-gpu-pack-blocks`);
    - `parts`: blocks of a cluster (sm_90) that split the K axis of their products, adjacent along the columns of
      the result, or the rows that a loop walks;
    - `residentStages`: buffers of a tile that is resident for an entire main loop: with two, the tile of the next
      grid position is copied while the first is in use;
    - `multicast`: blocks of a cluster (sm_90) that are adjacent along `multicastAxis` of the grid, or with axis 2
      four blocks that form a square of both axes; of a tile that adjacent blocks share, each copies a part to all
      of them by multicast;
    - `blocks`: minimum resident blocks per multiprocessor, which limits registers per thread; 0: no minimum. With a
      producer up to two blocks, and persistent blocks are launched twice as often;
    - `overlap`: whether the launch may start before the preceding one has completed (sm_90);
    - `inRegisters`: whether blocks keep long rows, or their parts of them, in registers instead of shared memory;
    - `throughMemory`: whether the blocks that share a long row form no cluster, but exchange through global memory; the
      parts are then up to 128 blocks that are adjacent along the first axis of the grid, and all blocks of the grid are
      resident at a time.

    Example:
    ```mlir
    #p = #tile_gpu.plan<target = "sm_80", warps = 8, stages = 3, producer = false>
    ```
  }];
  let parameters = (ins
    "::mlir::StringAttr":$target,
    "int64_t":$warps,
    DefaultValuedParameter<"int64_t", "0">:$stages,
    DefaultValuedParameter<"bool", "false">:$producer,
    DefaultValuedParameter<"bool", "false">:$persistent,
    DefaultValuedParameter<"int64_t", "8">:$raster,
    DefaultValuedParameter<"int64_t", "1">:$teams,
    DefaultValuedParameter<"int64_t", "1">:$parts,
    DefaultValuedParameter<"int64_t", "0">:$blocks,
    DefaultValuedParameter<"int64_t", "2">:$residentStages,
    DefaultValuedParameter<"int64_t", "1">:$multicast,
    DefaultValuedParameter<"int64_t", "0">:$multicastAxis,
    DefaultValuedParameter<"bool", "true">:$overlap,
    DefaultValuedParameter<"bool", "false">:$inRegisters,
    DefaultValuedParameter<"bool", "false">:$throughMemory);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The name of the plan attribute of a kernel.
    static constexpr ::llvm::StringLiteral attrName = "tile_gpu.plan";
    /// The plan of the enclosing kernel, or null.
    static PlanAttr of(::mlir::Operation *op);
    /// Threads that share a tile.
    int64_t getComputeThreads() const { return 32 * getWarps(); }
    /// Threads that compute.
    int64_t getConsumerThreads() const { return getTeams() * getComputeThreads(); }
    /// The value of `multicastAxis` for clusters that form a square.
    static constexpr int64_t bothAxes = 2;
    /// Blocks of a cluster that are adjacent along an axis of the grid and multicast tiles to each other.
    int64_t getMulticastAlong(int64_t axis) const;
    /// The most blocks of a cluster, and that share a row through global memory.
    static constexpr int64_t mostOfCluster = 8, mostThroughMemory = 128;
    /// Threads of the producer warp group.
    static constexpr int64_t producerThreads = 128;
    /// All threads of a block.
    int64_t getThreads() const { return getConsumerThreads() + (getProducer() ? producerThreads : 0); }
  }];
}

#endif
