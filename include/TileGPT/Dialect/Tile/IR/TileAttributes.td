//===- TileAttributes.td - Parameters, size expressions, conditions -*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_TILE_IR_TILEATTRIBUTES_TD
#define TILEGPT_DIALECT_TILE_IR_TILEATTRIBUTES_TD

include "TileGPT/Dialect/Tile/IR/TileDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

class Tile_Attr<string name, string attrMnemonic> : AttrDef<Tile_Dialect, name> {
  let mnemonic = attrMnemonic;
}

class Tile_Enum<string name, string text, list<I32EnumAttrCase> cases> : I32EnumAttr<name, text, cases> {
  let cppNamespace = "::tilegpt::tile";
  let genSpecializedAttr = 0;
}

def Tile_PadKind : Tile_Enum<"PadKind", "pad value of out-of-bounds elements of a load", [
  I32EnumAttrCase<"Zero", 0, "zero">, I32EnumAttrCase<"NegInf", 1, "neg_inf">,
  I32EnumAttrCase<"PosInf", 2, "pos_inf">, I32EnumAttrCase<"NaN", 3, "nan">,
  I32EnumAttrCase<"NegZero", 4, "neg_zero">, I32EnumAttrCase<"MinusOne", 5, "minus_one">]>;
def Tile_PadAttr : EnumAttr<Tile_Dialect, Tile_PadKind, "pad_kind"> { let assemblyFormat = "$value"; }

def Tile_ReduceKind : Tile_Enum<"ReduceKind", "named reduction", [
  I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Mul", 1, "mul">,
  I32EnumAttrCase<"Max", 2, "max">, I32EnumAttrCase<"Min", 3, "min">,
  I32EnumAttrCase<"UMax", 4, "umax">, I32EnumAttrCase<"UMin", 5, "umin">,
  I32EnumAttrCase<"And", 6, "and">, I32EnumAttrCase<"Or", 7, "or">, I32EnumAttrCase<"Xor", 8, "xor">,
  I32EnumAttrCase<"ArgMax", 9, "argmax">, I32EnumAttrCase<"ArgMin", 10, "argmin">]>;
def Tile_ReduceKindAttr : EnumAttr<Tile_Dialect, Tile_ReduceKind, "reduce_kind"> { let assemblyFormat = "$value"; }

def Tile_NaNPolicy : Tile_Enum<"NaNPolicy", "NaN handling of max and min", [
  I32EnumAttrCase<"Propagate", 0, "propagate">, I32EnumAttrCase<"Ignore", 1, "ignore">]>;
def Tile_NaNPolicyAttr : EnumAttr<Tile_Dialect, Tile_NaNPolicy, "nan_policy"> { let assemblyFormat = "$value"; }

def Tile_AtomicKind : Tile_Enum<"AtomicKind", "atomic operation", [
  I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Max", 1, "max">, I32EnumAttrCase<"Min", 2, "min">,
  I32EnumAttrCase<"UMax", 3, "umax">, I32EnumAttrCase<"UMin", 4, "umin">,
  I32EnumAttrCase<"And", 5, "and">, I32EnumAttrCase<"Or", 6, "or">, I32EnumAttrCase<"Xor", 7, "xor">,
  I32EnumAttrCase<"Xchg", 8, "xchg">]>;
def Tile_AtomicKindAttr : EnumAttr<Tile_Dialect, Tile_AtomicKind, "atomic_kind"> { let assemblyFormat = "$value"; }

def Tile_MemoryOrder : Tile_Enum<"MemoryOrder", "memory order", [
  I32EnumAttrCase<"Weak", 0, "weak">, I32EnumAttrCase<"Relaxed", 1, "relaxed">,
  I32EnumAttrCase<"Acquire", 2, "acquire">, I32EnumAttrCase<"Release", 3, "release">,
  I32EnumAttrCase<"AcqRel", 4, "acq_rel">]>;
def Tile_MemoryOrderAttr : EnumAttr<Tile_Dialect, Tile_MemoryOrder, "memory_order"> { let assemblyFormat = "$value"; }

def Tile_MemoryScope : Tile_Enum<"MemoryScope", "memory scope", [
  I32EnumAttrCase<"Block", 0, "block">, I32EnumAttrCase<"Device", 1, "device">,
  I32EnumAttrCase<"System", 2, "system">]>;
def Tile_MemoryScopeAttr : EnumAttr<Tile_Dialect, Tile_MemoryScope, "memory_scope"> { let assemblyFormat = "$value"; }

def Tile_Precision : Tile_Enum<"Precision", "precision of a dot", [
  I32EnumAttrCase<"IEEE", 0, "ieee">, I32EnumAttrCase<"TF32", 1, "tf32">, I32EnumAttrCase<"Fast", 2, "fast">]>;
