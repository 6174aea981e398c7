//===- TileGPUTypes.td - Buffers in shared memory ------------------*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_TILEGPU_IR_TILEGPUTYPES_TD
#define TILEGPT_DIALECT_TILEGPU_IR_TILEGPUTYPES_TD

include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.td"
include "TileGPT/Dialect/TileGPU/IR/TileGPUPipeTypes.td"
include "mlir/IR/AttrTypeBase.td"

def TileGPU_SharedType : TypeDef<TileGPU_Dialect, "Shared"> {
  let mnemonic = "shared";
  let summary = "a shared memory buffer";
  let description = [{
    `!tile_gpu.shared<128x64xbf16>` is a row-major tile. `padding` adds this many elements to the row pitch to avoid
    bank conflicts between the elements of a column. `swizzle` (32, 64 or 128) splits the columns into consecutive
    panels of `swizzle` bytes, each row-major; within a panel the 16-byte units of row r are permuted by XOR with r
    (with r/2 for 64, r/4 for 32), as TMA and wgmma define it. The two are mutually exclusive.

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
    /// Size in bytes, a multiple of 16 (of 1024 with a swizzle).
    int64_t getNumBytes() const;
    /// The stride of an axis, in elements, of a buffer without swizzle.
    int64_t getStride(int64_t axis) const;
    /// One stage of a ring buffer, whose first axis counts stages. A buffer of rank 0, or of rank 2 with a swizzle, is
    /// not a ring buffer and its own stage.
    SharedType getStageType() const;
    /// The type of the cursors of a ring buffer.
    CursorType getCursorType() const;
  }];
}

#endif
