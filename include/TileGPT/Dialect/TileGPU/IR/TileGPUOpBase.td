//===- TileGPUOpBase.td - What the files of ops share --------------*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_TILEGPU_IR_TILEGPUOPBASE_TD
#define TILEGPT_DIALECT_TILEGPU_IR_TILEGPUOPBASE_TD

include "TileGPT/Dialect/SeparateParamBuilder.td"
include "TileGPT/Dialect/Tile/IR/TileOpBase.td"
include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.td"
include "TileGPT/Dialect/TileGPU/IR/TileGPUAttributes.td"
include "TileGPT/Dialect/TileGPU/IR/TileGPUTypes.td"

class TileGPU_Op<string mnemonic, list<Trait> traits = []> : Op<TileGPU_Dialect, mnemonic, traits> {
  let skipDefaultBuilders = 1;
  let builders = [SeparateParamBuilder<results, arguments, regions, traits>];
}

#endif