def Tile_PrecisionAttr : EnumAttr<Tile_Dialect, Tile_Precision, "precision"> { let assemblyFormat = "$value"; }

def Tile_RoundedKind : Tile_Enum<"RoundedKind", "operation with a rounding mode", [
  I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Sub", 1, "sub">, I32EnumAttrCase<"Mul", 2, "mul">,
  I32EnumAttrCase<"Div", 3, "div">, I32EnumAttrCase<"Fma", 4, "fma">, I32EnumAttrCase<"Sqrt", 5, "sqrt">]>;
def Tile_RoundedKindAttr : EnumAttr<Tile_Dialect, Tile_RoundedKind, "rounded_kind"> { let assemblyFormat = "$value"; }

def Tile_RoundingMode : Tile_Enum<"RoundingMode", "rounding mode", [
  I32EnumAttrCase<"Even", 0, "even">, I32EnumAttrCase<"Zero", 1, "zero">,
  I32EnumAttrCase<"Down", 2, "down">, I32EnumAttrCase<"Up", 3, "up">]>;
def Tile_RoundingModeAttr : EnumAttr<Tile_Dialect, Tile_RoundingMode, "rounding_mode"> { let assemblyFormat = "$value"; }

def Tile_GlobalKind : Tile_Enum<"GlobalKind", "kind of a global", [
  I32EnumAttrCase<"Weight", 0, "weight">, I32EnumAttrCase<"State", 1, "state">]>;
def Tile_GlobalKindAttr : EnumAttr<Tile_Dialect, Tile_GlobalKind, "global_kind"> { let assemblyFormat = "$value"; }

def Tile_Comparison : Tile_Enum<"Comparison", "comparison in a where clause", [
  I32EnumAttrCase<"EQ", 0, "==">, I32EnumAttrCase<"LT", 1, "<">, I32EnumAttrCase<"LE", 2, "<=">,
  I32EnumAttrCase<"GT", 3, ">">, I32EnumAttrCase<"GE", 4, ">=">]>;

def Tile_ExprAttr : Tile_Attr<"Expr", "expr"> {
  let summary = "an integer expression over sizes, scalars and parameters of a kernel";
  let description = [{
    An affine (or semi-affine) map without dims and with one result. Its symbols are read from `sources`, one each:
    a string is a kernel parameter, `array<i64: a, d>` is `dim(argument a, axis d)`, `array<i64: a>` is the scalar
    argument a. The textual form of a kernel is `ceildiv(dim(%y, 0), BM)`, with `+ - *`, `ceildiv(,)`,
    `floordiv(,)`, `mod(,)`.
  }];
  let parameters = (ins "::mlir::AffineMap":$map, "::mlir::ArrayAttr":$sources);
  let assemblyFormat = "`<` $map `,` $sources `>`";
  let genVerifyDecl = 1;
}

def Tile_ConditionAttr : Tile_Attr<"Condition", "condition"> {
  let summary = "one comparison of a where clause";
  let parameters = (ins "ExprAttr":$lhs, EnumParameter<Tile_Comparison>:$comparison, "ExprAttr":$rhs);
  let hasCustomAssemblyFormat = 1;
}

def Tile_ParamAttr : Tile_Attr<"Param", "param"> {
  let summary = "a declared parameter of a kernel: its default and candidates";
  let description = [{
    The default is an integer (a tile size), an `#tile.expr` over sizes that must be static when the kernel is
    specialized (`D = dim(%k, 3)`), or a type: `W: type = f32`, or `Y: type = !tile.elt<X>` for the type bound to X.
    Candidates are the values a launch or the tuner may choose instead; without candidates only the default is
    allowed.
  }];
  let parameters = (ins "::mlir::StringAttr":$name, "::mlir::Attribute":$defaultValue, "::mlir::ArrayAttr":$candidates);
  let assemblyFormat = "`<` $name `,` $defaultValue `,` $candidates `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// True for `W: type = …`.
    bool isType() const { return ::mlir::isa<::mlir::TypeAttr>(getDefaultValue()); }
    /// True when `value` is the default or one of the candidates.
    bool admits(::mlir::Attribute value) const;
  }];
}

def Tile_ImplementsAttr : Tile_Attr<"Implements", "implements"> {
  let summary = "the graph op a kernel implements, and the attributes that op must carry";
  let parameters = (ins "::mlir::StringAttr":$opName, "::mlir::DictionaryAttr":$attributes);
  let assemblyFormat = "`<` $opName `,` $attributes `>`";
}

#endif
