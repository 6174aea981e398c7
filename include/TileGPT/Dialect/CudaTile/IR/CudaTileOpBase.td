//===- CudaTileOpBase.td - What the files of ops share ------------*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_CUDATILE_IR_CUDATILEOPBASE_TD
#define TILEGPT_DIALECT_CUDATILE_IR_CUDATILEOPBASE_TD

include "TileGPT/Dialect/CudaTile/IR/CudaTileDebugInfo.td"
include "TileGPT/Dialect/CudaTile/IR/CudaTileTypes.td"
include "TileGPT/Dialect/SeparateParamBuilder.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// Text and bytecode create ops generically. The one builder, which tablegen asks for, replaces seven or so default
/// builders per op, a third of the generated code.
class CudaTile_Op<string mnemonic, list<Trait> traits = []> : Op<CudaTile_Dialect, mnemonic, traits> {
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::TypeRange":$types, "::mlir::ValueRange":$values), [{
    $_state.addTypes(types);
    $_state.addOperands(values);
  }]>];
}

/// An op that C++ creates by name.
class CudaTile_BuiltOp<string mnemonic, list<Trait> traits = []> : CudaTile_Op<mnemonic, traits> {
  let builders = [SeparateParamBuilder<results, arguments, regions, traits>];
}

/// Ops in whose regions names may leave out the dialect.
defvar inDialect = [{
  static ::llvm::StringRef getDefaultDialect() { return "cuda_tile"; }
}];

/// One type in the text stands for operands and result.
defvar sameType = " attr-dict `:` custom<CudaTileType>(type($result))";
defvar arrowType = " attr-dict `:` custom<CudaTileType>(type($source)) `->` custom<CudaTileType>(type($result))";
defvar fromTo = " attr-dict `:` custom<CudaTileType>(type($from)) `->` custom<CudaTileType>(type($to))";
defvar token = "(`token` `` `=` `` $token^)?";
defvar flushToZero = "(`flush_to_zero` $flush_to_zero^)?";

#endif
