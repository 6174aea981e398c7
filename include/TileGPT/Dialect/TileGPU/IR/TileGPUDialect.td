//===- TileGPUDialect.td - The tile_gpu dialect --------------------*- tablegen -*-===//
//
// Kernels at thread-block level: tiles with a layout, shared memory, asynchronous copies.
//
//===------------------------------------------------------------------------------===//

#ifndef TILEGPT_DIALECT_TILEGPU_IR_TILEGPUDIALECT_TD
#define TILEGPT_DIALECT_TILEGPU_IR_TILEGPUDIALECT_TD

include "mlir/IR/DialectBase.td"

def TileGPU_Dialect : Dialect {
  let name = "tile_gpu";
  let cppNamespace = "::tilegpt::tilegpu";
  let summary = "tiles of a thread block, with register layouts and shared memory";
  let description = [{
    The level between a `tile` kernel and per-thread code. Tiles are builtin tensors whose encoding, a
    `#tile_gpu.layout`, specifies which registers of which threads hold each element. `arith`, `math`, `scf` and most
    `tile` ops still apply to them; this dialect adds what the author of a kernel never writes: layout conversions,
    shared memory buffers and barriers.

    The passes of `Dialect/TileGPU/Transforms` lower kernels to this dialect, `Conversion/TileGPUToNVVM` lowers it to
    per-thread code.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
  }];
  let dependentDialects = ["::tilegpt::tile::TileDialect"];
}

#endif
