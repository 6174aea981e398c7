//===- TileGPUPipeTypes.td - Pipes, TMA descriptors, pending dots ---*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_TILEGPU_IR_TILEGPUPIPETYPES_TD
#define TILEGPT_DIALECT_TILEGPU_IR_TILEGPUPIPETYPES_TD

include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.td"
include "mlir/IR/AttrTypeBase.td"

def TileGPU_PipeType : TypeDef<TileGPU_Dialect, "Pipe"> {
  let mnemonic = "pipe";
  let summary = "the mbarriers of a ring buffer";
  let description = [{
    `!tile_gpu.pipe<5>` guards ring buffers of five stages: each stage has a *full* barrier, on which its copies
    complete, and an *empty* one, on which its readers arrive. Created by `tile_gpu.pipe`.

    With `blocks`, the ring buffers of this many blocks of a cluster are filled together: copies marked `multicast`
    go to all of them, and a stage is free once the readers of all blocks have released it.

    Example:
    ```mlir
    %barriers = tile_gpu.alloc : !tile_gpu.shared<10xi64>
    %p = tile_gpu.pipe %barriers readers 8 : !tile_gpu.shared<10xi64> -> !tile_gpu.pipe<5>
    ```
  }];
  let parameters = (ins "int64_t":$stages, DefaultValuedParameter<"int64_t", "1">:$blocks);
  let assemblyFormat = "`<` $stages (`,` `blocks` `=` $blocks^)? `>`";
  let genVerifyDecl = 1;
}

def TileGPU_CursorType : TypeDef<TileGPU_Dialect, "Cursor"> {
  let mnemonic = "cursor";
  let summary = "a position in a ring buffer";
  let description = [{
    A cursor of a ring buffer of `stages` stages holds the stage and phase of a copy: copy n, counted from 0, goes
    to stage n mod `stages` in round n / `stages`. Writers and readers carry one cursor each through their loops;
    the two agree because both count every copy. Only the parity of the round is kept, since mbarriers distinguish
    no more.

    Example:
    ```mlir
    %c = tile_gpu.cursor : !tile_gpu.cursor<5>
    %n = tile_gpu.advance %c : !tile_gpu.cursor<5>
    ```
  }];
  let parameters = (ins "int64_t":$stages);
  let assemblyFormat = "`<` $stages `>`";
  let genVerifyDecl = 1;
}

def TileGPU_PendingType : TypeDef<TileGPU_Dialect, "Pending"> {
  let mnemonic = "pending";
  let summary = "the result of an asynchronous dot in flight";
  let description = [{
    The tensor cores own the registers of the tile until `tile_gpu.finish_dot`: only another `tile_gpu.async_dot`
    may use them.

    Example:
    ```mlir
    %p = tile_gpu.async_dot %a, %b
        : !tile_gpu.shared<128x64xbf16, swizzle = 128>, !tile_gpu.shared<96x64xbf16, swizzle = 128>
        -> !tile_gpu.pending<tensor<128x96xf32, #l>>
    %t = tile_gpu.finish_dot %p : !tile_gpu.pending<tensor<128x96xf32, #l>>
    ```
  }];
  let parameters = (ins "::mlir::RankedTensorType":$tile);
  let assemblyFormat = "`<` $tile `>`";
}

def TileGPU_PackedType : TypeDef<TileGPU_Dialect, "Packed"> {
  let mnemonic = "packed";
  let summary = "a register operand of a dot";
  let description = [{
    The `lhs` of a dot that is not in shared memory, created by `tile_gpu.pack`: 16-bit elements, two per register,
    or f32 elements, which are multiplied in tf32, one per register.

    Example:
    ```mlir
    %p = tile_gpu.pack %e : tensor<64x128xf32, #l> -> !tile_gpu.packed<tensor<64x128xbf16, #l>>
    ```
  }];
  let parameters = (ins "::mlir::RankedTensorType":$tile);
  let assemblyFormat = "`<` $tile `>`";
  let genVerifyDecl = 1;
}

def TileGPU_TensorMapType : TypeDef<TileGPU_Dialect, "TensorMap"> {
  let mnemonic = "tensor_map";
  let summary = "a TMA descriptor of a view";
  let description = [{
    `!tile_gpu.tensor_map<128x64xbf16, swizzle = 128>` copies boxes of 128 × 64 elements of a view to or from panels
    of shared memory with this swizzle (see `!tile_gpu.shared`). Out-of-bounds elements read as zero and are not
    written. The columns of a box lie along the last axis, its rows along the last other axis whose box size is
    greater than 1.

    Example:
    ```mlir
    %m = tile_gpu.tensor_map %x : !tile.view<?x768xbf16> -> !tile_gpu.tensor_map<128x64xbf16, swizzle = 128>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t", "size of a box along each axis of the view">:$box,
    "::mlir::Type":$elementType,
    DefaultValuedParameter<"int64_t", "0">:$swizzle);
  let extraClassDeclaration = [{
    /// The axis of the view along which the rows of a box lie; -1 if the box has one axis.
    int64_t getRowAxis() const;
    /// Rows of a box: its size along that axis, or 1.
    int64_t getRows() const;
  }];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif
