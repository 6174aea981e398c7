//===- CudaTileDebugInfo.td - Scopes of source locations ----------*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_CUDATILE_IR_CUDATILEDEBUGINFO_TD
#define TILEGPT_DIALECT_CUDATILE_IR_CUDATILEDEBUGINFO_TD

include "TileGPT/Dialect/CudaTile/IR/CudaTileDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinLocationAttributes.td"

class CudaTile_DebugAttr<string name, string text, string base = "::mlir::Attribute">
  : AttrDef<CudaTile_Dialect, name, [], base> {
  let mnemonic = text;
  let genMnemonicAlias = 1;
}
class CudaTile_LocalScope<string name, string text>
  : CudaTile_DebugAttr<name, text, "::tilegpt::cuda_tile::DILocalScopeAttr">;

def CudaTile_DIFileAttr : CudaTile_DebugAttr<"DIFile", "di_file"> {
  let summary = "a source file";
  let description = "Example: `#cuda_tile.di_file<\"gemm.py\" in \"/home/me\">`";
  let parameters = (ins "::mlir::StringAttr":$name, "::mlir::StringAttr":$directory);
  let assemblyFormat = "`<` $name `in` $directory `>`";
}

def CudaTile_DICompileUnitAttr : CudaTile_DebugAttr<"DICompileUnit", "di_compile_unit"> {
  let summary = "a compile unit";
  let parameters = (ins "::tilegpt::cuda_tile::DIFileAttr":$file);
  let assemblyFormat = "`<` struct(params) `>`";
}

def CudaTile_DISubprogramAttr : CudaTile_LocalScope<"DISubprogram", "di_subprogram"> {
  let summary = "the scope of an entry";
  let description = "`linkageName` is the name of the entry, `name` that of the source.";
  let parameters = (ins "::tilegpt::cuda_tile::DIFileAttr":$file, "unsigned":$line, "::mlir::StringAttr":$name,
                        "::mlir::StringAttr":$linkageName, "::tilegpt::cuda_tile::DICompileUnitAttr":$compileUnit,
                        OptionalParameter<"unsigned">:$scopeLine);
  let assemblyFormat = "`<` struct(params) `>`";
}

def CudaTile_DILexicalBlockAttr : CudaTile_LocalScope<"DILexicalBlock", "di_lexical_block"> {
  let summary = "a nested scope";
  let parameters = (ins "::tilegpt::cuda_tile::DILocalScopeAttr":$scope, "::tilegpt::cuda_tile::DIFileAttr":$file,
                        "unsigned":$line, OptionalParameter<"unsigned">:$column);
  let assemblyFormat = "`<` struct(params) `>`";
}

def CudaTile_DILocAttr : LocationAttrDef<CudaTile_Dialect, "DILoc"> {
  let summary = "a source location with its scope";
  let description = "Example: `loc(#cuda_tile.di_loc<loc(\"gemm.py\":3:5) in #scope>)`";
  let mnemonic = "di_loc";
  let parameters = (ins "::mlir::FileLineColLoc":$sourceLoc, "::tilegpt::cuda_tile::DILocalScopeAttr":$scope);
  let assemblyFormat = "`<` $sourceLoc `in` $scope `>`";
}

#endif
