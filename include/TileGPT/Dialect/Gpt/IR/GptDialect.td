//===- GptDialect.td - The gpt dialect ----------------------------*- tablegen -*-===//
//
// A GPT-2 class model on tensors, with its weights by name: what is computed, in the ten words people use for it.
//
//===------------------------------------------------------------------------------===//

#ifndef TILEGPT_DIALECT_GPT_IR_GPTDIALECT_TD
#define TILEGPT_DIALECT_GPT_IR_GPTDIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/DialectBase.td"
include "mlir/IR/EnumAttr.td"

def Gpt_Dialect : Dialect {
  let name = "gpt";
  let cppNamespace = "::tilegpt::gpt";
  let summary = "GPT-2 class models on tensors";
  let description = [{
    Activations are f32 tensors `[N, C]`: row `b·T + t` is token `t` of sequence `b`, of `N = B·T` rows. `ids` is `[N]`,
    and `pos` is `[B]`: the position of each sequence's first token of the step. The sizes of the model are declared
    once, by `gpt.model`; the text of a model leaves them dynamic (`tensor<?x?xf32>`) and `--gpt-configure` makes them
    static, so one text serves every size.

    Weights are named like the modules of Hugging Face's GPT-2, and `{l}` stands for the index of the layer:
    `weights("h.{l}.ln_1")` is `h.0.ln_1.weight` and `h.0.ln_1.bias` in layer 0. Matrices are `[out, in]`.

    Residual additions are `arith.addf`; functions are upstream's `func.func`. Every op lowers to a launch of the kernel
    declared to implement it (`--gpt-to-tile`), and a `tile.launch` of a user kernel may appear next to these ops.
  }];
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::tensor::TensorDialect",
    "::tilegpt::tile::TileDialect"];
  let extraClassDeclaration = [{
    void registerAttributes();
  }];
}

class Gpt_Enum<string name, string text, list<I32EnumAttrCase> cases> : I32EnumAttr<name, text, cases> {
  let cppNamespace = "::tilegpt::gpt";
  let genSpecializedAttr = 0;
}

def Gpt_Activation : Gpt_Enum<"Activation", "elementwise activation function", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"GeluTanh", 1, "gelu_tanh">,
  I32EnumAttrCase<"GeluErf", 2, "gelu_erf">, I32EnumAttrCase<"Silu", 3, "silu">]>;
def Gpt_ActivationAttr : EnumAttr<Gpt_Dialect, Gpt_Activation, "activation"> { let assemblyFormat = "$value"; }

def Gpt_Approximation : Gpt_Enum<"Approximation", "how GELU is computed", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"Tanh", 1, "tanh">]>;
def Gpt_ApproximationAttr : EnumAttr<Gpt_Dialect, Gpt_Approximation, "approximation"> {
  let assemblyFormat = "$value";
}

def Gpt_ExprAttr : AttrDef<Gpt_Dialect, "Expr"> {
  let mnemonic = "expr";
  let summary = "a value in settings of the model";
  let description = [{
    An expression in the form in which ops print it: numbers and settings of the enclosing `gpt.model`, `+ - * /`, parentheses, and the
    functions `sqrt(x)`, `rsqrt(x)`, `log(x)`, `pow(x, y)`, `int(x)` and `select(c, a, b)`, which is a if c is not 0. Integers stay integers
    under `+ - *` and if `/` is exact; `int` truncates. `--gpt-unroll-layers` replaces it by literals.

    Example: `to (heads + 2 * kv_heads) * head_dim`
  }];
  let parameters = (ins StringRefParameter<"the expression">:$text);
  let assemblyFormat = "`<` $text `>`";
}

/// A number or keyword of an op: a literal or an expression in settings of the model. Its textual form is
/// `custom<Value>($name)`; `getInteger`, `getNumber` and `getWord` (Values.h) evaluate it.
def Gpt_Value : Attr<CPred<"::tilegpt::gpt::isValue($_self)">, "a number, a word or an expression in settings"> {
  let storageType = "::mlir::Attribute";
  let returnType = "::mlir::Attribute";
  let convertFromStorage = "$_self";
}

#endif
