//===- CudaTileAttributes.td - Enumerations, hints and promises ---*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_CUDATILE_IR_CUDATILEATTRIBUTES_TD
#define TILEGPT_DIALECT_CUDATILE_IR_CUDATILEATTRIBUTES_TD

include "TileGPT/Dialect/CudaTile/IR/CudaTileDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/EnumAttr.td"

//===- Enumerations ---------------------------------------------------------------===//

class CudaTile_Enum<string name, string text, list<I32EnumAttrCase> cases> : I32EnumAttr<name, text, cases> {
  let cppNamespace = "::tilegpt::cuda_tile";
  let genSpecializedAttr = 0;
}

/// An attribute of its own: `#cuda_tile.signedness<signed>`.
class CudaTile_EnumAttr<EnumInfo enum, string mnemonic> : EnumAttr<CudaTile_Dialect, enum, mnemonic> {
  let assemblyFormat = "`<` $value `>`";
}

/// An attribute that is a number in the generic form: `memory_scope = 1 : i32`.
class CudaTile_NumberEnum<string name, string text, list<I32EnumAttrCase> cases> : I32EnumAttr<name, text, cases> {
  let cppNamespace = "::tilegpt::cuda_tile";
}

def CudaTile_Signedness : CudaTile_Enum<"Signedness", "signedness", [
  I32EnumAttrCase<"Unsigned", 0, "unsigned">, I32EnumAttrCase<"Signed", 1, "signed">]>;
def CudaTile_SignednessAttr : CudaTile_EnumAttr<CudaTile_Signedness, "signedness">;

def CudaTile_Overflow : CudaTile_Enum<"Overflow", "overflow flags", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"NoSignedWrap", 1, "no_signed_wrap">,
  I32EnumAttrCase<"NoUnsignedWrap", 2, "no_unsigned_wrap">, I32EnumAttrCase<"NoWrap", 3, "no_wrap">]>;
def CudaTile_OverflowAttr : CudaTile_EnumAttr<CudaTile_Overflow, "overflow">;

def CudaTile_Rounding : CudaTile_Enum<"Rounding", "rounding mode", [
  I32EnumAttrCase<"NearestEven", 0, "nearest_even">, I32EnumAttrCase<"Zero", 1, "zero">,
  I32EnumAttrCase<"NegativeInf", 2, "negative_inf">, I32EnumAttrCase<"PositiveInf", 3, "positive_inf">,
  I32EnumAttrCase<"Approx", 4, "approx">, I32EnumAttrCase<"Full", 5, "full">,
  I32EnumAttrCase<"NearestIntToZero", 6, "nearest_int_to_zero">, I32EnumAttrCase<"NearestAway", 7, "nearest_away">]>;
def CudaTile_RoundingAttr : CudaTile_EnumAttr<CudaTile_Rounding, "rounding">;

def CudaTile_ComparisonPredicate : CudaTile_Enum<"ComparisonPredicate", "comparison predicate", [
  I32EnumAttrCase<"Equal", 0, "equal">, I32EnumAttrCase<"NotEqual", 1, "not_equal">,
  I32EnumAttrCase<"LessThan", 2, "less_than">, I32EnumAttrCase<"LessThanOrEqual", 3, "less_than_or_equal">,
  I32EnumAttrCase<"GreaterThan", 4, "greater_than">,
  I32EnumAttrCase<"GreaterThanOrEqual", 5, "greater_than_or_equal">]>;
def CudaTile_ComparisonPredicateAttr : CudaTile_EnumAttr<CudaTile_ComparisonPredicate, "comparison_predicate">;

def CudaTile_ComparisonOrdering : CudaTile_Enum<"ComparisonOrdering", "comparison ordering", [
  I32EnumAttrCase<"Unordered", 0, "unordered">, I32EnumAttrCase<"Ordered", 1, "ordered">]>;
def CudaTile_ComparisonOrderingAttr : CudaTile_EnumAttr<CudaTile_ComparisonOrdering, "comparison_ordering">;

def CudaTile_PaddingValue : CudaTile_Enum<"PaddingValue", "padding value", [
  I32EnumAttrCase<"Zero", 0, "zero">, I32EnumAttrCase<"NegZero", 1, "neg_zero">, I32EnumAttrCase<"Nan", 2, "nan">,
  I32EnumAttrCase<"PosInf", 3, "pos_inf">, I32EnumAttrCase<"NegInf", 4, "neg_inf">]>;
def CudaTile_PaddingValueAttr : EnumAttr<CudaTile_Dialect, CudaTile_PaddingValue, "padding_value">;

def CudaTile_SymbolVisibility : CudaTile_Enum<"SymbolVisibility", "symbol visibility", [
  I32EnumAttrCase<"Public", 0, "public">, I32EnumAttrCase<"Private", 1, "private">]>;
def CudaTile_SymbolVisibilityAttr : CudaTile_EnumAttr<CudaTile_SymbolVisibility, "symbol_visibility">;

def CudaTile_MultimemReduction : CudaTile_Enum<"MultimemReduction", "multimem reduction", [
  I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Min", 1, "min">, I32EnumAttrCase<"Max", 2, "max">,
  I32EnumAttrCase<"And", 3, "and">, I32EnumAttrCase<"Or", 4, "or">, I32EnumAttrCase<"Xor", 5, "xor">,
  I32EnumAttrCase<"UMin", 6, "umin">, I32EnumAttrCase<"UMax", 7, "umax">]>;
