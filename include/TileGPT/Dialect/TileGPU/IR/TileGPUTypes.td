//===- TileGPUTypes.td - Buffers in shared memory ------------------*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_TILEGPU_IR_TILEGPUTYPES_TD
#define TILEGPT_DIALECT_TILEGPU_IR_TILEGPUTYPES_TD

include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.td"
include "TileGPT/Dialect/TileGPU/IR/TileGPUPipeTypes.td"
include "mlir/IR/AttrTypeBase.td"

def TileGPU_SharedType : TypeDef<TileGPU_Dialect, "Shared"> {
  let mnemonic = "shared";
  let summary = "a tile in shared memory";
  let description = [{
    `!tile_gpu.shared<128x64xbf16>` is a row-major tile. `padding` adds that many elements to the distance of its rows,
    which keeps columns out of each other's banks. `swizzle` (32, 64 or 128) makes panels instead: the columns are cut into
    panels of `swizzle` bytes, one after the other, each row-major; within a panel the 16-byte units of row r are
    permuted by XOR with r (with r/2 for 64, r/4 for 32), as TMA and wgmma have it. Both at once make no sense.

    Example:
    ```mlir
    %a = tile_gpu.alloc : !tile_gpu.shared<128x64xbf16, swizzle = 128>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t", "size of each axis">:$shape,
    "::mlir::Type":$elementType,
    DefaultValuedParameter<"int64_t", "0">:$swizzle,
    DefaultValuedParameter<"int64_t", "0">:$padding);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getShape().size(); }
    /// Bytes the buffer takes, a multiple of 16 (of 1024 with a swizzle).
    int64_t getNumBytes() const;
    /// Distance of two neighbours along an axis, in elements; of a buffer without swizzle.
    int64_t getStride(int64_t axis) const;
    /// Of a ring, whose first axis counts stages: one stage of it. Anything of rank 0 or with a swizzle and rank 2, which
    /// is no ring, is its own stage.
    SharedType getStageType() const;
    /// Of a ring: the cursors that walk it.
    CursorType getCursorType() const;
  }];
}

#endif
