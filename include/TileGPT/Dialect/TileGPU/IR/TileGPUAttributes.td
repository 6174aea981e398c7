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
  let summary = "which registers of which threads hold the elements of a tile";
  let description = [{
    A tile of rank r is spread over three hardware axes: the registers of a thread, the 32 lanes of a warp, the warps of
    a block. The number along each is read as digits in mixed radix, the first mode fastest. A mode `d1:8*4` is a digit
    from 0 to 7 that moves the element by 4 along axis 1 of the tile; a mode `rep:4` is a digit that does not matter:
    its threads hold the same elements. The coordinate of an element is the sum over all modes.

    Extents need not divide the tile: an element outside the tile is *padding*, held by a register whose value means
    nothing. Every element inside the tile is held, and by one set of digits: only threads that differ in `rep` digits
    hold it twice.

    Example: 16 × 96 elements of f32 on four warps; a thread holds 4 neighbours, 3 times in its row.
    ```mlir
    #l = #tile_gpu.layout<registers = [d1:4*1, d1:3*32], lanes = [d1:8*4, d0:4*1], warps = [d0:4*4]>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"LayoutMode", "digits of the register number">:$registers,
    ArrayRefParameter<"LayoutMode", "digits of the lane">:$lanes,
    ArrayRefParameter<"LayoutMode", "digits of the warp">:$warps);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The layout with modes of extent 1 dropped and neighbours joined where they count on.
    static LayoutAttr getCanonical(::mlir::MLIRContext *context, ::llvm::ArrayRef<LayoutMode> registers,
                                   ::llvm::ArrayRef<LayoutMode> lanes, ::llvm::ArrayRef<LayoutMode> warps);
    /// Rows of neighbours: threads of a warp lie along the last axis first, each holding `vector` neighbours; warps
    /// lie along the first axes first.
    static LayoutAttr getBlocked(::mlir::MLIRContext *context, ::llvm::ArrayRef<int64_t> shape, int64_t vector,
                                 int64_t numWarps);
    /// The layout of a tensor type, or null.
    static LayoutAttr of(::mlir::Type type);

    int64_t getNumRegisters() const;
    int64_t getNumWarps() const;
    /// What register number `reg` adds to the coordinates of a tile of this rank.
    ::llvm::SmallVector<int64_t> getRegisterOffset(int64_t reg, int64_t rank) const;
    /// What lane number `lane` of warp number `warp` adds to the coordinates of all its registers.
    ::llvm::SmallVector<int64_t> getThreadOffset(int64_t lane, int64_t warp, int64_t rank) const;
    /// One more than the largest coordinate along an axis, padding included.
    int64_t getCoveredSize(int64_t axis) const;
    /// Consecutive registers that hold neighbours along `axis`, counted from a multiple of themselves.
    int64_t getVectorSize(int64_t axis) const;
    /// For each register of `wanted`, the register of this layout in which the same thread holds the same element of a
    /// tile of this shape, -1 for padding; nothing when elements would have to move between threads.
    std::optional<::llvm::SmallVector<int64_t>> findRegisters(LayoutAttr wanted, ::llvm::ArrayRef<int64_t> shape) const;

    /// The layout of what is left when an axis is reduced to one element: the threads along it hold copies. The axis
    /// stays, with size 1.
    LayoutAttr collapseAxis(int64_t axis) const;
    /// The layout of the tile without an axis of size 1.
    LayoutAttr dropAxis(int64_t axis) const;
    /// The layout of the tile with a new axis of size 1.
    LayoutAttr insertAxis(int64_t axis) const;
    /// The layout of the tile whose axis i is axis permutation[i] of this one.
    LayoutAttr permute(::llvm::ArrayRef<int64_t> permutation) const;
    /// The layout of a tile of this one, of `shape`, whose axes are joined group by group (row-major): the source of a
    /// `tile.reshape` that cuts axes apart.
    LayoutAttr mergeAxes(::llvm::ArrayRef<::mlir::ReassociationIndices> groups, ::llvm::ArrayRef<int64_t> shape) const;
    /// The layout from which `tile.broadcast` of a tile of shape `source` needs no exchange.
    LayoutAttr undoBroadcast(::llvm::ArrayRef<int64_t> source, ::llvm::ArrayRef<int64_t> result) const;
    /// The layout of a tile of this one repeated to shape `result`: every thread holds all repetitions of what it has.
    LayoutAttr broadcast(::llvm::ArrayRef<int64_t> source, ::llvm::ArrayRef<int64_t> result) const;
  }];
}

def TileGPU_PlanAttr : TileGPU_Attr<"Plan", "plan"> {
  let summary = "how a kernel runs on a GPU";
  let description = [{
    Made by `--tile-gpu-make-plan`, read by every pass behind it.

    - `target`: the architecture, e.g. `"sm_90a"`;
    - `warps`: warps of a block that compute;
    - `stages`: buffers of a ring of asynchronous copies; 0 where operands are copied through registers;
    - `producer`: whether one more warp group does the copies (sm_90);
    - `persistent`: whether blocks stay and work through the grid together;
    - `raster`: rows of the grid that persistent blocks walk as one band; where the tiles of some axes have loops over the
      same operands for all of another axis (the heads of attention), so many of those walk together;
    - `teams`: how many times `warps` a block has. Each team has tiles of its own: while one multiplies the other stores;
    - `parts`: blocks of a cluster (sm_90) that share out the depth of their products, side by side along the columns of
      the result, or the rows that a loop walks;
    - `residentStages`: buffers of a tile that stays for a whole main loop: with two, that of the next tile of the grid
      comes while the first is in use;
    - `multicast`: blocks of a cluster (sm_90) that lie side by side along `multicastAxis` of the grid, or with axis 2 four
      that are a square of its two axes; a tile that is the same for blocks side by side is copied by each in part, to all of
      them at once;
    - `blocks`: blocks that a multiprocessor is to hold at a time, which limits their registers; 0: as many as it happens;
    - `overlap`: whether the launch may start before the one in front of it has ended (sm_90);
    - `inRegisters`: whether blocks keep long rows, or their parts of them, in registers and not in shared memory.

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
    DefaultValuedParameter<"bool", "false">:$inRegisters);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The name under which kernels carry their plan.
    static constexpr ::llvm::StringLiteral attrName = "tile_gpu.plan";
    /// The plan of the kernel around an op, or null.
    static PlanAttr of(::mlir::Operation *op);
    /// Threads that share a tile.
    int64_t getComputeThreads() const { return 32 * getWarps(); }
    /// Threads that compute.
    int64_t getConsumerThreads() const { return getTeams() * getComputeThreads(); }
    /// Says of `multicastAxis` that the blocks of a cluster are a square.
    static constexpr int64_t bothAxes = 2;
    /// Blocks of a cluster that lie side by side along an axis of the grid and copy tiles for each other.
    int64_t getMulticastAlong(int64_t axis) const;
    /// The warp group of a producer.
    static constexpr int64_t producerThreads = 128;
    /// All threads of a block.
    int64_t getThreads() const { return getConsumerThreads() + (getProducer() ? producerThreads : 0); }
  }];
}

#endif