def CudaTile_MultimemReductionAttr : CudaTile_EnumAttr<CudaTile_MultimemReduction, "multimem_reduction_kind">;

def CudaTile_PointerClass : CudaTile_Enum<"PointerClass", "pointer class", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"Unicast", 1, "unicast">,
  I32EnumAttrCase<"Multicast", 2, "multicast">]>;
def CudaTile_PointerClassAttr : CudaTile_EnumAttr<CudaTile_PointerClass, "ptr_attr">;

def CudaTile_AtomicModeAttr : CudaTile_NumberEnum<"AtomicMode", "atomic mode", [
  I32EnumAttrCase<"And", 0, "and">, I32EnumAttrCase<"Or", 1, "or">, I32EnumAttrCase<"Xor", 2, "xor">,
  I32EnumAttrCase<"Add", 3, "add">, I32EnumAttrCase<"AddF", 4, "addf">, I32EnumAttrCase<"Max", 5, "max">,
  I32EnumAttrCase<"Min", 6, "min">, I32EnumAttrCase<"UMax", 7, "umax">, I32EnumAttrCase<"UMin", 8, "umin">,
  I32EnumAttrCase<"Xchg", 9, "xchg">]>;

def CudaTile_MemoryOrderAttr : CudaTile_NumberEnum<"MemoryOrder", "memory order", [
  I32EnumAttrCase<"Weak", 0, "weak">, I32EnumAttrCase<"Relaxed", 1, "relaxed">,
  I32EnumAttrCase<"Acquire", 2, "acquire">, I32EnumAttrCase<"Release", 3, "release">,
  I32EnumAttrCase<"AcqRel", 4, "acq_rel">]>;

def CudaTile_MemoryScopeAttr : CudaTile_NumberEnum<"MemoryScope", "memory scope", [
  I32EnumAttrCase<"TileBlock", 0, "tl_blk">, I32EnumAttrCase<"Device", 1, "device">,
  I32EnumAttrCase<"System", 2, "sys">]>;

//===- Hints ----------------------------------------------------------------------===//

class CudaTile_Attr<string name, string text, list<Trait> traits = []> : AttrDef<CudaTile_Dialect, name, traits> {
  let mnemonic = text;
}

def CudaTile_OptimizationHintsAttr : CudaTile_Attr<"OptimizationHints", "optimization_hints"> {
  let summary = "optimization hints, by target";
  let description = [{
    Two levels: a target (`sm_90`) or `default`, then the hint. Entries accept `num_cta_in_cga`, `occupancy` and
    `num_worker_warps_per_cta`, accesses through views `allow_tma` and `latency`, accesses through pointers `latency`.
    Unknown targets and hints are ignored.

    Example: `optimization_hints=<sm_90 = {occupancy = 2}, default = {num_cta_in_cga = 2}>`
  }];
  let parameters = (ins "::mlir::DictionaryAttr":$value);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

//===- Promises about values ------------------------------------------------------===//

def CudaTile_PredicateInterface : AttrInterface<"PredicateInterface"> {
  let description = "A fact about a value that `assume` may state.";
  let cppNamespace = "::tilegpt::cuda_tile";
  let methods = [InterfaceMethod<"Succeeds if the fact applies to values of a type; otherwise emits an error.",
    "::llvm::LogicalResult", "verifyOn",
    (ins "::llvm::function_ref<::mlir::InFlightDiagnostic()>":$emitError, "::mlir::Type":$type)>];
}

class CudaTile_Predicate<string name, string text>
  : CudaTile_Attr<name, text, [DeclareAttrInterfaceMethods<CudaTile_PredicateInterface>]>;

def CudaTile_DivByAttr : CudaTile_Predicate<"DivBy", "div_by"> {
  let summary = "a divisor of every element";
  let description = [{
    The divisor is a power of two up to 2^62; of pointers and views it divides the address in bytes. With `every n along
    d` it divides each n-th element along axis d, and the others count up from it by one (pointers: by an element).

    Example: `div_by<16>`, `div_by<16, every 4 along 0>`
  }];
  let parameters = (ins "uint64_t":$divisor, "std::optional<int64_t>":$every, "std::optional<int64_t>":$along);
  let hasCustomAssemblyFormat = 1;
}

def CudaTile_SameElementsAttr : CudaTile_Predicate<"SameElements", "same_elements"> {
  let summary = "blocks of equal elements";
  let description = "Example: `same_elements<[2, 4]>`: every aligned 2x4 block holds one value.";
  let parameters = (ins "::mlir::DenseI64ArrayAttr":$values);
  let assemblyFormat = "`<` $values `>`";
}

def CudaTile_BoundedAttr : CudaTile_Predicate<"Bounded", "bounded"> {
  let summary = "a range of signed integers, ends included";
  let description = "Example: `bounded<0, ?>`: no element is negative.";
  let parameters = (ins OptionalParameter<"std::optional<int64_t>">:$lb,
                        OptionalParameter<"std::optional<int64_t>">:$ub);
  let hasCustomAssemblyFormat = 1;
}

#endif
