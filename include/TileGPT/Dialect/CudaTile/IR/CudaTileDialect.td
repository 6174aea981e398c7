//===- CudaTileDialect.td - The cuda_tile dialect -----------------*- tablegen -*-===//
//
// NVIDIA's tile language, as its public specification describes it.
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
    `cuda_tile.module` holds entries and globals; inside it names of ops and types may leave out the dialect:
    `tile<4xptr<f32>>` is `!cuda_tile.tile<4x!cuda_tile.ptr<f32>>`. Both spellings are read, the short one is printed.

    Integers have no sign: ops carry it. Sizes of tiles are powers of two, their product at most 2^24. Accesses to
    memory are ordered by tokens alone, not by the order of the text. Promises (`assume`, `overflow`, `inbounds`) that
    do not hold make the behavior undefined; hints never change a result, and unknown ones are ignored.

    Where a version above 13.1 brought an op or an attribute, its description says so. Preview features are not part of
    the dialect.
  }];
  let hasConstantMaterializer = 1;
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerTypes();
    void registerAttributes();
    void registerOps();

    /// Reads ops by the names they have in other versions.
    std::optional<ParseOpHook> getParseOperationHook(::llvm::StringRef name) const override;
  }];
}

#endif
