//===- CudaTileMemoryOps.td - Views, accesses and tokens ----------*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_CUDATILE_IR_CUDATILEMEMORYOPS_TD
#define TILEGPT_DIALECT_CUDATILE_IR_CUDATILEMEMORYOPS_TD

include "TileGPT/Dialect/CudaTile/IR/CudaTileOpBase.td"
include "mlir/IR/SymbolInterfaces.td"

//===- Views ----------------------------------------------------------------------===//

def CudaTile_MakeTensorViewOp : CudaTile_Op<"make_tensor_view", [AttrSizedOperandSegments, NoMemoryEffect]> {
  let summary = "a tensor at a pointer";
  let description = [{
    Sizes and strides are the type's; those it does not know are scalars of one integer type, read as unsigned. The
    text has the type of a pointer that has a class, and may have that of any.

    Example: `make_tensor_view %p, shape = [%m, 64], strides = [%s, 1] : tile<i64> -> tensor_view<?x64xf32, strides=[?,1]>`
  }];
  let arguments = (ins CudaTile_ScalarPointer:$base, Variadic<CudaTile_ScalarInt>:$dynamicShape,
                       Variadic<CudaTile_ScalarInt>:$dynamicStrides);
  let results = (outs CudaTile_TensorView:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

class CudaTile_MakeView<string mnemonic, string type, string text> : CudaTile_Op<mnemonic, [Pure]> {
  let summary = text;
  let arguments = (ins CudaTile_TensorView:$tensor_view);
  let results = (outs Type<CPred<"::llvm::isa<::tilegpt::cuda_tile::" # type # ">($_self)">,
                           !subst("make_", "", mnemonic), "::tilegpt::cuda_tile::" # type>:$result);
  let assemblyFormat = "$tensor_view attr-dict `:` custom<ViewOf>(type($result), type($tensor_view))";
  let hasVerifier = 1;
}
def CudaTile_MakePartitionViewOp
  : CudaTile_MakeView<"make_partition_view", "PartitionViewType", "a tensor cut into tiles">;
def CudaTile_MakeStridedViewOp
  : CudaTile_MakeView<"make_strided_view", "StridedViewType", "tiles of a tensor at given steps"> {
  let description = "Since 13.3.";
}
def CudaTile_MakeGatherScatterViewOp
  : CudaTile_MakeView<"make_gather_scatter_view", "GatherScatterViewType", "tiles of any rows of a tensor"> {
  let description = "Since 13.3.";
}

class CudaTile_GetShape<string mnemonic, Type view, string text> : CudaTile_Op<mnemonic, [NoMemoryEffect]> {
  let summary = text;
  let description = "One result an axis, all of one type.";
  let arguments = (ins view:$src);
  let results = (outs Variadic<CudaTile_ScalarInt>:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}
def CudaTile_GetTensorShapeOp : CudaTile_GetShape<"get_tensor_shape", CudaTile_TensorView, "the sizes of a tensor">;
def CudaTile_GetIndexSpaceShapeOp
  : CudaTile_GetShape<"get_index_space_shape", CudaTile_TileView, "how many tiles a view has along each axis">;

//===- Accesses through views -----------------------------------------------------===//

defvar order = (ins CudaTile_MemoryOrderAttr:$memory_ordering_semantics);
defvar scope = (ins CudaTile_MemoryScopeAttr:$memory_scope);
defvar maybeScope = (ins OptionalAttr<CudaTile_MemoryScopeAttr>:$memory_scope);
defvar maybeToken = (ins Optional<CudaTile_Token>:$token);
defvar hints = (ins OptionalAttr<CudaTile_OptimizationHintsAttr>:$optimization_hints);
defvar inbounds = (ins OptionalAttr<DenseBoolArrayAttr>:$inbounds);
defvar viewIndex = (ins CudaTile_TileView:$view, Variadic<CudaTile_IntTile>:$index);

defvar viewTileIndex = (ins CudaTile_TileView:$view, CudaTile_AnyTile:$tile, Variadic<CudaTile_IntTile>:$index);

class CudaTile_ViewOp<string mnemonic, string text> : CudaTile_Op<mnemonic, [AttrSizedOperandSegments]> {
  let summary = text;
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def CudaTile_LoadViewTkoOp : CudaTile_ViewOp<"load_view_tko", "a tile of a view"> {
  let description = [{
    One index per axis, all of the same integer type. `inbounds` (13.4) asserts for each axis that the tile is in bounds.

    Example: `%t, %k = load_view_tko weak %v[%i, %j] token = %0 : partition_view<…>, tile<i32> -> tile<8x8xf32>, token`
  }];
  let arguments = !con(order, maybeScope, viewIndex, maybeToken, hints, inbounds);
  let results = (outs CudaTile_AnyTile:$tile, CudaTile_Token:$result_token);
}
def CudaTile_StoreViewTkoOp : CudaTile_ViewOp<"store_view_tko", "a tile written to a view"> {
  let arguments = !con(order, maybeScope, (ins CudaTile_AnyTile:$tile), viewIndex, maybeToken, hints, inbounds);
  let results = (outs CudaTile_Token:$result_token);
}
def CudaTile_AtomicRedViewTkoOp : CudaTile_ViewOp<"atomic_red_view_tko", "a tile added atomically to a view"> {
  let description = "Relaxed, for the block or the device. Since 13.3.";
  let arguments = !con(order, scope, viewIndex, (ins CudaTile_AtomicModeAttr:$mode, CudaTile_AnyTile:$value),
                       maybeToken, inbounds);
  let results = (outs CudaTile_Token:$result_token);
}

defvar reduction = (ins DefaultValuedAttr<CudaTile_MultimemReductionAttr,
                                          "::tilegpt::cuda_tile::MultimemReduction::Add">:$reduction);
defvar multimemText = [{
    For a `partition_view` of a multicast object, which is a tensor at a pointer of class `multicast`, on sm_100 and
    later. Elements are i32, i64, f16, bf16, f32 or f64. Since 13.5.
  }];
def CudaTile_MultimemLoadReduceViewTkoOp
  : CudaTile_ViewOp<"multimem_load_reduce_view_tko", "the copies of a tile, reduced"> {
  let description = multimemText # [{
    Floats can be added, and those of 16 bits compared.

    Example: `%t, %k = multimem_load_reduce_view_tko relaxed sys %v[%i] : partition_view<…>, tile<i32> -> tile<8xf16>, token`;
    with `attributes {reduction = #cuda_tile.multimem_reduction_kind<max>}` the maximum instead of the sum
  }];
  let arguments = !con(order, maybeScope, reduction, viewIndex, maybeToken, inbounds);
  let results = (outs CudaTile_AnyTile:$tile, CudaTile_Token:$result_token);
}
def CudaTile_MultimemReduceViewTkoOp
  : CudaTile_ViewOp<"multimem_reduce_view_tko", "a tile reduced atomically into all copies"> {
  let description = multimemText # [{
    Floats can only be added.
  }];
  let arguments = !con(order, scope, reduction, viewTileIndex, maybeToken, inbounds);
  let results = (outs CudaTile_Token:$result_token);
}
def CudaTile_MultimemStoreViewTkoOp
  : CudaTile_ViewOp<"multimem_store_view_tko", "a tile written to all copies"> {
  let description = multimemText;
  let arguments = !con(order, maybeScope, viewTileIndex, maybeToken, inbounds);
  let results = (outs CudaTile_Token:$result_token);
}

//===- Accesses through pointers --------------------------------------------------===//

defvar maybeMask = (ins Optional<CudaTile_BoolTile>:$mask);
defvar orderText = "$memory_ordering_semantics ($memory_scope^)? ";
defvar hintsText = " (`optimization_hints` `=` custom<Hints>($optimization_hints)^)? attr-dict `:` ";
defvar maskType = "(`,` custom<CudaTileType>(type($mask))^)? ";

def CudaTile_OffsetOp : CudaTile_Op<"offset", [Pure, AllTypesMatch<["ptr", "result"]>,
                                               AllShapesMatch<["ptr", "offset"]>]> {
  let summary = "pointers advanced by signed numbers of elements";
  let arguments = (ins CudaTile_PointerTile:$ptr, CudaTile_IntTile:$offset);
  let results = (outs CudaTile_PointerTile:$result);
  let assemblyFormat = [{
    $ptr `,` $offset attr-dict `:` custom<CudaTileType>(type($ptr)) `,` custom<CudaTileType>(type($offset))
    `->` custom<CudaTileType>(type($result))
  }];
}

def CudaTile_LoadPtrTkoOp : CudaTile_Op<"load_ptr_tko", [AttrSizedOperandSegments]> {
  let summary = "what pointers point to";
  let description = [{
    Where the mask is false the padding is read, or something unspecified without one. Padding without a mask, which
    bytecode may have, is never read; the text leaves it out.
  }];
  let arguments = !con(order, maybeScope, (ins CudaTile_PointerTile:$source), maybeMask,
                       (ins Optional<CudaTile_NumberTile>:$paddingValue), maybeToken, hints);
  let results = (outs CudaTile_AnyTile:$result, CudaTile_Token:$result_token);
  let assemblyFormat = !strconcat(orderText, "$source `` custom<MaskAndPadding>($mask, $paddingValue) ", token, hintsText, "custom<CudaTileType>(type($source)) `` custom<MaskAndPaddingTypes>(type($mask), type($paddingValue)) `->` custom<CudaTileType>(type($result)) `,` custom<CudaTileType>(type($result_token))");
  let hasVerifier = 1;
}
def CudaTile_StorePtrTkoOp : CudaTile_Op<"store_ptr_tko", [AttrSizedOperandSegments]> {
  let summary = "values written where pointers point to";
  let arguments = !con(order, maybeScope, (ins CudaTile_PointerTile:$destination, CudaTile_AnyTile:$value),
                       maybeMask, maybeToken, hints);
  let results = (outs CudaTile_Token:$result_token);
  let assemblyFormat = !strconcat(orderText, "$destination `,` $value (`,` $mask^)? ", token, hintsText, "custom<CudaTileType>(type($destination)) `,` custom<CudaTileType>(type($value)) ", maskType, "`->` custom<CudaTileType>(type($result_token))");
  let hasVerifier = 1;
}

defvar atomicTypes = " attr-dict `:` custom<CudaTileType>(type($pointers)) `,` ";
def CudaTile_AtomicCASTkoOp : CudaTile_Op<"atomic_cas_tko", [
    AttrSizedOperandSegments, AllTypesMatch<["cmp", "val", "result"]>, AllShapesMatch<["pointers", "val"]>]> {
  let summary = "atomic compare-and-swap; returns the old value";
  let arguments = !con(order, scope, (ins CudaTile_PointerTile:$pointers, CudaTile_AnyTile:$cmp,
                                          CudaTile_AnyTile:$val), maybeMask, maybeToken);
  let results = (outs CudaTile_AnyTile:$result, CudaTile_Token:$result_token);
  let assemblyFormat = !strconcat("$memory_ordering_semantics $memory_scope $pointers `,` $cmp `,` $val (`,` $mask^)? ", token, atomicTypes, "custom<CudaTileType>(type($val)) ", maskType, "`->` custom<CudaTileType>(type($result)) `,` custom<CudaTileType>(type($result_token))");
  let hasVerifier = 1;
}
def CudaTile_AtomicRMWTkoOp : CudaTile_Op<"atomic_rmw_tko", [
    AttrSizedOperandSegments, AllTypesMatch<["arg", "result"]>, AllShapesMatch<["pointers", "arg"]>]> {
  let summary = "atomic update; returns the old value";
  let arguments = !con(order, scope, (ins CudaTile_PointerTile:$pointers, CudaTile_AtomicModeAttr:$mode,
                                          CudaTile_AnyTile:$arg), maybeMask, maybeToken);
  let results = (outs CudaTile_AnyTile:$result, CudaTile_Token:$result_token);
  let assemblyFormat = !strconcat("$memory_ordering_semantics $memory_scope $pointers `,` $mode `,` $arg (`,` $mask^)? ", token, atomicTypes, "custom<CudaTileType>(type($arg)) ", maskType, "`->` custom<CudaTileType>(type($result)) `,` custom<CudaTileType>(type($result_token))");
  let hasVerifier = 1;
}

//===- Memory of the module and of a block ----------------------------------------===//

def CudaTile_GlobalOp : CudaTile_BuiltOp<"global", [Symbol]> {
  let summary = "initialized memory of a module, of rank 1";
  let description = [{
    The host can look up `public` globals by name; `constant` globals are never written. Both since 13.3.

    Example: `global constant @g alignment = 16 <f32: [1.0, 2.0]> : tile<2xf32>`
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, Builtin_DenseIntOrFPElementsAttr:$value,
                       DefaultValuedAttr<I64Attr, "0">:$alignment, UnitAttr:$constant,
                       DefaultValuedAttr<CudaTile_SymbolVisibilityAttr, "SymbolVisibility::Public">:$symbol_visibility);
  let assemblyFormat = [{
    `` custom<Visibility>($symbol_visibility) (`constant` $constant^)? $sym_name (`alignment` `=` $alignment^)?
    attr-dict custom<DenseOnly>($value)
  }];
  let hasVerifier = 1;
}
def CudaTile_GetGlobalOp : CudaTile_Op<"get_global", [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "the address of a global";
  let arguments = (ins FlatSymbolRefAttr:$name);
  let results = (outs CudaTile_ScalarPointer:$result);
  let assemblyFormat = !strconcat("$name", sameType);
}
def CudaTile_AllocaOp : CudaTile_Op<"alloca"> {
  let summary = "block-local memory with the lifetime of the region";
  let description = "Other blocks may access `global` memory as well. Since 13.3.";
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$num_elem,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$alignment, UnitAttr:$global);
  let results = (outs CudaTile_ScalarPointer:$result);
  let assemblyFormat = !strconcat("`num_elem` `=` $num_elem `,` `alignment` `=` $alignment (`global` $global^)?", sameType);
  let hasVerifier = 1;
}

//===- Tokens ---------------------------------------------------------------------===//

def CudaTile_MakeTokenOp : CudaTile_Op<"make_token", [Pure]> {
  let summary = "a token that orders nothing";
  let results = (outs CudaTile_Token:$result);
  let assemblyFormat = "attr-dict `:` custom<CudaTileType>(type($result))";
}
def CudaTile_JoinTokensOp : CudaTile_Op<"join_tokens", [Pure]> {
  let summary = "a token ordered after several tokens";
  let arguments = (ins Variadic<CudaTile_Token>:$tokens);
  let results = (outs CudaTile_Token:$result);
  let assemblyFormat = !strconcat("$tokens", sameType);
  let hasVerifier = 1;
}

class CudaTile_GridOrder<string mnemonic, string text> : CudaTile_Op<mnemonic> {
  let summary = text;
  let description = "No effect below sm_90. Since 13.4.";
  let arguments = maybeToken;
  let results = (outs CudaTile_Token:$result_token);
  let assemblyFormat = "(`token` `=` $token^)? attr-dict `->` custom<CudaTileType>(type($result_token))";
}
def CudaTile_GdcLaunchDependentsTkoOp
  : CudaTile_GridOrder<"gdc_launch_dependents_tko", "allows dependent kernels to start">;
def CudaTile_GdcWaitTkoOp
  : CudaTile_GridOrder<"gdc_wait_tko", "waits for the kernels that this one depends on">;

def CudaTile_MemoryFenceAliasTkoOp : CudaTile_Op<"memory_fence_alias_tko"> {
  let summary = "orders accesses to the same memory through different addresses";
  let description = "Since 13.4.";
  let arguments = (ins CudaTile_Token:$token);
  let results = (outs CudaTile_Token:$result_token);
  let assemblyFormat = "$token attr-dict";
}

#endif
