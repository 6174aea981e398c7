//===- CudaTileControlOps.td - Modules, entries, loops and promises *- tablegen -*-===//

#ifndef TILEGPT_DIALECT_CUDATILE_IR_CUDATILECONTROLOPS_TD
#define TILEGPT_DIALECT_CUDATILE_IR_CUDATILECONTROLOPS_TD

include "TileGPT/Dialect/CudaTile/IR/CudaTileOpBase.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"

//===- Modules and entries --------------------------------------------------------===//

def CudaTile_ModuleOp : CudaTile_BuiltOp<"module", [
    IsolatedFromAbove, OpAsmOpInterface, NoRegionArguments, SymbolTable] # GraphRegionNoTerminator.traits> {
  let summary = "a module of entries and globals";
  let description = "`producer` (13.3) names the tool that wrote the module.";
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<StrAttr>:$producer);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let extraClassDeclaration = inDialect;
  let hasVerifier = 1;
}

class CudaTile_Function<string mnemonic, string text> : CudaTile_BuiltOp<mnemonic, [
    FunctionOpInterface, IsolatedFromAbove, OpAsmOpInterface, SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = text;
  let regions = (region SizedRegion<1>:$body);
  let extraClassDeclaration = !strconcat(inDialect, [{
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
  }]);
  let hasCustomAssemblyFormat = 1;
}
defvar functionAttrs = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
                            OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs);

def CudaTile_EntryOp : CudaTile_Function<"entry", "a kernel"> {
  let description = [{
    Arguments are scalars and pointers: tiles of rank 0. There are no results.

    Example: `entry @add(%p: tile<ptr<f32>>, %n: tile<i32>) optimization_hints=<sm_90 = {occupancy = 2}> { … }`
  }];
  let arguments = !con(functionAttrs, (ins OptionalAttr<CudaTile_OptimizationHintsAttr>:$optimization_hints));
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def CudaTile_TestingFuncOp : CudaTile_Function<"testing$func", "a function of public test programs"> {
  let description = [{
    Holds ops whose operands no entry can have as arguments. It is parsed and verified, has no bytecode and is not compiled.
  }];
  let arguments = functionAttrs;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

class CudaTile_Exit<string mnemonic, string text, list<Trait> traits>
  : CudaTile_Op<mnemonic, traits # [Terminator]> {
  let summary = text;
  let arguments = (ins Variadic<AnyType>:$operands);
  // Builds implicit terminators.
  let builders = [OpBuilder<(ins), [{ }]>];
  let assemblyFormat = "attr-dict ($operands^ `:` custom<CudaTileType>(type($operands)))?";
}
def CudaTile_ReturnOp : CudaTile_Exit<"return", "terminator of an entry",
    [ParentOneOf<["EntryOp", "IfOp", "LoopOp", "TestingFuncOp"]>, ReturnLike]> {
  let hasVerifier = 1;
}
def CudaTile_YieldOp : CudaTile_Exit<"yield", "yields the results of a branch or of a reduction step",
    [Pure, ParentOneOf<["IfOp", "ReduceOp", "ScanOp"]>, ReturnLike]>;
def CudaTile_BreakOp : CudaTile_Exit<"break", "exits a loop", [ParentOneOf<["IfOp", "LoopOp"]>, ReturnLike]> {
  let hasVerifier = 1;
}
def CudaTile_ContinueOp
  : CudaTile_Exit<"continue", "the next iteration", [ParentOneOf<["ForOp", "IfOp", "LoopOp"]>]> {
  let hasVerifier = 1;
}

//===- Control --------------------------------------------------------------------===//

class CudaTile_Loop<string mnemonic, string text, Trait blocks>
  : CudaTile_Op<mnemonic, [OpAsmOpInterface, RecursiveMemoryEffects, blocks]> {
  let summary = text;
  let results = (outs Variadic<AnyType>:$resultValues);
  let regions = (region SizedRegion<1>:$region);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

def CudaTile_ForOp : CudaTile_Loop<"for", "a counted loop", SingleBlockImplicitTerminator<"ContinueOp">> {
  let description = [{
    Counts from lowerBound by step, which is positive, while below upperBound; bounds are compared as signed integers,
    or as unsigned ones with `unsigned` (13.2).

    Example: `%s = for %i in (%a to %b, step %c) : tile<i32> iter_values(%x = %y) -> (tile<f32>) { … continue %z : tile<f32> }`
  }];
  let arguments = (ins CudaTile_ScalarInt:$lowerBound, CudaTile_ScalarInt:$upperBound, CudaTile_ScalarInt:$step,
                       Variadic<AnyType>:$initValues, UnitAttr:$unsignedCmp);
  let extraClassDeclaration = !strconcat(inDialect, [{
    ::mlir::Value getInductionVar() { return getRegion().getArgument(0); }
    ::llvm::MutableArrayRef<::mlir::BlockArgument> getIterValues() {
      return getRegion().getArguments().drop_front();
    }
  }]);
  let hasVerifier = 1;
}

def CudaTile_LoopOp : CudaTile_Loop<"loop", "a loop until break", SingleBlock> {
  let description = [{
    Example: `%r = loop iter_values(%x = %y) : tile<i32> -> tile<f32> { … }`
  }];
  let arguments = (ins Variadic<AnyType>:$initValues);
  let extraClassDeclaration = !strconcat(inDialect, [{
    ::llvm::MutableArrayRef<::mlir::BlockArgument> getIterValues() { return getRegion().getArguments(); }
  }]);
}

def CudaTile_IfOp : CudaTile_Op<"if", [
    NoRegionArguments, OpAsmOpInterface, RecursiveMemoryEffects, SingleBlock]> {
  let summary = "conditional execution of one of two regions";
  let description = "A branch may leave by `break`, `continue` or `return` instead of yielding.";
  let arguments = (ins CudaTile_ScalarBool:$condition);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$thenRegion, MaxSizedRegion<1>:$elseRegion);
  let assemblyFormat = [{
    $condition (`->` `(` custom<CudaTileType>(type($results))^ `)`)? custom<Branch>($thenRegion)
    (`else` custom<Branch>($elseRegion)^)? attr-dict
  }];
  let extraClassDeclaration = inDialect;
  let hasVerifier = 1;
}

//===- Facts about the grid -------------------------------------------------------===//

class CudaTile_Grid<string mnemonic, string text, dag values> : CudaTile_Op<mnemonic, [Pure]> {
  let summary = text;
  let results = values;
}
def CudaTile_GetTileBlockIdOp : CudaTile_Grid<"get_tile_block_id", "the coordinates of the block in the grid",
    (outs CudaTile_ScalarInt32:$blockId_x, CudaTile_ScalarInt32:$blockId_y, CudaTile_ScalarInt32:$blockId_z)> {
  let assemblyFormat = "attr-dict `:` custom<CudaTileType>(type($blockId_x))";
}
def CudaTile_GetNumTileBlocksOp : CudaTile_Grid<"get_num_tile_blocks", "the sizes of the grid",
    (outs CudaTile_ScalarInt32:$gridSize_x, CudaTile_ScalarInt32:$gridSize_y, CudaTile_ScalarInt32:$gridSize_z)> {
  let assemblyFormat = "attr-dict `:` custom<CudaTileType>(type($gridSize_x))";
}

//===- Promises, checks and words -------------------------------------------------===//

def CudaTile_AssumeOp : CudaTile_Op<"assume", [Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "a fact about a value that the compiler may rely on";
  let arguments = (ins CudaTile_Value:$value, CudaTile_PredicateInterface:$predicate);
  let results = (outs CudaTile_Value:$result);
  let assemblyFormat = "custom<Assumption>($predicate) `,` $value attr-dict `:` custom<CudaTileType>(type($value))";
  let hasVerifier = 1;
}
def CudaTile_AssertOp : CudaTile_Op<"assert"> {
  let summary = "a condition checked for every element";
  let arguments = (ins CudaTile_BoolTile:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict `:` custom<CudaTileType>(type($condition))";
}
def CudaTile_PrintTkoOp : CudaTile_Op<"print_tko", [AttrSizedOperandSegments]> {
  let summary = "prints tiles with a printf format";
  let description = "Named `print` in 13.1, which the parser accepts as well.";
  let arguments = (ins StrAttr:$str, Variadic<CudaTile_AnyTile>:$args, Optional<CudaTile_Token>:$token);
  let results = (outs CudaTile_Token:$result_token);
  let assemblyFormat = !strconcat("$str (`,` $args^)? ", token, " attr-dict (`:` custom<CudaTileType>(type($args))^)? " "`->` custom<CudaTileType>(type($result_token))");
  let hasVerifier = 1;
}

#endif
