//===- TileGPUDialect.td - The tile_gpu dialect --------------------*- tablegen -*-===//
//
// Kernels as one block of threads runs them: tiles with a layout, shared memory, asynchronous copies.
//
//===------------------------------------------------------------------------------===//

#ifndef TILEGPT_DIALECT_TILEGPU_IR_TILEGPUDIALECT_TD
#define TILEGPT_DIALECT_TILEGPU_IR_TILEGPUDIALECT_TD

include "mlir/IR/DialectBase.td"

def TileGPU_Dialect : Dialect {
  let name = "tile_gpu";
  let cppNamespace = "::tilegpt::tilegpu";
  let summary = "whole tiles on a GPU: who holds which element, and where";
  let description = [{
    The level between a `tile` kernel and the code of one thread: HOW, still in whole tiles. Tiles are builtin tensors
    whose encoding, a `#tile_gpu.layout`, says which registers of which threads hold each element. `arith`, `math`,
    `scf` and most `tile` ops go on working on them; this dialect adds what the author of a kernel never writes:
    changes of layout, buffers in shared memory, barriers.

    The passes of `Dialect/TileGPU/Transforms` bring kernels here, `Conversion/TileGPUToNVVM` from here to the code of one thread.
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
