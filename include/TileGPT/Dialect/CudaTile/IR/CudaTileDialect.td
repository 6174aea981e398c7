//===- CudaTileDialect.td - The cuda_tile dialect -----------------*- tablegen -*-===//
//
// NVIDIA's CUDA Tile IR, according to its public specification.
//
//===------------------------------------------------------------------------------===//

#ifndef TILEGPT_DIALECT_CUDATILE_IR_CUDATILEDIALECT_TD
#define TILEGPT_DIALECT_CUDATILE_IR_CUDATILEDIALECT_TD

include "mlir/IR/DialectBase.td"

def CudaTile_Dialect : Dialect {
  let name = "cuda_tile";
  let cppNamespace = "::tilegpt::cuda_tile";
  let summary = "CUDA Tile IR";
  let description = [{
    Programs of CUDA Tile IR, versions 13.1 to 13.5, as text and as bytecode (`lib/Target/CudaTile`). A
    `cuda_tile.module` holds entries and globals; inside it names of ops and types may omit the dialect prefix:
    `tile<4xptr<f32>>` is `!cuda_tile.tile<4x!cuda_tile.ptr<f32>>`. The parser accepts both spellings, the printer emits the short one.

    Integers are signless; ops specify signedness. Tile sizes are powers of two, their product at most 2^24. Memory
    accesses are ordered only by tokens, not by program order. If a stated fact (`assume`, `overflow`, `inbounds`) does
    not hold, the behavior is undefined; hints never change a result, and unknown ones are ignored.

    The description of an op or attribute introduced after 13.1 states the version. Preview features are not part of
    the dialect.
  }];
  let hasConstantMaterializer = 1;
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerTypes();
    void registerAttributes();
    void registerOps();

    /// Parses ops by their names in other versions.
    std::optional<ParseOpHook> getParseOperationHook(::llvm::StringRef name) const override;
  }];
}

#endif
